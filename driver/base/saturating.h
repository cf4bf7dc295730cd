/* saturating.h: arithmetic of numbers that users may choose as large as they want. It stops at the
 * largest number. */
#ifndef SATURATING_H
#define SATURATING_H

#include <stdint.h>

static inline uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static inline uint64_t sum(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

static inline uint64_t product(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* Return the number of bits that x needs. */
static inline uint64_t bits(uint64_t x) { return x == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(x); }

#endif
