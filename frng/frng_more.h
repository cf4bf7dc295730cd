/* frng_more.h: draws that most tests want, beside those of frng.h and by the same rules.
 *
 *     frng_pick, frng_pick_weighted, frng_element     one of several, in the fewest bytes
 *     frng_swarm                                      small weights, of which some are 0
 *     frng_list, frng_more, frng_string, frng_depth   lists, strings, trees that end by themselves
 *     frng_int, frng_long, frng_size                  numbers of the types that have these names
 *     frng_u8_mixed .. frng_i64_mixed                 numbers of every magnitude
 *     frng_f64_any, frng_f64_range, frng_f64          doubles
 *     frng_subset, frng_permutation, frng_shuffle     some of several, all of them in any order
 *     frng_date, frng_date_range, frng_chance         days; odds
 *     frng_repeat                                     rules of a state, in any order
 *     frng_step, frng_label, frng_measure, frng_say   what a test says of its run
 *     frng_maximize                                   what a search is to climb
 *     frng_assume                                     which runs count
 *     frng_digest                                     state that must follow from the draws
 *
 * The smallest numbers mean the simplest value: the first of several, an empty string, 0,
 * 2000-01-01. A host hears of each draw as what it is: a trace shows "cab", a reduction makes "a".
 * No I/O, no allocation, no globals; C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_MORE_H
#define FRNG_MORE_H

#include "frng.h"

/* Sums, products and shifts wrap: clang's -fsanitize=integer is not to report that. */
#if defined(__clang__) && __clang_major__ >= 12
#define FRNG__PRAGMA(...) _Pragma(#__VA_ARGS__)
#define FRNG__WRAPS                                                                                \
    FRNG__PRAGMA(clang attribute push(                                                             \
        __attribute__((no_sanitize("unsigned-integer-overflow", "unsigned-shift-base"))),          \
        apply_to = function))
#define FRNG__WRAPS_END _Pragma("clang attribute pop")
#else
#define FRNG__WRAPS
#define FRNG__WRAPS_END
#endif
FRNG__WRAPS

/* The kinds of these draws, for the host, where frng_kind has none. */
typedef enum frng_more_kind {
    FRNG_MORE = 8,        /* min: how many numbers mean the end, how many each other pick << 16, and
                             FRNG_MUST_...; max is 1; value is 1 to go on */
    FRNG_LETTER = 9,      /* likewise; max letters; value is 0 at the end, else the letter's index
                             plus 1, and the letter itself << 32 */
    FRNG_MIXED_UINT = 10, /* min, max and value as those of FRNG_UINT */
    FRNG_MIXED_INT = 11,  /* ... of FRNG_INT */
    FRNG_REAL = 12,       /* value has the bits of the double */
    FRNG_REAL_RANGE = 13, /* min and max, too */
    FRNG_SUBSET = 14,     /* value is the mask, max the full one */
    FRNG_DATE = 15        /* value is the number drawn */
} frng_more_kind;

#define FRNG_MUST_END (UINT64_C(1) << 32)
#define FRNG_MUST_GO_ON (UINT64_C(2) << 32)

/* Notes, steps, labels and lines, for the host: each becomes a call of `mark`. */
typedef enum frng_mark {
    FRNG_STEP = 1,    /* an operation begins, and the one before ends */
    FRNG_LABEL = 2,   /* the run has a property */
    FRNG_MEASURE = 3, /* `value` is a number of the run */
    FRNG_STATE = 4,   /* `value` follows from the draws alone */
    FRNG_WORLD_NOTE = 5,
    FRNG_MOMENT = 6,   /* the next line is about this frng_moment, at `name` */
    FRNG_LAST_RUN = 7, /* its process is to make no other run: this one leaves threads behind */
    FRNG_GOAL = 8      /* `value` is how high this run came */
} frng_mark;

FRNG__HELPER void frng__mark(frng *f, frng_mark mark, const char *name, uint64_t value) {
    if (f->host != NULL && f->host->mark != NULL) f->host->mark(f, (int)mark, name, value);
}

/* Begin an operation: the draws up to the next step, or the end of the run, belong together. A
 * trace names the step; the first 31 bytes are copied. If FRNG_ASSERT fails after it, the name, up
 * to its first quote or colon, is a part of the failure's site: checks after the last operation
 * need a step of their own. A name that is no constant of the program ends at its first digit. */
