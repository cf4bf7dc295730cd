/* pass.h: every search ends, asks nothing twice, and finds the largest amount. */
#include "pass.h"
#include "suite.h"

#include <stdlib.h>

enum { TRIES_MAX = 400 };

/* How one search went. */
typedef struct asked {
    uint64_t amounts[TRIES_MAX];
    size_t count;
    uint64_t found;
} asked;

typedef bool predicate(uint64_t by, uint64_t parameter);

static bool up_to(uint64_t by, uint64_t threshold) { return by <= threshold; }

static bool at_random(uint64_t by, uint64_t seed) {
    const uint64_t x = (by + seed * 977) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ (x >> 31)) % 3 == 0;
}

static bool repeats_allowed = true;

static bool was_asked(const asked *a, uint64_t by) {
    for (size_t i = 0; i < a->count; i++) {
        if (a->amounts[i] == by) return true;
    }
    return false;
}

static void fail_with(step_kind kind, uint64_t limit, uint64_t parameter, uint64_t by,
                      const char *what) {
    ck_abort_msg("kind %d, limit %llu, parameter %llu: %llu %s", (int)kind,
                 (unsigned long long)limit, (unsigned long long)parameter, (unsigned long long)by,
                 what);
}

static const asked *search(step_kind kind, uint64_t limit, predicate *does, uint64_t parameter) {
    static asked a;
    step_search now = step_search_begin(kind, limit);
    a.count = 0;
    for (uint64_t next; (next = step_search_next(&now)) != 0;) {
        if (next > limit || a.count == TRIES_MAX) fail_with(kind, limit, parameter, next, "wild");
        if (was_asked(&a, next) && !(repeats_allowed && kind >= STEP_VALUE)) {
            fail_with(kind, limit, parameter, next, "twice");
        }
        a.amounts[a.count++] = next;
        step_search_feedback(&now, does(next, parameter));
    }
    a.found = now.good;
    if (a.found > 0 && !does(a.found, parameter)) {
        fail_with(kind, limit, parameter, a.found, "found, but it does not");
    }
    return &a;
}

static const uint64_t huge[] = {UINT64_MAX,
                                UINT64_MAX - 1,
                                UINT64_MAX / 2,
                                UINT64_MAX / 2 + 1,
                                UINT64_MAX / 2 + 2,
                                UINT64_C(1) << 62,
                                UINT32_MAX,
                                UINT64_C(1) << 32,
                                1000003,
                                65535,
                                1000};
enum { HUGE_ONES = sizeof huge / sizeof *huge, SMALL = 70 };

static unsigned bits_of(uint64_t value) {
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

static void check_all(uint64_t limit, uint64_t threshold) {
    const asked *a = search(STEP_ALL, limit, up_to, threshold);
    ck_assert_uint_eq(a->count, 1);
    ck_assert_uint_eq(a->found, threshold == limit ? limit : 0);
}

/* What is found costs as its count of bits, not as the limit's. */
static void check_most(uint64_t limit, uint64_t threshold) {
    const asked *a = search(STEP_MOST, limit, up_to, threshold);
    ck_assert_uint_eq(a->found, threshold);
    ck_assert_uint_le(a->count, 5 + 2 * bits_of(threshold));
    if (threshold == 0) ck_assert_uint_eq(a->count, 1);
}

static void check_value(step_kind kind, uint64_t limit, uint64_t threshold) {
    const asked *a = search(kind, limit, up_to, threshold);
    ck_assert_uint_le(a->count, 2 * 64 + 8);
    ck_assert_uint_eq(a->found, threshold); /* it tries 1, unless all of it does */
    if (threshold == limit) ck_assert_uint_eq(a->count, 1);
    if (threshold == 0) ck_assert_uint_le(a->count, 4);
}

static void check_each(uint64_t limit, uint64_t threshold) {
    check_all(limit, threshold);
    check_most(limit, threshold);
    check_value(STEP_VALUE, limit, threshold);
    check_value(STEP_PAIR, limit, threshold);
}

TEST(all_thresholds_of_small_limits) {
    for (uint64_t limit = 1; limit <= SMALL; limit++) {
        for (uint64_t threshold = 0; threshold <= limit; threshold++) check_each(limit, threshold);
    }
}

TEST(thresholds_of_huge_limits) {
    for (size_t i = 0; i < HUGE_ONES; i++) {
        const uint64_t limit = huge[i];
        for (uint64_t k = 0; k <= 70 && k <= limit; k++) {
            check_each(limit, k);
            check_each(limit, limit - k);
        }
        for (unsigned bit = 0; bit < 64 && limit >> bit > 0; bit++) {
            const uint64_t power = UINT64_C(1) << bit;
            check_each(limit, power);
            check_each(limit, power - 1);
            check_each(limit, limit - power);
            check_each(limit, limit / 2 + (limit >> (bit + 1 < 64 ? bit + 1 : 63)) / 2);
        }
    }
}

/* Predicates that are not monotone: it ends, and with something that does. */
TEST(predicates_without_an_order) {
    for (step_kind kind = STEP_ALL; kind <= STEP_PAIR; kind++) {
        for (uint64_t seed = 0; seed < 200; seed++) {
            for (uint64_t limit = 1; limit <= SMALL; limit++) search(kind, limit, at_random, seed);
            for (size_t i = 0; i < HUGE_ONES; i++) search(kind, huge[i], at_random, seed);
        }
    }
}

static bool any_but_one(uint64_t by, uint64_t bad) { return by != bad; }

static bool only_one(uint64_t by, uint64_t good) { return by == good; }

TEST(one_hole_and_one_peak) {
    for (step_kind kind = STEP_ALL; kind <= STEP_PAIR; kind++) {
        for (uint64_t limit = 1; limit <= SMALL; limit++) {
            for (uint64_t k = 1; k <= limit; k++) {
                search(kind, limit, any_but_one, k);
                search(kind, limit, only_one, k);
            }
        }
    }
}

TEST(the_first_tries_are_the_largest_and_the_smallest_steps) {
    const asked *a = search(STEP_VALUE, 1000, up_to, 0);
    ck_assert_uint_eq(a->amounts[0], 1000);
    ck_assert_uint_eq(a->amounts[1], 1);
    a = search(STEP_PAIR, 1000, up_to, 0);
    ck_assert_uint_eq(a->count, 2);
    a = search(STEP_MOST, 1000, up_to, 10);
    for (uint64_t i = 0; i < 4; i++) ck_assert_uint_eq(a->amounts[i], i + 1);
    ck_assert_uint_eq(a->amounts[4], 8);
    ck_assert_uint_eq(a->amounts[5], 16);
}

TEST(nothing_is_asked_twice) {
    repeats_allowed = false;
    for (uint64_t limit = 1; limit <= SMALL; limit++) {
        for (uint64_t threshold = 0; threshold <= limit; threshold++) check_each(limit, threshold);
        for (uint64_t k = 1; k <= limit; k++) {
            search(STEP_VALUE, limit, any_but_one, k);
            search(STEP_VALUE, limit, only_one, k);
        }
    }
}
