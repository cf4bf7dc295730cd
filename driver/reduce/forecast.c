#include "forecast.h"

#include <assert.h>
#include <stdlib.h>

bool forecast_init(forecast *f, size_t flight_count) {
    *f = (forecast){.capacity = 2 * flight_count + 2};
    f->prospects = calloc(f->capacity, sizeof *f->prospects);
    return f->prospects != NULL;
}

static void release(prospect *p) {
    future_release(p->best);
    future_release(p->base);
    free(p->edits);
}

static void clear(forecast *f) {
    for (size_t i = 0; i < f->count; i++) release(&f->prospects[i]);
    f->count = 0;
}

void forecast_finish(forecast *f) {
    clear(f);
    free(f->prospects);
    *f = (forecast){0};
}

void forecast_begin(forecast *f, const schedule *now, future *best, future *base) {
    future_share(best);
    future_share(base);
    clear(f);
    f->prospects[f->count++] =
        (prospect){.chance = 1, .schedule = *now, .best = best, .base = base};
}

prospect *forecast_now(forecast *f) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->prospects[i].after == 0) return &f->prospects[i];
    }
    return NULL;
}

prospect *forecast_of_success(forecast *f, uint64_t number) {
    for (size_t i = 0; i < f->count; i++) {
        prospect *p = &f->prospects[i];
        if (p->after == number && p->if_success) return p;
    }
    return NULL;
}

/* Make the best that a success leaves, now that it is asked for. */
static bool realise(prospect *p) {
    if (p->best == NULL) p->best = future_patched(&p->base->bytes, p->edits);
    free(p->edits);
    p->edits = NULL;
    return p->best != NULL;
}

prospect *forecast_pick(forecast *f, double least, bool *is_short) {
    prospect *best = NULL;
    for (size_t i = 0; i < f->count; i++) {
        prospect *p = &f->prospects[i];
        if (p->is_ended || (p->after != 0 && p->chance < least)) continue;
        if (best == NULL || p->chance > best->chance) best = p;
    }
    *is_short = best != NULL && !realise(best);
    return *is_short ? NULL : best;
}

void forecast_split(forecast *f, prospect *p, uint64_t number, const patch *edits, double odds) {
    patch *copy = odds > 0 && f->count < f->capacity ? malloc(sizeof *copy) : NULL;
    if (copy != NULL) {
        prospect *success = &f->prospects[f->count++];
        *copy = *edits;
        *success = (prospect){.after = number,
                              .if_success = true,
                              .chance = p->chance * odds,
                              .schedule = p->schedule,
                              .base = future_share(p->schedule.is_on_base ? p->base : p->best),
                              .edits = copy};
        schedule_feedback(&success->schedule, true);
    }
    p->after = number;
    p->if_success = false;
    p->chance *= 1 - odds;
    schedule_feedback(&p->schedule, false);
}

/* Whether a prospect may still come about. */
static bool lives_on(prospect *p, const flights *under_way, uint64_t number, bool success) {
    if (p->after == 0) return true;
    if (p->after != number) return flights_count_on(under_way, p->after);
    p->after = 0;
    return p->if_success == success;
}

void forecast_settle(forecast *f, const flights *under_way, uint64_t number, bool success) {
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        prospect *p = &f->prospects[i];
        if (lives_on(p, under_way, number, success)) {
            f->prospects[kept++] = *p;
        } else {
            release(p);
        }
    }
    f->count = kept;
    double all = 0;
    for (size_t i = 0; i < kept; i++) all += f->prospects[i].chance;
    for (size_t i = 0; i < kept; i++) f->prospects[i].chance /= all;
}
