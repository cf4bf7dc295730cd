/* inflight.h: the window: batches of candidates that were handed out, in the order in which their
 * results come. */
#ifndef INFLIGHT_H
#define INFLIGHT_H

#include "candidate_set.h"
#include "schedule.h"

typedef enum inflight_state {
    INFLIGHT_FREE,
    INFLIGHT_FILLING, /* the newest one: it takes candidates */
    INFLIGHT_RUNNING, /* handed out; its result decides how to go on */
    INFLIGHT_STALE    /* handed out, and not to the point any more: the best has changed since */
} inflight_state;

typedef struct inflight_candidate {
    uint64_t digest;
    schedule before; /* the schedule that proposed it, before it learns how that went */
} inflight_candidate;

typedef struct inflight_batch {
    inflight_state state;
    const candidate_set *set; /* borrowed from the pool */
    size_t count;
    inflight_candidate candidates[CANDIDATE_SET_COUNT_MAX];
} inflight_batch;

typedef struct inflight {
    size_t max, first, count;
    inflight_batch *ring; /* `max` of them */
} inflight;

/* Make room for `max` batches. False when out of memory. */
bool inflight_init(inflight *f, size_t max);
void inflight_finish(inflight *f);

/* Add a batch, FILLING, at the end; there must be room. */
inflight_batch *inflight_add(inflight *f);
void inflight_put(inflight_batch *b, const schedule *before, uint64_t digest);

/* End the filling: the candidates are handed out as `set`, or there are none. */
void inflight_start(inflight_batch *b, const candidate_set *set);
void inflight_drop_last(inflight *f);

/* Take the oldest batch out. It stays valid until another one is added. */
const inflight_batch *inflight_take(inflight *f);

/* Make the oldest RUNNING batch STALE. NULL when there is none. */
const inflight_batch *inflight_outdate(inflight *f);

/* Take all batches out, whose results will never come. */
void inflight_clear(inflight *f);

/* Count the candidates. */
size_t inflight_load(const inflight *f);

/* True if a candidate with this digest is in a batch that is not STALE. */
bool inflight_has(const inflight *f, uint64_t digest);

#endif
