/* step_search.h: how much of a change a test case takes: the search for the largest amount. */
#ifndef STEP_SEARCH_H
#define STEP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef enum step_kind {
    STEP_ALL,   /* all of it or nothing */
    STEP_MOST,  /* 1, 2, 3, 4, then doubling, then bisection: as dear as what is found is large */
    STEP_RUN,   /* the same, beginning with what was found last */
    STEP_VALUE, /* a value is lowered: all of it, then 1; then to half as many bits, since small
                     values are what is found most often; to half; and else by leaps */
    STEP_PAIR   /* the same with fewer first tries, for values that are lowered together */
} step_kind;

typedef struct step_search {
    step_kind kind;
    uint64_t hint;  /* STEP_RUN: what to begin with */
    uint64_t limit; /* the largest that makes sense, at least 1 */
    uint64_t good;  /* the largest that is known to do; 0 always does */
    uint64_t bad;   /* the smallest above it that is known not to; 0: none is */
    uint8_t tried;  /* first tries made of a value */
    uint8_t pace;   /* private: how a value is lowered further */
} step_search;

static inline step_search step_search_begin(step_kind kind, uint64_t limit) {
    return (step_search){.kind = kind, .hint = 1, .limit = limit};
}

/* The amount to try; 0 when there is nothing more to try. */
uint64_t step_search_next(const step_search *a);

/* Whether step_search_next(a) did. */
void step_search_feedback(step_search *a, bool success);

#endif
