/* inflight.h: the window: batches of candidates in flight, in the order in which their results are
 * taken. */
#ifndef INFLIGHT_H
#define INFLIGHT_H

#include "candidate_set.h"
#include "schedule.h"

typedef enum inflight_state {
    INFLIGHT_FREE,
    INFLIGHT_FILLING, /* the newest batch, which takes candidates */
    INFLIGHT_RUNNING, /* submitted; its result decides the next step */
    INFLIGHT_STALE    /* submitted, but obsolete: the best has changed since */
} inflight_state;

typedef struct inflight_candidate {
    uint64_t digest;
    size_t draws;    /* of the candidate, before it runs */
    schedule before; /* the schedule that proposed it, before it gets the result */
} inflight_candidate;

typedef struct inflight_batch {
    inflight_state state;
    const candidate_set *set; /* borrowed from the pool */
    size_t count;
    inflight_candidate candidates[CANDIDATE_SET_COUNT_MAX];
} inflight_batch;

typedef struct inflight {
    size_t max, first, count;
    inflight_batch *ring; /* `max` elements; owned */
} inflight;

/* Make room for `max` batches. False when out of memory. */
bool inflight_init(inflight *f, size_t max);
void inflight_finish(inflight *f);

/* Add a FILLING batch at the end; there must be room. */
inflight_batch *inflight_add(inflight *f);
void inflight_put(inflight_batch *b, const schedule *before, uint64_t digest, size_t draws);

/* Make a filled batch RUNNING; its candidates are submitted as `set`. */
void inflight_start(inflight_batch *b, const candidate_set *set);

/* Remove the newest batch, which is still FILLING. */
void inflight_drop_last(inflight *f);

/* Remove the oldest batch and return it. It stays valid until the next inflight_add. */
const inflight_batch *inflight_take(inflight *f);

/* Make the oldest RUNNING batch STALE and return it. NULL when there is none. */
const inflight_batch *inflight_outdate(inflight *f);

/* Remove all batches; their results will never come. */
void inflight_clear(inflight *f);

/* Count the candidates of all batches. */
size_t inflight_load(const inflight *f);

/* Return how many draws a target may make of a candidate. One that makes far more goes on with the
 * simplest values where the choices have ended: another test case, and seldom one that leads to a
 * small one. */
size_t inflight_draws_max(const inflight_candidate *c);

/* True if a candidate with this digest is in a batch that is not STALE. */
bool inflight_has(const inflight *f, uint64_t digest);

#endif
