/* rejected.c: a table of digests of rejected candidates.
 *
 * It is filled by digests alone: a candidate that collides with a rejected one is never run, one in
 * 2^61. A prefix of a test case that a run did not read beyond rejects all that begin with it, so
 * prefixes have entries of their own, with an inverted digest. */
#include "memory.h"
#include "reduction.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 1 << 10, CAPACITY_MAX = 1 << 22 };

/* End the digest of a prefix. It is inverted, for prefixes and whole test cases share the table. */
static uint64_t prefix_end(uint64_t digest, size_t size) { return ~digest_end(digest, size); }

static size_t place_of_digest(const rejected_cache *c, uint64_t digest) {
    size_t at = (size_t)digest & (c->capacity - 1);
    while (c->digests[at] != 0 && c->digests[at] != digest) at = (at + 1) & (c->capacity - 1);
    return at;
}

void rejected_cache_init(rejected_cache *c, size_t size_max) {
    *c = (rejected_cache){.capacity = CAPACITY_FIRST, .prefix_max = size_max};
    c->digests = memory_zeroed(c->capacity, sizeof *c->digests);
    c->has_prefix = memory_zeroed(size_max + 1, sizeof *c->has_prefix);
}

void rejected_cache_finish(rejected_cache *c) {
    free(c->digests);
    free(c->has_prefix);
    *c = (rejected_cache){0};
}

bool rejected_cache_has_digest(const rejected_cache *c, uint64_t digest) {
    return c->digests[place_of_digest(c, digest)] != 0;
}

bool rejected_cache_has_prefix(const rejected_cache *c, const uint8_t *bytes, size_t size) {
    uint64_t digest = 0;
    for (size_t i = 0; i < c->prefix_end && i <= size; i++) {
        if (c->has_prefix[i] && rejected_cache_has_digest(c, prefix_end(digest, i))) return true;
        if (i < size) digest = digest_more(digest, bytes[i]);
    }
    return false;
}

void rejected_cache_clear(rejected_cache *c) {
    memset(c->digests, 0, c->capacity * sizeof *c->digests);
    memset(c->has_prefix, 0, (c->prefix_max + 1) * sizeof *c->has_prefix);
    c->count = c->prefix_end = 0;
}

/* Double the table. At the maximal capacity, empty it instead. */
static void grow(rejected_cache *c) {
    const rejected_cache old = *c;
    if (c->capacity == CAPACITY_MAX) {
        rejected_cache_clear(c);
        return;
    }
    c->capacity *= 2;
    c->digests = memory_zeroed(c->capacity, sizeof *c->digests);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.digests[i] != 0) c->digests[place_of_digest(c, old.digests[i])] = old.digests[i];
    }
    free(old.digests);
}

static void add_digest(rejected_cache *c, uint64_t digest) {
    if (2 * (c->count + 1) > c->capacity) grow(c);
    const size_t at = place_of_digest(c, digest);
    c->count += c->digests[at] == 0;
    c->digests[at] = digest;
}

void rejected_cache_add_digest(rejected_cache *c, uint64_t digest) {
    add_digest(c, digest);
    if (c->table != NULL) rejected_table_add(c->table, digest);
}

void rejected_cache_add_prefix(rejected_cache *c, const uint8_t *bytes, size_t size) {
    uint64_t digest = 0;
    if (size > c->prefix_max) return;
    for (size_t i = 0; i < size; i++) digest = digest_more(digest, bytes[i]);
    add_digest(c, prefix_end(digest, size));
    c->has_prefix[size] = true;
    if (size >= c->prefix_end) c->prefix_end = size + 1;
}
