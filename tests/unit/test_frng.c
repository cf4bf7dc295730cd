/* frng.h and frng_more.h: unbiasedness, what a generator without bytes does, traps and the host.
 * What each draw makes of its bytes, also of fewer, and its records are in frng/vectors.json, which
 * tests/ports compares with the specification.
 * SPDX-License-Identifier: MIT */
#include "dying.h"
#include "frng_more.h"
#include "frng_pool.h"
#include "frng_regex.h"
#include "rounds.h"

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

/* ---- Numbers ---- */

TEST(u8_is_unbiased_for_every_bound_and_byte) {
    for (unsigned max = 0; max <= 255; max++) {
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

TEST(doubles_stay_in_their_range) {
    static const double bounds[] = {
        -1.7976931348623157e308, -1e300, -3, -0.1, 0, 5e-324, 0.25, 1, 99.5, 9007199254740992.0,
        1.7976931348623157e308};
    enum { BOUNDS = sizeof bounds / sizeof *bounds };
    for (int i = 0; i < 200000 / ROUNDS_STEP; i++) {
        const double a = bounds[i % BOUNDS], b = bounds[i / BOUNDS % BOUNDS];
        const uint64_t words[4] = {random_u64(), random_u64(), random_u64(), random_u64()};
        frng f = frng_init(words, sizeof words);
        double x;
        if (!frng_f64_range(&f, a < b ? a : b, a < b ? b : a, &x)) continue;
        ck_assert(x >= (a < b ? a : b) && x <= (a < b ? b : a));
    }
}

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

/* ---- Lists ---- */

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

TEST(a_number_is_made_of_its_own_bytes) {
    static const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    uint64_t expected = 0;
    for (size_t width = 1; width <= 8; width++) {
        expected |= (uint64_t)width << (8 * (width - 1));
        ck_assert_uint_eq(frng__load(bytes, width), expected);
    }
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

/* ---- Bugs of the caller: what the host hears, and the trap ---- */

typedef struct misuse {
    void (*make)(frng *f);
    const char *heard;
} misuse;

static const double infinite = 1e308 * 10;

static bool fill_pool(frng *f, size_t *thing) {
    frng_pool p = {.count = 0};
    for (size_t i = 0; i <= FRNG_POOL_MAX; i++) frng_pool_add(f, &p, i);
    return frng_pool_draw(f, &p, thing);
}

/* A pattern that is wrong, and what is wrong there. */
#define PATTERN(ROW, name, pattern, wrong)                                                         \
    ROW(name, char, frng_regex_of(f, pattern, 1 << 20, &x),                                        \
        "frng_regex: " wrong " of \"" pattern "\"")

/* A name, the type of the result, the call, and what the host hears. */
#define BUGS(ROW)                                                                                  \
    ROW(zero_index, size_t, frng_index(f, 0, &x), "frng_index: count 0")                           \
    ROW(empty_u8_range, uint8_t, frng_u8_range(f, 2, 1, &x), "frng_u8_range: min 2 > max 1")       \
    ROW(empty_u64_range, uint64_t, frng_u64_range(f, UINT64_MAX, 0, &x),                           \
        "frng_u64_range: min 18446744073709551615 > max 0")                                        \
    ROW(empty_i8_range, int8_t, frng_i8_range(f, 1, -1, &x), "frng_i8_range: min 1 > max -1")      \
    ROW(empty_i64_range, int64_t, frng_i64_range(f, INT64_MAX, INT64_MIN, &x),                     \
        "frng_i64_range: min 9223372036854775807 > max -9223372036854775808")                      \
    ROW(zero_weights, size_t, frng_weighted(f, ((const uint32_t[]){0, 0}), 2, &x),                 \
        "frng_weighted: the weights add up to 0")                                                  \
    ROW(no_weights, size_t, frng_weighted(f, NULL, 0, &x),                                         \
        "frng_weighted: the weights add up to 0")                                                  \
    ROW(zero_denominator, bool, frng_chance(f, 0, 0, &x),                                          \
        "frng_chance: 0 of 0 is not a chance of at most 1")                                        \
    ROW(chance_above_one, bool, frng_chance(f, 11, 10, &x),                                        \
        "frng_chance: 11 of 10 is not a chance of at most 1")                                      \
    ROW(no_pick, size_t, frng_pick(f, 0, &x), "frng_pick: count 0")                                \
    ROW(no_letters, char, frng_string(f, "", 0, 3, &x), "frng_string: 0 letters, not 1 to 32768")  \
    ROW(fewer_than_none, bool, frng_more(f, 0, 2, 1, &x),                                          \
        "frng_more or frng_string: min 2 > max 1")                                                 \
    ROW(empty_mixed_range, int32_t, frng_i32_mixed(f, 1, -1, &x),                                  \
        "frng_i32_mixed: min 1 > max -1")                                                          \
    ROW(empty_u8_mixed_range, uint8_t, frng_u8_mixed(f, 255, 1, &x),                               \
        "frng_u8_mixed: min 255 > max 1")                                                          \
    ROW(no_picked_weights, size_t, frng_pick_weighted(f, NULL, 0, &x),                             \
        "frng_pick_weighted: the weights add up to 0")                                             \
    ROW(empty_real_range, double, frng_f64_range(f, 1, 0.5, &x),                                   \
        "frng_f64_range: min > max, or not finite")                                                \
    ROW(infinite_range, double, frng_f64_range(f, 1, infinite, &x),                                \
        "frng_f64_range: min > max, or not finite")                                                \
    ROW(no_range, double, frng_f64_range(f, infinite - infinite, 1, &x),                           \
        "frng_f64_range: min > max, or not finite")                                                \
    PATTERN(ROW, no_class_end, "[a", "a class without ], byte 3")                                  \
    PATTERN(ROW, no_letter, "[]", "a class without ], byte 3")                                     \
    PATTERN(ROW, empty_range, "a[z-a]", "a range whose end is before its beginning, byte 5")       \
    PATTERN(ROW, range_of_classes, "[\\d-z]", "a range whose end is before its beginning, byte 5") \
    PATTERN(ROW, letters_beyond, "[\xc3\xa9]", "a class with a letter beyond ASCII, byte 2")       \
    PATTERN(ROW, unknown_escape, "\\b", "an unknown letter after \\, byte 2")                      \
    PATTERN(ROW, escaped_end, "a\\", "an unknown letter after \\, byte 3")                         \
    PATTERN(ROW, open_group, "(a|b", "a group without ), byte 4")                                  \
    PATTERN(ROW, closed_group, "a)", "a ) without (, byte 1")                                      \
    PATTERN(ROW, look_ahead, "(?=a)", "a group (? that is not (?:, byte 2")                        \
    PATTERN(ROW, count_of_nothing, "a|*", "a letter that needs a \\ before it, byte 3")            \
    PATTERN(ROW, open_count, "a{2", "a count other than {2,5}, byte 3")                            \
    PATTERN(ROW, empty_count, "a{3,2}", "a count other than {2,5}, byte 6")                        \
    PATTERN(ROW, large_count, "a{10000}", "no number up to 9999 in a count, byte 7")               \
    PATTERN(ROW, counts_of_nothing, "(()|(a{0})){2}",                                              \
            "a count of a group that is always empty, byte 14")                                    \
    PATTERN(ROW, escaped_delete, "\\\x7f", "an unknown letter after \\, byte 2")                   \
    PATTERN(ROW, long_texts, "((a{999}){99})*", "a text of more than 64 KiB, byte 13")             \
    ROW(small_array, char, frng_regex_of(f, "[ab]{3}", 3, &x),                                     \
        "frng_regex: 3 bytes for texts of up to 3, and a zero")                                    \
    ROW(empty_pool, size_t, frng_pool_draw(f, &(frng_pool){.count = 0}, &x),                       \
        "frng_pool_draw: the pool is empty")                                                       \
    ROW(full_pool, size_t, fill_pool(f, &x), "frng_pool_add: more than 256 things")                \
    ROW(too_large_subset, uint64_t, frng_subset(f, 65, &x), "frng_subset: count 65, not 1 to 64")

#define MISUSE(name, type, call, heard)                                                            \
    static void name(frng *f) {                                                                    \
        type x;                                                                                    \
        (void)!call;                                                                               \
    }
BUGS(MISUSE)
#define HEARD(name, type, call, heard) {name, heard},
static const misuse bugs[] = {BUGS(HEARD)};

__attribute__((format(printf, 1, 2))) static void misuse_hear(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vdprintf(STDOUT_FILENO, format, arguments);
    va_end(arguments);
}

/* A misuse, and the generator that it misuses. */
typedef struct attempt {
    const misuse *bug;
    size_t size;
    bool has_host;
} attempt;

static void make(const void *argument) {
    static const uint8_t entropy[16];
    static const frng_host listener = {.misuse = misuse_hear};
    const attempt *a = argument;
    frng_host host = listener;
    frng f = frng_init(entropy, a->size);
    if (a->has_host) f.host = &host;
    a->bug->make(&f);
}

TEST_EACH(bugs_of_the_caller_are_heard_and_trap, sizeof bugs / sizeof *bugs) {
    const attempt attempts[] = {
        {&bugs[_i], 0, true}, {&bugs[_i], 16, true}, {&bugs[_i], 16, false}};
    for (size_t i = 0; i < 3; i++) {
        const char *heard = dying_message(make, &attempts[i], true, STDOUT_FILENO);
        ck_assert_str_eq(heard, attempts[i].has_host ? bugs[_i].heard : "");
    }
}

/* ---- The host ---- */

static struct {
    uint8_t source[64], entropy[64];
    size_t step, fills, asked, refuse_from;
    size_t draws;
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
    (void)f, (void)kind, (void)start, (void)width, (void)min, (void)max, (void)value;
    hosted.draws++;
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

TEST(a_thing_is_taken_from_its_place_among_alike_ones) {
    frng_pool p = {.count = 0};
    frng f = OVER(1);
    size_t thing;
    for (size_t i = 0; i < 3; i++) frng_pool_add(&f, &p, i == 1 ? 7 : 5);
    ck_assert(frng_pool_take(&f, &p, &thing) && thing == 5); /* the newest */
    ck_assert(p.count == 2 && p.things[0] == 5 && p.things[1] == 7);
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
