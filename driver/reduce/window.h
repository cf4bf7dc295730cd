/* window.h: the candidates in flight, and those that were rejected.
 *
 * The schedule proposes each candidate as if all in flight fail. So the ring keeps, beside each
 * candidate, the schedule before it: after a success all later sets are stale, their results are
 * thrown away, and the schedule goes on from there. The result of a reduction is thus the same for
 * any number of workers. */
#ifndef WINDOW_H
#define WINDOW_H

#include "candidate_set.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Candidates in flight ---- */

typedef struct window_candidate {
    uint64_t digest;
    size_t draws;    /* of the candidate, before it runs */
    schedule before; /* the schedule that proposed it, before it gets the result */
} window_candidate;

/* A candidate set in flight. */
typedef struct window_set {
    const candidate_set *set; /* borrowed from the pool */
    bool is_stale;            /* the best has changed since it was submitted */
    size_t count;
    window_candidate candidates[CANDIDATE_SET_COUNT_MAX];
} window_set;

/* A ring, the oldest set first. To remove all sets, or the newest, lower the count. */
typedef struct window {
    size_t max, first, count;
    window_set *ring; /* `max` elements; owned */
} window;

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

/* Reject all test cases that begin with the bytes. */
void rejected_cache_add_prefix(rejected_cache *c, const uint8_t *bytes, size_t size);

#endif
