/* stages.h: the signatures that a search for all failures has met. It pursues one after the other:
 * each has a stage, in which only failures like its own count, and between the stages the search
 * grows until it meets a new one. Pure.
 *
 * Only confirmed failures are added. Their sites are certain, so that stages differ if the text of
 * their sites does. The site of a run that was not confirmed may be unknown. */
#ifndef STAGES_H
#define STAGES_H

#include "engine.h"
#include "failure.h"
#include "strategy.h"

#include <stdbool.h>
#include <stddef.h>

enum { STAGES_MAX = DISTINCT_FAILURES_MAX };

typedef enum stage_state {
    STAGE_PENDING, /* it was met, or has a smaller failure since it was done */
    STAGE_CURRENT, /* the search pursues it */
    STAGE_DONE     /* `best` and `claim` are its answer */
} stage_state;

typedef struct stage {
    stage_state state;
    failure best;             /* the smallest; a flaky one only if nothing else has its signature */
    strategy_claim claim;     /* of `best`; failed is false if the stage was never done with it */
    strategy_stretch stretch; /* in which the claim was made: a later turn goes on there */
} stage;

/* Empty if zeroed. */
typedef struct stages {
    size_t count;
    stage list[STAGES_MAX];
} stages;

/* What the search does with a run that failed. */
typedef enum stages_answer {
    STAGES_PURSUE,   /* it is what the search pursues */
    STAGES_KNOWN,    /* it is like the best of another stage, and no smaller */
    STAGES_NEWS,     /* it is of another stage, and new or smaller */
    STAGES_UNCERTAIN /* its site decides, which a rerun shows */
} stages_answer;

/* Judge a run that failed. `f` has its signature, its site if known, and in f->input.size the bytes
 * that it needs, as far as known. */
stages_answer stages_judge(const stages *s, const failure *f);

/* True if the search pursues failures with the signature of this confirmed one. */
bool stages_pursue(const stages *s, const failure *f);

/* Return the best with the signature of a confirmed failure; NULL if the signature is new. */
const failure *stages_best_like(const stages *s, const failure *f);

/* Add a confirmed failure. Return false if a better one of its signature is known, or if there
 * is no room. */
bool stages_add(stages *s, const failure *f);

/* Return the current stage; NULL between stages. */
stage *stages_current(stages *s);

/* Make the stage of this failure the current one. */
void stages_enter(stages *s, const failure *f);

/* Return the pending stage with the smallest failure; NULL if none is pending. */
stage *stages_pending(stages *s);

/* Make each stage pending again that can go on: its best is not flaky, and not all inputs that are
 * smaller were run. */
void stages_reopen(stages *s);

/* Sort by the inputs, those that are not flaky first. */
void stages_sort(stages *s);

/* Drop the stage at `i`, or all. */
void stages_drop(stages *s, size_t i);
void stages_clear(stages *s);

#endif
