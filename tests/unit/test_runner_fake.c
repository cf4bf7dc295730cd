/* runner_fake.h: the runner without processes keeps a runner's promises. */
#include "runner_fake.h"
#include "suite.h"

#include <stdlib.h>

typedef struct calls {
    uint64_t fails_at; /* seed */
    outcome failure;
    uint64_t seeds[16];
    uint64_t size;
    size_t count;
} calls;

static outcome judge(void *context, seed_input t) {
    calls *c = context;
    ck_assert_uint_lt(c->count, sizeof c->seeds / sizeof *c->seeds);
    c->size = t.size;
    c->seeds[c->count++] = t.seed;
    return t.seed == c->fails_at ? c->failure : outcome_of_status(0);
}

static outcome judge_given(void *context, candidate_set *given, uint32_t index, bool capture) {
    calls *c = context;
    ck_assert(capture);
    ck_assert_uint_eq(given->passes[index].drawn, OUTCOME_DRAWN_UNKNOWN);
    c->seeds[c->count++] = candidate_set_size(given, index);
    given->passes[index].drawn = *candidate_set_bytes(given, index);
    return index == c->fails_at ? c->failure : outcome_of_status(0);
}

static run_result run(calls *c, batch runs) {
    static run_result result;
    const runner_fake_config config = {judge, c, judge_given};
    const runner_watch never = {.fd = -1};
    int error = -1;
    runner *r = runner_fake_create(&config, &never, &error);
    ck_assert_ptr_nonnull(r);
    result.ran = 77;
    result.cancelled = true;
    r->ops->run(r, &runs, true, &result);
    r->ops->destroy(r);
    return result;
}

TEST(all_runs_of_a_batch_pass) {
    calls c = {.fails_at = 99};
    const run_result result = run(&c, (batch){10, 4, 3, NULL});
    ck_assert_uint_eq(result.ran, 4);
    ck_assert(!result.cancelled);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.output.size, 0);
    ck_assert_uint_eq(c.count, 4);
    for (size_t i = 0; i < 4; i++) ck_assert_uint_eq(c.seeds[i], 10 + i);
    ck_assert_uint_eq(c.size, 3);
}

TEST(the_first_that_does_not_pass_ends_it) {
    const outcome failures[] = {outcome_of_status(3 << 8),
                                {VERDICT_TIMEOUT, 9, FAULT_NONE, 0, 2},
                                outcome_error(FAULT_EXEC, 2)};
    for (size_t i = 0; i < 3; i++) {
        calls c = {.fails_at = 12, .failure = failures[i]};
        const run_result result = run(&c, (batch){10, 8, 5, NULL});
        ck_assert_uint_eq(result.ran, 3);
        ck_assert_uint_eq(c.count, 3);
        ck_assert_int_eq(result.last.verdict, failures[i].verdict);
        ck_assert_int_eq(result.last.status, failures[i].status);
        ck_assert_int_eq(result.last.fault, failures[i].fault);
        ck_assert_uint_eq(result.last.drawn, failures[i].drawn);
    }
}

TEST(seeds_wrap) {
    calls c = {.fails_at = 1, .failure = outcome_of_status(6)};
    const run_result result = run(&c, (batch){UINT64_MAX, 8, 5, NULL});
    ck_assert_uint_eq(result.ran, 3);
    ck_assert_uint_eq(c.seeds[0], UINT64_MAX);
    ck_assert_uint_eq(c.seeds[1], 0);
}

TEST(test_cases_of_a_candidate_set_are_judged) {
    calls c = {.fails_at = 2, .failure = outcome_of_status(3 << 8)};
    uint8_t bytes[] = {9, 8, 7, 6, 5, 4};
    candidate_set given = {
        .count = 4, .ends = {1, 3, 3, 6}, .bytes = bytes, .reported = 5, .record_count = 5};
    const run_result result = run(&c, (batch){1, 3, 0, &given});
    ck_assert_uint_eq(result.ran, 2);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    ck_assert_uint_eq(c.count, 2);
    ck_assert_uint_eq(c.seeds[0], 2);
    ck_assert_uint_eq(c.seeds[1], 0);
    ck_assert_uint_eq(given.passes[1].drawn, 8);
    ck_assert_uint_eq(given.reported, 0);
    ck_assert_uint_eq(given.record_count, 0);
}
