/* wide.h: products of 64 by 64 bits and their quotients, also on 32-bit machines, which have no
 * 128-bit type. If that type exists, it is used, since it is faster. */
#ifndef WIDE_H
#define WIDE_H

#include "frng_encode.h"

#include <stdint.h>

/* Return floor((high * 2^64 + low) / n), and the remainder in *rest; high < n, so that the quotient
 * has 64 bits. */
static inline uint64_t wide_divide(uint64_t high, uint64_t low, uint64_t n, uint64_t *rest) {
    return frng__divide(high, low, n, rest);
}

/* The same on any machine, by shifting and subtracting. */
static inline uint64_t wide_divide_by_steps(uint64_t high, uint64_t low, uint64_t n,
                                            uint64_t *rest) {
    return frng__divide_by_steps(high, low, n, rest);
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

/* Return the high half of a * b, and the low half in *low. */
static inline uint64_t wide_multiply(uint64_t a, uint64_t b, uint64_t *low) {
    const wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

#else

static inline uint64_t wide_multiply(uint64_t a, uint64_t b, uint64_t *low) {
    return frng__multiply(a, b, low);
}

#endif

#endif