FRNG__HELPER void frng_step(frng *f, const char *name) { frng__mark(f, FRNG_STEP, name, 0); }

/* The same for what a simulated world does by itself, which is no part of a site: a bug may follow
 * any of its faults. A told step has a line for its draws, after a note "": see below. */
FRNG__HELPER void frng__world_step(frng *f, const char *name) { frng__mark(f, FRNG_STEP, name, 1); }
FRNG__HELPER void frng__told_step(frng *f, const char *name) { frng__mark(f, FRNG_STEP, name, 2); }

/* A note of what such a world draws. A line that tells it comes after a note "": traces have that
 * line in place of the draws. */
FRNG__HELPER void frng__world_note(frng *f, const char *name) {
    frng__mark(f, FRNG_WORLD_NOTE, name, 0);
}

/* Say that this run has the property `name`. */
FRNG__HELPER void frng_label(frng *f, const char *name) { frng__mark(f, FRNG_LABEL, name, 1); }

/* Say that the number `name` of this run is `value`. */
static inline void frng_measure(frng *f, const char *name, uint64_t value) {
    frng__mark(f, FRNG_MEASURE, name, value);
}

/* Say how high this run came: a search keeps the inputs that came highest, and goes on from them.
 * The largest value of a run counts. To come near to x, maximize a limit minus the distance. */
static inline void frng_maximize(frng *f, const char *name, uint64_t value) {
    frng__mark(f, FRNG_GOAL, name, value);
}

/* End the test unless the condition holds, as a draw that fails does: call it by FRNG_TRY. Its run
 * is discarded, so that it has neither passed nor failed. Where most runs are, a search ends with
 * status 3: draw only what the test accepts instead. */
FRNG_DRAW bool frng_assume(frng *f, bool condition) {
    if (condition || f->exhausted) return condition;
    f->ready = f->size = f->used;
    f->exhausted = f->discarded = true;
    return false;
}

/* Mix a word of the test's state, which must follow from the draws alone, into the digest of its
 * run: the time of a simulated world, who acts, a hash of what it holds. A search makes some runs
 * again in new processes, and reports the draw after which the words first differ. So it finds
 * orders that depend on addresses, and memory that was never written. */
FRNG__HELPER void frng_digest(frng *f, uint64_t word) { frng__mark(f, FRNG_STATE, "", word); }

#if defined(__GNUC__)
#define FRNG__PRINTF __attribute__((format(printf, 2, 3), unused))
#else
#define FRNG__PRINTF
#endif

/* True if the host records the lines of frng_say: a test skips what only they need. Its draws and
 * checks must not depend on this. */
static inline bool frng_listens(const frng *f) { return f->host != NULL && f->host->say != NULL; }

/* Say what a draw meant, or what happened, as printf does: a line of up to 159 bytes between the
 * draws of a trace. Where no host records lines, as in a search, this costs a call. */
static inline FRNG__PRINTF void frng_say(frng *f, const char *format, ...) {
    va_list arguments;
    if (!frng_listens(f)) return;
    va_start(arguments, format);
    f->host->say(f, format, arguments);
    va_end(arguments);
}

FRNG_DRAW bool frng__range(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                           uint64_t *value) {
    return frng__of(f, kind, width, min, max, NULL, value);
}

/* ---- One of several ---- */

/* Return the bytes that hold numbers up to `max`: 1, 2, 4 or 8. */
FRNG__HELPER size_t frng__width(uint64_t max) {
    return max <= UINT8_MAX ? 1 : max <= UINT16_MAX ? 2 : max <= UINT32_MAX ? 4 : 8;
}

/* 0..count-1, from 1 byte for up to 256 values, 2 for up to 65536, and so on. */
FRNG_DRAW bool frng_pick(frng *f, size_t count, size_t *index) {
    uint64_t number;
    if (count == 0) frng__trap(f, "frng_pick: count 0", 0, 0);
    const bool ok = frng__range(f, FRNG_INDEX, frng__width(count - 1), 0, count - 1, &number);
    *index = (size_t)number;
    return ok;
}

/* An index below `count`, in proportion to its weight, from as few bytes as hold their sum: 1 byte
 * for a sum of up to 256. */
