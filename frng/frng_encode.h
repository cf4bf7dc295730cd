/* frng_encode.h: the way back from a value to the smallest entropy for which a draw has it.
 *
 * For a host that chooses what a test draws, and for a reduction.
 *
 * A value is given by its number: for integers, indices and dates the count of simpler values
 * (unsigned: value - min; signed: 0, 1, -1, 2, ...), for a bool or a chance 1 or 0, for frng_more
 * and a letter 0 at the end, else its index plus 1, for doubles their bits, for frng_f64 the number
 * drawn, for a subset its mask. 0 is the simplest one, but for doubles without 0. A number beyond
 * the bounds means the nearest within. No I/O, no allocation, no globals; C11 and C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_ENCODE_H
#define FRNG_ENCODE_H

#include "frng_more.h"

FRNG__WRAPS

/* What a draw asks for; one number has `width` bytes. */
typedef struct frng_request {
    frng_kind kind;
    size_t width;
    uint64_t min, max;       /* as the host hears them after the draw */
    const uint32_t *weights; /* of FRNG_WEIGHTED; NULL: its number is the one drawn */
} frng_request;

/* The longest encoding of a draw other than frng_bytes. */
enum { FRNG_ENCODED_MAX = 9 };

/* ---- Bounded numbers ---- */

/* Return floor((high * 2^64 + low) / n), and the remainder in *rest; high < n, so that the quotient
 * has 64 bits. Works on any machine, by shifting and subtracting. */
static inline uint64_t frng__divide_by_steps(uint64_t high, uint64_t low, uint64_t n,
                                             uint64_t *rest) {
    for (int i = 0; i < 64; i++) {
        const uint64_t carry = high >> 63;
        high = high << 1 | low >> 63;
        low <<= 1;
        if (carry == 1 || high >= n) {
            high -= n;
            low |= 1;
        }
    }
    *rest = high;
    return low;
}

static inline uint64_t frng__divide(uint64_t high, uint64_t low, uint64_t n, uint64_t *rest) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 frng__wide;
    const frng__wide all = (frng__wide)high << 64 | low;
    *rest = (uint64_t)(all % n);
    return (uint64_t)(all / n);
#else
    return frng__divide_by_steps(high, low, n, rest);
#endif
}

/* Return the smallest x of `width` bytes (w bits) for which floor(x * n / 2^w) is `value` and the
 * remainder is at least 2^w mod n, so that frng__bounded does not reject it; n is max + 1. */
FRNG__COLD uint64_t frng__unbounded(size_t width, uint64_t max, uint64_t value) {
    const uint64_t n = max + 1;
    const size_t bits = 8 * width;
    if (max == UINT64_MAX >> (64 - bits)) return value;
    const uint64_t high = bits < 64 ? value >> (64 - bits) : value; /* of value * 2^w */
    const uint64_t low = bits < 64 ? value << bits : 0;
    const uint64_t threshold = bits < 64 ? (UINT64_C(1) << bits) % n : (0 - n) % n;
    uint64_t rest;
    const uint64_t whole = frng__divide(high, low, n, &rest);
    if (rest > n - threshold) return whole + 2; /* rest + threshold > n, which may overflow */
    return whole + (rest + threshold > 0 ? 1 : 0);
}

static inline size_t frng__store_number(uint64_t number, size_t width, uint8_t *bytes) {
    for (size_t i = 0; i < width; i++) bytes[i] = (uint8_t)(number >> (8 * i));
    return width;
}

static inline size_t frng__store_bounded(size_t width, uint64_t max, uint64_t value,
                                         uint8_t *bytes) {
    return frng__store_number(frng__unbounded(width, max, value), width, bytes);
}

/* Store what frng__of_bits draws for a number of 0..max. */
FRNG__COLD size_t frng__store_of_bits(uint64_t number, uint64_t max, uint8_t *bytes) {
    const uint64_t bits = frng__bits(number);
    const uint64_t low = bits > 0 ? UINT64_C(1) << (bits - 1) : 0;
    const uint64_t rest = bits > 0 ? low - 1 : 0, span = rest < max - low ? rest : max - low;
    if (span == 0) return 0;
    return frng__store_bounded(frng__width(span), span, number - low, bytes);
}

