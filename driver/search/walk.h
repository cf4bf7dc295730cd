/* walk.h: which sizes a search tries, in what order, and when it is done.
 *
 * Pure: no I/O, no clock, no randomness but the master seed. A walk answers what to run next and
 * is told how it went. It answers ahead of what it has been told, as though all that is under way
 * will pass; so any number of workers can be kept busy, and what it was told decides alone. */
#ifndef WALK_H
#define WALK_H

#include "seed_input.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct walk_config {
    uint64_t attempts;    /* fresh seeds that must pass in a row; at least 1 */
    uint64_t size_max;    /* bytes; no batch is larger */
    uint64_t master_seed; /* all seeds follow from it */
    bool endless;         /* go round the sizes for ever while nothing has failed */
} walk_config;

typedef enum walk_answer {
    WALK_RUN,  /* here is a batch */
    WALK_WAIT, /* all that might be needed is under way: feed first */
    WALK_DONE  /* nothing is under way and nothing is left to run */
} walk_answer;

/* The drawn argument of walk_feed when the system under test did not say. */
#define WALK_DRAWN_UNKNOWN UINT64_MAX

/* What a walk knows so far, at any time. */
typedef struct walk_claim {
    bool failed;     /* some run failed, and best is the smallest that did */
    seed_input best; /* of size 0: nothing is smaller, and the fields below are 0 */
    uint64_t below;  /* best.size - 1: the size of the fresh runs that `passed` counts */
    uint64_t passed; /* how many of them passed, all in a row; 0 for none */
    double bound;    /* with 95% confidence, counted over whole searches, a fresh run of `below`
                        bytes fails less often than this (why: walk_bound in walk.c). 0: every input
                        of that size was run. 1: nothing can be said */
    uint64_t rounds; /* nothing failed: how many runs passed, at the least, at each of `sizes` sizes
                        (smaller ones are run once, as larger runs include theirs) */
    uint64_t sizes;  /* with rounds */
} walk_claim;

typedef struct walk walk; /* its fields are private to walk.c and walk_auto.c */

/* A walk that begins, or (resume) one that begins from an input known to fail, with seeds of its
 * own. An input larger than size_max is not taken: the walk then begins. NULL when memory is out.
 */
walk *walk_create(const walk_config *config);
walk *walk_resume(const walk_config *config, seed_input best);

/* A walk that begins anew, from best or (NULL) from nothing, after another one, `before`, of the
 * same search: its seeds and its stretches go on where those of that walk ended, so that no run is
 * made twice, and the claims of both walks together hold. NULL when memory is out. */
walk *walk_continue(const walk *before, const seed_input *best);
void walk_destroy(walk *w); /* NULL is allowed */

/* What to run next: a batch of at most count_max runs, at least 1. It counts as under way from now
 * on. No more than 4096 are under way at a time. */
walk_answer walk_next(walk *w, uint32_t count_max, batch *next);

/* How the oldest batch under way went: `ran` of its runs were made, of which the last one failed
 * or all passed; a failing run had drawn `drawn` bytes (at most the batch's size), or
 * WALK_DRAWN_UNKNOWN. A failing run that the caller does not trust is fed as one that passed;
 * and where its first `drawn` bytes alone do not fail, as WALK_DRAWN_UNKNOWN.
 * Returns true when all batches still under way are void: they are forgotten here, and must be
 * cancelled and not be fed. That is so after a failure, and when fewer ran than the batch's
 * count without one. */
bool walk_feed(walk *w, uint32_t ran, bool failed, uint64_t drawn);

/* All batches under way are void, as when walk_feed returns true. */
void walk_forget(walk *w);

walk_claim walk_state(const walk *w);

#endif
