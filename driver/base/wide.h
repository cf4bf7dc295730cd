/* wide.h: products of 64 by 64 bits, also on 32-bit machines, which have no 128-bit type. If that
 * type exists, it is used, since it is faster. */
#ifndef WIDE_H
#define WIDE_H

#include "frng.h"

#include <stdint.h>

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
