/* frng.h: a finite random number generator.
 *
 * All the numbers are given beforehand, as bytes ("entropy"), and can run out. A test draws its
 * decisions from them; out of entropy means that the test is over and has passed:
 *
 *     static bool test(frng *f) {
 *         uint32_t count;
 *         FRNG_TRY(frng_u32_max(f, 10, &count));      // returns false when entropy is out
 *         ...
 *         FRNG_ASSERT(sum >= 0);                      // frng_assert.h: a bug crashes
 *         return true;
 *     }
 *     FRNG_MAIN(test)                                 // frng_main.h: entropy from stdin
 *
 * Every draw returns true on success and puts its result where the last argument points. False
 * means out of entropy and nothing else: the result is zeroed, the generator is empty from then
 * on, and the caller passes the false up. Who owns memory or files gives them back first, or
 * lets a function that owns them call one that draws: FRNG_TRY returns at once, and leaks.
 *
 * The same entropy gives the same values on every machine. Bounds are inclusive. A count of 0,
 * min > max, weights that add up to 0 and a chance above 1 are bugs of the caller, and trap.
 *
 * No I/O, no allocation, no globals; C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_H
#define FRNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRNG_VERSION "0.1.0"

#if defined(__GNUC__)
#define FRNG_DRAW static inline __attribute__((warn_unused_result, unused))
#define FRNG_TRAP() __builtin_trap()
#else
#define FRNG_DRAW static inline
#define FRNG_TRAP() (*(volatile int *)0 = 0)
#endif

/* Return false from the calling function, a test or a step of one, when `draw` runs dry. */
#define FRNG_TRY(draw)                                                                             \
    do {                                                                                           \
        if (!(draw)) return false;                                                                 \
    } while (0)

/* Who fills the entropy and listens to the draws, when a driver is there; see PROTOCOL.md. */
typedef struct frng_host frng_host;

typedef struct frng {
    const uint8_t *base; /* the entropy; borrowed, never written, outlives the generator */
    size_t used;         /* bytes drawn */
    size_t ready;        /* bytes that may be read now: used <= ready <= size */
    size_t size;         /* bytes in all; a failed draw lowers it to `used` */
    frng_host *host;     /* NULL: nobody fills or listens, and ready == size */
    bool exhausted;      /* a draw has failed: the test is over and has passed */
} frng;

/* What a draw was, for the host. `value` and the bounds of signed kinds are in two's complement. */
typedef enum frng_kind {
    FRNG_BYTES = 0, /* max is the count of bytes */
    FRNG_BOOL = 1,
    FRNG_UINT = 2,
    FRNG_INT = 3,
    FRNG_INDEX = 4,
    FRNG_WEIGHTED = 5, /* value and max are those of the number drawn, below the sum of weights */
    FRNG_F64 = 6,      /* value is the u64 drawn */
    FRNG_CHANCE = 7    /* value is 1 for true; min is the numerator, max the denominator */
} frng_kind;

struct frng_host {
    bool (*fill)(frng *f, size_t count); /* make used + count bytes ready; false if it cannot */
    /* NULL, or told of each draw made: its first byte, bytes taken (rejected ones too), width of
     * one number in bytes. */
    void (*drawn)(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min, uint64_t max,
                  uint64_t value);
    void (*note)(frng *f, const char *name); /* NULL, or told of each frng_note */
};

/* A generator over `size` bytes at `entropy`, which may be NULL when size is 0. */
static inline frng frng_init(const void *entropy, size_t size) {
    frng f;
    f.base = size > 0 ? (const uint8_t *)entropy : (const uint8_t *)"";
    f.used = 0;
    f.ready = size;
    f.size = size;
    f.host = NULL;
    f.exhausted = false;
    return f;
}

/* Bytes drawn so far. A draw that failed counts nothing, nor do the bytes it had rejected: the
 * first frng_used() bytes alone give the same run. */
static inline size_t frng_used(const frng *f) { return f->used; }

/* Bytes not yet drawn. A test that looks at this is another test for each size of entropy: its
 * shorter runs are no prefixes of its longer ones, so failures found small must be rerun. */
static inline size_t frng_left(const frng *f) { return f->size - f->used; }

/* Name the draws that follow, for whoever reads a trace; the first 31 bytes are copied. */
static inline void frng_note(frng *f, const char *name) {
    if (f->host != NULL && f->host->note != NULL) f->host->note(f, name);
}

/* ---- The one basis function, and what every draw begins and ends with ---- */

