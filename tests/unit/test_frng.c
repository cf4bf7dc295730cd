/* frng.h: every draw on literal bytes, unbiasedness, the prefix property, traps and the host. */
#include "frng_encode.h"
#include "frng_more.h"
#include "misuse.h"
#include "rounds.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

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

static uint64_t random_magnitude(void) { return random_u64() >> (random_u64() % 64); }

static void store(uint8_t *bytes, size_t width, uint64_t value) {
    for (size_t i = 0; i < width; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

/* ---- Whole numbers ---- */

TEST(plain_numbers_are_little_endian) {
    frng f = OVER(0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xf8, 0x09, 0x0a, 0x0b, 0xfc, 0x0d,
                  0xfe, 0xff, 0x42);
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    uint8_t u8;
    ck_assert(frng_u64(&f, &u64));
    ck_assert_uint_eq(u64, UINT64_C(0xf807060504030201));
    ck_assert_uint_eq(frng_used(&f), 8);
    ck_assert(frng_u32(&f, &u32));
    ck_assert_uint_eq(u32, 0xfc0b0a09u);
    ck_assert(frng_u16(&f, &u16));
    ck_assert_uint_eq(u16, 0xfe0d);
    ck_assert(frng_u8(&f, &u8));
    ck_assert_uint_eq(u8, 0xff);
    ck_assert_uint_eq(frng_used(&f), 15);
    ck_assert_uint_eq(frng_left(&f), 1);
    ck_assert(!f.exhausted);
    ck_assert(frng_u8_max(&f, UINT8_MAX, &u8));
    ck_assert_uint_eq(u8, 0x42);
    ck_assert_uint_eq(frng_left(&f), 0);
    ck_assert_msg(!f.exhausted, "drawing the last byte is no failure");
}

TEST(signed_numbers_are_twos_complement) {
    frng f = OVER(0x80, 0x7f, 0xff, 0x00, 0x80, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0x80,
                  0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    ck_assert(frng_i8(&f, &i8));
    ck_assert_int_eq(i8, -128);
    ck_assert(frng_i8(&f, &i8));
    ck_assert_int_eq(i8, 127);
    ck_assert(frng_i8_range(&f, INT8_MIN, INT8_MAX, &i8));
    ck_assert_int_eq(i8, -1);
    ck_assert(frng_i16(&f, &i16));
    ck_assert_int_eq(i16, INT16_MIN);
    ck_assert(frng_i32(&f, &i32));
    ck_assert_int_eq(i32, INT32_MAX);
    ck_assert(frng_i64(&f, &i64));
    ck_assert_int_eq(i64, INT64_MIN);
    ck_assert(frng_i64_range(&f, INT64_MIN, INT64_MAX, &i64));
    ck_assert_int_eq(i64, -2);
    ck_assert_uint_eq(frng_left(&f), 0);
}

TEST(known_answers_of_bounded_draws) {
    uint8_t x;
    frng f = OVER(0xff, 0x00, 0x3f, 0x40, 0x80, 0xbf);
    const uint8_t quarters[] = {3, 0, 0, 1, 2, 2};
    for (size_t i = 0; i < 6; i++) {
        ck_assert(frng_u8_max(&f, 3, &x));
        ck_assert_uint_eq(x, quarters[i]);
        ck_assert_uint_eq(frng_used(&f), i + 1);
    }
    f = OVER(0x00, 0x01);
    ck_assert(frng_u8_max(&f, 2, &x));
    ck_assert_uint_eq(x, 0);
    ck_assert_msg(frng_used(&f) == 2, "0 is rejected for three values, 1 is the smallest");
    f = OVER(0xa5);
    ck_assert(frng_u8_max(&f, 0, &x));
    ck_assert_uint_eq(x, 0);
    ck_assert_msg(frng_used(&f) == 1, "a single possible value takes its bytes all the same");
    /* 255 values: 0 alone is rejected, and the threshold is 1 only if -n wraps in 8 bits. */
    f = OVER(0x00, 0x02, 0xff);
    ck_assert(frng_u8_max(&f, 254, &x));
    ck_assert_uint_eq(x, 1);
    ck_assert_uint_eq(frng_used(&f), 2);
    ck_assert(frng_u8_max(&f, 254, &x));
    ck_assert_uint_eq(x, 254);
}

TEST(ranges_add_to_their_minimum) {
    frng f = OVER(0xff, 0x01, 0x01, 0xff, 0xff, 0x01, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                  0xff, 0xff, 0x40, 0x01);
    uint8_t u8;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    ck_assert(frng_u8_range(&f, 100, 200, &u8));
    ck_assert_uint_eq(u8, 200);
    ck_assert(frng_i8_range(&f, -100, 100, &i8));
    ck_assert_int_eq(i8, -100);
    ck_assert(frng_i8_range(&f, INT8_MIN, INT8_MAX - 1, &i8));
    ck_assert_int_eq(i8, -128);
    ck_assert(frng_i16_range(&f, INT16_MIN, 5, &i16));
    ck_assert_int_eq(i16, 5);
    ck_assert(frng_i32_range(&f, -3, 3, &i32));
    ck_assert_int_eq(i32, -3);
    ck_assert(frng_i64_range(&f, INT64_MIN + 1, INT64_MAX, &i64));
    ck_assert_int_eq(i64, INT64_MAX);
    ck_assert(frng_i8_range(&f, -2, 1, &i8));
    ck_assert_int_eq(i8, -1);
    ck_assert(frng_i8_range(&f, -7, -7, &i8));
    ck_assert_int_eq(i8, -7);
    ck_assert_uint_eq(frng_left(&f), 0);
}

TEST(full_ranges_take_the_bytes_as_they_stand) {
    uint8_t bytes[8];
    for (int round = 0; round < 1000; round++) {
        const uint64_t raw = random_u64();
        store(bytes, 8, raw);
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        int16_t i16;
        int64_t i64;
        frng f = frng_init(bytes, 8);
        ck_assert(frng_u64_range(&f, 0, UINT64_MAX, &u64) && u64 == raw);
        f = frng_init(bytes, 8);
        ck_assert(frng_u32_max(&f, UINT32_MAX, &u32) && u32 == (uint32_t)raw);
        f = frng_init(bytes, 8);
        ck_assert(frng_u16_max(&f, UINT16_MAX, &u16) && u16 == (uint16_t)raw);
        f = frng_init(bytes, 8);
        ck_assert(frng_i16_range(&f, INT16_MIN, INT16_MAX, &i16) && i16 == (int16_t)raw);
        f = frng_init(bytes, 8);
        ck_assert(frng_i64(&f, &i64) && i64 == (int64_t)raw);
    }
}

/* ---- Unbiasedness ---- */

TEST(u8_is_unbiased_for_every_bound_and_byte) {
    for (unsigned max = 0; max < 255; max++) {
        const unsigned n = max + 1;
        unsigned reached[256] = {0};
        for (unsigned byte = 0; byte < 256; byte++) {
            uint8_t x = 0xee;
            frng f = OVER((uint8_t)byte);
            if (frng_u8_max(&f, (uint8_t)max, &x)) {
                ck_assert_uint_le(x, max);
                ck_assert_uint_eq(x, byte * n / 256);
                reached[x]++;
                continue;
            }
            ck_assert_uint_eq(x, 0);
            ck_assert_uint_eq(frng_used(&f), 0);
            ck_assert(f.exhausted);
            f = OVER((uint8_t)byte, (uint8_t)byte, 0xff);
            ck_assert(frng_u8_max(&f, (uint8_t)max, &x));
            ck_assert_msg(x == max && frng_used(&f) == 3, "a rejected byte is followed by another");
        }
        for (unsigned k = 0; k < n; k++) ck_assert_uint_eq(reached[k], 256 / n);
    }
}

static void check_u16_bound(unsigned n) {
    static unsigned reached[65536];
    memset(reached, 0, sizeof reached);
    for (unsigned first = 0; first < 65536; first++) {
        uint16_t x;
        frng f = OVER((uint8_t)first, (uint8_t)(first >> 8));
        if (frng_u16_max(&f, (uint16_t)(n - 1), &x)) reached[x]++;
    }
    for (unsigned k = 0; k < n; k++) {
        if (reached[k] != 65536 / n) ck_abort_msg("n=%u: %u reached %u times", n, k, reached[k]);
    }
    for (unsigned k = n; k < 65536; k++) {
        if (reached[k] != 0) ck_abort_msg("n=%u: %u is too large", n, k);
    }
}

TEST(u16_is_unbiased_over_all_inputs_of_many_bounds) {
    for (unsigned n = 1; n <= 40; n++) check_u16_bound(n);
    for (unsigned n = 65535 - 20; n <= 65535; n++) check_u16_bound(n);
    for (unsigned n = 211; n < 65500; n += 523) check_u16_bound(n);
    for (unsigned power = 64; power <= 32768; power *= 2) {
        for (unsigned n = power - 1; n <= power + 1; n++) check_u16_bound(n);
    }
}

/* The inputs of one result are an interval, first = ceil(k * 2^16 / n) and on, and what must be
 * rejected of them is the first at most: when its product's low half is below 2^16 mod n. */
static void check_u16_interval(unsigned n, unsigned k) {
    const unsigned first = (k * 65536 + n - 1) / n, end = ((k + 1) * 65536 + n - 1) / n;
    const unsigned inputs[] = {first, first + 1, end - 1};
    for (size_t i = 0; i < 3; i++) {
        uint16_t x;
        if (inputs[i] >= end) continue;
        const bool rejected = (inputs[i] * n) % 65536 < 65536 % n;
        frng f = OVER((uint8_t)inputs[i], (uint8_t)(inputs[i] >> 8));
        const bool ok = frng_u16_max(&f, (uint16_t)(n - 1), &x);
        if (ok == rejected || x != (rejected ? 0 : k)) {
            ck_abort_msg("n=%u k=%u input=%u", n, k, inputs[i]);
        }
    }
}

TEST(u16_is_right_at_the_thresholds_of_every_bound) {
    for (unsigned n = 1; n <= 65535; n++) {
        check_u16_interval(n, 0);
        check_u16_interval(n, n - 1);
        for (int i = 0; i < 8; i++) check_u16_interval(n, (unsigned)(random_u64() % n));
    }
}

/* The high and the low half of a * b, by adding: nothing that frng.h does. */
static uint64_t product_by_adding(uint64_t a, uint64_t b, uint64_t *low) {
    uint64_t high = 0;
    *low = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | *low >> 63;
        *low <<= 1;
        if ((b >> bit & 1) == 0) continue;
        *low += a;
        if (*low < a) high++;
    }
    return high;
}

/* 2^(8 * width) mod n. */
static uint64_t threshold_of(size_t width, uint64_t n) {
    return width == 8 ? (0 - n) % n : (UINT64_C(1) << (8 * width)) % n;
}

/* The smallest word of `width` bytes that makes `value` of n, as if no word were rejected. */
static uint64_t first_word(size_t width, uint64_t n, uint64_t value) {
    const size_t bits = 8 * width;
    uint64_t rest;
    const uint64_t word =
        width == 8 ? frng__divide_by_steps(value, 0, n, &rest)
                   : frng__divide_by_steps(value >> (64 - bits), value << bits, n, &rest);
    return word + (rest > 0 ? 1 : 0);
}

/* What n values of `width` bytes come to for `words`, by the definition: false for too few. */
static bool reference(size_t width, uint64_t n, const uint64_t *words, size_t count,
                      uint64_t *value, size_t *taken) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width);
    for (size_t i = 0; i < count; i++) {
        uint64_t low;
        const uint64_t high = product_by_adding(words[i], n, &low);
        *value = width == 8 ? high : low >> (8 * width); /* 4 bytes times 4 are 8 */
        *taken = (i + 1) * width;
        if ((low & top) >= threshold_of(width, n)) return true;
    }
    *value = *taken = 0;
    return false;
}

