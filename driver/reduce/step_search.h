/* step_search.h: the search for the largest amount of a change that still succeeds. */
#ifndef STEP_SEARCH_H
#define STEP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef enum step_kind {
    STEP_ALL,   /* all of it or nothing */
    STEP_MOST,  /* 1, 2, 3, 4, then galloping, then bisection: O(log n) tries for an amount of n */
    STEP_RUN,   /* the same, beginning with the amount of the last site */
    STEP_VALUE, /* lower a value: by all of it, by 1, to half as many bits (small values are the
                   most frequent result), to half, and then by leaps */
    STEP_PAIR   /* the same with fewer first tries, for two values */
} step_kind;

typedef struct step_search {
    step_kind kind;
    uint64_t hint;  /* STEP_RUN: the first amount */
    uint64_t limit; /* the largest amount, at least 1 */
    uint64_t good;  /* the largest that succeeded; 0 always does */
    uint64_t bad;   /* the smallest above it that failed; 0: none */
    uint8_t tried;  /* STEP_VALUE, STEP_PAIR: first tries made */
    uint8_t pace;   /* STEP_VALUE, STEP_PAIR: how the value is lowered after them */
} step_search;

static inline step_search step_search_begin(step_kind kind, uint64_t limit) {
    return (step_search){.kind = kind, .hint = 1, .limit = limit};
}

/* Return the amount to try, 0 at the end. */
uint64_t step_search_next(const step_search *a);

/* Take the result of trying step_search_next(a). */
void step_search_feedback(step_search *a, bool success);

#endif
