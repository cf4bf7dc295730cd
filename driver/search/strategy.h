/* strategy.h: the sizes that a search tries, their order, and its end.
 *
 * Pure: no I/O, no clock, and no randomness but the master seed. A strategy requests batches of
 * runs, ahead of results, and takes their results. */
#pragma once

#include "known_failures.h"
#include "progress.h"
#include "seed_input.h"

typedef struct strategy_config {
    uint64_t attempts;    /* fresh seeds that must pass in a row; at least 1. A strategy can raise
                             its own (strategy_raise_attempts) */
    bool grows_by_cost;   /* each size gets runs of the same cost while nothing has failed, which
                             many runs in one process are cheap enough for: `attempts` at least up
                             to 4K, a tenth of that beyond, a hundred times as many at most */
    bool ends_by_cost;    /* below a best, too, `attempts` being the least */
    uint64_t size_max;    /* bytes; no batch is larger */
    uint64_t master_seed; /* all seeds follow from it */
    seed_expansion expand;
    bool endless;          /* go round the sizes for ever while nothing has failed */
    uint32_t masked_first; /* after this many runs of a size, a process may go on after a masked
                              failure (batch.may_know); the claim does not count the runs that
                              follow in it. 0: each masked failure ends its process */
} strategy_config;

typedef enum strategy_answer {
    STRATEGY_RUN,  /* *next is a batch to run */
    STRATEGY_WAIT, /* feed a result first: all that may be needed is under way */
    STRATEGY_DONE  /* nothing is under way and nothing is left to run */
} strategy_answer;

/* The result of the last run of a batch. */
typedef enum strategy_result {
    STRATEGY_PASSED,
    STRATEGY_FAILED,
    STRATEGY_MASKED, /* it failed as the search does not look for: what it hides is unknown */
    STRATEGY_MASKED_BY_HANG /* the same, and it hung */
} strategy_result;

/* The drawn argument of strategy_feed if the target did not report it. */
#define STRATEGY_DRAWN_UNKNOWN UINT64_MAX

typedef struct strategy_draws {
    uint64_t most; /* the most bytes that one of them used: all of its bytes if it ran out of them;
                      or STRATEGY_DRAWN_UNKNOWN */
    uint64_t sum;  /* bytes that they drew together, or STRATEGY_DRAWN_UNKNOWN */
    uint64_t ran_out;                     /* those of them whose bytes ran out */
    uint64_t discarded, discarded_styled; /* those that the test discarded; the styled ones */
} strategy_draws;

typedef struct strategy_claim {
    bool failed;     /* a run failed, and `best` is the smallest that did */
    seed_input best; /* of size 0: nothing is smaller, and `run` is 0 */
    run_claim run;
} strategy_claim;

typedef struct strategy strategy;

/* Create a strategy that begins from nothing (best is NULL), or from an input known to fail, with
 * seeds of its own. An input larger than size_max is ignored. */
strategy *strategy_create(const strategy_config *config, const seed_input *best);

/* Begin anew in the same search, from best or (NULL) from nothing. Seeds and stretches are numbered
 * on, so that no run is made twice and the claims of both parts together hold. `is_thorough`: where
 * it grows, each size gets as many runs as the largest, for failures that count no more may hide
 * others; and it ends also if endless. */
void strategy_continue(strategy *s, const seed_input *best, bool is_thorough);

/* Go on below a failure of another search, which must be no larger than the best so far, nor than
 * size_max. Batches under way are void. If it is smaller, fresh seeds run in a new stretch; if it
 * is as large as the best, the stretch goes on. */
void strategy_adopt(strategy *s, seed_input best);

/* At the end (STRATEGY_DONE): double the attempts, and again until they ask for more runs, and go
 * on. Passes add up: the last stretch goes on. Return false if no number of attempts asks for more:
 * everything smaller was run. */
bool strategy_raise_attempts(strategy *s);

/* True if the next run is one that a strategy by cost makes beyond the least. */
bool strategy_is_extra(const strategy *s);

/* Ask from now on for no more runs than a strategy by cost makes at least: its runs turned out to
 * be dear. All batches under way are void then. Return false if there was nothing to leave out. */
bool strategy_settle(strategy *s);

/* Return the `attempts` with which a strategy that counts them makes about as many runs;
 * of NULL 0. */
uint64_t strategy_attempts_alike(const strategy *s);

/* True if nothing has failed so far, and a row of runs has just ended after which guided ones may
 * begin: in how many parts its runs were fed makes no difference. */
bool strategy_has_grown(const strategy *s);

void strategy_destroy(strategy *s); /* NULL is allowed */

/* Request the next batch, of 1 to count_max runs. It is under way from now on. At most 4096 batches
 * are under way at a time. */
strategy_answer strategy_next(strategy *s, uint32_t count_max, batch *next);

/* Return the size of the batch that strategy_next would request, in bytes. */
uint64_t strategy_next_size(const strategy *s);

/* Take the result of the oldest batch under way. `ran` of its runs were made, and all but the last
 * passed. A run that did not pass drew `drawn` bytes (at most the size of the batch), or
 * STRATEGY_DRAWN_UNKNOWN. `draws` is what all of them drew; if that is unknown (NULL), any larger
 * size may test something new, and runs cost what their size says. Feed an unreliable failure as a
 * pass. Feed a failure as STRATEGY_DRAWN_UNKNOWN if its first `drawn` bytes alone do not fail.
 * Return true if all batches still under way are void: after a failure, if fewer ran than the
 * batch's count and the last passed, and if other runs come next than was expected, by the bytes
 * that the runs used or because the last one was masked. The strategy has forgotten void batches;
 * the caller must cancel them and not feed them. Else, if fewer ran than the batch's count, the
 * rest of it is now the oldest batch under way. */
bool strategy_feed(strategy *s, uint32_t ran, strategy_result last, uint64_t drawn,
                   const strategy_draws *draws);

/* Return how many of the first `ran` runs of the oldest batch under way the strategy asks for, if
 * these `count` ones of them were masked, and the others passed. */
uint32_t strategy_fit(const strategy *s, uint32_t ran, const known_run *masked, uint32_t count);

/* Take the runs up to the last one of these, for all of which there is a fit. Its caller feeds the
 * rest, of one run at least, and what all of them drew, which loses those discarded before. */
void strategy_feed_masked(strategy *s, const known_run *masked, uint32_t count,
                          strategy_draws *draws);

/* Forget all batches under way, which are void, as when strategy_feed returns true. */
void strategy_forget(strategy *s);

strategy_claim strategy_claim_now(const strategy *s);

search_stage strategy_stage(const strategy *s);