static inline bool frng__take(frng *f, size_t count) {
    if (count > f->ready - f->used) {
        if (f->host == NULL || count > f->size - f->used || !f->host->fill(f, count)) return false;
    }
    f->used += count;
    return true;
}

static inline bool frng__fail(frng *f, size_t start) {
    f->used = f->ready = f->size = start;
    f->exhausted = true;
    return false;
}

static inline bool frng__done(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                              uint64_t max, uint64_t value) {
    if (f->host != NULL && f->host->drawn != NULL) {
        f->host->drawn(f, kind, start, width, min, max, value);
    }
    return true;
}

/* The next `count` bytes, in place: *bytes points into the entropy, and lives as long as it. None
 * can always be had, out of entropy or not. */
FRNG_DRAW bool frng_bytes(frng *f, size_t count, const uint8_t **bytes) {
    const size_t start = f->used;
    *bytes = NULL;
    if (!frng__take(f, count)) return frng__fail(f, start);
    *bytes = f->base + start;
    return frng__done(f, FRNG_BYTES, start, 1, 0, count, 0);
}

/* ---- Numbers: little-endian, whole bytes ---- */

static inline uint64_t frng__load(const uint8_t *bytes, size_t width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static inline bool frng__number(frng *f, size_t width, uint64_t *value) {
    if (!frng__take(f, width)) return false;
    *value = frng__load(f->base + f->used - width, width);
    return true;
}

/* The high and the low half of a * b, each `width` bytes. */
static inline uint64_t frng__multiply(size_t width, uint64_t a, uint64_t b, uint64_t *low) {
    if (width < 8) {
        const uint64_t product = a * b; /* both below 2^32 */
        *low = product & (((uint64_t)1 << (8 * width)) - 1);
        return product >> (8 * width);
    }
    {
        const uint64_t mask = 0xffffffffu;
        const uint64_t a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
        const uint64_t mid = a1 * b0 + ((a0 * b0) >> 32);
        const uint64_t mid2 = a0 * b1 + (mid & mask);
        *low = a * b;
        return a1 * b1 + (mid >> 32) + (mid2 >> 32);
    }
}

/* 0..max, unbiased: Lemire's multiplication with rejection, in the variant of pcg-random.org's
 * "bounded rands" that Zig's standard library uses (Random.uintLessThan). */
static inline bool frng__bounded(frng *f, size_t width, uint64_t max, uint64_t *value) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width);
    uint64_t x, high, low;
    if (!frng__number(f, width, &x)) return false;
    if (max == top) {
        *value = x;
        return true;
    }
    const uint64_t n = max + 1;
    high = frng__multiply(width, x, n, &low);
    if (low < n) {
        uint64_t threshold = (0 - n) & top;
        if (threshold >= n) {
            threshold -= n;
            if (threshold >= n) threshold %= n;
        }
        while (low < threshold) {
            if (!frng__number(f, width, &x)) return false;
            high = frng__multiply(width, x, n, &low);
        }
    }
    *value = high;
    return true;
}

/* A number of `width` bytes in min..max, both in two's complement of 64 bits: min plus what was
 * drawn, but the bytes as they stand where the range is all of the type, so that zeros mean 0. */
FRNG_DRAW bool frng__range(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                           uint64_t *value) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width);
    const size_t start = f->used;
    uint64_t offset;
    *value = 0;
    if (!frng__bounded(f, width, max - min, &offset)) return frng__fail(f, start);
    if (max - min == top) offset = (offset - min) & top;
    *value = min + offset;
    return frng__done(f, kind, start, width, min, max, *value);
}

/* frng_u8(f, &x) is any value, frng_u8_max(f, max, &x) is 0..max, frng_u8_range(f, min, max, &x)
 * is min..max; likewise u16, u32 and u64. A bounded draw takes the width of its type once, and
 * once more for each number that has to be rejected: less than half of them, often none. */
#define FRNG__UNSIGNED(name, type, top)                                                            \
    FRNG_DRAW bool frng_##name##_range(frng *f, type min, type max, type *value) {                 \
        uint64_t wide;                                                                             \
        if (min > max) FRNG_TRAP();                                                                \
        const bool ok = frng__range(f, FRNG_UINT, sizeof(type), min, max, &wide);                  \
        *value = (type)wide;                                                                       \
        return ok;                                                                                 \
    }                                                                                              \
    FRNG_DRAW bool frng_##name##_max(frng *f, type max, type *value) {                             \
        return frng_##name##_range(f, 0, max, value);                                              \
    }                                                                                              \
    FRNG_DRAW bool frng_##name(frng *f, type *value) {                                             \
        return frng_##name##_range(f, 0, top, value);                                              \
    }

