/* server_life.h: what a process has run, as far as it is remembered. */
#include "fixture.h"
#include "server_life.h"

#include "candidate_set.h"

static server_life life;

static batch runs_of(uint64_t first, uint32_t count) {
    return (batch){.first_seed = first, .count = count, .size = 16};
}

TEST(parts_of_a_batch_are_one) {
    const batch first = runs_of(1, 10), second = runs_of(5, 6);
    server_life_add(&life, &first, 4);
    server_life_add(&life, &second, 6);
    ck_assert_uint_eq(life.count, 1);
    ck_assert_uint_eq(life.batches[0].first_seed, 1);
    ck_assert_uint_eq(life.batches[0].count, 10);
}

TEST(other_runs_are_another_batch) {
    const batch first = runs_of(1, 4), gap = runs_of(6, 4);
    batch larger = runs_of(10, 4), styled = runs_of(14, 4);
    larger.size = 17;
    styled.size = 17;
    styled.mix = MIX_STYLED;
    server_life_add(&life, &first, 4);
    server_life_add(&life, &gap, 4);
    server_life_add(&life, &larger, 4);
    server_life_add(&life, &styled, 4);
    ck_assert_uint_eq(life.count, 4);
}

TEST(runs_that_did_not_pass_are_not_remembered) {
    const batch runs = runs_of(1, 4);
    server_life_add(&life, &runs, 0);
    ck_assert_uint_eq(life.count, 0);
}

TEST(the_oldest_are_forgotten) {
    for (uint64_t i = 0; i <= SERVER_LIFE_MAX; i++) {
        const batch runs = runs_of(10 * i, 2);
        server_life_add(&life, &runs, 2);
    }
    ck_assert_uint_eq(life.count, SERVER_LIFE_MAX);
    ck_assert_uint_eq(life.batches[0].first_seed, 10);
    ck_assert_uint_eq(life.batches[SERVER_LIFE_MAX - 1].first_seed, 10 * SERVER_LIFE_MAX);
}

TEST(what_came_before_a_candidate_set_is_forgotten) {
    static candidate_set set;
    const batch runs = runs_of(1, 4), given = {.count = 1, .candidates = &set};
    server_life_add(&life, &runs, 4);
    server_life_add(&life, &given, 1);
    ck_assert_uint_eq(life.count, 0);
    server_life_add(&life, &runs, 4);
    ck_assert_uint_eq(life.count, 1);
}
