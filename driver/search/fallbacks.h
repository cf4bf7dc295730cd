/* fallbacks.h: failures that the search does not rely on. One of them is the answer if nothing
 * always fails. */
#ifndef FALLBACKS_H
#define FALLBACKS_H

#include "failure.h"

#include <stdbool.h>

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

#endif
