/* domain.h: the values of a draw in their order, as positions from 0 on, for explanations. */
#ifndef DOMAIN_H
#define DOMAIN_H

#include "explain_values.h"
#include "testcase.h"

/* Values that compare: those of one order, other than DOMAIN_UNORDERED. */
typedef enum domain_order {
    DOMAIN_UNORDERED,
    DOMAIN_UNSIGNED,
    DOMAIN_SIGNED,
    DOMAIN_DATES,
    DOMAIN_REALS
} domain_order;

typedef struct domain {
    domain_order order;
    uint64_t first; /* key of position 0: keys of one order compare as the values do */
    axis axis;      /* with the draw's own position */
} domain;

domain domain_of(const draw *d);

/* Find the rank of a position. False if the draw has no such value. */
bool domain_rank(const draw *d, const domain *o, uint64_t position, uint64_t *rank);

/* Return the value of a rank as a record of a trace has it. That of a letter lacks the letter. */
uint64_t domain_recorded(const draw *d, uint64_t rank);

#endif
