/* frng_expand.h: (seed, size) -> bytes. The format is frozen: a failure is kept as two numbers.
 *
 * SplitMix64 turns the seed into the four words of xoshiro256++ (Blackman and Vigna). Its outputs
 * are written in turn, each as 8 little-endian bytes; the last one can be cut short. These are the
 * bytes of Zig's DefaultPrng.init(seed).fill(bytes). Shorter sizes are prefixes of longer ones.
 * No allocation, no globals; C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_EXPAND_H
#define FRNG_EXPAND_H

#include <stddef.h>
#include <stdint.h>

/* The version of this format, kept in findings. Another version gives other bytes. */
#define FRNG_EXPAND_FORMAT 1

typedef struct frng_expansion {
    uint64_t state[4];
} frng_expansion;

static inline uint64_t frng__splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t frng__rotate_left(uint64_t x, int count) {
    return (x << count) | (x >> (64 - count));
}

/* One step of xoshiro256++. */
static inline uint64_t frng__xoshiro(frng_expansion *e) {
    uint64_t *s = e->state;
    const uint64_t result = frng__rotate_left(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = frng__rotate_left(s[3], 45);
    return result;
}

/* The expansion of `seed`, at its first byte. */
static inline frng_expansion frng_expansion_init(uint64_t seed) {
    frng_expansion e;
    for (int i = 0; i < 4; i++) e.state[i] = frng__splitmix64(&seed);
    return e;
}

/* Write the next `size` bytes. A later call continues after them if `size` is a multiple of 8;
 * otherwise the rest of the last word is lost. */
static inline void frng_expansion_fill(frng_expansion *e, uint8_t *bytes, size_t size) {
    frng_expansion local = *e; /* in registers: the compiler must assume that bytes alias *e */
    for (; size >= 8; size -= 8, bytes += 8) {
        const uint64_t word = frng__xoshiro(&local);
        bytes[0] = (uint8_t)word;
        bytes[1] = (uint8_t)(word >> 8);
        bytes[2] = (uint8_t)(word >> 16);
        bytes[3] = (uint8_t)(word >> 24);
        bytes[4] = (uint8_t)(word >> 32);
        bytes[5] = (uint8_t)(word >> 40);
        bytes[6] = (uint8_t)(word >> 48);
        bytes[7] = (uint8_t)(word >> 56);
    }
    if (size > 0) {
        uint64_t word = frng__xoshiro(&local);
        for (; size > 0; size--, word >>= 8) *bytes++ = (uint8_t)word;
    }
    *e = local;
}

/* All `size` bytes of `seed`. */
static inline void frng_expand(uint64_t seed, uint8_t *bytes, size_t size) {
    frng_expansion e = frng_expansion_init(seed);
    frng_expansion_fill(&e, bytes, size);
}

#endif
