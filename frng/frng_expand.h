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

#include "frng_more.h"
#include "frng_shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

FRNG__WRAPS

/* The version of this format, kept in findings. Another version gives other bytes. */
#define FRNG_EXPAND_FORMAT 1

enum { FRNG__LAST = 512 }; /* bytes of 64 words of 8 */

#ifndef FRNG__QUIET /* frng.h */
#define FRNG__QUIET unused
#define FRNG__HELPER static inline
#endif

typedef struct frng_expansion {
    uint64_t state[4];
    bool uneven;   /* false: the rest of the outputs are the bytes, and nothing below is used */
    uint8_t width; /* of a word, in bytes */
    uint8_t lead;  /* bits before the first word */
    /* The first chance in 64ths, and each next one added to those before it. */
    uint8_t repeat, window, edge, near;
    uint8_t rest_size;            /* of a wide extreme: the bytes to come, less than 8 */
    uint16_t distance;            /* in bytes, of the window that is open; 0: none is */
    uint16_t made;                /* bytes of words so far, less a multiple of 512 from 1024 on */
    uint64_t rest;                /* of a wide extreme: the next byte lowest */
    uint64_t carry;               /* the bytes that the lead pushed out of the last group */
    uint8_t last[FRNG__LAST + 8]; /* the last ones; byte i is at i % 512, the room is for stores */
} frng_expansion;

FRNG__HELPER uint64_t frng__splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

FRNG__HELPER uint64_t frng__rotate_left(uint64_t x, int count) {
    return (x << count) | (x >> (64 - count));
}

