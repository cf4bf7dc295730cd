/* frng_choices.h: a list of choices, which a driver gives a test in place of entropy.
 *
 * Each asks for one draw: the kind and the width that the draw should have, and the number of
 * its value (frng_encode.h). The host writes the bytes when the test draws, under the bounds of
 * that moment.
 *
 * A choice is a byte, kind | (width - 1) << 4, and 128 for a weighted draw whose number is the one
 * drawn instead of the index. The number follows, 7 bits in each byte, lowest first; all bytes but
 * the last have 128 added. Each byte of frng_bytes is a choice. C11 and C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_CHOICES_H
#define FRNG_CHOICES_H

#include "frng_encode.h"

FRNG__WRAPS

typedef struct frng_choice {
    uint8_t kind;  /* frng_kind or frng_more_kind */
    uint8_t width; /* 1..8 */
    bool is_drawn; /* of FRNG_WEIGHTED: the number is the one drawn */
    uint64_t number;
} frng_choice;

/* The longest choice. */
enum { FRNG_CHOICE_MAX = 11 };

/* Store a choice. Return the count of its bytes. */
static inline size_t frng_choice_store(const frng_choice *c, uint8_t bytes[FRNG_CHOICE_MAX]) {
    uint64_t left = c->number;
    size_t size = 1;
    bytes[0] = (uint8_t)(c->kind | (c->width - 1) << 4 | (c->is_drawn ? 128 : 0));
    for (; left > 127; left >>= 7) bytes[size++] = (uint8_t)(left | 128);
    bytes[size++] = (uint8_t)left;
    return size;
}

/* Load the choice at the beginning of `size` bytes. Return the count of its bytes; 0 if there is
 * none. */
static inline size_t frng_choice_load(frng_choice *c, const uint8_t *bytes, size_t size) {
    if (size == 0) return 0;
    c->kind = bytes[0] & 15;
    c->width = (uint8_t)((bytes[0] >> 4 & 7) + 1);
    c->is_drawn = (bytes[0] & 128) != 0;
    c->number = 0;
    for (size_t i = 1; i < size && i < FRNG_CHOICE_MAX; i++) {
        c->number |= (uint64_t)(bytes[i] & 127) << (7 * (i - 1));
        if ((bytes[i] & 128) == 0) return i + 1;
    }
    return 0;
}

/* True for the choice that ends the entropy, instead of more draws of simplest values: a bool of 8
 * bytes, which fits no draw. */
static inline bool frng_choice_is_end(const frng_choice *c) {
    return c->kind == FRNG_BOOL && c->width == 8;
}

FRNG__WRAPS_END
#endif
