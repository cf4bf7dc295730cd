/* cache.h: test cases that are known to be of no interest. Of a run that passed with bytes left,
 * those that it drew say it all: whatever begins with them passes, too. */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digests of 64 bits in a hash table; bounded: when it is full it forgets all and begins anew. */
typedef struct cache {
    uint64_t *digests; /* 0: empty */
    size_t capacity;   /* a power of two */
    size_t count;
    uint32_t *prefixes; /* how many digests are of prefixes, by length; up to prefix_max */
    size_t prefix_max;
    size_t prefix_top; /* the longest of them */
} cache;

/* For test cases of at most `size_max` bytes. False when out of memory. */
bool cache_init(cache *c, size_t size_max);
void cache_finish(cache *c);

/* The digest of a whole test case, by which it is known here. */
uint64_t cache_digest(const uint8_t *bytes, size_t size);
bool cache_has_digest(const cache *c, uint64_t digest);
void cache_add_digest(cache *c, uint64_t digest);

/* All digests of whole test cases and of prefixes, to be kept: `count` of them, freed by the
 * caller. NULL when there are none, or no memory. */
uint64_t *cache_list(const cache *c, size_t *count);

/* Whether these bytes begin with some that were remembered so. */
bool cache_has_prefix(const cache *c, const uint8_t *bytes, size_t size);

/* Remember these bytes; or all that begin with them. */
void cache_add(cache *c, const uint8_t *bytes, size_t size);
void cache_add_prefix(cache *c, const uint8_t *bytes, size_t size);

#endif