FRNG__COLD size_t frng__store_mixed(uint64_t number, uint64_t span, uint8_t *bytes) {
    frng__store_bounded(1, frng__bits(span), frng__bits(number), bytes);
    return 1 + frng__store_of_bits(number, span, bytes + 1);
}

/* Return the rank of a value among 0, 1, -1, 2, -2, ... within min..max, all in two's complement:
 * the way back of frng__zigzag. */
FRNG__COLD uint64_t frng__unzigzag(uint64_t min, uint64_t max, uint64_t value) {
    const bool is_negative = (int64_t)value < 0;
    const uint64_t below = 0 - min, m = is_negative ? 0 - value : value;
    if ((int64_t)min > 0) return value - min;
    if ((int64_t)max < 0) return max - value;
    if (value == 0) return 0;
    const uint64_t simpler = 1 + (m - 1 < max ? m - 1 : max) + (m - 1 < below ? m - 1 : below);
    return simpler + (is_negative && m <= max ? 1 : 0);
}

/* ---- Doubles ---- */

#define FRNG__WHOLE_MAX (UINT64_C(1) << 53) /* the largest of the whole numbers that come first */

static inline double frng__double_of(uint64_t bits) {
    double value;
    frng__copy(&value, &bits, sizeof value);
    return value;
}

static inline bool frng__is_whole(double value) {
    return value >= -(double)FRNG__WHOLE_MAX && value <= (double)FRNG__WHOLE_MAX &&
           value == (double)(int64_t)value;
}

static inline uint64_t frng__whole_rank(double value) {
    return frng__unzigzag(0 - FRNG__WHOLE_MAX, FRNG__WHOLE_MAX, (uint64_t)(int64_t)value);
}

/* Find value = n / 2^k for an n of few bits. Return k, or 0 if there is none. */
FRNG__COLD unsigned frng__find_fraction(double value, uint64_t *rank) {
    for (unsigned k = 1; k <= 16 && value != 0; k++) {
        value *= 2;
        if (!frng__is_whole(value)) continue;
        *rank = frng__whole_rank(value);
        return *rank <= UINT32_MAX ? k : 0;
    }
    return 0;
}

/* Store the fewest bytes for which frng_f64_any draws a double. */
FRNG__COLD size_t frng__store_real(uint64_t bits, uint8_t *bytes) {
    enum { FRACTIONS = 64, ANY_BITS = 192 };
    const double value = frng__double_of(bits);
    const uint64_t span = 2 * FRNG__WHOLE_MAX - 1;
    uint64_t rank = 0;
    if (bits != FRNG__SIGN && frng__is_whole(value) && frng__whole_rank(value) <= span) {
        rank = frng__whole_rank(value);
        bytes[0] = (uint8_t)frng__bits(rank);
        return 1 + frng__store_of_bits(rank, span, bytes + 1);
    }
    const unsigned k = frng__find_fraction(value, &rank);
    if (k > 0) {
        bytes[0] = (uint8_t)(FRACTIONS + frng__bits(rank) - 1);
        const size_t used = 1 + frng__store_of_bits(rank, UINT32_MAX, bytes + 1);
        bytes[used] = (uint8_t)(k - 1);
        return used + 1;
    }
    bytes[0] = ANY_BITS;
    return 1 + frng__store_number(bits, 8, bytes + 1);
}

/* Return the double of a range that is nearest to one. +0 stands for the simplest of the range: a
 * whole number, if it has any. */
FRNG__COLD double frng__within(double min, double max, double value) {
    const double most = 4503599627370496.0; /* below 2^52, not all doubles are whole */
    if (frng__bits_of(value) == 0 && ((min > 0 && max < most) || (max < 0 && min > -most))) {
        const int64_t low = frng__units(min, 0, true), high = frng__units(max, 0, false);
        if (low <= high) value = (double)(min > 0 ? low : high);
    }
    return value >= max ? max : value > min ? value : min;
}