FRNG_DRAW bool frng_pick_weighted(frng *f, const uint32_t *weights, size_t count, size_t *index) {
    uint64_t sum = 0, pick;
    for (size_t k = 0; k < count; k++) sum += weights[k];
    if (sum == 0) frng__trap(f, "frng_pick_weighted: the weights add up to 0", 0, 0);
    *index = 0;
    const size_t width = frng__width(sum - 1);
    FRNG_TRY(frng__of(f, FRNG_WEIGHTED, width, 0, sum - 1, weights, &pick));
    for (; pick >= weights[*index]; ++*index) pick -= weights[*index];
    return true;
}

/* Weights of 0, 1, 2, 4 or 8, 1 byte each. Those of up to 32 variants add up to 256 at most, so
 * that frng_pick_weighted takes 1 byte, too. Drawn once, they make each test favour some variants
 * and switch others off (3 in 8): swarm testing. Zeros mean weights of 1; all are 0 only when
 * entropy is out. */
FRNG_DRAW bool frng_swarm(frng *f, uint32_t *weights, size_t count) {
    static const uint8_t weight_of[8] = {1, 0, 0, 0, 1, 2, 4, 8};
    uint32_t sum = 0;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        uint8_t number;
        ok = frng_u8_max(f, 7, &number);
        weights[i] = weight_of[number];
        sum += weights[i];
    }
    for (size_t i = 0; i < count && (!ok || sum == 0); i++) weights[i] = ok ? 1 : 0;
    return ok;
}

FRNG__HELPER void frng__copy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; i++) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

FRNG_DRAW bool frng__element(frng *f, const void *array, size_t count, size_t width,
                             void *element) {
    size_t index;
    const bool ok = frng_pick(f, count, &index);
    for (size_t i = 0; i < width; i++) ((uint8_t *)element)[i] = 0;
    if (ok) frng__copy(element, (const uint8_t *)array + index * width, width);
    return ok;
}

/* An element of an array (no pointer): frng_element(f, primes, &prime). As frng_pick. */
#define frng_element(f, array, element)                                                            \
    frng__element(f, array, sizeof(array) / sizeof *(array),                                       \
                  sizeof *(true ? (element) : &(array)[0]), element)

/* ---- Lists and strings: each element may be the end ---- */

/* Draw 0, the end, or 1..count, all as likely. The end is as likely as it must be for an average of
 * (max - min) / 2 elements, but 16 at most. Below `min` elements, a number that means the end is
 * rejected; at `max`, each one means the end. So a number means the same everywhere, and without
 * any one element the rest still is a list. */
FRNG__HELPER bool frng__next(frng *f, uint64_t count, size_t done, size_t min, size_t max,
                             uint64_t *how, uint64_t *pick) {
    if (min > max) frng__trap(f, "frng_more or frng_string: min %llu > max %llu", min, max);
    if (count == 0 || count > 32768)
        frng__trap(f, "frng_string: %llu letters, not 1 to 32768", count, 0);
    const uint64_t half = max > min ? (max - min) / 2 : 16, mean = half < 16 ? half + 1 : 16;
    const size_t width = count <= 128 ? 1 : 2;
    const uint64_t share = (UINT64_C(1) << (8 * width)) * mean / (count * (mean + 1));
    const uint64_t end = share * count / mean; /* these numbers, and `share` for each other pick */
    *how = end | share << 16;
    if (done < min || done >= max) *how |= done < max ? FRNG_MUST_GO_ON : FRNG_MUST_END;
    do {
        if (!frng__bounded(f, width, end + share * count - 1, pick)) return false;
    } while (done < min && *pick < end);
    *pick = done >= max || *pick < end ? 0 : (*pick - end) / share + 1;
    return true;
}

/* Is there one more element, after `count` of them? At least `min`, at most `max`; 1 byte each. */
FRNG_DRAW bool frng_more(frng *f, size_t count, size_t min, size_t max, bool *more) {
    const size_t start = f->used;
    uint64_t how, pick;
    *more = false;
    FRNG__TRY(frng__next(f, 1, count, min, max, &how, &pick), (frng_kind)FRNG_MORE, start, 1, how,
              1, NULL);
    *more = pick == 1;
    return frng__done(f, (frng_kind)FRNG_MORE, start, 1, how, 1, pick);
}

/* A loop over a list of min..max elements; `i` is declared. Out of entropy returns false from the
 * calling function, as FRNG_TRY; `break` and `continue` are those of a loop:
 *
 *     frng_list(f, 0, 10, i) {
 *         FRNG_TRY(frng_u8(f, &list[i]));
 *         count = i + 1;
 *     } */