/* One step of xoshiro256++. */
FRNG__HELPER uint64_t frng__xoshiro(uint64_t s[4]) {
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
FRNG__HELPER unsigned frng__one_of_8(uint64_t numbers, uint64_t pick) {
    return (unsigned)(numbers >> (pick % 8 * 8)) & 255;
}

/* Set *e to the expansion of a seed, at its first byte. */
static inline __attribute__((FRNG__QUIET)) void frng__expansion_begin(frng_expansion *e,
                                                                      uint64_t seed, bool styled) {
    uint64_t pick;
    for (int i = 0; i < 4; i++) e->state[i] = frng__splitmix64(&seed);
    e->uneven = false;
    if (!styled) return;
    pick = frng__xoshiro(e->state);
    e->width = (uint8_t)frng__one_of_8(FRNG__STYLE_WIDTHS, pick);
    e->repeat = (uint8_t)frng__one_of_8(FRNG__STYLE_REPEATS, pick >> 6);
    if ((pick >> 3 & 7) >= 5 && (pick >> 18 & 1) == 1) e->repeat = 0; /* edges alone */
    e->window = (uint8_t)(e->repeat + frng__one_of_8(FRNG__STYLE_RARE, pick >> 12));
    e->edge = (uint8_t)(e->window + frng__one_of_8(FRNG__STYLE_EDGES, pick >> 3));
    e->near = (uint8_t)(e->edge + frng__one_of_8(FRNG__STYLE_RARE, pick >> 9));
    e->lead = (uint8_t)(8 * frng__one_of_8(FRNG__STYLE_LEADS, pick >> 15) & (8u * e->width - 1));
    e->uneven = e->near > 0;
    e->distance = 0;
    e->made = 0;
    e->rest_size = 0;
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

/* ---- Words of a styled seed ----
 *
 * Each function is compiled for each width of a word. Not so without optimization, where that makes
 * a third of the code of a target, for a tenth of the speed. */

#ifdef __OPTIMIZE__
#define FRNG__FOR_EACH_WIDTH static inline __attribute__((always_inline))
#else
#define FRNG__FOR_EACH_WIDTH FRNG__HELPER
#endif

FRNG__FOR_EACH_WIDTH void frng__write_word(uint8_t *bytes, uint64_t word, unsigned width) {
    bytes[0] = (uint8_t)word;
    if (width >= 2) bytes[1] = (uint8_t)(word >> 8);
    if (width >= 4) {
        bytes[2] = (uint8_t)(word >> 16);
        bytes[3] = (uint8_t)(word >> 24);
    }
    if (width >= 8) {
        bytes[4] = (uint8_t)(word >> 32);
        bytes[5] = (uint8_t)(word >> 40);
        bytes[6] = (uint8_t)(word >> 48);
        bytes[7] = (uint8_t)(word >> 56);
    }
}

/* Write the lowest bytes of a word, less than 8. */
FRNG__HELPER void frng__write_some(uint8_t *bytes, uint64_t word, size_t count) {
    for (; count > 0; count--, word >>= 8) *bytes++ = (uint8_t)word;
}

FRNG__FOR_EACH_WIDTH uint64_t frng__read_word(const uint8_t *bytes, unsigned width) {
    uint64_t word = bytes[0];
    if (width >= 2) word |= (uint64_t)bytes[1] << 8;
    if (width >= 4) word |= (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
    if (width >= 8) {
        word |= (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40;
        word |= (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
    }
    return word;
}

/* Return an extreme of `bits` bits. `random` says which one: bit `kind` of each table below tells
 * whether that kind has the highest bit, all lower ones, a power of two, and a small number. */
FRNG__HELPER uint64_t frng__extreme(uint64_t random, unsigned bits) {
    const unsigned kind = random & 15;
    const uint64_t high = 0x8f3cu >> kind & 1, low = 0x80fcu >> kind & 1;
    const uint64_t power = 0x6000u >> kind & 1, small = 0x9000u >> kind & 1;
    const uint64_t number = high << (bits - 1) | low * (UINT64_MAX >> (65 - bits));
    return number ^ power << (random >> 4) % bits ^ small * (random >> 4 & 15);
}

/* Where the making of a group of 8 bytes is. */
typedef struct frng__group {
    uint64_t random, picks; /* of the next word: lowest */
    uint64_t words;         /* of 4 or 8 bytes: those so far, the last one highest */
    unsigned at, end;       /* bytes of words so far, and at the end of the group */
    unsigned distance;      /* in bytes, of the window that is open; 0: none is */
} frng__group;

FRNG__FOR_EACH_WIDTH void frng__skip(frng__group *g, unsigned bits) {
    g->at += bits / 8;
    if (bits == 64) return;
    g->random = g->random >> bits | g->random << (64 - bits);
    g->picks >>= bits;
}

FRNG__FOR_EACH_WIDTH void frng__put_word(frng_expansion *e, frng__group *g, uint64_t word,
                                         unsigned width) {
    frng__write_word(e->last + g->at % FRNG__LAST, word, width);
    if (width == 4) g->words = g->words >> 32 | word << 32;
    if (width == 8) g->words = word;
    frng__skip(g, 8 * width);
}

/* Put an extreme instead of a word. One can be wider than a word of 1 or 2 bytes: numbers of an
 * input need not be aligned. Its end can be part of the next group. */
FRNG__FOR_EACH_WIDTH void frng__put_extreme(frng_expansion *e, frng__group *g, unsigned width) {
    const unsigned wide = frng__one_of_8(UINT64_C(0x08040401), g->picks & 3);
    const unsigned left = g->end - g->at;
    const unsigned size = wide > width ? wide : width;
    uint64_t extreme;
    if (width > 2) {
        frng__put_word(e, g, frng__extreme(g->random, 8 * width), width);
        return;
    }
    extreme = frng__extreme(g->random, 8 * size);
    frng__write_word(e->last + g->at % FRNG__LAST, extreme, 8);
    if (size < left) {
        frng__skip(g, 8 * size);
        return;
    }
    g->at = g->end;
    e->rest_size = (uint8_t)(size - left);
    if (size > left) e->rest = extreme >> 8 * left;
}

/* Begin a group with the rest of an extreme. */
FRNG__FOR_EACH_WIDTH void frng__put_rest(frng_expansion *e, frng__group *g) {
    frng__write_word(e->last + g->at % FRNG__LAST, e->rest, 8);
    frng__skip(g, 8 * e->rest_size); /* it ends in this group */
    e->rest_size = 0;
}

/* Go on with the window that is open, as far as a word that closes it. */
FRNG__FOR_EACH_WIDTH void frng__put_window(frng_expansion *e, frng__group *g, unsigned width) {
    while (g->at < g->end && (g->picks & 255) >= 4 * 8) {
        const uint8_t *earlier = e->last + (g->at - g->distance) % FRNG__LAST;
        frng__put_word(e, g, frng__read_word(earlier, width), width);
    }
    if (g->at == g->end) return;
    g->distance = 0;
    frng__put_word(e, g, g->random, width);
}

/* Put an earlier word or its neighbour; it can open a window. */
FRNG__FOR_EACH_WIDTH void frng__put_earlier(frng_expansion *e, frng__group *g, unsigned width) {
    const unsigned have = g->at < 64 * width ? g->at / width : 64;
    const unsigned back = (1 + ((unsigned)(g->random & 255) * have >> 8)) * width;
    const unsigned chance = (unsigned)g->picks >> 2 & 63;
    uint64_t word = frng__read_word(e->last + (g->at - back) % FRNG__LAST, width);
    if (chance >= e->edge) word += (g->picks & 1) * 2 - UINT64_C(1);
    frng__put_word(e, g, word, width);
    if (chance >= e->repeat && chance < e->window) g->distance = back;
}

/* Return the next 8 bytes of words. */
FRNG__FOR_EACH_WIDTH uint64_t frng__make_group(frng_expansion *e, uint64_t s[4], unsigned width) {
    const uint64_t fresh = frng__xoshiro(s);
    frng__group g = {fresh, frng__xoshiro(s), 0, e->made, e->made + 8u, e->distance};
    if (width <= 2 && e->rest_size > 0) frng__put_rest(e, &g);
    for (;;) {
        unsigned chance;
        if (g.distance > 0) frng__put_window(e, &g, width);
        if (g.at == g.end) break;
        chance = (unsigned)g.picks >> 2 & 63;
        if (chance >= e->near) {
            frng__put_word(e, &g, g.random, width);
        } else if (chance >= e->window && chance < e->edge) {
            frng__put_extreme(e, &g, width);
        } else if (g.at == 0) { /* nothing is earlier */
            frng__put_word(e, &g, g.random, width);
        } else {
            frng__put_earlier(e, &g, width);
        }
    }
    e->distance = (uint16_t)g.distance;
    e->made = (uint16_t)(g.end < 2 * FRNG__LAST ? g.end : g.end - FRNG__LAST);
    return width >= 4 ? g.words : frng__read_word(e->last + (g.end - 8) % FRNG__LAST, 8);
}

/* Write the next `size` bytes: the lead and the words follow one another. */
FRNG__FOR_EACH_WIDTH void frng__fill_words(frng_expansion *e, uint64_t s[4], uint8_t *bytes,
                                           size_t size, unsigned width) {
    while (size > 0) {
        uint64_t group = frng__make_group(e, s, width);
        if (e->lead > 0) {
            const uint64_t carry = e->carry;
            e->carry = group >> (64 - e->lead);
            group = group << e->lead | carry;
        }
        if (size < 8) {
            frng__write_some(bytes, group, size);
            return;
        }
        frng__write_word(bytes, group, 8);
        bytes += 8;
        size -= 8;
    }
}

/* ---- Bytes ---- */

static inline __attribute__((FRNG__QUIET)) void
frng__fill_unevenly(frng_expansion *e, uint64_t s[4], uint8_t *bytes, size_t size) {
    switch (e->width) {
    case 1: frng__fill_words(e, s, bytes, size, 1); break;
    case 2: frng__fill_words(e, s, bytes, size, 2); break;
    case 4: frng__fill_words(e, s, bytes, size, 4); break;
    default: frng__fill_words(e, s, bytes, size, 8);
    }
}

static inline __attribute__((FRNG__QUIET)) void frng__fill_evenly(uint64_t s[4], uint8_t *bytes,
                                                                  size_t size) {
    for (; size >= 8; size -= 8, bytes += 8) frng__write_word(bytes, frng__xoshiro(s), 8);
    if (size > 0) frng__write_some(bytes, frng__xoshiro(s), size);
}

/* Write the next `size` bytes. A later call continues after them if `size` is a multiple of 8;
 * otherwise the rest of the last 8 bytes is lost. */
static inline __attribute__((FRNG__QUIET)) void frng_expansion_fill(frng_expansion *e,
                                                                    uint8_t *bytes, size_t size) {
    /* In registers: the compiler must assume that bytes alias *e. */
    uint64_t s[4] = {e->state[0], e->state[1], e->state[2], e->state[3]};
    if (e->uneven) {
        frng__fill_unevenly(e, s, bytes, size);
    } else {
        frng__fill_evenly(s, bytes, size);
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

FRNG__WRAPS_END
#endif
