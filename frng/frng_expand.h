/* frng_expand.h: (seed, size) -> bytes. The format is frozen: a failure is kept as two numbers.
 *
 * SplitMix64 turns the seed into the four words of xoshiro256++ (Blackman and Vigna). The bytes of
 * a plain seed are uniform: the outputs in turn, each as 8 little-endian bytes, the last one cut
 * short if need be, like Zig's DefaultPrng.init(seed).fill(bytes). A styled seed also draws how
 * uneven its bytes are: with edges, duplicates and repetitions. DRAWS.md describes both for other
 * implementations. Shorter sizes are prefixes of longer ones. No allocation, no globals; C11 and
 * C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_EXPAND_H
#define FRNG_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of this format, kept in findings. Another version gives other bytes. */
#define FRNG_EXPAND_FORMAT 1

typedef struct frng_expansion {
    uint64_t state[4];
    bool uneven;  /* false: the rest of the outputs are the bytes, and nothing below is used */
    uint8_t bits; /* of a word */
    uint8_t lead; /* bits before the first word */
    /* The first chance in 64ths, and each next one added to those before it. */
    uint8_t repeat, window, edge, near;
    uint8_t distance;   /* in words, of the window that is open; 0: none is */
    uint64_t made;      /* words so far */
    uint64_t rest;      /* of a wide extreme: its words to come, the next one lowest */
    uint8_t rest_count; /* how many */
    uint64_t carry;     /* the bytes that the lead pushed out of the last group */
    uint64_t words[64]; /* the last ones; word i is at i % 64 */
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
static inline uint64_t frng__xoshiro(uint64_t s[4]) {
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

/* Return one of 8 numbers, whose first one is the lowest byte of `numbers`. */
static inline unsigned frng__one_of_8(uint64_t numbers, uint64_t pick) {
    return (unsigned)(numbers >> (pick % 8 * 8)) & 255;
}

/* Set *e to the expansion of a seed, at its first byte. */
static inline void frng__expansion_begin(frng_expansion *e, uint64_t seed, bool styled) {
    const uint64_t rare = UINT64_C(0x1008040200000000); /* 16 8 4 2, or 0 */
    uint64_t pick;
    for (int i = 0; i < 4; i++) e->state[i] = frng__splitmix64(&seed);
    e->uneven = false;
    if (!styled) return;
    pick = frng__xoshiro(e->state);
    e->bits = (uint8_t)frng__one_of_8(UINT64_C(0x4040202020100808), pick);
    e->repeat = (uint8_t)frng__one_of_8(UINT64_C(0x3f3e382008000000), pick >> 6);
    if ((pick >> 3 & 7) >= 5 && (pick >> 18 & 1) == 1) e->repeat = 0; /* edges alone */
    e->window = (uint8_t)(e->repeat + frng__one_of_8(rare, pick >> 12));
    e->edge = (uint8_t)(e->window + frng__one_of_8(UINT64_C(0x3f3c301808000000), pick >> 3));
    e->near = (uint8_t)(e->edge + frng__one_of_8(rare, pick >> 9));
    e->lead = (uint8_t)(frng__one_of_8(UINT64_C(0x1008080000000000), pick >> 15) % e->bits);
    e->uneven = e->near > 0;
    e->distance = 0;
    e->made = 0;
    e->rest_count = 0;
    e->carry = (pick >> 32) & ((UINT64_C(1) << e->lead) - 1);
}

/* The expansion of a plain seed, at its first byte. */
static inline frng_expansion frng_expansion_init(uint64_t seed) {
    frng_expansion e;
    memset(&e, 0, sizeof e); /* a caller may copy all of it */
    frng__expansion_begin(&e, seed, false);
    return e;
}

/* The expansion of a styled seed, at its first byte. */
static inline frng_expansion frng_expansion_styled(uint64_t seed) {
    frng_expansion e;
    memset(&e, 0, sizeof e); /* a caller may copy all of it */
    frng__expansion_begin(&e, seed, true);
    return e;
}

/* ---- Words of a styled seed ---- */

/* Return an extreme instead of `number`, which says which one. */
static inline uint64_t frng__extreme(uint64_t number, unsigned bits) {
    const uint64_t top = UINT64_MAX >> (64 - bits), small = number >> 4 & 15;
    const unsigned kind = number & 15;
    if (kind < 2) return 0;
    if (kind < 6) return top;
    if (kind < 8) return top >> 1;
    if (kind < 12) return (top >> 1) + 1;
    if (kind < 13) return small;
    if (kind < 15) return UINT64_C(1) << (number >> 4) % bits;
    return top - small;
}

/* Return the first word of an extreme. One can be wider than a word of 1 or 2 bytes: numbers of an
 * input need not be aligned. */
static inline uint64_t frng__next_extreme(frng_expansion *e, uint64_t number, unsigned pick) {
    static const uint8_t wide[4] = {8, 32, 32, 64};
    const unsigned bits = e->bits <= 16 && wide[pick & 3] > e->bits ? wide[pick & 3] : e->bits;
    const uint64_t extreme = frng__extreme(number, bits);
    if (bits == e->bits) return extreme;
    e->rest = extreme >> e->bits;
    e->rest_count = (uint8_t)(bits / e->bits - 1);
    return extreme & (UINT64_MAX >> (64 - e->bits));
}

/* Return the next word: the lowest bits of `number`, unless one of the chances replaces them.
 * `pick` has 8 bits. */
static inline uint64_t frng__next_word(frng_expansion *e, uint64_t number, unsigned pick) {
    const unsigned have = e->made < 64 ? (unsigned)e->made : 64, chance = pick >> 2;
    const uint64_t top = UINT64_MAX >> (64 - e->bits);
    unsigned distance = e->distance;
    uint64_t word = number & top;
    if (e->rest_count > 0) {
        word = e->rest & top;
        e->rest >>= e->bits;
        e->rest_count--;
        return word;
    }
    if (distance > 0) {
        if (chance >= 8) return e->words[(e->made - distance) % 64];
        e->distance = 0; /* the window closes */
        return word;
    }
    if (chance >= e->near) return word;
    if (chance >= e->window && chance < e->edge) return frng__next_extreme(e, number, pick);
    if (have == 0) return word;
    distance = 1 + ((unsigned)(number & 255) * have >> 8);
    word = e->words[(e->made - distance) % 64];
    if (chance >= e->edge) return ((pick & 1) != 0 ? word + 1 : word - 1) & top;
    if (chance >= e->repeat) e->distance = (uint8_t)distance;
    return word;
}

/* Return the next 8 bytes: the lead and the words follow one another. */
static inline uint64_t frng__next_words(frng_expansion *e, uint64_t s[4]) {
    const uint64_t fresh = frng__xoshiro(s), picks = frng__xoshiro(s);
    const uint64_t carry = e->carry;
    uint64_t group = 0;
    for (unsigned at = 0; at < 64; at += e->bits) {
        const uint64_t number = fresh >> at | fresh << 1 << (63 - at);
        const uint64_t word = frng__next_word(e, number, (unsigned)(picks >> at & 255));
        e->words[e->made++ % 64] = word;
        group |= word << at;
    }
    if (e->lead == 0) return group;
    e->carry = group >> (64 - e->lead);
    return group << e->lead | carry;
}

/* ---- Bytes ---- */

static inline void frng__store(uint8_t *bytes, uint64_t word) {
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
    bytes[4] = (uint8_t)(word >> 32);
    bytes[5] = (uint8_t)(word >> 40);
    bytes[6] = (uint8_t)(word >> 48);
    bytes[7] = (uint8_t)(word >> 56);
}

/* Write the next `size` bytes. A later call continues after them if `size` is a multiple of 8;
 * otherwise the rest of the last 8 bytes is lost. */
static inline void frng_expansion_fill(frng_expansion *e, uint8_t *bytes, size_t size) {
    /* In registers: the compiler must assume that bytes alias *e. */
    uint64_t s[4] = {e->state[0], e->state[1], e->state[2], e->state[3]};
    if (e->uneven) {
        for (; size >= 8; size -= 8, bytes += 8) frng__store(bytes, frng__next_words(e, s));
    } else {
        for (; size >= 8; size -= 8, bytes += 8) frng__store(bytes, frng__xoshiro(s));
    }
    if (size > 0) {
        uint64_t word = e->uneven ? frng__next_words(e, s) : frng__xoshiro(s);
        for (; size > 0; size--, word >>= 8) *bytes++ = (uint8_t)word;
    }
    for (int i = 0; i < 4; i++) e->state[i] = s[i];
}

/* All `size` bytes of a plain seed. */
static inline void frng_expand(uint64_t seed, uint8_t *bytes, size_t size) {
    frng_expansion e;
    frng__expansion_begin(&e, seed, false);
    frng_expansion_fill(&e, bytes, size);
}

/* All `size` bytes of a styled seed. */
static inline void frng_expand_styled(uint64_t seed, uint8_t *bytes, size_t size) {
    frng_expansion e;
    frng__expansion_begin(&e, seed, true);
    frng_expansion_fill(&e, bytes, size);
}

#endif