static void check_wide(size_t width, uint64_t n) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width);
    uint64_t words[3], expected, value;
    uint8_t bytes[24];
    size_t taken;
    for (size_t i = 0; i < 3; i++) {
        const uint64_t boundary = first_word(width, n, random_u64() % n);
        words[i] = (boundary + random_u64() % 3 - 1) & top;
        store(bytes + i * width, width, words[i]);
    }
    frng f = frng_init(bytes, 3 * width);
    const bool fits = reference(width, n, words, 3, &expected, &taken);
    bool ok;
    if (width == 4) {
        uint32_t x;
        ok = frng_u32_max(&f, (uint32_t)(n - 1), &x);
        value = x;
    } else {
        ok = frng_u64_max(&f, n - 1, &value);
    }
    ck_assert_int_eq(ok, fits);
    ck_assert_uint_eq(value, expected);
    ck_assert_uint_eq(frng_used(&f), taken);
}

TEST(u32_and_u64_equal_an_independent_reference) {
    for (int round = 0; round < 200000 / ROUNDS_STEP; round++) {
        const uint64_t n = random_magnitude();
        if (n > 0) check_wide(8, n);
        if ((uint32_t)n > 0) check_wide(4, (uint32_t)n);
    }
    for (uint64_t n = 1; n < 300; n++) {
        for (int i = 0; i < 10; i++) check_wide(8, n);
        for (int i = 0; i < 10; i++) check_wide(8, 0 - n);
        for (int i = 0; i < 10; i++) check_wide(4, n);
        for (int i = 0; i < 10; i++) check_wide(4, (uint64_t)UINT32_MAX + 1 - n);
    }
}

