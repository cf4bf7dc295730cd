/* size_counts.h: the emitted counts add up to those added, in few lines. */
#include "fixture.h"
#include "size_counts.h"

#include <string.h>

/* ---- Hearing ---- */

enum { SIZES = 20000 };

static uint64_t lines, sums[SIZES];
static tested_runs heard; /* the last */

static void hear(void *context, const tested_runs *t) {
    (void)context;
    ck_assert_uint_gt(t->runs, 0);
    ck_assert_uint_lt(t->size, SIZES);
    sums[t->size] += t->runs;
    lines++;
    heard = *t;
}

static const size_counts_sink listener = {hear, NULL};

static tested_runs runs_of(uint64_t size, uint64_t runs) {
    return (tested_runs){.size = size, .runs = runs, .drawn = size * runs, .is_fresh = true};
}

static void add(size_counts *c, uint64_t size, uint64_t runs) {
    const tested_runs more = runs_of(size, runs);
    size_counts_add(c, &more, &listener);
}

/* ---- Tests ---- */

TEST(a_size_is_told_when_it_is_left) {
    size_counts *c = size_counts_create();
    add(c, 8, 3);
    add(c, 8, 4);
    ck_assert_uint_eq(lines, 0);
    add(c, 9, 1);
    ck_assert_uint_eq(lines, 1);
    ck_assert_uint_eq(heard.size, 8);
    ck_assert_uint_eq(heard.runs, 7);
    ck_assert_uint_eq(heard.drawn, 56);
    size_counts_flush(c, &listener);
    ck_assert_uint_eq(lines, 2);
    ck_assert_uint_eq(heard.size, 9);
    size_counts_flush(c, &listener);
    ck_assert_uint_eq(lines, 2);
    size_counts_destroy(c);
}

TEST(a_size_that_lasts_is_told_each_time_its_runs_have_doubled) {
    size_counts *c = size_counts_create();
    for (uint64_t i = 0; i < 1 << 20; i++) add(c, 5, 1);
    ck_assert_uint_eq(sums[5], 1 << 20);
    ck_assert_uint_eq(lines, 15); /* 64, 64, 128, 256, ... */
    size_counts_destroy(c);
}

TEST(sizes_in_turn_for_a_night_are_told_seldom_and_add_up) {
    size_counts *c = size_counts_create();
    for (unsigned round = 0; round < 10000; round++) {
        for (uint64_t size = 16; size < 80; size++) add(c, size, 10);
    }
    ck_assert_uint_lt(lines, 64 * 17);
    size_counts_flush(c, &listener);
    for (uint64_t size = 16; size < 80; size++) ck_assert_uint_eq(sums[size], 100000);
    size_counts_destroy(c);
}

TEST(more_sizes_than_there_is_room_for_add_up_too) {
    size_counts *c = size_counts_create();
    for (unsigned round = 0; round < 3; round++) {
        for (uint64_t size = 0; size < SIZES; size++) add(c, size, 1 + size % 3);
    }
    size_counts_flush(c, &listener);
    for (uint64_t size = 0; size < SIZES; size++) ck_assert_uint_eq(sums[size], 3 * (1 + size % 3));
    size_counts_destroy(c);
}

TEST(ends_and_draws_add_up_and_what_is_unknown_stays_so) {
    size_counts *c = size_counts_create();
    tested_runs a = runs_of(8, 10), b = runs_of(8, 20), old = runs_of(8, 5);
    a.failures = a.others = 1;
    b.unreliable = b.failures = 1;
    old.is_fresh = false;
    size_counts_add(c, &a, &listener);
    size_counts_add(c, &b, &listener);
    size_counts_add(c, &old, &listener); /* is emitted by itself */
    ck_assert_uint_eq(heard.runs, 30);
    ck_assert_uint_eq(heard.drawn, 240);
    ck_assert_uint_eq(heard.failures, 2);
    ck_assert_uint_eq(heard.others, 1);
    ck_assert_uint_eq(heard.unreliable, 1);
    ck_assert(heard.is_fresh);
    old.drawn = UINT64_MAX;
    size_counts_add(c, &old, &listener);
    size_counts_flush(c, &listener);
    ck_assert_uint_eq(heard.runs, 10);
    ck_assert_uint_eq(heard.drawn, UINT64_MAX);
    ck_assert(!heard.is_fresh);
    size_counts_destroy(c);
}
