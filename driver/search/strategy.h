/* strategy.h: which sizes a search tries, in what order, and when it is done.
 *
 * Pure: no I/O, no clock, and no randomness but the master seed. A strategy requests batches of
 * runs and takes their results. It requests ahead of results, as though all batches under way will
 * pass, so that any number of workers is busy; but only results decide. */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "seed_input.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct strategy_config {
    uint64_t attempts;    /* fresh seeds that must pass in a row; at least 1 */
    uint64_t size_max;    /* bytes; no batch is larger */
    uint64_t master_seed; /* all seeds follow from it */
    bool endless;         /* go round the sizes for ever while nothing has failed */
} strategy_config;

typedef enum strategy_answer {
    STRATEGY_RUN,  /* here is a batch */
    STRATEGY_WAIT, /* all that might be needed is under way: feed first */
    STRATEGY_DONE  /* nothing is under way and nothing is left to run */
} strategy_answer;

/* The drawn argument of strategy_feed when the target did not report it. */
#define STRATEGY_DRAWN_UNKNOWN UINT64_MAX

/* What the results so far show. */
typedef struct strategy_claim {
    bool failed;             /* some run failed, and best is the smallest that did */
    seed_input best;         /* of size 0: nothing is smaller, and the fields below are 0 */
    uint64_t below;          /* best.size - 1: the size of the fresh runs that `passed` counts */
    uint64_t passed;         /* how many of them passed, all in a row; 0 for none */
    double confidence_bound; /* with 95% confidence, counted over whole searches, a fresh run of
                                `below` bytes fails less often than this (confidence_bound.c says
                                why). 0: every input of that size was run. 1: nothing is known */
    uint64_t rounds; /* nothing failed: how many runs passed, at the least, at each of `sizes` sizes
                        (smaller ones are run once, as larger runs include theirs) */
    uint64_t sizes;  /* with rounds */
} strategy_claim;

typedef struct strategy strategy;

/* Begin, or (resume) begin from an input known to fail, with seeds of its own. An input larger than
 * size_max is ignored. Return NULL when memory is out. */
strategy *strategy_create(const strategy_config *config);
strategy *strategy_resume(const strategy_config *config, seed_input best);

/* Begin anew in the same search after the strategy `before`, from best or (NULL) from nothing. The
 * numbers of seeds and windows go on where those of `before` ended, so that no run is made twice,
 * and the claims of both together hold. Return NULL when memory is out. */
strategy *strategy_continue(const strategy *before, const seed_input *best);
void strategy_destroy(strategy *s); /* NULL is allowed */

/* Request the next batch, of 1 to count_max runs. It is under way from now on. At most 4096 batches
 * are under way at a time. */
strategy_answer strategy_next(strategy *s, uint32_t count_max, batch *next);

/* Take the result of the oldest batch under way: `ran` of its runs were made, of which the last one
 * failed or all passed; a failing run had drawn `drawn` bytes (at most the batch's size), or
 * STRATEGY_DRAWN_UNKNOWN. Feed a failing run that is not reliable as one that passed, and one whose
 * first `drawn` bytes alone do not fail as STRATEGY_DRAWN_UNKNOWN.
 * Return true when all batches still under way are void: they are forgotten here, and must be
 * cancelled and not be fed. That is so after a failure, and when fewer ran than the batch's
 * count without one. */
bool strategy_feed(strategy *s, uint32_t ran, bool failed, uint64_t drawn);

/* All batches under way are void, as when strategy_feed returns true. */
void strategy_forget(strategy *s);

strategy_claim strategy_claim_now(const strategy *s);

#endif