/* ---- Choices ---- */

/* Append the 8 bytes that make k of n, the smallest that do. */
static void append_index(uint8_t **to, uint64_t n, uint64_t k) {
    uint64_t word = first_word(8, n, k);
    if (word * n < threshold_of(8, n)) word++;
    store(*to, 8, word);
    *to += 8;
}

TEST(bool_is_the_lowest_bit) {
    frng f = OVER(0x00, 0x01, 0xfe, 0xff);
    bool b;
    for (int i = 0; i < 4; i++) {
        ck_assert(frng_bool(&f, &b));
        ck_assert_int_eq(b, i % 2);
    }
    ck_assert(!frng_bool(&f, &b));
}

TEST(index_takes_eight_bytes) {
    uint8_t bytes[8], *end;
    size_t index;
    for (uint64_t n = 1; n <= 40; n++) {
        for (uint64_t k = 0; k < n; k++) {
            end = bytes;
            append_index(&end, n, k);
            frng f = frng_init(bytes, 8);
            ck_assert(frng_index(&f, (size_t)n, &index));
            ck_assert_uint_eq(index, k);
            ck_assert_uint_eq(frng_used(&f), 8);
        }
    }
    memset(bytes, 0xff, 8);
    frng f = frng_init(bytes, 8);
    ck_assert(frng_index(&f, SIZE_MAX, &index));
    ck_assert_uint_eq(index, SIZE_MAX - 1);
}

TEST(weighted_goes_by_the_weights) {
    const uint32_t weights[] = {0, 3, 0, 1, 2, 0};
    const size_t expected[] = {1, 1, 1, 3, 4, 4};
    uint8_t bytes[8], *end;
    size_t index;
    for (uint64_t k = 0; k < 6; k++) {
        end = bytes;
        append_index(&end, 6, k);
        frng f = frng_init(bytes, 8);
        ck_assert(frng_weighted(&f, weights, 6, &index));
        ck_assert_uint_eq(index, expected[k]);
        ck_assert_uint_eq(frng_used(&f), 8);
    }
    const uint32_t large[] = {UINT32_MAX, UINT32_MAX, 1};
    const uint64_t top = UINT32_MAX, picks[] = {0, top - 1, top, 2 * top - 1, 2 * top};
    const size_t indexes[] = {0, 0, 1, 1, 2};
    for (size_t i = 0; i < 5; i++) {
        end = bytes;
        append_index(&end, 2 * top + 1, picks[i]);
        frng f = frng_init(bytes, 8);
        ck_assert(frng_weighted(&f, large, 3, &index));
        ck_assert_uint_eq(index, indexes[i]);
    }
}