FRNG__COLD size_t frng__store_real_in(uint64_t min, uint64_t max, uint64_t bits, uint8_t *bytes) {
    const double least = frng__double_of(min), most = frng__double_of(max);
    const double value = frng__within(least, most, frng__double_of(bits));
    int64_t low, high;
    const int exponent = frng__grid(least, most, &low, &high);
    const int64_t near = frng__units(value, exponent, false);
    const int64_t unit = value <= least ? low : value >= most ? high : near;
    return frng__store_bounded(8, (uint64_t)high - (uint64_t)low,
                               frng__unzigzag((uint64_t)low, (uint64_t)high, (uint64_t)unit),
                               bytes);
}

/* ---- Draws ---- */

/* Return the least and the largest pick (frng__next) of a draw of frng_more or a letter. */
static inline uint64_t frng__pick_min(uint64_t how) { return (how & FRNG_MUST_GO_ON) != 0; }
static inline uint64_t frng__pick_max(uint64_t how, uint64_t count) {
    return (how & FRNG_MUST_END) != 0 ? 0 : count;
}

FRNG__COLD size_t frng__store_pick(const frng_request *r, uint64_t pick, uint8_t *bytes) {
    const uint64_t end = (uint16_t)r->min, share = (uint16_t)(r->min >> 16);
    const uint64_t least = frng__pick_min(r->min), most = frng__pick_max(r->min, r->max);
    if (pick < least) pick = least;
    if (pick > most) pick = most;
    return frng__store_bounded(r->width, end + share * r->max - 1,
                               pick == 0 ? 0 : end + (pick - 1) * share, bytes);
}

/* Return the first number drawn that means an index of weights that add up to sum, or the nearest
 * index that has a weight. */
static inline uint64_t frng__number_of_index(const uint32_t *weights, uint64_t sum,
                                             uint64_t index) {
    uint64_t before = 0, last = 0;
    for (uint64_t k = 0; before < sum && (k <= index || before == 0); k++) {
        if (weights[k] > 0) last = before;
        before += weights[k];
    }
    return last;
}

/* Store an integer of min..max, an index or a date by its rank. */
FRNG__COLD size_t frng__store_integer(const frng_request *r, uint64_t rank, uint8_t *bytes) {
    const uint64_t span = r->max - r->min, top = UINT64_MAX >> (64 - 8 * r->width);
    uint64_t offset = rank < span ? rank : span;
    if (r->kind == FRNG_INT) offset = frng__zigzag(r->min, r->max, offset) - r->min;
    if (span == top) return frng__store_number((r->min + offset) & top, r->width, bytes);
    return frng__store_bounded(r->width, span, offset, bytes);
}

/* Store the bytes of a draw, at most FRNG_ENCODED_MAX, for the value of this number. Return their
 * count, or 0 for a kind of draw that has no numbers. */
static inline size_t frng_encode(const frng_request *r, uint64_t number, uint8_t *bytes) {
    const uint64_t bit = number > 0 ? 1 : 0;
    switch ((int)r->kind) {
    case FRNG_BOOL: return frng__store_number(bit, 1, bytes);
    case FRNG_F64: return frng__store_number(number, r->width, bytes);
    case FRNG_CHANCE:
        return frng__store_bounded(r->width, r->max - 1, bit == 0 && r->min < r->max ? r->min : 0,
                                   bytes);
    case FRNG_WEIGHTED:
        if (r->weights != NULL) number = frng__number_of_index(r->weights, r->max + 1, number);
        return frng__store_integer(r, number, bytes);
    case FRNG_UINT:
    case FRNG_INT:
    case FRNG_INDEX:
    case FRNG_DATE: return frng__store_integer(r, number, bytes);
    case FRNG_MIXED_UINT:
    case FRNG_MIXED_INT: {
        const uint64_t span = r->max - r->min;
        return frng__store_mixed(number < span ? number : span, span, bytes);
    }
    case FRNG_MORE:
    case FRNG_LETTER: return frng__store_pick(r, number, bytes);
    case FRNG_REAL: return frng__store_real(number, bytes);
    case FRNG_REAL_RANGE: return frng__store_real_in(r->min, r->max, number, bytes);
    case FRNG_SUBSET: return frng__store_number(number & r->max, r->width, bytes);
    default: return 0;
    }
}

FRNG__WRAPS_END
#endif
