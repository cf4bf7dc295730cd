/* frng_more.h: draws on literal bytes, what they spread over, their ends, and traps. */
#include "frng_more.h"
#include "misuse.h"
#include "rounds.h"
#include "suite.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define OVER(...) frng_init(BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__))

/* Pseudo-random numbers of this file's own, so that it tests nothing with itself. */
static uint64_t random_state = 1;

static uint64_t random_u64(void) {
    uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return z ^ (z >> 32);
}

enum { NOISE = 32 };

static frng noise(void) {
    static uint8_t bytes[NOISE];
    for (size_t i = 0; i < NOISE; i++) bytes[i] = (uint8_t)random_u64();
    return frng_init(bytes, NOISE);
}

/* ---- One of several ---- */

TEST(picks_take_the_fewest_bytes) {
    static const size_t counts[] = {1, 256, 257, 65536, 65537};
    static const size_t widths[] = {1, 1, 2, 2, 4};
    static const uint32_t weights[] = {0, 2, 0, 1};
    static const uint16_t primes[] = {2, 3, 5, 7};
    uint16_t prime;
    size_t index;
    for (size_t i = 0; i < 5; i++) {
        frng f = OVER(0xff, 0xff, 0xff, 0xff, 0xff);
        ck_assert(frng_pick(&f, counts[i], &index));
        ck_assert_uint_eq(index, counts[i] - 1);
        ck_assert_uint_eq(frng_used(&f), widths[i]);
    }
    frng f = OVER(0x01, 0x56, 0xab, 0x40);
    ck_assert(frng_pick_weighted(&f, weights, 4, &index) && index == 1);
    ck_assert(frng_pick_weighted(&f, weights, 4, &index) && index == 1);
    ck_assert(frng_pick_weighted(&f, weights, 4, &index) && index == 3);
    ck_assert(frng_element(&f, primes, &prime));
    ck_assert_uint_eq(prime, 3);
    ck_assert(!frng_element(&f, primes, &prime));
    ck_assert_uint_eq(prime, 0);
}

TEST(swarm_weights_are_small_and_some_are_off) {
    static const uint32_t of[8] = {1, 0, 0, 0, 1, 2, 4, 8};
    uint32_t weights[8];
    frng f = OVER(0x00, 0x20, 0x5f, 0x7f, 0x80, 0xa0, 0xdf, 0xff);
    ck_assert(frng_swarm(&f, weights, 8));
    for (int i = 0; i < 8; i++) ck_assert_uint_eq(weights[i], of[i]);
    ck_assert_uint_eq(frng_used(&f), 8);
    f = OVER(0, 0, 0);
    ck_assert(frng_swarm(&f, weights, 3));
    for (int i = 0; i < 3; i++) ck_assert_msg(weights[i] == 1, "zeros favour none");
    f = OVER(0x20, 0x40, 0x60);
    ck_assert(frng_swarm(&f, weights, 3));
    for (int i = 0; i < 3; i++) ck_assert_msg(weights[i] == 1, "never are all off");
    f = OVER(0xff, 0xff);
    ck_assert(!frng_swarm(&f, weights, 3) && f.exhausted);
    for (int i = 0; i < 3; i++) ck_assert_uint_eq(weights[i], 0);
    ck_assert(frng_swarm(&f, weights, 0));
}

TEST(a_choice_by_swarm_weights_takes_one_byte) {
    uint8_t bytes[33];
    uint32_t weights[32];
    size_t index;
    memset(bytes, 0xff, sizeof bytes); /* the largest weights */
    frng f = frng_init(bytes, sizeof bytes);
    ck_assert(frng_swarm(&f, weights, 32) && frng_pick_weighted(&f, weights, 32, &index));
    ck_assert_uint_eq(frng_used(&f), 33);
    ck_assert_uint_eq(index, 31);
}

/* ---- Lists and strings ---- */

TEST(a_list_has_so_many_elements) {
    for (int round = 0; round < 1000; round++) {
        const size_t min = random_u64() % 4, max = min + random_u64() % 4;
        size_t count = 0;
        bool more = true;
        frng f = noise();
        while (frng_more(&f, count, min, max, &more) && more) count++;
        ck_assert(f.exhausted || (count >= min && count <= max));
    }
    frng f = OVER(0xff);
    bool more;
    ck_assert(frng_more(&f, 3, 0, 3, &more));
    ck_assert_msg(!more && frng_used(&f) == 1, "its end is drawn at the maximum, too");
    ck_assert(!frng_more(&f, 0, 0, 3, &more));
}

