/* frng_more.h: convenient draws beside those of frng.h, by the same rules.
 *
 * A denominator of 0 and a chance above 1 trap. No I/O, no allocation, no globals; C11 and C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_MORE_H
#define FRNG_MORE_H

#include "frng.h"

/* What a test says of its run, for the host: each becomes a call of `mark`. */
typedef enum frng_mark {
    FRNG_STEP = 1,   /* an operation begins, and the one before ends */
    FRNG_LABEL = 2,  /* the run has a property */
    FRNG_MEASURE = 3 /* `value` is a number of the run */
} frng_mark;

static inline void frng__mark(frng *f, frng_mark mark, const char *name, uint64_t value) {
    if (f->host != NULL && f->host->mark != NULL) f->host->mark(f, mark, name, value);
}

/* Begin an operation: the draws up to the next step, or the end of the run, belong together. A
 * trace names the step; the first 31 bytes are copied. */
static inline void frng_step(frng *f, const char *name) { frng__mark(f, FRNG_STEP, name, 0); }

/* Say that this run has the property `name`. */
static inline void frng_label(frng *f, const char *name) { frng__mark(f, FRNG_LABEL, name, 1); }

/* Say that the number `name` of this run is `value`. */
static inline void frng_measure(frng *f, const char *name, uint64_t value) {
    frng__mark(f, FRNG_MEASURE, name, value);
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
    if (!frng__number(f, 8, &number)) return frng__fail(f, start);
    *value = (double)(number >> 11) * (1.0 / 9007199254740992.0);
    return frng__done(f, FRNG_F64, start, 8, 0, UINT64_MAX, number);
}

/* True with probability numerator / denominator, from 4 bytes; large numbers mean false. */
FRNG_DRAW bool frng_chance(frng *f, uint32_t numerator, uint32_t denominator, bool *value) {
    const size_t start = f->used;
    uint64_t pick;
    if (denominator == 0 || numerator > denominator) FRNG_TRAP();
    *value = false;
    if (!frng__bounded(f, 4, denominator - 1, &pick)) return frng__fail(f, start);
    *value = pick < numerator;
    return frng__done(f, FRNG_CHANCE, start, 4, numerator, denominator, *value);
}

#endif