#define frng_list(f, min, max, i)                                                                  \
    for (size_t i = 0;; i++)                                                                       \
        if (!frng__another(f, i, min, max)) {                                                      \
            if ((f)->exhausted) return false;                                                      \
            break;                                                                                 \
        } else

/* Does a value in parts have any here, with `left` levels to go? 1 byte; none and no where no level
 * is left. Parts have a level less: so each tree ends, and it shrinks to a leaf:
 *
 *     static bool draw_tree(frng *f, size_t left, tree *t) {
 *         bool deeper;
 *         FRNG_TRY(frng_depth(f, left, &deeper));
 *         if (!deeper) return frng_u8(f, &t->leaf);
 *         return draw_tree(f, left - 1, t->a) && draw_tree(f, left - 1, t->b);
 *     } */
FRNG_DRAW bool frng_depth(frng *f, size_t left, bool *deeper) {
    *deeper = false;
    return left == 0 || frng_bool(f, deeper);
}

FRNG_DRAW bool frng__another(frng *f, size_t count, size_t min, size_t max) {
    bool more;
    return frng_more(f, count, min, max, &more) && more;
}

/* Alphabets, simplest letter first. */
#define FRNG_LOWER "abcdefghijklmnopqrstuvwxyz"
#define FRNG_DIGITS "0123456789"
#define FRNG_ALNUM FRNG_LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ" FRNG_DIGITS
#define FRNG_PRINTABLE FRNG_ALNUM " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

FRNG_DRAW bool frng__letter(frng *f, uint64_t letters, size_t done, size_t min, size_t max,
                            const char *alphabet, char *letter, bool *more) {
    const size_t start = f->used, width = letters <= 128 ? 1 : 2;
    uint64_t how, pick;
    FRNG__TRY(frng__next(f, letters, done, min, max, &how, &pick), (frng_kind)FRNG_LETTER, start,
              width, how, letters, NULL);
    *more = pick > 0;
    *letter = pick > 0 ? alphabet[pick - 1] : '\0';
    return frng__done(f, (frng_kind)FRNG_LETTER, start, width, how, letters,
                      pick | (uint64_t)(uint8_t)*letter << 32);
}

/* A string over an alphabet of `letters` characters, of which zeros can be some. `text` has room
 * for max + 1, of which *length are the string, and a zero follows. */
FRNG_DRAW bool frng_string_of(frng *f, const char *alphabet, size_t letters, size_t min, size_t max,
                              char *text, size_t *length) {
    bool ok = true, more = true;
    for (*length = 0; ok && more; *length += ok && more) {
        text[*length] = '\0';
        ok = frng__letter(f, letters, *length, min, max, alphabet, &text[*length], &more);
    }
    if (!ok) *length = 0, text[0] = '\0';
    return ok;
}

/* A string of min..max letters of an alphabet, all as likely; one that occurs twice in it, twice as
 * likely. `text` has room for max + 1. 1 byte a letter, and for the end (2 beyond 128 letters). */
FRNG_DRAW bool frng_string(frng *f, const char *alphabet, size_t min, size_t max, char *text) {
    size_t letters = 0, length;
    while (alphabet[letters] != '\0') letters++;
    return frng_string_of(f, alphabet, letters, min, max, text, &length);
}

/* ---- Integers by the names of their types ---- */

/* frng_int(f, &n), frng_int_range(f, min, max, &n), and of size_t frng_size_max(f, max, &n), too. 4
 * bytes for an int; 8 for a long and a size_t, on every machine. */
#define FRNG__TOP(type) ((type)(~(unsigned type)0 >> 1)) /* no limits.h: it has many names */
FRNG__NUMBER(int, int, 4, FRNG_INT, "d", -FRNG__TOP(int) - 1, FRNG__TOP(int))
FRNG__NUMBER(long, long, 8, FRNG_INT, "d", -FRNG__TOP(long) - 1, FRNG__TOP(long))
FRNG__UNSIGNED(size, size_t, 8, SIZE_MAX)

/* ---- Integers of every magnitude ---- */

FRNG__HELPER uint64_t frng__bits(uint64_t number) {
    uint64_t bits = 0;
    for (; number > 0; number >>= 1) bits++;
    return bits;
}

/* A number of exactly `bits` bits, at most `max`, from as few bytes as hold all but the highest;
 * none if there is but one such number. */
