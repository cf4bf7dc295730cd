/* schedule.h: the order of the candidates. A schedule is pure and small enough to copy. A copy that
 * assumes that a candidate fails proposes the candidates after it. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "pass.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct schedule {
    const pass *const *passes;
    size_t count;
    uint8_t
        order[PASS_MAX]; /* pass indices: cheap (last round's winners first), costly, dear, last */
    uint32_t wins[PASS_MAX]; /* successes in this round, by pass */
    bool is_clean[PASS_MAX]; /* the pass ended without a success, and no pass had one since */
    size_t at;               /* index into `order` of the current pass */
    size_t size;             /* bytes of the best at the beginning of the round */
    unsigned rounds;         /* rounds of cheap passes in a row that saved no byte */
    size_t cheap_count;      /* count of cheap passes, which come first in the order */
    size_t dear_first;       /* index into `order` of the first dear pass */
    size_t next_costly;      /* index into `order` of the next costly pass */
    size_t costly_done;      /* costly passes tried since the last cheap round */
    bool won;                /* the current pass had a success since it began */
    unsigned streak;         /* successes of the current pass since it began or saved enough */
    size_t streak_size;      /* bytes of the best then */
    unsigned misses;         /* rejected candidates of the current pass since it began */
    uint64_t made;           /* candidates so far, of all passes */
    uint64_t vain[PASS_MAX]; /* candidates of a pass since its last success */
    bool is_thorough;        /* no pass is limited to its share of candidates */
    bool has_skipped;        /* a candidate was left out as unlikely since the last success */
    bool tries_unlikely;     /* none is left out */
    position site;
    step_search steps;
    uint64_t hint;   /* the amount that succeeded at the last site, or 1 */
    bool in_site;    /* `steps` is a search at `site` */
    bool is_on_base; /* the site had a success: edits apply to the base, the best before it */
} schedule;

/* Make a new schedule of the passes of a list ended by NULL. */
void schedule_init(schedule *p, const pass *const *passes);

/* Propose the next candidate: a patch of *base if p->is_on_base afterwards, else of *best. Return
 * false in the slot of external passes, and at a fixpoint, when no pass has a candidate left.
 * `base` was the best when the current site began; it is unused until the site has a success. */
bool schedule_next(schedule *p, const testcase *best, const testcase *base, patch *edits);

/* Count the last proposal: it is a candidate that will be run. */
void schedule_count(schedule *p);

/* Leave the last proposal out, as unlikely, until the cheap and the costly passes have no other. */
void schedule_skip(schedule *p);

/* Take the result of the last candidate. After a success, pass the new best to schedule_next. */
void schedule_feedback(schedule *p, bool success);

/* True in the slot of external passes, where schedule_next returns false. When the external passes
 * have no more candidates, call schedule_external_done to leave the slot. `success` is true if one
 * of them had a success; `size` is the size of the best. */
bool schedule_is_external(const schedule *p);
void schedule_external_done(schedule *p, bool success, size_t size);

/* Leave the slot although external passes may have more candidates, to come back later. Not if all
 * other passes are clean. */
void schedule_external_leave(schedule *p, size_t size);
bool schedule_others_are_clean(const schedule *p);

/* Return the index of the pass that proposed the last candidate. */
static inline size_t schedule_pass(const schedule *p) { return p->order[p->at]; }

/* Start anew, with the candidates so far counted. */
void schedule_restart(schedule *p);

#endif