TEST(strings_end_and_have_room) {
    char text[6] = "?????";
    frng f = OVER(0x3f, 0xff, 0x00, 0xff, 0xff, 0x55);
    ck_assert(frng_string(&f, "abc", 0, 4, text));
    ck_assert_str_eq(text, "");
    ck_assert(frng_string(&f, "abc", 0, 4, text));
    ck_assert_str_eq(text, "c");
    ck_assert_uint_eq(frng_used(&f), 3);
    ck_assert(!frng_string(&f, "abc", 0, 4, text));
    ck_assert_str_eq(text, "");
    f = OVER(0xff, 0x80, 0x02);
    ck_assert(frng_string(&f, "a", 2, 2, text));
    ck_assert_str_eq(text, "aa");
}

/* All letters are as likely, and any length up to the bound occurs. */
TEST(strings_are_unbiased) {
    enum { ROUNDS = 200000 / ROUNDS_STEP };
    char text[6];
    unsigned letters[3] = {0}, lengths[6] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        frng f = noise();
        if (!frng_string(&f, "abc", 1, 5, text)) continue;
        lengths[strlen(text)]++;
        for (const char *c = text; *c != '\0'; c++) letters[*c - 'a']++;
    }
    const unsigned all = letters[0] + letters[1] + letters[2];
    ck_assert_uint_eq(lengths[0], 0);
    for (size_t i = 1; i < 6; i++) ck_assert_uint_gt(lengths[i], ROUNDS / 20);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_gt(letters[i], all / 3 - all / 50);
        ck_assert_uint_lt(letters[i], all / 3 + all / 50);
    }
}

/* ---- Numbers ---- */

TEST(mixed_numbers_have_every_magnitude) {
    enum { ROUNDS = 100000 / ROUNDS_STEP };
    unsigned small = 0, large = 0;
    for (int i = 0; i < ROUNDS; i++) {
        frng f = noise();
        uint64_t u;
        int64_t s;
        int8_t few;
        ck_assert(frng_u64_mixed(&f, 0, UINT64_MAX, &u));
        small += u < 256;
        large += u >> 56 != 0;
        if (frng_i64_mixed(&f, -7, 1000000, &s)) ck_assert(s >= -7 && s <= 1000000);
        if (frng_i8_mixed(&f, 3, 5, &few)) ck_assert(few >= 3 && few <= 5);
    }
    ck_assert_uint_gt(small, ROUNDS / 10);
    ck_assert_uint_gt(large, ROUNDS / 12);
}

TEST(doubles_of_every_kind_are_drawn) {
    enum { ZERO, MINUS_ZERO, INFINITE, NO_NUMBER, MAX, LEAST, WHOLE, HALF, KINDS };
    enum { ROUNDS = 200000 / ROUNDS_STEP };
    unsigned seen[KINDS] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        frng f = noise();
        double x;
        uint64_t bits;
        if (!frng_f64_any(&f, &x)) continue;
        memcpy(&bits, &x, sizeof bits);
        const uint64_t magnitude = bits & INT64_MAX;
        seen[ZERO] += bits == 0;
        seen[MINUS_ZERO] += bits == UINT64_C(1) << 63;
        seen[INFINITE] += magnitude == UINT64_C(2047) << 52;
        seen[NO_NUMBER] += magnitude > UINT64_C(2047) << 52;
        seen[MAX] += magnitude == (UINT64_C(2047) << 52) - 1;
        seen[LEAST] += magnitude == 1;
        seen[WHOLE] += x > -1e9 && x < 1e9 && x == (double)(int64_t)x;
        seen[HALF] += x == 0.5 || x == -0.5;
    }
    for (int k = 0; k < KINDS; k++) ck_assert_msg(seen[k] > ROUNDS / 4000, "%d: %u", k, seen[k]);
}