FRNG__HELPER bool frng__of_bits(frng *f, uint64_t bits, uint64_t max, uint64_t *number) {
    const uint64_t low = bits > 0 ? UINT64_C(1) << (bits - 1) : 0, rest = bits > 0 ? low - 1 : 0;
    const uint64_t span = rest < max - low ? rest : max - low;
    *number = 0;
    if (span > 0 && !frng__bounded(f, frng__width(span), span, number)) return false;
    *number += low;
    return true;
}

/* Return value number `rank` of 0, 1, -1, 2, -2, ... within min..max, in two's complement. */
FRNG__HELPER uint64_t frng__zigzag(uint64_t min, uint64_t max, uint64_t rank) {
    const uint64_t below = 0 - min, both = below < max ? below : max;
    if ((int64_t)min > 0) return min + rank;
    if ((int64_t)max < 0) return max - rank;
    if (rank > 2 * both) return max > below ? rank - both : both - rank;
    return rank % 2 == 1 ? rank / 2 + 1 : 0 - rank / 2;
}

FRNG_DRAW bool frng__mixed(frng *f, frng_more_kind kind, size_t width, uint64_t min, uint64_t max,
                           uint64_t *value) {
    const size_t start = f->used;
    uint64_t bits, rank;
    *value = 0;
    FRNG__TRY(frng__bounded(f, 1, frng__bits(max - min), &bits) &&
                  frng__of_bits(f, bits, max - min, &rank),
              (frng_kind)kind, start, width, min, max, NULL);
    *value = kind == FRNG_MIXED_INT ? frng__zigzag(min, max, rank) : min + rank;
    return frng__done(f, (frng_kind)kind, start, width, min, max, *value);
}

/* frng_u64_mixed(f, min, max, &x): first how many bits, each count as likely, then a number of so
 * many: small ones are common, large ones occur. They are counted from min; those of a signed type
 * as 0, 1, -1, 2, -2, ... as far as they are in the range. u8, .., i64, int, long, size; 1 to 9
 * bytes. */
#define FRNG__MIXED(name, type, width, kind, d)                                                    \
    FRNG_DRAW bool frng_##name##_mixed(frng *f, type min, type max, type *value) {                 \
        uint64_t number, a = (uint64_t)min, b = (uint64_t)max;                                     \
        if (min > max) frng__trap(f, "frng_" #name "_mixed: min %ll" d " > max %ll" d, a, b);      \
        const bool ok = frng__mixed(f, kind, width, a, b, &number);                                \
        *value = (type)number;                                                                     \
        return ok;                                                                                 \
    }

FRNG__MIXED(u8, uint8_t, 1, FRNG_MIXED_UINT, "u")
FRNG__MIXED(u16, uint16_t, 2, FRNG_MIXED_UINT, "u")
FRNG__MIXED(u32, uint32_t, 4, FRNG_MIXED_UINT, "u")
FRNG__MIXED(u64, uint64_t, 8, FRNG_MIXED_UINT, "u")
FRNG__MIXED(i8, int8_t, 1, FRNG_MIXED_INT, "d")
FRNG__MIXED(i16, int16_t, 2, FRNG_MIXED_INT, "d")
FRNG__MIXED(i32, int32_t, 4, FRNG_MIXED_INT, "d")
FRNG__MIXED(i64, int64_t, 8, FRNG_MIXED_INT, "d")
FRNG__MIXED(int, int, 4, FRNG_MIXED_INT, "d")
FRNG__MIXED(long, long, 8, FRNG_MIXED_INT, "d")
FRNG__MIXED(size, size_t, 8, FRNG_MIXED_UINT, "u")

/* ---- Stateful tests ---- */

/* An operation of a state, and what it draws: true, or false as a test. */
typedef struct frng_rule {
    const char *name; /* of its step in a trace */
    bool (*act)(frng *f, void *state);
} frng_rule;

enum { FRNG_RULES_MAX = 64 };

/* Take rules until one returns false: at the latest when entropy is out. Each run favours some and
 * leaves others out (frng_swarm). `check`, which can be NULL, looks at the state at first and after
 * each rule. The caller owns the state, and passes the false on:
 *
 *     static const frng_rule rules[] = {{"push", push}, {"pop", pop}};
 *     stack *s = stack_create();
 *     const bool over = frng_repeat(f, rules, 2, s, check);
 *     stack_destroy(s);
 *     return over; */
