/* frng.h: a finite random number generator.
 * A test draws from bytes ("entropy") that can run out. Then it is over, and has passed:
 *     static bool test(frng *f) {
 *         uint32_t count;
 *         FRNG_TRY(frng_u32_max(f, 10, &count));      // returns false when entropy is out
 *         FRNG_ASSERT(count != 7);                    // frng_assert.h: a bug crashes
 *         return true;
 *     }
 *     FRNG_MAIN(test)                                 // frng_main.h: entropy from stdin
 * A draw returns true, its result where its last argument points, or false: out of entropy. Then
 * the result is zero, and the generator stays empty. The same entropy means the same values on all
 * machines. Bounds are inclusive. A count of 0, min > max and weights that add up to 0 are bugs of
 * the caller, and trap. No I/O, no globals; C11, C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_H
#define FRNG_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define FRNG_VERSION "0.1.0"
#if defined(FRNG_GUIDED) && defined(__clang__) /* guided runs do not look into draws */
#define FRNG__QUIET noinline, no_sanitize("coverage", "unsigned-integer-overflow")
#define FRNG__HELPER static inline __attribute__((no_sanitize("unsigned-integer-overflow")))
#elif defined(FRNG_GUIDED)
#define FRNG__QUIET no_sanitize_coverage
#elif defined(__clang__) /* sums may wrap */
#define FRNG__QUIET unused, no_sanitize("unsigned-integer-overflow")
#else
#define FRNG__QUIET unused
#define FRNG__HELPER static inline
#endif
#ifndef FRNG__HELPER
#define FRNG__HELPER static inline __attribute__((FRNG__QUIET))
#endif
#ifdef FRNG_GUIDED
#define FRNG__HERE unused
#else /* a draw is made in the function that calls it, so that a record has that place */
#define FRNG__HERE always_inline
#endif
#if defined(__GNUC__)
#define FRNG_DRAW static inline __attribute__((FRNG__HERE, warn_unused_result, FRNG__QUIET))
#define FRNG__COLD static __attribute__((noinline, cold, unused))
#define FRNG_TRAP() __builtin_trap()
#else
#define FRNG_DRAW static inline
#define FRNG__COLD static inline
#define FRNG_TRAP() (*(volatile int *)0 = 0)
#endif
/* Return false from the calling function when `draw` runs out. */
#define FRNG_TRY(draw)                                                                             \
    do {                                                                                           \
        if (!(draw)) return false;                                                                 \
    } while (0)

typedef struct frng {
    const uint8_t *base;       /* the entropy; borrowed, never written, outlives the generator */
    size_t used;               /* bytes drawn */
    size_t ready;              /* bytes that can be read now: used <= ready <= size */
    size_t size;               /* bytes in all; a failed draw lowers it to `used` */
    struct frng_host *host;    /* NULL: all bytes are ready, and no host listens */
    bool exhausted, discarded; /* the test is over: a draw has failed; by frng_assume, both */
} frng;
/* The kind of a draw, for the host. Signed values and bounds are in two's complement. */
typedef enum frng_kind {
    FRNG_BYTES = 0, /* max is the count of bytes */
    FRNG_BOOL = 1,
    FRNG_UINT = 2,
    FRNG_INT = 3,
    FRNG_INDEX = 4,
    FRNG_WEIGHTED = 5, /* value and max are those of the number drawn, below the sum of weights */
    FRNG_F64 = 6,      /* value is the u64 drawn */
    FRNG_CHANCE = 7,   /* value is 1 for true; min is the numerator, max the denominator */
    FRNG_KIND_MAX = 15 /* frng_more.h has the kinds from 8 to here */
} frng_kind;

/* Fills the entropy and hears of the draws when a driver runs the test; see PROTOCOL.md. */
typedef struct frng_host {
    bool (*fill)(frng *f, size_t count); /* make used + count bytes ready; false if it cannot */
    /* After each draw, or NULL. It took the bytes from `start` to f->used, rejected ones too. */
    void (*drawn)(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min, uint64_t max,
                  uint64_t value);
    void (*note)(frng *f, const char *name); /* at each frng_note, or NULL */
    void (*mark)(frng *f, int mark, const char *name, uint64_t value); /* frng_more.h */
    /* Before a draw that `fill` denied its bytes, or NULL. True: they are ready now. */
    bool (*choose)(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                   const uint32_t *weights);
    void (*say)(frng *f, const char *format, va_list arguments); /* frng_more.h; NULL: not heard */
    void (*misuse)(const char *format, ...); /* before a bug of the caller traps, or NULL */
} frng_host;