TEST(doubles_stay_in_their_range) {
    static const double bounds[] = {
        -1.7976931348623157e308, -1e300, -3, -0.1, 0, 5e-324, 0.25, 1, 99.5, 9007199254740992.0,
        1.7976931348623157e308};
    enum { BOUNDS = sizeof bounds / sizeof *bounds };
    for (int i = 0; i < 200000 / ROUNDS_STEP; i++) {
        const double a = bounds[i % BOUNDS], b = bounds[i / BOUNDS % BOUNDS];
        frng f = noise();
        double x;
        if (!frng_f64_range(&f, a < b ? a : b, a < b ? b : a, &x)) continue;
        ck_assert(x >= (a < b ? a : b) && x <= (a < b ? b : a));
    }
    frng f = OVER(1, 0, 0, 0, 0, 0, 0, 0);
    double x;
    ck_assert(frng_f64_range(&f, -7.25, 1e6, &x));
    ck_assert_msg(x == 0, "small numbers mean 0, not %g", x);
}

/* ---- Days, subsets, permutations ---- */

TEST(dates_are_those_of_the_calendar) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = 2000, month = 1, day = 1;
    for (uint64_t n = 0; n < FRNG__DAYS; n++) {
        const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        int y, m, d;
        frng__day(n, &y, &m, &d);
        if (y != year || m != month || d != day) ck_abort_msg("%d-%d-%d", y, m, d);
        if (++day <= lengths[month - 1] + (month == 2 && leap)) continue;
        day = 1;
        if (++month <= 12) continue;
        month = 1;
        year = year == 9999 ? 1 : year + 1;
    }
    ck_assert_int_eq(year, 2000);
}

TEST(subsets_and_permutations) {
    frng f = OVER(0xff, 0x02, 0x80, 0x80, 0x80);
    size_t order[4];
    uint64_t mask;
    ck_assert(frng_subset(&f, 3, &mask));
    ck_assert_uint_eq(mask, 7);
    ck_assert(frng_subset(&f, 8, &mask));
    ck_assert_uint_eq(mask, 2);
    ck_assert(frng_permutation(&f, 4, order));
    ck_assert_uint_eq(frng_used(&f), 5);
    ck_assert(order[0] == 2 && order[1] == 1 && order[2] == 3 && order[3] == 0);
    ck_assert(!frng_permutation(&f, 4, order));
    for (size_t i = 0; i < 4; i++) ck_assert_uint_eq(order[i], i);
}

/* ---- Bugs of the caller ---- */

static double infinite(void) { return frng__power(1023) * 2; }

static void no_pick(frng *f) {
    size_t index;
    (void)!frng_pick(f, 0, &index);
}
static void no_letters(frng *f) {
    char text[4];
    (void)!frng_string(f, "", 0, 3, text);
}
static void fewer_than_none(frng *f) {
    bool more;
    (void)!frng_more(f, 0, 2, 1, &more);
}
static void empty_mixed_range(frng *f) {
    int32_t x;
    (void)!frng_i32_mixed(f, 1, -1, &x);
}
static void empty_u8_mixed_range(frng *f) {
    uint8_t x;
    (void)!frng_u8_mixed(f, 255, 1, &x);
}
static void no_picked_weights(frng *f) {
    size_t index;
    (void)!frng_pick_weighted(f, NULL, 0, &index);
}
static void empty_real_range(frng *f) {
    double x;
    (void)!frng_f64_range(f, 1, 0.5, &x);
}
static void infinite_range(frng *f) {
    double x;
    (void)!frng_f64_range(f, 1, infinite(), &x);
}
static void no_range(frng *f) {
    double x;
    (void)!frng_f64_range(f, infinite() - infinite(), 1, &x);
}
static void too_large_subset(frng *f) {
    uint64_t mask;
    (void)!frng_subset(f, 65, &mask);
}

static const misuse bugs[] = {
    {no_pick, "frng_pick: count 0"},
    {no_letters, "frng_string: 0 letters, not 1 to 32768"},
    {fewer_than_none, "frng_more or frng_string: min 2 > max 1"},
    {empty_mixed_range, "frng_i32_mixed: min 1 > max -1"},
    {empty_u8_mixed_range, "frng_u8_mixed: min 255 > max 1"},
    {no_picked_weights, "frng_pick_weighted: the weights add up to 0"},
    {empty_real_range, "frng_f64_range: min > max, or not finite"},
    {infinite_range, "frng_f64_range: min > max, or not finite"},
    {no_range, "frng_f64_range: min > max, or not finite"},
    {too_large_subset, "frng_subset: count 65, not 1 to 64"},
};

TEST_EACH(bugs_of_the_caller_are_heard_and_trap, sizeof bugs / sizeof *bugs) {
    misuse_check(&bugs[_i], 16, true);
    misuse_check(&bugs[_i], 16, false);
}
