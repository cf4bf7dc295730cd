/* window.c: a ring of the batches in flight, and a table of digests of rejected candidates.
 *
 * The schedule proposes each candidate as if all in flight fail. So the ring keeps, beside each
 * candidate, the schedule before it: after a success all later batches are stale, and the schedule
 * goes on from there. The result of a reduction is thus the same for any number of workers.
 *
 * The table is filled by digests alone: a candidate that collides with a rejected one is never run,
 * one in 2^61. A prefix of a test case that a run did not read beyond rejects all that begin with
 * it, so prefixes have entries of their own, with an inverted digest. */
#include "window.h"

#include "candidate_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool inflight_init(inflight *f, size_t max) {
    assert(max > 0);
    *f = (inflight){.max = max, .ring = calloc(max, sizeof *f->ring)};
    return f->ring != NULL;
}

void inflight_finish(inflight *f) {
    free(f->ring);
    *f = (inflight){0};
}

static inflight_batch *at(const inflight *f, size_t i) { return &f->ring[(f->first + i) % f->max]; }

inflight_batch *inflight_add(inflight *f) {
    assert(f->count < f->max);
    inflight_batch *added = at(f, f->count++);
    added->state = INFLIGHT_FILLING;
    added->count = 0;
    return added;
}

void inflight_put(inflight_batch *b, const schedule *before, uint64_t digest, size_t draws) {
    assert(b->state == INFLIGHT_FILLING && b->count < CANDIDATE_SET_COUNT_MAX);
    b->candidates[b->count++] = (inflight_candidate){digest, draws, *before};
}

void inflight_start(inflight_batch *b, const candidate_set *set) {
    assert(b->state == INFLIGHT_FILLING && b->count > 0 && b->count == set->count);
    b->state = INFLIGHT_RUNNING;
    b->set = set;
}

void inflight_drop_last(inflight *f) {
    assert(f->count > 0 && at(f, f->count - 1)->state == INFLIGHT_FILLING);
    at(f, --f->count)->state = INFLIGHT_FREE;
}

const inflight_batch *inflight_take(inflight *f) {
    const inflight_batch *oldest = at(f, 0);
    assert(f->count > 0);
    assert(oldest->state == INFLIGHT_RUNNING || oldest->state == INFLIGHT_STALE);
    f->first = (f->first + 1) % f->max;
    f->count--;
    return oldest;
}

const inflight_batch *inflight_outdate(inflight *f) {
    for (size_t i = 0; i < f->count; i++) {
        inflight_batch *b = at(f, i);
        assert(b->state == INFLIGHT_RUNNING || b->state == INFLIGHT_STALE);
        if (b->state == INFLIGHT_STALE) continue;
        b->state = INFLIGHT_STALE;
        return b;
    }
    return NULL;
}

void inflight_clear(inflight *f) { f->count = 0; }

size_t inflight_load(const inflight *f) {
    size_t load = 0;
    for (size_t i = 0; i < f->count; i++) load += at(f, i)->count;
    return load;
}

bool inflight_has(const inflight *f, uint64_t digest) {
    for (size_t i = 0; i < f->count; i++) {
        const inflight_batch *b = at(f, i);
        for (size_t k = 0; k < b->count && b->state != INFLIGHT_STALE; k++) {
            if (b->candidates[k].digest == digest) return true;
        }
    }
    return false;
}

size_t inflight_draws_max(const inflight_candidate *c) {
    enum { SPARE = 32 };
    return 2 * c->draws + SPARE;
}

enum { CAPACITY_FIRST = 1 << 10, CAPACITY_MAX = 1 << 22 };

/* End the digest of a prefix. It is inverted, for prefixes and whole test cases share the table. */
static uint64_t prefix_end(uint64_t digest, size_t size) { return ~digest_end(digest, size); }

static size_t place_of(const rejected_cache *c, uint64_t digest) {
    size_t at = (size_t)digest & (c->capacity - 1);
    while (c->digests[at] != 0 && c->digests[at] != digest) at = (at + 1) & (c->capacity - 1);
    return at;
}

bool rejected_cache_init(rejected_cache *c, size_t size_max) {
    *c = (rejected_cache){.capacity = CAPACITY_FIRST, .prefix_max = size_max};
    c->digests = calloc(c->capacity, sizeof *c->digests);
    c->prefixes = calloc(size_max + 1, sizeof *c->prefixes);
    if (c->digests != NULL && c->prefixes != NULL) return true;
    rejected_cache_finish(c);
    return false;
}

void rejected_cache_finish(rejected_cache *c) {
    free(c->digests);
    free(c->prefixes);
    *c = (rejected_cache){0};
}

bool rejected_cache_has_digest(const rejected_cache *c, uint64_t digest) {
    return c->digests[place_of(c, digest)] != 0;
}

bool rejected_cache_has_prefix(const rejected_cache *c, const uint8_t *bytes, size_t size) {
    const size_t end = size < c->prefix_top ? size : c->prefix_top;
    uint64_t digest = 0;
    if (c->prefix_top == 0 && c->prefixes[0] == 0) return false;
    for (size_t i = 0;; i++) {
        if (c->prefixes[i] > 0 && rejected_cache_has_digest(c, prefix_end(digest, i))) return true;
        if (i == end) return false;
        digest = digest_more(digest, bytes[i]);
    }
}

void rejected_cache_clear(rejected_cache *c) {
    memset(c->digests, 0, c->capacity * sizeof *c->digests);
    memset(c->prefixes, 0, (c->prefix_max + 1) * sizeof *c->prefixes);
    c->count = 0;
    c->prefix_top = 0;
}

/* Double the table. At the maximal capacity, or when out of memory, empty it instead. */
static void grow(rejected_cache *c) {
    const rejected_cache old = *c;
    uint64_t *larger = c->capacity < CAPACITY_MAX ? calloc(c->capacity * 2, sizeof *larger) : NULL;
    if (larger == NULL) {
        rejected_cache_clear(c);
        return;
    }
    c->digests = larger;
    c->capacity *= 2;
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.digests[i] != 0) c->digests[place_of(c, old.digests[i])] = old.digests[i];
    }
    free(old.digests);
}

static uint64_t prefix_digest(const uint8_t *bytes, size_t size) {
    uint64_t digest = 0;
    for (size_t i = 0; i < size; i++) digest = digest_more(digest, bytes[i]);
    return prefix_end(digest, size);
}

/* Add a digest. True if it is new. */
static bool add(rejected_cache *c, uint64_t digest) {
    if (2 * (c->count + 1) > c->capacity) grow(c);
    const size_t at = place_of(c, digest);
    if (c->digests[at] != 0) return false;
    c->digests[at] = digest;
    c->count++;
    return true;
}

void rejected_cache_add_digest(rejected_cache *c, uint64_t digest) {
    add(c, digest);
    if (c->table != NULL) rejected_table_add(c->table, digest);
}

void rejected_cache_add(rejected_cache *c, const uint8_t *bytes, size_t size) {
    rejected_cache_add_digest(c, digest_of(bytes, size));
}

void rejected_cache_add_prefix(rejected_cache *c, const uint8_t *bytes, size_t size) {
    if (size > c->prefix_max || !add(c, prefix_digest(bytes, size))) return;
    c->prefixes[size]++;
    if (size > c->prefix_top) c->prefix_top = size;
}