/* Return a generator over `size` bytes at `entropy`, which may be NULL when size is 0. */
static inline frng frng_init(const void *entropy, size_t size) {
    const frng f = {(const uint8_t *)(size > 0 ? entropy : ""), 0, size, size, NULL, false, false};
    return f;
}
/* Bytes drawn so far, without those of a failed draw: they alone give the same run. */
static inline size_t frng_used(const frng *f) { return f->used; }
/* Bytes not yet drawn. A failure of a test that looks at this does not bound the size. */
static inline size_t frng_left(const frng *f) { return f->size - f->used; }
/* Name the draws that follow, for a trace; the first 31 bytes are copied. */
static inline void frng_note(frng *f, const char *name) {
    if (f->host != NULL && f->host->note != NULL) f->host->note(f, name);
}
FRNG__COLD void frng__trap(frng *f, const char *how, unsigned long long a, unsigned long long b) {
    if (f->host != NULL && f->host->misuse != NULL) f->host->misuse(how, a, b);
    FRNG_TRAP();
}
FRNG__HELPER bool frng__take(frng *f, size_t count) {
    if (count > f->ready - f->used)
        if (f->host == NULL || count > f->size - f->used || !f->host->fill(f, count)) return false;
    f->used += count;
    return true;
}
/* Let the host choose the bytes of a draw from `start` on. The draw fails if it does not. */
FRNG__COLD bool frng__ask(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                          uint64_t max, const uint32_t *weights) {
    const bool asks = f->host != NULL && f->host->choose != NULL && !f->exhausted;
    f->used = start;
    if (asks && f->host->choose(f, kind, width, min, max, weights)) return true;
    f->ready = f->size = start;
    f->exhausted = true;
    return false;
}
/* Draw from `start`, and again if the host has chosen the bytes. The rest describes the draw. */
#define FRNG__TRY(draw, ...)                                                                       \
    if (!(draw) && !(frng__ask(f, __VA_ARGS__) && (draw))) return false

FRNG_DRAW bool frng__done(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                          uint64_t max, uint64_t value) {
    if (f->host != NULL && f->host->drawn != NULL)
        f->host->drawn(f, kind, start, width, min, max, value);
    return true;
}

/* The next `count` bytes, in place: *bytes points into the entropy. A count of 0 always works. */
FRNG_DRAW bool frng_bytes(frng *f, size_t count, const uint8_t **bytes) {
    const size_t start = f->used;
    *bytes = NULL;
    FRNG__TRY(frng__take(f, count), FRNG_BYTES, start, 1, 0, count, NULL);
    *bytes = f->base + start;
    return frng__done(f, FRNG_BYTES, start, 1, 0, count, 0);
}
/* Numbers are little-endian, of 1, 2, 4 or 8 bytes. No loop: gcc would not merge its loads. */
FRNG__HELPER uint64_t frng__load(const uint8_t *b, size_t width) {
    uint64_t value = b[0];
    if (width > 1) value |= (uint64_t)b[1] << 8;
    if (width > 2) value |= (uint64_t)b[2] << 16;
    if (width > 3) value |= (uint64_t)b[3] << 24;
    return width > 4 ? value | frng__load(b + 4, width - 4) << 32 : value;
}

FRNG__HELPER bool frng__number(frng *f, size_t width, uint64_t *value) {
    if (!frng__take(f, width)) return false;
    *value = frng__load(f->base + f->used - width, width);
    return true;
}
/* Return the high half of a * b, and store the low one. */
FRNG__HELPER uint64_t frng__multiply(uint64_t a, uint64_t b, uint64_t *low) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
    const uint64_t middle2 = a0 * b1 + (uint32_t)middle;
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (middle2 >> 32);
}

/* 0..max, unbiased: Lemire's multiplication, as in Zig's Random.uintLessThan. The high half of
 * number * n is the result, and a low half below 2^bits mod n is rejected. */
FRNG__HELPER bool frng__bounded(frng *f, size_t width, uint64_t max, uint64_t *value) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width), n = max + 1;
    uint64_t x, low;
    if (max == top) return frng__number(f, width, value);
    do {
        if (!frng__number(f, width, &x)) return false;
        low = x * n; /* all of it, but for 64 bits */
        *value = width < 8 ? low >> (8 * width) : frng__multiply(x, n, &low);
        low &= top;
    } while (low < n && low < (top - max) % n);
    return true;
}

