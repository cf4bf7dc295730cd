/* pass.h: every search of an amount ends, asks nothing twice, and finds the largest that does. */
#include "pass.h"
#include "suite.h"

enum { TRIES_MAX = 400, SMALL = 70 };

/* How one search went. */
static struct {
    uint64_t amounts[TRIES_MAX], found;
    size_t count;
} asked;

typedef bool predicate(uint64_t by, uint64_t parameter);

static bool up_to(uint64_t by, uint64_t threshold) { return by <= threshold; }
static bool any_but_one(uint64_t by, uint64_t bad) { return by != bad; }
static bool only_one(uint64_t by, uint64_t good) { return by == good; }

static bool at_random(uint64_t by, uint64_t seed) {
    const uint64_t x = (by + seed * 977) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ (x >> 31)) % 3 == 0;
}

static void search(step_kind kind, uint64_t limit, predicate *does, uint64_t parameter) {
    step_search now = step_search_begin(kind, limit);
    asked.count = 0;
    for (uint64_t next; (next = step_search_next(&now)) != 0;) {
        bool is_wild = next > limit || asked.count == TRIES_MAX;
        for (size_t i = 0; i < asked.count && limit <= SMALL; i++)
            is_wild |= asked.amounts[i] == next && (kind < STEP_VALUE || does != at_random);
        if (is_wild)
            ck_abort_msg("kind %d, limit %ju: %ju", (int)kind, (uintmax_t)limit, (uintmax_t)next);
        asked.amounts[asked.count++] = next;
        step_search_feedback(&now, does(next, parameter));
    }
    asked.found = now.good;
    ck_assert(asked.found == 0 || does(asked.found, parameter));
}

static unsigned bits_of(uint64_t value) {
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

/* What is found costs as its count of bits, not as the limit's. */
static void check_threshold(uint64_t limit, uint64_t threshold) {
    search(STEP_ALL, limit, up_to, threshold);
    ck_assert(asked.count == 1 && asked.found == (threshold == limit ? limit : 0));
    search(STEP_MOST, limit, up_to, threshold);
    ck_assert_uint_eq(asked.found, threshold);
    ck_assert_uint_le(asked.count, threshold == 0 ? 1 : 5 + 2 * bits_of(threshold));
    for (step_kind kind = STEP_VALUE; kind <= STEP_PAIR; kind++) {
        search(kind, limit, up_to, threshold);
        ck_assert_uint_eq(asked.found, threshold); /* it tries 1, unless all of it does */
        ck_assert_uint_le(asked.count, threshold == limit ? 1 : threshold == 0 ? 4 : 2 * 64 + 8);
    }
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
enum { HUGE_ONES = sizeof huge / sizeof *huge };

TEST(the_largest_amount_is_found) {
    for (uint64_t limit = 1; limit <= SMALL; limit++) {
        for (uint64_t threshold = 0; threshold <= limit; threshold++)
            check_threshold(limit, threshold);
    }
    for (size_t i = 0; i < HUGE_ONES; i++) {
        const uint64_t limit = huge[i];
        for (uint64_t k = 0; k <= 70; k++) {
            check_threshold(limit, k);
            check_threshold(limit, limit - k);
        }
        for (unsigned bit = 0; bit < 64 && limit >> bit > 0; bit++) {
            const uint64_t power = UINT64_C(1) << bit;
            check_threshold(limit, power);
            check_threshold(limit, power - 1);
            check_threshold(limit, limit - power);
            check_threshold(limit, limit / 2 + (limit >> (bit + 1 < 64 ? bit + 1 : 63)) / 2);
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
        for (uint64_t limit = 1; limit <= SMALL; limit++) {
            for (uint64_t k = 1; k <= limit; k++) {
                search(kind, limit, any_but_one, k);
                search(kind, limit, only_one, k);
            }
        }
    }
}

TEST(the_first_tries_are_the_largest_and_the_smallest_steps) {
    static const uint64_t most[] = {1, 2, 3, 4, 8, 16};
    search(STEP_VALUE, 1000, up_to, 0);
    ck_assert(asked.amounts[0] == 1000 && asked.amounts[1] == 1);
    search(STEP_PAIR, 1000, up_to, 0);
    ck_assert_uint_eq(asked.count, 2);
    search(STEP_MOST, 1000, up_to, 10);
    ck_assert_mem_eq(asked.amounts, most, sizeof most);
}