FRNG_DRAW bool frng_repeat(frng *f, const frng_rule *rules, size_t count, void *state,
                           void (*check)(const void *state)) {
    uint32_t weights[FRNG_RULES_MAX];
    size_t i;
    if (count == 0 || count > FRNG_RULES_MAX)
        frng__trap(f, "frng_repeat: %llu rules, not 1 to 64", count, 0);
    frng_note(f, "swarm");
    FRNG_TRY(frng_swarm(f, weights, count));
    for (;;) {
        if (check != NULL) check(state);
        FRNG_TRY(frng_pick_weighted(f, weights, count, &i));
        frng_step(f, rules[i].name);
        FRNG_TRY(rules[i].act(f, state));
    }
}

/* ---- Doubles, by exact steps only: the same on x87 ---- */

#define FRNG__SIGN (UINT64_C(1) << 63)
#define FRNG__INFINITY (UINT64_C(2047) << 52)

FRNG__HELPER uint64_t frng__bits_of(double value) {
    uint64_t bits;
    frng__copy(&bits, &value, sizeof bits);
    return bits;
}

/* 2^exponent, for -1074..1023. */
FRNG__HELPER double frng__power(int exponent) {
    const uint64_t bits =
        exponent >= -1022 ? (uint64_t)(exponent + 1023) << 52 : UINT64_C(1) << (exponent + 1074);
    double value;
    frng__copy(&value, &bits, sizeof value);
    return value;
}

/* Bits at most 31 steps from a power of two, or special: of 0, the least normal, 1, 2^53, infinity.
 * Beside them are 0, -0, denormals, the ulps of 1, the largest double, infinities and NaNs. */
FRNG__HELPER uint64_t frng__near(uint64_t drawn) {
    static const uint16_t specials[8] = {0, 1, 1022, 1023, 1024, 1076, 2046, 2047};
    const uint64_t power = (drawn & 3) != 0 ? specials[drawn >> 2 & 7] : drawn >> 5 & 2047;
    const uint64_t steps = drawn >> 16 & 31, how = drawn >> 21 & 3; /* 0, +1, -1, +-steps */
    uint64_t bits = power << 52;
    if (how == 1 || how == 3) bits += how == 1 ? 1 : steps;
    if (how == 2 && bits > 0) bits--;
    if (how == 3 && (drawn >> 23 & 1) != 0) bits = bits < 2 * steps ? 0 : bits - 2 * steps;
    if (bits > FRNG__INFINITY) bits = FRNG__INFINITY | UINT64_C(1) << 51; /* a quiet NaN */
    return bits | (drawn & FRNG__SIGN);
}

/* The parts of a double: `head` says which it has, a number, a fraction or all bits. */
FRNG__HELPER bool frng__parts(frng *f, uint64_t *head, uint64_t *number, uint64_t *fraction,
                              uint64_t *bits) {
    *number = *fraction = *bits = 0;
    if (!frng__number(f, 1, head)) return false;
    if (*head >= 128) return frng__number(f, 8, bits);
    if (*head < 64) return frng__of_bits(f, *head % 55, (UINT64_C(1) << 54) - 1, number);
    if (!frng__of_bits(f, *head % 32 + 1, UINT32_MAX, number)) return false;
    if (!frng__number(f, 1, fraction)) return false;
    *fraction = *fraction % 16 + 1;
    return true;
}

/* Any double: a whole number, one with a fraction of up to 16 bits, one near a power of two or
 * special, or any bits, each in a quarter of cases. 1 to 9 bytes. */
FRNG_DRAW bool frng_f64_any(frng *f, double *value) {
    const size_t start = f->used;
    uint64_t head, number, fraction, bits;
    *value = 0;
    FRNG__TRY(frng__parts(f, &head, &number, &fraction, &bits), (frng_kind)FRNG_REAL, start, 8, 0,
              0, NULL);
    if (head < 128) {
        const int64_t whole =
            (int64_t)frng__zigzag(0 - (UINT64_C(1) << 53), UINT64_C(1) << 53, number);
        *value = (double)whole * frng__power(-(int)fraction);
        bits = frng__bits_of(*value);
    } else {
        if (head < 192) bits = frng__near(bits);
        frng__copy(value, &bits, sizeof *value);
    }
    return frng__done(f, (frng_kind)FRNG_REAL, start, 8, 0, 0, bits);
}