/* frng_i8(f, &x) is any value, frng_i8_range(f, min, max, &x) is min..max; i16, i32, i64 too. */
#define FRNG__SIGNED(name, type, bottom, top)                                                      \
    FRNG_DRAW bool frng_##name##_range(frng *f, type min, type max, type *value) {                 \
        uint64_t wide;                                                                             \
        if (min > max) FRNG_TRAP();                                                                \
        const bool ok = frng__range(f, FRNG_INT, sizeof(type), (uint64_t)(int64_t)min,             \
                                    (uint64_t)(int64_t)max, &wide);                                \
        *value = (type)(int64_t)wide;                                                              \
        return ok;                                                                                 \
    }                                                                                              \
    FRNG_DRAW bool frng_##name(frng *f, type *value) {                                             \
        return frng_##name##_range(f, bottom, top, value);                                         \
    }

FRNG__UNSIGNED(u8, uint8_t, UINT8_MAX)
FRNG__UNSIGNED(u16, uint16_t, UINT16_MAX)
FRNG__UNSIGNED(u32, uint32_t, UINT32_MAX)
FRNG__UNSIGNED(u64, uint64_t, UINT64_MAX)
FRNG__SIGNED(i8, int8_t, INT8_MIN, INT8_MAX)
FRNG__SIGNED(i16, int16_t, INT16_MIN, INT16_MAX)
FRNG__SIGNED(i32, int32_t, INT32_MIN, INT32_MAX)
FRNG__SIGNED(i64, int64_t, INT64_MIN, INT64_MAX)

/* ---- Choices ---- */

/* A coin: the lowest bit of one byte. */
FRNG_DRAW bool frng_bool(frng *f, bool *value) {
    const size_t start = f->used;
    uint64_t byte;
    *value = false;
    if (!frng__number(f, 1, &byte)) return frng__fail(f, start);
    *value = (byte & 1) == 1;
    return frng__done(f, FRNG_BOOL, start, 1, 0, 1, *value);
}

/* 0..count-1, from 8 bytes on every platform. */
FRNG_DRAW bool frng_index(frng *f, size_t count, size_t *index) {
    uint64_t wide;
    if (count == 0) FRNG_TRAP();
    const bool ok = frng__range(f, FRNG_INDEX, 8, 0, (uint64_t)count - 1, &wide);
    *index = (size_t)wide;
    return ok;
}

/* An index below `count`, each as often as its weight says; a weight of 0 never. 8 bytes. */
FRNG_DRAW bool frng_weighted(frng *f, const uint32_t *weights, size_t count, size_t *index) {
    uint64_t sum = 0, pick;
    size_t i = 0;
    for (size_t k = 0; k < count; k++) sum += weights[k];
    if (sum == 0) FRNG_TRAP();
    *index = 0;
    if (!frng__range(f, FRNG_WEIGHTED, 8, 0, sum - 1, &pick)) return false;
    for (; pick >= weights[i]; i++) pick -= weights[i];
    *index = i;
    return true;
}

/* Weights for frng_weighted, each 1..100 from 4 bytes. Drawn once at the start of a test, they
 * make each test favour other operations ("swarm testing", Groce and others 2012). */
FRNG_DRAW bool frng_swarm_weights(frng *f, uint32_t *weights, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!frng_u32_range(f, 1, 100, &weights[i])) {
            for (size_t k = 0; k < count; k++) weights[k] = 0;
            return false;
        }
    }
    return true;
}

/* Shuffle `count` elements of `width` bytes at `base`. Smallest draws leave the order alone; out
 * of entropy leaves a permutation. 8 bytes for each element but the last. */
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
    uint64_t wide;
    *value = 0;
    if (!frng__number(f, 8, &wide)) return frng__fail(f, start);
    *value = (double)(wide >> 11) * (1.0 / 9007199254740992.0);
    return frng__done(f, FRNG_F64, start, 8, 0, UINT64_MAX, wide);
}

/* True `numerator` times in `denominator`, which is no less; false is the larger numbers. 4 bytes.
 */
FRNG_DRAW bool frng_chance(frng *f, uint32_t numerator, uint32_t denominator, bool *value) {
    const size_t start = f->used;
    uint64_t pick;
    if (denominator == 0 || numerator > denominator) FRNG_TRAP();
    *value = false;
    if (!frng__bounded(f, 4, denominator - 1, &pick)) return frng__fail(f, start);
    *value = pick < numerator;
    return frng__done(f, FRNG_CHANCE, start, 4, numerator, denominator, *value);
}

#undef FRNG__UNSIGNED
#undef FRNG__SIGNED

#endif
