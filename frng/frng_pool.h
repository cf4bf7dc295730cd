/* frng_pool.h: things that a test has made, of which it draws one to use.
 *
 *     frng_pool open = {0};                               // or open.count = 0
 *     frng_pool_add(f, &open, open_file(name));           // numbers: handles, indices
 *     if (open.count > 0) FRNG_TRY(frng_pool_draw(f, &open, &file));
 *     if (open.count > 0) FRNG_TRY(frng_pool_take(f, &open, &file));  // and it is in no longer
 *
 * A draw counts back from the newest thing, so it means the same one if others before it are never
 * made, or are taken: a reduction deletes these alone. Zeros mean the newest. 1 byte for up to 256.
 * No I/O, no allocation, no globals; C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_POOL_H
#define FRNG_POOL_H

#include "frng_more.h"

#ifndef FRNG_POOL_MAX /* for files that need more, or less memory */
#define FRNG_POOL_MAX 256
#endif

typedef struct frng_pool {
    size_t count;
    size_t things[FRNG_POOL_MAX]; /* the oldest first */
} frng_pool;

/* Put a thing in. More than FRNG_POOL_MAX trap. */
static inline void frng_pool_add(frng *f, frng_pool *p, size_t thing) {
    if (p->count >= FRNG_POOL_MAX)
        frng__trap(f, "frng_pool_add: more than %llu things", FRNG_POOL_MAX, 0);
    p->things[p->count++] = thing;
}

static inline void frng__pool_close(frng_pool *p, size_t at) {
    for (p->count--; at < p->count; at++) p->things[at] = p->things[at + 1];
}

/* Take a thing out that has ended by itself, of alike ones the oldest; nothing happens if it is not
 * in. */
static inline void frng_pool_remove(frng_pool *p, size_t thing) {
    size_t at = 0;
    while (at < p->count && p->things[at] != thing) at++;
    if (at < p->count) frng__pool_close(p, at);
}

/* Draw the place of a thing. */
FRNG_DRAW bool frng__pool_at(frng *f, const frng_pool *p, size_t *at) {
    size_t back;
    *at = 0;
    if (p->count == 0) frng__trap(f, "frng_pool_draw: the pool is empty", 0, 0);
    FRNG_TRY(frng_pick(f, p->count, &back));
    *at = p->count - 1 - back;
    return true;
}

/* Draw one of the things. An empty pool traps. */
FRNG_DRAW bool frng_pool_draw(frng *f, const frng_pool *p, size_t *thing) {
    size_t at;
    *thing = 0;
    FRNG_TRY(frng__pool_at(f, p, &at));
    *thing = p->things[at];
    return true;
}

/* Draw one, and take it out. */
FRNG_DRAW bool frng_pool_take(frng *f, frng_pool *p, size_t *thing) {
    size_t at;
    *thing = 0;
    FRNG_TRY(frng__pool_at(f, p, &at));
    *thing = p->things[at];
    frng__pool_close(p, at);
    return true;
}

#endif
