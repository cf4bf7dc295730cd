/* bests.h: failures that the search may end with. It relies on the bests, each smaller than the one
 * before it, and keeps earlier ones in case the last ones turn out to be flaky. It does not rely on
 * the fallbacks: one of them is the answer if nothing always fails. */
#ifndef BESTS_H
#define BESTS_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- Bests ---- */

enum { BESTS_MAX = 64 };

typedef struct bests {
    size_t count;
    failure *list; /* room for BESTS_MAX */
} bests;

/* Allocate the list. Return false if memory is out. */
bool bests_init(bests *b);
void bests_finish(bests *b);

/* Return the smallest, or NULL if there is none. */
failure *bests_smallest(const bests *b);

/* Add a failure at its place. If there is no room, drop the largest. Return true if the new one is
 * the smallest. */
bool bests_add(bests *b, const failure *f);

void bests_drop_smallest(bests *b);

/* Drop all. */
void bests_clear(bests *b);

/* ---- Fallbacks ---- */

/* In order of preference. */
typedef enum fallback_kind {
    FALLBACK_FLAKY,   /* it repeated, but not always */
    FALLBACK_ONCE,    /* it never repeated */
    FALLBACK_LIMITED, /* it failed for lack of memory, or stopped its worker */
    FALLBACK_KINDS
} fallback_kind;

typedef enum fallback_state {
    FALLBACK_NONE,     /* there is no failure of this kind */
    FALLBACK_KEPT,     /* `failure` is the smallest */
    FALLBACK_ANNOUNCED /* the same, and the search announced it as a best */
} fallback_state;

typedef struct fallback {
    fallback_state state;
    failure failure;
} fallback;

/* Empty if zeroed. */
typedef struct fallbacks {
    fallback of[FALLBACK_KINDS];
} fallbacks;

/* Keep a failure if it is the smallest of its kind. `state` is KEPT or ANNOUNCED. */
void fallbacks_add(fallbacks *k, fallback_kind kind, const failure *f, fallback_state state);

/* Return the first kind that has a failure; FALLBACK_KINDS if none has. */
fallback_kind fallbacks_preferred(const fallbacks *k);

void fallbacks_finish(fallbacks *k);

#endif
