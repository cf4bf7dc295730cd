/* every.h: a test by every entropy: the values of its draws, counted up like digits of a number.
 *
 *     do {
 *         frng f = every_entropy(9);
 *         ...
 *     } while (next_entropy()); // then it begins again
 * SPDX-License-Identifier: MIT */
#ifndef EVERY_H
#define EVERY_H

#include "frng_encode.h"
#include "heard.h"

#include <check.h>

enum { EVERY_MAX = 16 }; /* draws */

static size_t digits[EVERY_MAX], limits[EVERY_MAX], digit_count, weighted_left;
static uint8_t digits_bytes[EVERY_MAX * FRNG_ENCODED_MAX];

static bool take_digit(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                       const uint32_t *weights) {
    const frng_request request = {kind, width, min, max, weights};
    size_t limit = (size_t)(max - min);
    if (weights != NULL) {
        uint64_t sum = weights[0];
        for (limit = 0; sum <= max; sum += weights[limit]) limit++;
        if (weighted_left == 0)
            limit = 0;
        else
            weighted_left--;
    }
    ck_assert_uint_lt(digit_count, EVERY_MAX);
    limits[digit_count] = limit;
    f->ready = f->used + frng_encode(&request, digits[digit_count++], digits_bytes + f->used);
    return f->ready <= f->size;
}

/* A generator whose draws take the digits; weighted ones after the first `weighted_max` take 0. */
static inline frng every_entropy(size_t weighted_max) {
    static frng_host host = {.fill = fill_nothing, .choose = take_digit};
    frng f = frng_init(digits_bytes, sizeof digits_bytes);
    f.host = &host;
    f.ready = digit_count = 0;
    weighted_left = weighted_max;
    return f;
}

/* Count the digits up; false after the last number, and they are zeros again. */
static inline bool next_entropy(void) {
    while (digit_count > 0 && digits[digit_count - 1] == limits[digit_count - 1])
        digits[--digit_count] = 0;
    if (digit_count > 0) digits[digit_count - 1]++;
    return digit_count > 0;
}

#endif
