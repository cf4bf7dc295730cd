/* plan.h: which candidate comes next. Pure, and small enough to be copied: whoever wants to know
 * what comes after a candidate that fails copies the plan, and tells the copy so. */
#ifndef PLAN_H
#define PLAN_H

#include "pass.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct plan {
    const pass *const *passes;
    size_t count;
    uint8_t order[PASS_MAX]; /* of the passes: the cheap first, and of those who won last */
    uint32_t wins[PASS_MAX]; /* of the round, by pass */
    bool is_clean[PASS_MAX]; /* nothing has changed since it found nothing more to do */
    size_t at;               /* in the order */
    size_t size;             /* bytes of the best when the round began */
    unsigned rounds;         /* of the cheap ones, in a row, that have saved no byte */
    size_t cheap;            /* passes that are: those before this one in the order */
    size_t dear;             /* in the order: whose turn it is of the others ... */
    size_t dears;            /* ... of which so many were tried since the last round */
    bool won;                /* the pass at hand has made progress since it began ... */
    unsigned misses;         /* ... and so many candidates of it were none */
    site site;
    amount amount;
    uint64_t hint;   /* the amount that the last site took */
    bool in_site;    /* `amount` says how far the site has got */
    bool is_on_base; /* the site has made progress: edits are of what was there before */
} plan;

/* Begin with the passes of a list ended by NULL. */
void plan_init(plan *p, const pass *const *passes);

/* What to try next: a patch over *base if p->is_on_base afterwards, and else over *best. False
 * when the plan waits, or no pass has anything more to try: a fixpoint. `base` is what was best
 * when the site at hand began; it is not looked at as long as nothing has succeeded. */
bool plan_next(plan *p, const testcase *best, const testcase *base, patch *edits);

/* What became of it. After a success `best` is what it made. */
void plan_told(plan *p, bool success);

/* It is the turn of a pass without functions: somebody else has the candidates, and says when there
 * are no more, and whether any was a success; `size` is that of the best then. */
bool plan_waits(const plan *p);
void plan_waited(plan *p, bool success, size_t size);

/* The pass that gave the last candidate. */
static inline size_t plan_pass(const plan *p) { return p->order[p->at]; }

/* Something else has changed the best: go on with another site, and look at all of it again. */
void plan_disturb(plan *p);

/* Start anew. */
void plan_reset(plan *p);

#endif