/* min..max, in two's complement of 64 bits. All of a type takes bytes as they are: zeros mean 0. */
FRNG_DRAW bool frng__of(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                        const uint32_t *weights, uint64_t *value) {
    const uint64_t top = UINT64_MAX >> (64 - 8 * width);
    const size_t start = f->used;
    uint64_t offset;
    *value = 0;
    FRNG__TRY(frng__bounded(f, width, max - min, &offset), kind, start, width, min, max, weights);
    if (max - min == top) offset = (offset - min) & top;
    *value = min + offset;
    return frng__done(f, kind, start, width, min, max, *value);
}

/* frng_u8(f, &x): any; frng_u8_max(f, max, &x): 0..max; frng_u8_range(f, min, max, &x); and so on.
 * No _max for i8 .. i64. As many bytes as the type has, again for each number rejected. */
#define FRNG__NUMBER(name, type, width, kind, d, low, top)                                         \
    enum { frng__##name##_has_a_width_of_words = 1 / ((width) == 8 || sizeof(type) == (width)) };  \
    FRNG_DRAW bool frng_##name##_range(frng *f, type min, type max, type *value) {                 \
        uint64_t w, a = (uint64_t)min, b = (uint64_t)max;                                          \
        if (min > max) frng__trap(f, "frng_" #name "_range: min %ll" d " > max %ll" d, a, b);      \
        const bool ok = frng__of(f, kind, width, a, b, NULL, &w);                                  \
        *value = (type)w;                                                                          \
        return ok;                                                                                 \
    }                                                                                              \
    FRNG_DRAW bool frng_##name(frng *f, type *x) { return frng_##name##_range(f, low, top, x); }
#define FRNG__UNSIGNED(name, type, width, top)                                                     \
    FRNG__NUMBER(name, type, width, FRNG_UINT, "u", 0, top)                                        \
    FRNG_DRAW bool frng_##name##_max(frng *f, type max, type *value) {                             \
        return frng_##name##_range(f, 0, max, value);                                              \
    }

FRNG__UNSIGNED(u8, uint8_t, 1, UINT8_MAX)
FRNG__UNSIGNED(u16, uint16_t, 2, UINT16_MAX)
FRNG__UNSIGNED(u32, uint32_t, 4, UINT32_MAX)
FRNG__UNSIGNED(u64, uint64_t, 8, UINT64_MAX)
FRNG__NUMBER(i8, int8_t, 1, FRNG_INT, "d", INT8_MIN, INT8_MAX)
FRNG__NUMBER(i16, int16_t, 2, FRNG_INT, "d", INT16_MIN, INT16_MAX)
FRNG__NUMBER(i32, int32_t, 4, FRNG_INT, "d", INT32_MIN, INT32_MAX)
FRNG__NUMBER(i64, int64_t, 8, FRNG_INT, "d", INT64_MIN, INT64_MAX)

/* A coin: the lowest bit of one byte. */
FRNG_DRAW bool frng_bool(frng *f, bool *value) {
    const size_t start = f->used;
    uint64_t byte;
    *value = false;
    FRNG__TRY(frng__number(f, 1, &byte), FRNG_BOOL, start, 1, 0, 1, NULL);
    *value = (byte & 1) == 1;
    return frng__done(f, FRNG_BOOL, start, 1, 0, 1, *value);
}
/* 0..count-1, from 8 bytes on every platform, for ever: frng_pick (frng_more.h) mostly takes 1. */
FRNG_DRAW bool frng_index(frng *f, size_t count, size_t *index) {
    uint64_t wide;
    if (count == 0) frng__trap(f, "frng_index: count 0", 0, 0);
    const bool ok = frng__of(f, FRNG_INDEX, 8, 0, (uint64_t)count - 1, NULL, &wide);
    *index = (size_t)wide;
    return ok;
}
/* An index below `count`, in proportion to its weight; never one with weight 0. 8 bytes. */
FRNG_DRAW bool frng_weighted(frng *f, const uint32_t *weights, size_t count, size_t *index) {
    uint64_t sum = 0, pick;
    for (size_t k = 0; k < count; k++) sum += weights[k];
    if (sum == 0) frng__trap(f, "frng_weighted: the weights add up to 0", 0, 0);
    *index = 0;
    FRNG_TRY(frng__of(f, FRNG_WEIGHTED, 8, 0, sum - 1, weights, &pick));
    for (; pick >= weights[*index]; ++*index) pick -= weights[*index];
    return true;
}

/* Weights of 1..100, 4 bytes each. Drawn once, they make each test favour others: swarm testing. */
FRNG_DRAW bool frng_swarm_weights(frng *f, uint32_t *weights, size_t count) {
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) ok = frng_u32_range(f, 1, 100, &weights[i]);
    for (size_t i = 0; i < count && !ok; i++) weights[i] = 0;
    return ok;
}
#endif
