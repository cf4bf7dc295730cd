/* schedule.h: the order of the candidates.
 *
 * A schedule is pure and small enough to copy. A copy that assumes that a candidate fails
 * proposes the candidates after it. */
#pragma once

#include "pass.h"

/* What is on record of a pass. */
typedef struct pass_record {
    uint32_t wins;       /* successes in this round */
    bool is_clean;       /* it ended without a success, and no pass had one since */
    uint64_t idle_calls; /* candidates since its last success */
} pass_record;

/* What the current pass has done since it began. */
typedef struct pass_turn {
    bool has_won;
    unsigned misses;    /* rejected candidates */
    unsigned streak;    /* successes since it began or last saved enough bytes */
    size_t streak_size; /* bytes of the best then; SIZE_MAX: it has just begun */
} pass_turn;

/* The test case that a change at the current site applies to. */
typedef enum site_phase {
    SITE_NONE,    /* the next site is to be found */
    SITE_ON_BEST, /* the site had no success: the best */
    SITE_ON_BASE  /* the site had a success: the base, which is the best before it */
} site_phase;

/* A part of a text. */
typedef struct slice {
    size_t start, behind; /* units before it, and behind it */
    size_t size;          /* units when it began; 0: all of the text */
    unsigned in_vain;     /* slices in a row that lost little */
} slice;

typedef struct schedule {
    const pass *const *passes;
    size_t count;
    uint8_t ranked[PASS_MAX]; /* pass indices: cheap (last round's winners first), costly, late */
    pass_record records[PASS_MAX]; /* by pass index */
    size_t cheap_count;            /* count of cheap passes, which come first */
    size_t late_first;             /* index into `ranked` of the first late pass */
    size_t at;                     /* index into `ranked` of the current pass */
    pass_turn turn;
    size_t size;       /* bytes of the best at the beginning of the round */
    unsigned rounds;   /* rounds of cheap passes in a row that saved no byte */
    uint64_t made;     /* candidates so far, of all passes */
    slice slice;       /* what passes see and change */
    size_t sliced;     /* bytes of the best when slices last began; 0: they never did */
    size_t seen_size;  /* bytes of the best, */
    uint64_t seen_at;  /* and candidates, when it was last asked whether passes are slow */
    bool is_in_turn;   /* each pass has a turn, whatever wins: the reduction creeps */
    bool is_thorough;  /* no pass is limited to its share of candidates */
    site_phase phase;  /* of `site` */
    position site;     /* of the current pass */
    step_search steps; /* the amounts at `site`, unless the phase is SITE_NONE */
    uint64_t hint;     /* the amount that succeeded at the last site, or 1 */
} schedule;

/* Make a new schedule of the passes of a list ended by NULL. */
void schedule_init(schedule *p, const pass *const *passes);

/* Propose the next candidate: a patch of *base if p->phase is SITE_ON_BASE afterwards, else of
 * *best; or, after many sites without one, an empty patch. Return false at a fixpoint, when no pass
 * has a candidate left. `base` was the best when the current site began; it is unused until the
 * site has a success. */
bool schedule_next(schedule *p, const testcase *best, const testcase *base, patch *edits);

/* Count the last proposal: it is a candidate that will be run. */
void schedule_count(schedule *p);

/* Take the result of the last candidate. After a success, pass the new best to schedule_next. */
void schedule_feedback(schedule *p, bool success);

/* True if a pass had its turn since the last success, and none in it. */
bool schedule_rests(const schedule *p, const pass *which);

/* Return the index of the pass that proposed the last candidate. */
static inline size_t schedule_pass(const schedule *p) { return p->ranked[p->at]; }

/* Start anew, with the candidates so far counted. */
void schedule_restart(schedule *p);