TEST(swarm_weights_are_1_to_100) {
    uint32_t weights[3] = {7, 7, 7};
    frng f = OVER(0x01, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0x80);
    ck_assert(frng_swarm_weights(&f, weights, 3));
    ck_assert_uint_eq(weights[0], 1);
    ck_assert_uint_eq(weights[1], 100);
    ck_assert_uint_eq(weights[2], 51);
    ck_assert_uint_eq(frng_used(&f), 12);
    f = OVER(0xff, 0xff, 0xff, 0xff, 1, 1, 1, 1, 9, 9, 9);
    ck_assert(!frng_swarm_weights(&f, weights, 3));
    for (int i = 0; i < 3; i++) ck_assert_uint_eq(weights[i], 0);
    ck_assert(f.exhausted);
    ck_assert(frng_swarm_weights(&f, weights, 0));
}

TEST(f64_is_53_bits_below_one) {
    frng f = OVER(0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 7,
                  0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80);
    double x = -1;
    ck_assert(frng_f64(&f, &x));
    ck_assert(x >= 0 && x <= 0);
    ck_assert(frng_f64(&f, &x));
    ck_assert(x < 1 && 1 - x <= 0x1p-53);
    ck_assert(frng_f64(&f, &x));
    ck_assert_msg(x <= 0, "the low 11 bits are dropped");
    ck_assert(frng_f64(&f, &x));
    ck_assert(x >= 0x1p-53 && x <= 0x1p-53);
    ck_assert(frng_f64(&f, &x));
    ck_assert(x >= 0.5 && x <= 0.5);
    for (int i = 0; i < 10000; i++) {
        uint8_t bytes[8];
        const uint64_t raw = random_u64();
        store(bytes, 8, raw);
        f = frng_init(bytes, 8);
        ck_assert(frng_f64(&f, &x));
        ck_assert(x >= 0 && x < 1);
        ck_assert_uint_eq((uint64_t)(x * 0x1p53), raw >> 11);
    }
}

TEST(chance_counts_from_below) {
    for (uint32_t k = 0; k < 10; k++) {
        const uint64_t one = UINT64_C(1) << 32;
        uint64_t word = (k * one + 9) / 10;
        uint8_t bytes[4];
        if (word * 10 % one < one % 10) word++;
        store(bytes, 4, word);
        for (uint32_t numerator = 0; numerator <= 10; numerator++) {
            bool hit;
            frng f = frng_init(bytes, 4);
            ck_assert(frng_chance(&f, numerator, 10, &hit));
            ck_assert_int_eq(hit, k < numerator);
            ck_assert_uint_eq(frng_used(&f), 4);
        }
    }
    frng f = OVER(0xff, 0xff, 0xff, 0xff);
    bool hit;
    ck_assert(frng_chance(&f, UINT32_MAX, UINT32_MAX, &hit) && hit);
}

/* ---- Shuffle ---- */

/* The number of the permutation of 0..count-1 in `items`, 0..count!-1; fails if it is none. */
static unsigned permutation_number(const uint32_t *items, unsigned count) {
    unsigned number = 0, seen = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned smaller = 0;
        ck_assert_uint_lt(items[i], count);
        ck_assert_msg((seen & (1u << items[i])) == 0, "an element twice");
        seen |= 1u << items[i];
        for (unsigned k = i + 1; k < count; k++) smaller += items[k] < items[i];
        number = number * (count - i) + smaller;
    }
    return number;
}

TEST(shuffle_reaches_every_permutation_once) {
    unsigned factorial = 1;
    for (unsigned count = 1; count <= 6; count++) {
        bool reached[720] = {false};
        factorial *= count;
        for (unsigned draws = 0; draws < factorial; draws++) {
            uint32_t items[] = {0, 1, 2, 3, 4, 5};
            uint8_t bytes[48], *end = bytes;
            unsigned rest = draws;
            for (unsigned i = 0; i + 1 < count; rest /= count - i, i++) {
                append_index(&end, count - i, rest % (count - i));
            }
            frng f = frng_init(bytes, (size_t)(end - bytes));
            ck_assert(frng_shuffle(&f, items, count, sizeof *items));
            ck_assert_uint_eq(frng_left(&f), 0);
            for (unsigned i = count; i < 6; i++) ck_assert_uint_eq(items[i], i);
            const unsigned number = permutation_number(items, count);
            ck_assert_msg(!reached[number], "two draws come to one permutation");
            ck_assert_msg(draws > 0 || number == 0, "smallest draws change the order");
            reached[number] = true;
        }
    }
}

TEST(shuffle_goes_forward) {
    char letters[] = "abcd";
    uint8_t bytes[24], *end = bytes;
    append_index(&end, 4, 3);
    append_index(&end, 3, 0);
    append_index(&end, 2, 1);
    frng f = frng_init(bytes, 24);
    ck_assert(frng_shuffle(&f, letters, 4, 1));
    ck_assert_str_eq(letters, "dbac");
}

