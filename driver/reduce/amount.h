/* amount.h: how much of a change a test case takes: the search for the largest amount. */
#ifndef AMOUNT_H
#define AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum amount_kind {
    AMOUNT_ALL,   /* all of it or nothing */
    AMOUNT_MOST,  /* 1, 2, 3, 4, then doubling, then bisection: as dear as what is found is large */
    AMOUNT_RUN,   /* the same, beginning with what was found last */
    AMOUNT_VALUE, /* a value is lowered: all of it, then 1; then to half as many bits, since small
                     values are what is found most often; to half; and else by leaps */
    AMOUNT_PAIR   /* the same with fewer first tries, for values that are lowered together */
} amount_kind;

typedef struct amount {
    amount_kind kind;
    uint64_t hint;  /* AMOUNT_RUN: what to begin with */
    uint64_t limit; /* the largest that makes sense, at least 1 */
    uint64_t good;  /* the largest that is known to do; 0 always does */
    uint64_t bad;   /* the smallest above it that is known not to; 0: none is */
    uint8_t tried;  /* first tries made of a value */
    uint8_t pace;   /* private: how a value is lowered further */
} amount;

static inline amount amount_begin(amount_kind kind, uint64_t limit) {
    return (amount){.kind = kind, .hint = 1, .limit = limit};
}

/* The amount to try; 0 when there is nothing more to try. */
uint64_t amount_next(const amount *a);

/* Whether amount_next(a) did. */
void amount_told(amount *a, bool success);

#endif