/* Return floor(value / 2^exponent), or ceil. The result has 53 bits at most. */
FRNG__HELPER int64_t frng__units(double value, int exponent, bool up) {
    const uint64_t bits = frng__bits_of(value), field = bits >> 52 & 2047;
    const uint64_t digits = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(field > 0) << 52;
    const int shift = exponent + 1075 - (int)(field > 0 ? field : 1);
    const uint64_t whole = shift < 64 ? digits >> shift : 0;
    const bool has_rest = shift < 64 ? (whole << shift) != digits : digits != 0;
    const bool is_negative = (bits & FRNG__SIGN) != 0;
    const int64_t away = (int64_t)(whole + (has_rest && up != is_negative));
    return is_negative ? -away : away;
}

/* Return the exponent of the ulp of the larger bound, and the bounds in such units. */
FRNG__HELPER int frng__grid(double min, double max, int64_t *low, int64_t *high) {
    const uint64_t a = frng__bits_of(min) & ~FRNG__SIGN, b = frng__bits_of(max) & ~FRNG__SIGN;
    const int field = (int)((a > b ? a : b) >> 52), exponent = (field > 0 ? field : 1) - 1075;
    *low = frng__units(min, exponent, false);
    *high = frng__units(max, exponent, true);
    return exponent;
}

/* A double of min..max, which are finite: uniform, in ulps of the larger bound. 8 bytes. */
FRNG_DRAW bool frng_f64_range(frng *f, double min, double max, double *value) {
    const size_t start = f->used;
    int64_t low, high;
    uint64_t rank;
    if (!(min <= max && min - min == 0 && max - max == 0))
        frng__trap(f, "frng_f64_range: min > max, or not finite", 0, 0);
    const int exponent = frng__grid(min, max, &low, &high);
    *value = 0;
    FRNG__TRY(frng__bounded(f, 8, (uint64_t)high - (uint64_t)low, &rank),
              (frng_kind)FRNG_REAL_RANGE, start, 8, frng__bits_of(min), frng__bits_of(max), NULL);
    *value =
        (double)(int64_t)frng__zigzag((uint64_t)low, (uint64_t)high, rank) * frng__power(exponent);
    if (*value < min) *value = min;
    if (*value > max) *value = max;
    return frng__done(f, (frng_kind)FRNG_REAL_RANGE, start, 8, frng__bits_of(min),
                      frng__bits_of(max), frng__bits_of(*value));
}

/* ---- Some of several, and all of them in any order ---- */

/* Each of up to 64 things or not: bit i of the mask is that of thing i. 1, 2, 4 or 8 bytes. */
FRNG_DRAW bool frng_subset(frng *f, size_t count, uint64_t *mask) {
    const size_t start = f->used;
    if (count == 0 || count > 64) frng__trap(f, "frng_subset: count %llu, not 1 to 64", count, 0);
    const uint64_t all = UINT64_MAX >> (64 - count);
    const size_t width = frng__width(all);
    uint64_t drawn;
    *mask = 0;
    FRNG__TRY(frng__number(f, width, &drawn), (frng_kind)FRNG_SUBSET, start, width, 0, all, NULL);
    *mask = drawn & all;
    return frng__done(f, (frng_kind)FRNG_SUBSET, start, width, 0, all, *mask);
}

/* The numbers 0..count-1 in any order, each by frng_pick of those left; the last takes nothing.
 * Out of entropy leaves a permutation. */
FRNG_DRAW bool frng_permutation(frng *f, size_t count, size_t *order) {
    bool ok = true;
    for (size_t i = 0; i < count; i++) order[i] = i;
    for (size_t i = 0; i + 1 < count && ok; i++) {
        size_t j;
        ok = frng_pick(f, count - i, &j);
        const size_t taken = order[i + j];
        for (; j > 0; j--) order[i + j] = order[i + j - 1]; /* the rest stays in its order */
        order[i] = taken;
    }
    return ok;
}

/* Shuffle `count` elements of `width` bytes at `base`. Zeros leave the order alone; out of entropy
 * leaves a permutation. 8 bytes for each element but the last. */
FRNG_DRAW bool frng_shuffle(frng *f, void *base, size_t count, size_t width) {
    unsigned char *bytes = (unsigned char *)base;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t j;
        if (!frng_index(f, count - i, &j)) return false;
        if (j == 0) continue;
        for (size_t k = 0; k < width; k++) {
            const unsigned char byte = bytes[i * width + k];
            bytes[i * width + k] = bytes[(i + j) * width + k];
            bytes[(i + j) * width + k] = byte;
        }
    }
    return true;
}

