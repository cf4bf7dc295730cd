/* seed_input.h: seeds of searches, which are frozen, and their texts. */
#include "candidate_set.h"
#include "failure.h"
#include "fixture.h"
#include "seed_input.h"
#include "strategy.h"
#include "suite.h"

/* ---- An --rng-seed repeats its search in every version, so these answers are frozen ---- */

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

/* ---- Which texts are seeds, of which style, and how each is written ---- */

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void takes(const char *text, uint64_t seed, seed_style style) {
    seed_input t = {.size = 41, .seed = 4711};
    ck_assert_msg(seed_text_parse(text, &t), "'%s' was refused", text);
    ck_assert_uint_eq(t.seed, seed);
    ck_assert_int_eq(t.style, style);
    ck_assert_msg(t.size == 41, "a seed has no size");
}

static void refuses(const char *text) {
    seed_input t = {.size = 41, .seed = 4711, .style = SEED_STYLED};
    ck_assert_msg(!seed_text_parse(text, &t), "'%s' was taken", text);
    ck_assert_msg(t.size == 41 && t.seed == 4711 && t.style == SEED_STYLED,
                  "'%s' was refused, but left a seed", text);
}

TEST(a_number_is_a_plain_seed) {
    takes("0", 0, SEED_PLAIN);
    takes("17", 17, SEED_PLAIN);
    takes("007", 7, SEED_PLAIN);
    takes("0x11", 17, SEED_PLAIN);
    takes("0XfF", 255, SEED_PLAIN);
    takes("18446744073709551615", UINT64_MAX, SEED_PLAIN);
    takes("00000000000000000000000000000000000000000000000000001", 1, SEED_PLAIN);
}

TEST(a_number_and_an_s_are_a_styled_seed) {
    takes("0s", 0, SEED_STYLED);
    takes("17s", 17, SEED_STYLED);
    takes("0x11s", 17, SEED_STYLED);
    takes("0Xffs", 255, SEED_STYLED);
    takes("6801666893750869883s", UINT64_C(6801666893750869883), SEED_STYLED);
    takes("18446744073709551615s", UINT64_MAX, SEED_STYLED);
    takes("0xffffffffffffffffs", UINT64_MAX, SEED_STYLED);
    takes("00000000000000000000000000000000000000000000000000001s", 1, SEED_STYLED);
}

TEST(anything_else_is_no_seed) {
    static const char *const junk[] = {"",
                                       " ",
                                       "s",
                                       "S",
                                       "17S",
                                       "17ss",
                                       "s17",
                                       "17 s",
                                       "17s ",
                                       " 17s",
                                       "17s\n",
                                       "1s7",
                                       "17.0s",
                                       "-17s",
                                       "+17s",
                                       "0xs",
                                       "0xsff",
                                       "0x",
                                       "xs",
                                       "17sx",
                                       "17x",
                                       "17st",
                                       "17sec",
                                       "1e3s",
                                       "ffs",
                                       "17\xff",
                                       "17s\xff",
                                       "17,5",
                                       "17s,5",
                                       "17:40s",
                                       "17:40,99s",
                                       "styled",
                                       "\xd9\xa1s",
                                       "18446744073709551616",
                                       "18446744073709551616s",
                                       "0x10000000000000000s"};
    for (size_t i = 0; i < COUNT_OF(junk); i++) refuses(junk[i]);
}

TEST(what_is_written_is_read_back) {
    static const uint64_t seeds[] = {0, 1, 17, UINT64_C(1) << 53 | 1, INT64_MAX, UINT64_MAX};
    char text[SEED_TEXT_MAX];
    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        takes(seed_text_format(text, &(seed_input){.seed = seeds[i]}), seeds[i], SEED_PLAIN);
        takes(seed_text_format(text, &(seed_input){.seed = seeds[i], .style = SEED_STYLED}),
              seeds[i], SEED_STYLED);
    }
    ck_assert_str_eq(text, "18446744073709551615s");
    ck_assert_str_eq(seed_text_format(text, &(seed_input){.size = 3, .seed = 17}), "17");
}
