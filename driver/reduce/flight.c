#include "flight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool flights_init(flights *f, size_t max) {
    *f = (flights){.max = max};
    f->ring = calloc(max, sizeof *f->ring);
    if (f->ring == NULL) return false;
    for (size_t i = 0; i < max; i++) {
        f->ring[i] = calloc(1, sizeof *f->ring[i]);
        if (f->ring[i] != NULL) continue;
        flights_finish(f);
        return false;
    }
    return true;
}

void flights_finish(flights *f) {
    for (size_t i = 0; f->ring != NULL && i < f->max && f->ring[i] != NULL; i++) {
        flight_clear(f->ring[i]);
        free(f->ring[i]);
    }
    free(f->ring);
    *f = (flights){0};
}

static flight *at(const flights *f, size_t i) { return f->ring[(f->first + i) % f->max]; }

flight *flights_add(flights *f) {
    assert(f->count < f->max);
    flight *added = at(f, f->count++);
    flight_clear(added);
    added->number = ++f->number;
    return added;
}

flight *flights_take(flights *f) {
    assert(f->count > 0);
    flight *first = at(f, 0);
    f->first = (f->first + 1) % f->max;
    f->count--;
    return first;
}

void flights_drop_last(flights *f) { f->count--; }

void flights_clear(flights *f) { f->count = 0; }

size_t flights_load(const flights *f) {
    size_t load = 0;
    for (size_t i = 0; i < f->count; i++) load += at(f, i)->count;
    return load;
}

bool flights_have(const flights *f, uint64_t digest) {
    for (size_t i = 0; i < f->count; i++) {
        flight *one = at(f, i);
        for (size_t k = 0; k < one->count && !one->is_dropped; k++) {
            if (one->candidates[k].digest != digest) continue;
            one->is_counted = true;
            return true;
        }
    }
    return false;
}

static void forget_edits(candidate *c) {
    free(c->edits);
    c->edits = NULL;
}

static void forget_all_edits(flight *one) {
    for (size_t i = 0; i < one->count; i++) forget_edits(&one->candidates[i]);
}

bool flights_count_on(const flights *f, uint64_t number) {
    for (size_t i = 0; i < f->count; i++) {
        if (at(f, i)->number == number) return !at(f, i)->is_stale;
    }
    return false;
}

/* It took for granted what did not come about, and nobody knows how it differs from what did. */
static bool is_useless(const flight *one) {
    return one->is_stale && !one->is_dropped && one->count == 1 && one->candidates[0].edits == NULL;
}

flight *flights_drop_useless(flights *f) {
    for (size_t i = 0; i < f->count; i++) {
        if (!is_useless(at(f, i))) continue;
        at(f, i)->is_dropped = true;
        return at(f, i);
    }
    return NULL;
}

future *flights_best_after(const flights *f, uint64_t number) {
    for (size_t i = 0; i < f->count; i++) {
        const flight *one = at(f, i);
        if (one->after == number && one->if_success && !one->is_stale) return one->best;
    }
    return NULL;
}

/* The best has changed: edits follow, where they are over what it was. */
static void move_edits(flight *one, const patch *done, future *was, future *is) {
    const bool has_changed = done != NULL || was != is;
    if (!has_changed || (one->best == is && was != is)) return;
    for (size_t i = 0; i < one->count; i++) {
        candidate *c = &one->candidates[i];
        const bool follows = c->edits != NULL && done != NULL && one->best == was;
        if (!follows || !patch_rebase(c->edits, done)) forget_edits(c);
    }
    if (one->best != was) return;
    future_share(is);
    future_release(one->best);
    one->best = is;
}

void flights_outdate(flights *f, const patch *done, future *was, future *is) {
    for (size_t i = 0; i < f->count; i++) {
        at(f, i)->is_stale = true;
        move_edits(at(f, i), done, was, is);
    }
}

/* Whether a flight still takes for granted what can be so. */
static bool stays(const flights *f, flight *one, const flight *ended, bool success) {
    if (one->is_merge) return !one->is_stale && !success; /* it is over what was the best */
    if (one->is_stale || one->after == 0) return !one->is_stale;
    if (one->after != ended->number) return flights_count_on(f, one->after);
    one->after = 0;
    return one->if_success == success;
}

void flights_settle(flights *f, const flight *ended, bool success, const patch *done, future *was,
                    future *is) {
    for (size_t i = 0; i < f->count; i++) { /* each behind those that it counts on */
        flight *one = at(f, i);
        const bool is_of_then = one->best == was;
        if (!stays(f, one, ended, success)) one->is_stale = true;
        if (one->is_stale || is_of_then) move_edits(one, done, was, is);
        if (one->is_stale && !is_of_then && one->best != is) forget_all_edits(one);
    }
}

void flight_add(flight *f, const schedule *before, uint64_t digest, const patch *edits) {
    candidate *c = &f->candidates[f->count++];
    *c = (candidate){digest, *before, edits != NULL ? malloc(sizeof *edits) : NULL};
    if (c->edits != NULL) *c->edits = *edits;
}

void flight_clear(flight *f) {
    forget_all_edits(f);
    future_release(f->best);
    f->best = NULL;
    f->count = 0;
    f->after = 0;
    f->if_success = f->is_counted = f->is_stale = f->is_dropped = f->is_merge = false;
}