TEST(shuffle_moves_whole_elements_and_leaves_a_permutation) {
    for (size_t width = 1; width <= 19; width++) {
        uint8_t items[20][19], bytes[19 * 8 * 2];
        for (uint8_t i = 0; i < 20; i++) memset(items[i], i, width);
        uint8_t flat[20 * 19];
        for (size_t i = 0; i < 20; i++) memcpy(flat + i * width, items[i], width);
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)random_u64();
        frng f = frng_init(bytes, random_u64() % sizeof bytes);
        const bool ok = frng_shuffle(&f, flat, 20, width);
        ck_assert_int_eq(ok, !f.exhausted);
        unsigned seen = 0;
        for (size_t i = 0; i < 20; i++) {
            seen |= 1u << flat[i * width];
            for (size_t k = 1; k < width; k++) {
                ck_assert_uint_eq(flat[i * width + k], flat[i * width]);
            }
        }
        ck_assert_uint_eq(seen, (1u << 20) - 1);
    }
    frng f = frng_init(NULL, 0);
    ck_assert_msg(frng_shuffle(&f, NULL, 0, 4), "nothing to shuffle takes nothing");
    ck_assert(frng_shuffle(&f, &f, 1, sizeof f));
    ck_assert(!f.exhausted);
}

/* ---- Bytes, and running out ---- */

TEST(bytes_are_not_copied) {
    const uint8_t entropy[] = {1, 2, 3, 4, 5};
    const uint8_t *bytes;
    frng f = frng_init(entropy, 5);
    ck_assert(frng_bytes(&f, 2, &bytes));
    ck_assert_ptr_eq(bytes, entropy);
    ck_assert(frng_bytes(&f, 0, &bytes));
    ck_assert_ptr_eq(bytes, entropy + 2);
    ck_assert(frng_bytes(&f, 3, &bytes));
    ck_assert_ptr_eq(bytes, entropy + 2);
    ck_assert_uint_eq(frng_used(&f), 5);
    ck_assert(!frng_bytes(&f, SIZE_MAX, &bytes));
    ck_assert_ptr_null(bytes);
}

TEST(no_entropy_at_all) {
    const uint8_t *bytes = NULL;
    uint8_t x = 9;
    frng f = frng_init(NULL, 0);
    ck_assert_uint_eq(frng_used(&f), 0);
    ck_assert_uint_eq(frng_left(&f), 0);
    ck_assert(!f.exhausted);
    ck_assert(frng_bytes(&f, 0, &bytes));
    ck_assert_msg(bytes != NULL, "no bytes are at some address too, fit for memcpy");
    ck_assert(!frng_u8(&f, &x));
    ck_assert_uint_eq(x, 0);
    ck_assert(f.exhausted);
    ck_assert_msg(frng_bytes(&f, 0, &bytes), "no bytes can be had of an exhausted one as well");
    ck_assert(f.exhausted);
}

TEST(a_failed_draw_empties_the_generator) {
    uint32_t u32 = 7;
    uint8_t u8 = 7;
    frng f = OVER(1, 2, 3, 4, 5);
    ck_assert(frng_u16_max(&f, 0, &(uint16_t){7}));
    ck_assert(!frng_u32(&f, &u32));
    ck_assert_uint_eq(u32, 0);
    ck_assert_uint_eq(frng_used(&f), 2);
    ck_assert_uint_eq(frng_left(&f), 0);
    ck_assert(f.exhausted);
    ck_assert_msg(!frng_u8(&f, &u8), "three bytes were left, and must be gone");
    ck_assert_uint_eq(frng_used(&f), 2);
}

