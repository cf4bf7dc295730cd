#include "inflight.h"

#include <assert.h>
#include <stdlib.h>

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
