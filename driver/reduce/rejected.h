/* rejected.h: test cases that are known to be uninteresting. A run that passed without running out
 * of bytes also rejects a prefix: each test case that begins with the drawn bytes passes. */
#ifndef REJECTED_H
#define REJECTED_H

#include "candidate_set.h"

/* A bounded hash table of 64-bit digests. When it is full, it forgets all of them. */
typedef struct rejected_cache {
    uint64_t *digests; /* 0: empty */
    size_t capacity;   /* a power of two */
    size_t count;
    bool *has_prefix; /* of this length, up to prefix_max */
    size_t prefix_max;
    size_t prefix_end;     /* longer than all prefixes in the table */
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