TEST(rejected_bytes_of_a_failed_draw_do_not_count) {
    uint8_t x = 7;
    bool hit = true;
    size_t index = 7;
    frng f = OVER(9, 0, 0, 0);
    ck_assert(frng_u8(&f, &x));
    ck_assert(!frng_u8_max(&f, 2, &x));
    ck_assert_uint_eq(frng_used(&f), 1);
    f = OVER(9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    ck_assert(frng_u8(&f, &x));
    ck_assert(!frng_chance(&f, 1, 3, &hit));
    ck_assert(!hit);
    ck_assert_uint_eq(frng_used(&f), 1);
    f = OVER(9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    ck_assert(frng_u8(&f, &x));
    ck_assert(!frng_weighted(&f, (const uint32_t[]){1, 2}, 2, &index));
    ck_assert_uint_eq(index, 0);
    ck_assert_uint_eq(frng_used(&f), 1);
}

/* One byte too few for each draw: false, the out value zeroed, nothing used, nothing left. */
#define FAILS(width, type, call)                                                                   \
    do {                                                                                           \
        type value;                                                                                \
        frng f = frng_init(junk, (width)-1);                                                       \
        memset(&value, 0xff, sizeof value);                                                        \
        ck_assert_msg(!(call), #call " succeeds");                                                 \
        ck_assert_msg(memcmp(&value, zeros, sizeof value) == 0, #call " leaves its value");        \
        ck_assert_msg(f.exhausted &&frng_used(&f) == 0 && frng_left(&f) == 0, #call);              \
    } while (0)

TEST(every_draw_fails_when_a_byte_is_missing) {
    const uint8_t junk[8] = {0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5}, zeros[8] = {0};
    const uint32_t weights[] = {1, 1};
    FAILS(4, const uint8_t *, frng_bytes(&f, 4, &value));
    FAILS(1, uint8_t, frng_u8(&f, &value));
    FAILS(1, uint8_t, frng_u8_max(&f, 5, &value));
    FAILS(1, uint8_t, frng_u8_range(&f, 3, 5, &value));
    FAILS(2, uint16_t, frng_u16(&f, &value));
    FAILS(2, uint16_t, frng_u16_max(&f, 5, &value));
    FAILS(2, uint16_t, frng_u16_range(&f, 3, 5, &value));
    FAILS(4, uint32_t, frng_u32(&f, &value));
    FAILS(4, uint32_t, frng_u32_max(&f, 5, &value));
    FAILS(4, uint32_t, frng_u32_range(&f, 3, 5, &value));
    FAILS(8, uint64_t, frng_u64(&f, &value));
    FAILS(8, uint64_t, frng_u64_max(&f, 5, &value));
    FAILS(8, uint64_t, frng_u64_range(&f, 3, 5, &value));
    FAILS(1, int8_t, frng_i8(&f, &value));
    FAILS(1, int8_t, frng_i8_range(&f, 3, 5, &value));
    FAILS(2, int16_t, frng_i16(&f, &value));
    FAILS(2, int16_t, frng_i16_range(&f, -3, 5, &value));
    FAILS(4, int32_t, frng_i32(&f, &value));
    FAILS(4, int32_t, frng_i32_range(&f, -3, 5, &value));
    FAILS(8, int64_t, frng_i64(&f, &value));
    FAILS(8, int64_t, frng_i64_range(&f, -3, 5, &value));
    FAILS(1, bool, frng_bool(&f, (bool *)&value));
    FAILS(8, size_t, frng_index(&f, 3, &value));
    FAILS(8, size_t, frng_weighted(&f, weights, 2, &value));
    FAILS(4, uint32_t, frng_swarm_weights(&f, &value, 1));
    FAILS(8, double, frng_f64(&f, &value));
    FAILS(4, bool, frng_chance(&f, 1, 1, &value));
}

static bool step(frng *f, uint8_t *x) {
    FRNG_TRY(frng_u8(f, x));
    if (*x == 1)
        FRNG_TRY(frng_u8(f, x));
    else
        (*x)++;
    return true;
}

TEST(try_passes_the_false_up) {
    uint8_t x;
    frng f = OVER(1, 5, 7, 1);
    ck_assert(step(&f, &x));
    ck_assert_uint_eq(x, 5);
    ck_assert(step(&f, &x));
    ck_assert_uint_eq(x, 8);
    ck_assert(!step(&f, &x));
    ck_assert_uint_eq(frng_used(&f), 4);
}

/* ---- The prefix property ---- */

/* Draw what `what` says, at least one byte, and mix its value into *digest. */
static bool draw_number(frng *f, uint64_t what, uint64_t *value) {
    const uint64_t max = what >> 8 >> (what >> 3) % 56;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    int64_t i64;
    bool ok;
    switch (what % 5) {
    case 0:
        ok = frng_u8_max(f, (uint8_t)max, &u8);
        *value = u8;
        return ok;
    case 1:
        ok = frng_u16_max(f, (uint16_t)max, &u16);
        *value = u16;
        return ok;
    case 2:
        ok = frng_u32_max(f, (uint32_t)max, &u32);
        *value = u32;
        return ok;
    case 3:
        ok = frng_i64_range(f, -(int64_t)max, (int64_t)max, &i64);
        *value = (uint64_t)i64;
        return ok;
    }
    return frng_u64_max(f, max, value);
}

static bool draw_choice(frng *f, uint64_t what, uint64_t *value) {
    uint32_t weights[4] = {1, 2, 0, 5};
    uint8_t letters[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint8_t *bytes;
    size_t index;
    double real;
    bool b, ok;
    *value = 0;
    switch (what % 6) {
    case 0:
        ok = frng_bytes(f, what % 7 + 1, &bytes);
        for (size_t i = 0; ok && i < what % 7 + 1; i++) *value = *value << 8 | bytes[i];
        return ok;
    case 1:
        ok = frng_weighted(f, weights, 4, &index);
        *value = index;
        return ok;
    case 2:
        ok = frng_swarm_weights(f, weights, 3);
        *value = weights[0] << 16 | weights[1] << 8 | weights[2];
        return ok;
    case 3:
        ok = frng_shuffle(f, letters, what % 6 + 2, 1);
        for (size_t i = 0; i < 8; i++) *value = *value << 8 | letters[i];
        return ok;
    case 4:
        ok = frng_f64(f, &real);
        *value = (uint64_t)(real * 0x1p53);
        return ok;
    }
    ok = frng_chance(f, 2, 3, &b);
    *value = b;
    return ok;
}

enum { DRAWS_MAX = 40 };

/* Up to `limit` draws of the sequence `seed`; how many of them succeeded. */
static size_t draw_sequence(frng *f, uint64_t seed, uint64_t *values, size_t limit) {
    const uint64_t saved = random_state;
    size_t done = 0;
    bool ok = true;
    random_state = seed;
    while (ok && done < limit) {
        const uint64_t what = random_u64();
        ok = what >> 63 ? draw_number(f, what, &values[done]) : draw_choice(f, what, &values[done]);
        done += ok;
    }
    random_state = saved;
    return done;
}

TEST(a_run_is_a_prefix_of_the_longer_one) {
    for (int round = 0; round < 20000; round++) {
        uint8_t entropy[160];
        uint64_t values[DRAWS_MAX + 1], again[DRAWS_MAX + 1];
        const uint64_t seed = random_u64();
        /* Few different bytes, mostly zero, so that many draws are rejected. */
        for (size_t i = 0; i < sizeof entropy; i++) {
            entropy[i] = (uint8_t)(round % 2 ? random_u64() : random_u64() % 8 / 7);
        }
        frng f = frng_init(entropy, random_u64() % sizeof entropy);
        const size_t done = draw_sequence(&f, seed, values, random_u64() % DRAWS_MAX);
        frng g = frng_init(entropy, frng_used(&f));
        const size_t done_again = draw_sequence(&g, seed, again, DRAWS_MAX);
        ck_assert_uint_eq(done_again, done);
        ck_assert_int_eq(memcmp(values, again, done * sizeof *values), 0);
        ck_assert(g.exhausted);
        ck_assert_uint_eq(frng_used(&g), frng_used(&f));
    }
}

/* ---- Bugs of the caller ---- */

static void zero_index(frng *f) {
    size_t i;
    (void)!frng_index(f, 0, &i);
}
static void empty_u8_range(frng *f) {
    uint8_t x;
    (void)!frng_u8_range(f, 2, 1, &x);
}
static void empty_u64_range(frng *f) {
    uint64_t x;
    (void)!frng_u64_range(f, UINT64_MAX, 0, &x);
}
static void empty_i8_range(frng *f) {
    int8_t x;
    (void)!frng_i8_range(f, 1, -1, &x);
}
static void empty_i64_range(frng *f) {
    int64_t x;
    (void)!frng_i64_range(f, INT64_MAX, INT64_MIN, &x);
}
static void zero_weights(frng *f) {
    size_t i;
    (void)!frng_weighted(f, (const uint32_t[]){0, 0}, 2, &i);
}
static void no_weights(frng *f) {
    size_t i;
    (void)!frng_weighted(f, NULL, 0, &i);
}
static void zero_denominator(frng *f) {
    bool b;
    (void)!frng_chance(f, 0, 0, &b);
}
static void chance_above_one(frng *f) {
    bool b;
    (void)!frng_chance(f, 11, 10, &b);
}

static const misuse bugs[] = {
    {zero_index, "frng_index: count 0"},
    {empty_u8_range, "frng_u8_range: min 2 > max 1"},
    {empty_u64_range, "frng_u64_range: min 18446744073709551615 > max 0"},
    {empty_i8_range, "frng_i8_range: min 1 > max -1"},
    {empty_i64_range, "frng_i64_range: min 9223372036854775807 > max -9223372036854775808"},
    {zero_weights, "frng_weighted: the weights add up to 0"},
    {no_weights, "frng_weighted: the weights add up to 0"},
    {zero_denominator, "frng_chance: 0 of 0 is not a chance of at most 1"},
    {chance_above_one, "frng_chance: 11 of 10 is not a chance of at most 1"},
};

TEST_EACH(bugs_of_the_caller_are_heard_and_trap, sizeof bugs / sizeof *bugs) {
    misuse_check(&bugs[_i], 0, true);
    misuse_check(&bugs[_i], 16, true);
    misuse_check(&bugs[_i], 16, false);
}

/* ---- The host ---- */

static struct {
    uint8_t source[64], entropy[64];
    size_t step, fills, asked, refuse_from;
    size_t draws, start, width, taken;
    frng_kind kind;
    uint64_t min, max, value;
    char note[32];
} hosted;

static bool host_fill(frng *f, size_t count) {
    hosted.fills++;
    hosted.asked = count;
    ck_assert_uint_gt(f->used + count, f->ready);
    ck_assert_uint_le(f->used + count, f->size);
    if (f->used + count > hosted.refuse_from) return false;
    while (f->ready < f->used + count) {
        const size_t left = f->size - f->ready;
        const size_t more = left < hosted.step ? left : hosted.step;
        memcpy(hosted.entropy + f->ready, hosted.source + f->ready, more);
        f->ready += more;
    }
    return true;
}

static void host_drawn(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                       uint64_t max, uint64_t value) {
    hosted.draws++;
    hosted.kind = kind;
    hosted.start = start;
    hosted.width = width;
    hosted.taken = frng_used(f) - start;
    hosted.min = min;
    hosted.max = max;
    hosted.value = value;
}

static void host_note(frng *f, const char *name) {
    (void)f;
    strncpy(hosted.note, name, sizeof hosted.note - 1);
}

static frng_host host = {host_fill, host_drawn, host_note, NULL, NULL};

static frng hosted_generator(size_t size) {
    memset(&hosted, 0, sizeof hosted);
    memset(hosted.entropy, 0xee, sizeof hosted.entropy);
    for (size_t i = 0; i < sizeof hosted.source; i++) hosted.source[i] = (uint8_t)(i + 1);
    hosted.step = 8;
    hosted.refuse_from = SIZE_MAX;
    frng f = frng_init(hosted.entropy, size);
    f.ready = 0;
    f.host = &host;
    return f;
}

TEST(a_host_fills_when_asked) {
    frng f = hosted_generator(20);
    const uint8_t *bytes;
    uint32_t x;
    uint8_t byte;
    ck_assert_uint_eq(frng_left(&f), 20);
    ck_assert(frng_u32(&f, &x));
    ck_assert_uint_eq(x, 0x04030201u);
    ck_assert_uint_eq(hosted.fills, 1);
    ck_assert(frng_u32(&f, &x));
    ck_assert_msg(hosted.fills == 1, "what is ready is not asked for");
    ck_assert(frng_bytes(&f, 11, &bytes));
    ck_assert_uint_eq(hosted.asked, 11);
    ck_assert_uint_eq(hosted.fills, 2);
    for (uint8_t i = 0; i < 11; i++) ck_assert_uint_eq(bytes[i], i + 9);
    ck_assert_uint_eq(frng_left(&f), 1);
    ck_assert(!frng_u32(&f, &x));
    ck_assert_msg(hosted.fills == 2, "a host is not asked for more than there is");
    ck_assert_uint_eq(frng_used(&f), 19);
    ck_assert(!frng_u8(&f, &byte));
    ck_assert_uint_eq(hosted.fills, 2);
    ck_assert_msg(hosted.draws == 3, "failed draws are not told");
}

TEST(a_host_may_refuse) {
    frng f = hosted_generator(20);
    uint64_t x = 7;
    uint8_t byte;
    hosted.refuse_from = 10;
    ck_assert(frng_u64(&f, &x));
    ck_assert(!frng_u64(&f, &x));
    ck_assert_uint_eq(x, 0);
    ck_assert(f.exhausted);
    ck_assert_uint_eq(frng_used(&f), 8);
    ck_assert(!frng_u8(&f, &byte));
    ck_assert_uint_eq(hosted.fills, 2);
}

static void check_told(frng_kind kind, size_t start, size_t taken, size_t width, uint64_t min,
                       uint64_t max, uint64_t value) {
    ck_assert_int_eq(hosted.kind, kind);
    ck_assert_uint_eq(hosted.start, start);
    ck_assert_uint_eq(hosted.taken, taken);
    ck_assert_uint_eq(hosted.width, width);
    ck_assert_uint_eq(hosted.min, min);
    ck_assert_uint_eq(hosted.max, max);
    ck_assert_uint_eq(hosted.value, value);
}

#define AS_U64(x) ((uint64_t)(int64_t)(x))

TEST(a_host_is_told_numbers) {
    frng f = hosted_generator(40);
    uint8_t u8;
    uint16_t u16;
    int8_t i8;
    int32_t i32;
    int64_t i64;
    hosted.source[0] = 0;
    ck_assert(frng_u8_max(&f, 2, &u8));
    check_told(FRNG_UINT, 0, 2, 1, 0, 2, 0);
    ck_assert(frng_u16_range(&f, 0x100, 0x1ff, &u16));
    check_told(FRNG_UINT, 2, 2, 2, 0x100, 0x1ff, 0x104);
    hosted.source[4] = 0xfe;
    hosted.entropy[4] = 0xfe;
    ck_assert(frng_i8(&f, &i8));
    ck_assert_int_eq(i8, -2);
    check_told(FRNG_INT, 4, 1, 1, AS_U64(INT8_MIN), INT8_MAX, AS_U64(-2));
    hosted.entropy[5] = 5;
    ck_assert(frng_i8(&f, &i8));
    check_told(FRNG_INT, 5, 1, 1, AS_U64(INT8_MIN), INT8_MAX, 5);
    ck_assert(frng_i32_range(&f, -1000, -998, &i32));
    check_told(FRNG_INT, 6, 4, 4, AS_U64(-1000), AS_U64(-998), AS_U64(i32));
    ck_assert_int_eq(i32, -1000);
    ck_assert(frng_i64(&f, &i64));
    check_told(FRNG_INT, 10, 8, 8, AS_U64(INT64_MIN), INT64_MAX, AS_U64(i64));
    ck_assert_uint_eq(hosted.draws, 6);
}

TEST(a_host_is_told_choices) {
    frng f = hosted_generator(64);
    const uint32_t weights[] = {5, 1, 4};
    const uint8_t *bytes;
    uint32_t swarm[2];
    char letters[] = "abc";
    size_t index;
    double real;
    bool b;
    ck_assert(frng_bytes(&f, 3, &bytes));
    check_told(FRNG_BYTES, 0, 3, 1, 0, 3, 0);
    ck_assert(frng_bool(&f, &b));
    check_told(FRNG_BOOL, 3, 1, 1, 0, 1, 0);
    ck_assert(frng_index(&f, 7, &index));
    check_told(FRNG_INDEX, 4, 8, 8, 0, 6, index);
    hosted.source[19] = 0xff;
    ck_assert(frng_weighted(&f, weights, 3, &index));
    ck_assert_uint_eq(index, 2);
    check_told(FRNG_WEIGHTED, 12, 8, 8, 0, 9, 9);
    ck_assert(frng_f64(&f, &real));
    check_told(FRNG_F64, 20, 8, 8, 0, UINT64_MAX, UINT64_C(0x1c1b1a1918171615));
    ck_assert(frng_chance(&f, 2, 3, &b));
    check_told(FRNG_CHANCE, 28, 4, 4, 2, 3, 1);
    ck_assert(frng_swarm_weights(&f, swarm, 2));
    check_told(FRNG_UINT, 36, 4, 4, 1, 100, swarm[1]);
    ck_assert(frng_shuffle(&f, letters, 3, 1));
    check_told(FRNG_INDEX, 48, 8, 8, 0, 1, 0);
    ck_assert_uint_eq(hosted.draws, 10);
}

TEST(notes_and_hosts_without_ears) {
    frng f = hosted_generator(8);
    frng_host deaf = {host_fill, NULL, NULL, NULL, NULL};
    uint8_t x;
    frng_note(&f, "operation");
    ck_assert_str_eq(hosted.note, "operation");
    ck_assert_uint_eq(frng_used(&f), 0);
    f.host = &deaf;
    frng_note(&f, "nobody hears");
    ck_assert(frng_u8(&f, &x));
    ck_assert_str_eq(hosted.note, "operation");
    f = OVER(1);
    frng_note(&f, "without a host");
    ck_assert(frng_u8(&f, &x));
}
