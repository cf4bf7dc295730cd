/* schedule.h: which candidate comes next. Pure, and small enough to be copied: a copy that takes a
 * candidate for a failure says what comes after it. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "pass.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct schedule {
    const pass *const *passes;
    size_t count;
    uint8_t order[PASS_MAX]; /* of the passes: the cheap first, and of those who won last */
    uint32_t wins[PASS_MAX]; /* of the round, by pass */
    bool is_clean[PASS_MAX]; /* nothing has changed since it found nothing more to do */
    size_t at;               /* in the order */
    size_t size;             /* bytes of the best when the round began */
    unsigned rounds;         /* of the cheap ones, in a row, that have saved no byte */
    size_t cheap_count;      /* the cheap passes stand first in the order, the costly ones last */
    size_t next_costly;      /* in the order: the costly pass whose turn it is next */
    size_t costly_done;      /* costly passes that were tried since the last cheap round */
    bool won;                /* the pass at hand has made progress since it began ... */
    unsigned misses;         /* ... and so many candidates of it were none */
    position site;
    step_search steps;
    uint64_t hint;   /* the amount that the last site took */
    bool in_site;    /* `amount` says how far the site has got */
    bool is_on_base; /* the site has made progress: edits are of what was there before */
} schedule;

/* Begin with the passes of a list ended by NULL. */
void schedule_init(schedule *p, const pass *const *passes);

/* What to try next: a patch over *base if p->is_on_base afterwards, and else over *best. False
 * when the schedule waits, or no pass has anything more to try: a fixpoint. `base` is what was best
 * when the site at hand began; it is not looked at as long as nothing has succeeded. */
bool schedule_next(schedule *p, const testcase *best, const testcase *base, patch *edits);

/* What became of it. After a success `best` is what it made. */
void schedule_feedback(schedule *p, bool success);

/* It is the turn of a pass without functions: somebody else has the candidates, and says when there
 * are no more, and whether any was a success; `size` is that of the best then. */
bool schedule_is_external(const schedule *p);
void schedule_external_done(schedule *p, bool success, size_t size);

/* The pass that gave the last candidate. */
static inline size_t schedule_pass(const schedule *p) { return p->order[p->at]; }

/* Start anew. */
void schedule_restart(schedule *p);

#endif
