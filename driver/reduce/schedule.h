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
    uint8_t order[PASS_MAX]; /* of the passes: cheap before costly, last round's winners first */
    uint32_t wins[PASS_MAX]; /* in this round, by pass */
    bool is_clean[PASS_MAX]; /* the pass ended without success, and no other had one since */
    size_t at;               /* in the order */
    size_t size;             /* bytes of the best when the round began */
    unsigned rounds;         /* rounds of cheap passes in a row that have saved no byte */
    size_t cheap_count;      /* the cheap passes stand first in the order, the costly ones last */
    size_t next_costly;      /* in the order: the costly pass whose turn it is next */
    size_t costly_done;      /* costly passes that were tried since the last cheap round */
    bool won;                /* the current pass had a success since it began */
    unsigned misses;         /* failed candidates of the current pass since it began */
    position site;
    step_search steps;
    uint64_t hint;   /* the amount that the last site took */
    bool in_site;    /* `steps` is a search at `site` */
    bool is_on_base; /* the site had a success: edits apply to the base, from before it */
} schedule;

/* Begin with the passes of a list ended by NULL. */
void schedule_init(schedule *p, const pass *const *passes);

/* Propose the next candidate: a patch over *base if p->is_on_base afterwards, else over *best.
 * False in the slot of external passes, and when no pass has anything left to try: a fixpoint.
 * `base` was the best when the current site began; it is unused until the site has a success. */
bool schedule_next(schedule *p, const testcase *best, const testcase *base, patch *edits);

/* Take the result of the last candidate. After a success, pass the new best to schedule_next. */
void schedule_feedback(schedule *p, bool success);

/* True in the slot of external passes: schedule_next then returns false until
 * schedule_external_done, called when they have no more candidates, says whether one succeeded and
 * how many bytes the best has. */
bool schedule_is_external(const schedule *p);
void schedule_external_done(schedule *p, bool success, size_t size);

/* Return the index of the pass that proposed the last candidate. */
static inline size_t schedule_pass(const schedule *p) { return p->order[p->at]; }

/* Start anew. */
void schedule_restart(schedule *p);

#endif
