/* bests.h: the failures that a search may end with. */
#include "bests.h"

#include "suite.h"

static failure of_size(uint64_t size) {
    return (failure){.input = {size, 7}, .reruns = 1, .repeated = 1};
}

/* ---- Bests ---- */

static bests kept;

static bool add(uint64_t size) {
    const failure f = of_size(size);
    return bests_add(&kept, &f);
}

static void open_bests(void) { ck_assert(bests_init(&kept)); }
static void close_bests(void) { bests_finish(&kept); }

TEST(no_best_is_the_smallest_of_none) { ck_assert_ptr_null(bests_smallest(&kept)); }

TEST(a_failure_takes_its_place_by_size) {
    ck_assert(add(50));
    ck_assert(add(30));
    ck_assert(!add(40));
    ck_assert_uint_eq(bests_smallest(&kept)->input.size, 30);
    bests_drop_smallest(&kept);
    ck_assert_uint_eq(bests_smallest(&kept)->input.size, 40);
    bests_drop_smallest(&kept);
    ck_assert_uint_eq(bests_smallest(&kept)->input.size, 50);
    bests_drop_smallest(&kept);
    ck_assert_ptr_null(bests_smallest(&kept));
}

TEST(beyond_64_bests_the_largest_are_dropped) {
    for (uint64_t i = 0; i < BESTS_MAX + 10; i++) ck_assert(add(1000 - i));
    ck_assert_uint_eq(kept.count, BESTS_MAX);
    for (uint64_t i = BESTS_MAX + 9; kept.count > 0; i--) {
        ck_assert_uint_eq(bests_smallest(&kept)->input.size, 1000 - i);
        bests_drop_smallest(&kept);
    }
}

/* ---- Fallbacks ---- */

TEST(what_repeated_at_times_is_preferred_to_what_never_did) {
    fallbacks k = {0};
    const failure large = of_size(90), small = of_size(10);
    ck_assert_int_eq(fallbacks_preferred(&k), FALLBACK_KINDS);
    fallbacks_add(&k, FALLBACK_LIMITED, &small, FALLBACK_KEPT);
    ck_assert_int_eq(fallbacks_preferred(&k), FALLBACK_LIMITED);
    fallbacks_add(&k, FALLBACK_ONCE, &small, FALLBACK_KEPT);
    ck_assert_int_eq(fallbacks_preferred(&k), FALLBACK_ONCE);
    fallbacks_add(&k, FALLBACK_FLAKY, &large, FALLBACK_KEPT);
    ck_assert_int_eq(fallbacks_preferred(&k), FALLBACK_FLAKY);
}

TEST(the_smallest_fallback_is_kept_with_its_own_state) {
    fallbacks k = {0};
    const failure large = of_size(90), small = of_size(10);
    fallbacks_add(&k, FALLBACK_FLAKY, &small, FALLBACK_ANNOUNCED);
    fallbacks_add(&k, FALLBACK_FLAKY, &large, FALLBACK_KEPT);
    ck_assert_uint_eq(k.of[FALLBACK_FLAKY].failure.input.size, 10);
    ck_assert_int_eq(k.of[FALLBACK_FLAKY].state, FALLBACK_ANNOUNCED);
    const failure smaller = of_size(9);
    fallbacks_add(&k, FALLBACK_FLAKY, &smaller, FALLBACK_KEPT);
    ck_assert_uint_eq(k.of[FALLBACK_FLAKY].failure.input.size, 9);
    ck_assert_int_eq(k.of[FALLBACK_FLAKY].state, FALLBACK_KEPT);
}

SUITE(.before_each = open_bests, .after_each = close_bests);
