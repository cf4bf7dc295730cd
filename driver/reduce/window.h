/* window.h: the candidates in flight, and those that were rejected.
 *
 * Results are taken in the order in which the schedule proposed their candidates. A batch goes
 * stale when a candidate before it became the best; its result is then thrown away. */
#ifndef WINDOW_H
#define WINDOW_H

#include "candidate_set.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Candidates in flight ---- */

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

/* ---- Rejected candidates ---- */

/* Test cases that are known to be uninteresting. A run that passed without
 * running out of bytes also rejects a prefix: each test case that begins with the drawn bytes
 * passes. */

/* A bounded hash table of 64-bit digests. When it is full, it forgets all of them. */
typedef struct rejected_cache {
    uint64_t *digests; /* 0: empty */
    size_t capacity;   /* a power of two */
    size_t count;
    uint32_t *prefixes; /* count of digests of prefixes, by length, up to prefix_max */
    size_t prefix_max;
    size_t prefix_top;     /* the longest prefix in the table */
    rejected_table *table; /* digests of whole test cases for the workers; NULL: none */
} rejected_cache;

/* Make an empty cache for test cases of at most `size_max` bytes. False when out of memory. */
bool rejected_cache_init(rejected_cache *c, size_t size_max);
void rejected_cache_finish(rejected_cache *c);

/* Forget everything. */
void rejected_cache_clear(rejected_cache *c);

/* Find or add the digest of a whole test case (digest_of). */
bool rejected_cache_has_digest(const rejected_cache *c, uint64_t digest);
void rejected_cache_add_digest(rejected_cache *c, uint64_t digest);

/* True if the bytes begin with a rejected prefix. */
bool rejected_cache_has_prefix(const rejected_cache *c, const uint8_t *bytes, size_t size);

/* Reject a whole test case; or all test cases that begin with the bytes. */
void rejected_cache_add(rejected_cache *c, const uint8_t *bytes, size_t size);
void rejected_cache_add_prefix(rejected_cache *c, const uint8_t *bytes, size_t size);

#endif
