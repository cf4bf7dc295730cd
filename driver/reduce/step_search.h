/* step_search.h: search for the largest amount of a change that still succeeds. */
#ifndef STEP_SEARCH_H
#define STEP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef enum step_kind {
    STEP_ALL,   /* the whole amount or nothing */
    STEP_MOST,  /* 1, 2, 3, 4, then doubling, then bisection: O(log n) tries for an amount of n */
    STEP_RUN,   /* the last site's amount, then doubling, then bisection */
    STEP_VALUE, /* lower a value: first by all of it, by 1, to half and by 2; after a success to
                   half as many bits (small values are the most frequent result), to half, then
                   by leaps or bisection */
    STEP_PAIR   /* the same for two values, with only the tries of all and of 1 first */
} step_kind;

typedef struct step_search {
    step_kind kind;
    uint64_t hint;  /* STEP_RUN: the first amount */
    uint64_t limit; /* the largest amount, at least 1 */
    uint64_t good;  /* the largest amount that succeeded; 0 always does */
    uint64_t bad;   /* the smallest amount above `good` that failed; 0: none */
    uint8_t tried;  /* STEP_VALUE, STEP_PAIR: count of first tries made */
    uint8_t pace;   /* STEP_VALUE, STEP_PAIR: the kind of the next try after a success */
} step_search;

static inline step_search step_search_begin(step_kind kind, uint64_t limit) {
    return (step_search){.kind = kind, .hint = 1, .limit = limit};
}

/* Return the next amount to try, 0 at the end. */
uint64_t step_search_next(const step_search *a);

/* Take the result of trying step_search_next(a). */
void step_search_feedback(step_search *a, bool success);

#endif