/* A multiple of 2^-53 in [0, 1), uniform, from 8 bytes. */
FRNG_DRAW bool frng_f64(frng *f, double *value) {
    const size_t start = f->used;
    uint64_t number;
    *value = 0;
    FRNG__TRY(frng__number(f, 8, &number), FRNG_F64, start, 8, 0, UINT64_MAX, NULL);
    *value = (double)(number >> 11) * (1.0 / 9007199254740992.0);
    return frng__done(f, FRNG_F64, start, 8, 0, UINT64_MAX, number);
}

/* True with probability numerator / denominator, from 4 bytes; large numbers mean false. A
 * denominator of 0 and a chance above 1 trap. */
FRNG_DRAW bool frng_chance(frng *f, uint32_t numerator, uint32_t denominator, bool *value) {
    const size_t start = f->used;
    uint64_t pick;
    if (denominator == 0 || numerator > denominator)
        frng__trap(f, "frng_chance: %llu of %llu is not a chance of at most 1", numerator,
                   denominator);
    *value = false;
    FRNG__TRY(frng__bounded(f, 4, denominator - 1, &pick), FRNG_CHANCE, start, 4, numerator,
              denominator, NULL);
    *value = pick < numerator;
    return frng__done(f, FRNG_CHANCE, start, 4, numerator, denominator, *value);
}

/* ---- Days ---- */

#define FRNG__DAYS UINT64_C(3652059) /* 0001-01-01 to 9999-12-31 */

/* Day `number` from 2000-01-01 on, and from 0001-01-01 after the last one. */
FRNG__HELPER void frng__day(uint64_t number, int *year, int *month, int *day) {
    const int days = (int)((number + 730119) % FRNG__DAYS) + 306; /* since 0000-03-01 */
    const int era = days / 146097, of_era = days % 146097;
    const int years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int of_year = of_era - (365 * years + years / 4 - years / 100);
    const int march = (5 * of_year + 2) / 153; /* months since March */
    *day = of_year - (153 * march + 2) / 5 + 1;
    *month = march < 10 ? march + 3 : march - 9;
    *year = years + 400 * era + (*month <= 2 ? 1 : 0);
}

/* Return the number of a day, for the bounds of frng_date_range. */
static inline uint64_t frng_day(int year, int month, int day) {
    const int y = month > 2 ? year : year - 1, march = month > 2 ? month - 3 : month + 9;
    const int of_era = y % 400 * 365 + y % 400 / 4 - y % 400 / 100; /* up to March */
    const int days = y / 400 * 146097 + of_era + (153 * march + 2) / 5 + day - 1;
    return ((uint64_t)days + FRNG__DAYS - 730425) % FRNG__DAYS; /* 306 and 730119 of frng__day */
}

FRNG_DRAW bool frng__date(frng *f, uint64_t first, uint64_t span, int *year, int *month, int *day) {
    const size_t start = f->used;
    uint64_t number;
    *year = *month = *day = 0;
    FRNG__TRY(frng__bounded(f, 4, span, &number), (frng_kind)FRNG_DATE, start, 4, first,
              first + span, NULL);
    frng__day(first + number, year, month, day);
    return frng__done(f, (frng_kind)FRNG_DATE, start, 4, first, first + span, first + number);
}

/* A day of the Gregorian calendar in the years 1..9999, all as likely, month and day from 1 on. 4
 * bytes. All three are 0 when entropy is out. */
FRNG_DRAW bool frng_date(frng *f, int *year, int *month, int *day) {
    return frng__date(f, 0, FRNG__DAYS - 1, year, month, day);
}

/* One from `first` to `last`: frng_date_range(f, frng_day(1970, 1, 1), frng_day(2038, 1, 19), ...).
 * The first one is the simplest. */
FRNG_DRAW bool frng_date_range(frng *f, uint64_t first, uint64_t last, int *year, int *month,
                               int *day) {
    const uint64_t from = (first + 730119) % FRNG__DAYS, to = (last + 730119) % FRNG__DAYS;
    if (from > to) frng__trap(f, "frng_date_range: day %llu is after %llu", first, last);
    return frng__date(f, first, to - from, year, month, day);
}

FRNG__WRAPS_END
#endif
