/* Seeds: an --rng-seed repeats its search in every version, so these answers are frozen. */
#include "candidate_set.h"
#include "failure.h"
#include "strategy.h"
#include "suite.h"

TEST(seeds_of_fresh_runs_are_frozen) {
    static const struct {
        uint64_t master_seed, size, number, seed;
    } known[] = {
        {UINT64_C(0), UINT64_C(0), UINT64_C(0), UINT64_C(0xa706dd2f4d197e6f)},
        {UINT64_C(0), UINT64_C(1), UINT64_C(0), UINT64_C(0x08b4fda8c892b50e)},
        {UINT64_C(1), UINT64_C(1), UINT64_C(0), UINT64_C(0xe9fd6049d65af21e)},
        {UINT64_C(92), UINT64_C(4096), UINT64_C(0), UINT64_C(0x37b7be227ca4b248)},
        {UINT64_C(92), UINT64_C(4096), UINT64_C(7), UINT64_C(0x37b7be227ca4b24f)},
        {UINT64_C(18446744073709551615), UINT64_C(8589934592), UINT64_C(0),
         UINT64_C(0x5821fe7f24be9f26)},
        {UINT64_C(4660), UINT64_C(41), UINT64_C(4611686018427387904), UINT64_C(0xffd52bb2b512be95)},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_uint_eq(seed_input_fresh(known[i].master_seed, known[i].size, known[i].number),
                          known[i].seed);
    }
}

TEST(consecutive_runs_have_consecutive_seeds) {
    const uint64_t first = seed_input_fresh(92, 4096, 10);
    for (uint64_t i = 0; i < 100; i++)
        ck_assert_uint_eq(seed_input_fresh(92, 4096, 10 + i), first + i);
    ck_assert_uint_eq(seed_input_fresh(92, 4096, UINT64_MAX), seed_input_fresh(92, 4096, 0) - 1);
}

TEST(every_second_seed_of_a_half_mix_is_styled_however_its_batch_is_split) {
    const batch whole = {.first_seed = UINT64_MAX - 2, .count = 9, .size = 5, .mix = MIX_HALF};
    for (uint64_t i = 0; i < whole.count; i++) {
        const batch rest = {whole.first_seed + i, 9, 5, NULL, MIX_HALF};
        const seed_input t = batch_input(&whole, i);
        ck_assert_int_eq(t.style, i % 2 == 0 ? SEED_STYLED : SEED_PLAIN);
        ck_assert(seed_input_equal(t, batch_input(&rest, 0)));
        ck_assert_int_eq(batch_mix_style(MIX_STYLED, t.seed), SEED_STYLED);
        ck_assert_int_eq(batch_mix_style(MIX_PLAIN, t.seed), SEED_PLAIN);
        ck_assert_int_eq(batch_mix_style(batch_mix_of(t.style), t.seed), t.style);
    }
}

TEST(numbers_of_resumed_searches_are_frozen) {
    ck_assert_uint_eq(seed_input_resumed((seed_input){0, UINT64_C(0)}),
                      UINT64_C(0x69c1b74bd3465f9b));
    ck_assert_uint_eq(seed_input_resumed((seed_input){41, UINT64_C(16842751)}),
                      UINT64_C(0x6ea4ef144149cec7));
    ck_assert_uint_eq(seed_input_resumed((seed_input){4096, UINT64_C(18446744073709551615)}),
                      UINT64_C(0x6122be9d38af97c7));
}

TEST(a_resumed_search_begins_far_above_every_number_of_one_that_begins) {
    for (uint64_t size = 0; size < 100; size++) {
        const uint64_t number = seed_input_resumed((seed_input){size, size * 7});
        ck_assert_uint_ge(number, UINT64_C(1) << 62);
        ck_assert_uint_lt(number, UINT64_C(1) << 63);
        ck_assert_uint_ne(number, seed_input_resumed((seed_input){size + 1, size * 7}));
        ck_assert_uint_ne(number, seed_input_resumed((seed_input){size, size * 7 + 1}));
        ck_assert_uint_ne(number, seed_input_resumed((seed_input){size, size * 7, SEED_STYLED}));
    }
}

static const strategy_config config = {.attempts = 5, .size_max = 4096, .master_seed = 92};

/* Play passes until a run has bytes, and return its seed with the number of runs before it. */
static batch first_with_bytes(strategy *s, uint64_t *before) {
    batch next;
    *before = 0;
    for (;;) {
        ck_assert_int_eq(strategy_next(s, 1, &next), STRATEGY_RUN);
        if (next.size > 0) return next;
        strategy_feed(s, next.count, false, 0);
        *before += next.count;
    }
}

TEST(a_search_counts_its_runs_from_0) {
    uint64_t before;
    strategy *s = strategy_create(&config);
    const batch first = first_with_bytes(s, &before);
    ck_assert_uint_eq(before, 1);
    ck_assert_uint_eq(first.first_seed, seed_input_fresh(92, first.size, 1));
    strategy_destroy(s);
}

TEST(a_resumed_search_reuses_no_seed) {
    uint64_t before;
    const seed_input best = {41, 1234};
    strategy *s = strategy_resume(&config, best);
    const batch first = first_with_bytes(s, &before);
    ck_assert_uint_eq(first.first_seed,
                      seed_input_fresh(92, first.size, seed_input_resumed(best) + before));
    strategy_destroy(s);
}

TEST(a_search_that_begins_anew_goes_on_with_new_seeds) {
    uint64_t before;
    batch next;
    strategy *old = strategy_create(&config);
    for (uint64_t i = 0; i < 20; i++) {
        ck_assert_int_eq(strategy_next(old, 1, &next), STRATEGY_RUN);
        strategy_feed(old, 1, false, 0);
    }
    strategy *s = strategy_continue(old, &(seed_input){41, 1234}, false);
    const batch first = first_with_bytes(s, &before);
    ck_assert_uint_eq(first.first_seed, seed_input_fresh(92, first.size, 20 + before));
    strategy_destroy(s);
    strategy_destroy(old);
}
