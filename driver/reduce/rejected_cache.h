/* rejected_cache.h: test cases that are known to be of no interest. Of a run that passed with bytes
 * left, those that it drew say it all: what begins with them passes, too. */
#ifndef REJECTED_CACHE_H
#define REJECTED_CACHE_H

#include "candidate_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digests of 64 bits in a hash table; bounded: when it is full it forgets all and begins anew. */
typedef struct rejected_cache {
    uint64_t *digests; /* 0: empty */
    size_t capacity;   /* a power of two */
    size_t count;
    uint32_t *prefixes; /* how many digests are of prefixes, by length; up to prefix_max */
    size_t prefix_max;
    size_t prefix_top;     /* the longest of them */
    rejected_table *table; /* where workers find digests of whole test cases; NULL: nowhere */
} rejected_cache;

/* For test cases of at most `size_max` bytes. False when out of memory. */
bool rejected_cache_init(rejected_cache *c, size_t size_max);
void rejected_cache_finish(rejected_cache *c);

/* By the digest of a whole test case (digest_of). */
bool rejected_cache_has_digest(const rejected_cache *c, uint64_t digest);
void rejected_cache_add_digest(rejected_cache *c, uint64_t digest);

/* All digests of whole test cases and of prefixes, to be kept: `count` of them, freed by the
 * caller. NULL when there are none, or no memory. */
uint64_t *rejected_cache_list(const rejected_cache *c, size_t *count);

/* True if these bytes begin with a prefix that was remembered so. */
bool rejected_cache_has_prefix(const rejected_cache *c, const uint8_t *bytes, size_t size);

/* Remember these bytes; or all that begin with them. */
void rejected_cache_add(rejected_cache *c, const uint8_t *bytes, size_t size);
void rejected_cache_add_prefix(rejected_cache *c, const uint8_t *bytes, size_t size);

#endif
