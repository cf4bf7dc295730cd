#include "walk.h"

#include "walk_strategy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Tickets under way at one time. Far more than any pool holds; a walk that is asked for yet more
 * answers WALK_WAIT. */
enum { WALK_TICKETS_MAX = 4096 };

struct walk {
    walk_config config;
    walk_auto now;                     /* knows what was fed */
    walk_auto ahead;                   /* the same, as though all batches under way had passed */
    uint32_t first;                    /* index of the oldest batch under way */
    uint32_t count;                    /* of batches under way */
    batch under_way[WALK_TICKETS_MAX]; /* a ring */
};

walk_claim walk_state(const walk *w) { return walk_auto_claim(&w->config, &w->now); }

/* ---- Seeds and bounds ---- */

/* The finalizer of SplitMix64 (Steele and others 2014): a bijection in which every bit of the
 * input moves about half of the output. */
static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t walk_fresh_seed(const walk_config *config, uint64_t size, uint64_t k) {
    return mix(mix(config->master_seed) ^ size) + k;
}

uint64_t walk_resumed_fresh(seed_input best) {
    /* Walks that begin count from 0 and never come as far as 2^62. */
    return (UINT64_C(1) << 62) | (mix(mix(best.seed) ^ best.size) >> 2);
}

/* Why the bound holds although the search stops at a moment it chose. Each stretch runs seeds of
 * its own at one size, so it is an experiment independent of all before it; and a size that fails
 * with probability q passes n runs in a row with (1 - q)^n. So the n-th pass makes the j-th stretch
 * claim a false bound with probability alpha(j) at most, whenever it is left, since the claims of
 * one stretch only sharpen, and the first false one needs all the passes before it. The alphas of
 * all stretches, 0.05 / (j (j + 1)), add up to 0.05: that any one of the claims is false, the last
 * included, is no more likely than that. */
double walk_bound(uint64_t passed_count, uint64_t stretch_number) {
    if (passed_count == 0) return 1;
    const double j = (double)stretch_number;
    const double alpha = 0.05 / (j * (j + 1));
    return -expm1(log(alpha) / (double)passed_count);
}

/* ---- Life ---- */

static walk *create(const walk_config *config, const seed_input *best) {
    assert(config->attempts > 0);
    walk *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->config = *config;
    w->now = best != NULL ? walk_auto_resume(*best) : walk_auto_begin();
    w->ahead = w->now;
    return w;
}

walk *walk_create(const walk_config *config) { return create(config, NULL); }

walk *walk_resume(const walk_config *config, seed_input best) {
    return create(config, best.size <= config->size_max ? &best : NULL);
}

walk *walk_continue(const walk *before, const seed_input *best) {
    const bool fits = best != NULL && best->size <= before->config.size_max;
    walk *w = create(&before->config, fits ? best : NULL);
    if (w == NULL) return NULL;
    w->now.fresh = before->now.fresh;
    w->now.stretches = before->now.stretches;
    w->ahead = w->now;
    return w;
}

void walk_destroy(walk *w) { free(w); }

/* ---- Asking and telling ---- */

walk_answer walk_next(walk *w, uint32_t count_max, batch *next) {
    assert(count_max > 0);
    const walk_wish wanted = walk_auto_wish(&w->config, &w->ahead);
    if (wanted.count == 0) return w->count == 0 ? WALK_DONE : WALK_WAIT;
    if (w->count == WALK_TICKETS_MAX) return WALK_WAIT;
    assert(wanted.first.size <= w->config.size_max);

    *next = (batch){
        .first_seed = wanted.first.seed,
        .size = wanted.first.size,
        .count = wanted.count < count_max ? (uint32_t)wanted.count : count_max,
    };
    walk_auto_passed(&w->config, &w->ahead, next->count);
    w->under_way[(w->first + w->count) % WALK_TICKETS_MAX] = *next;
    w->count++;
    return WALK_RUN;
}

bool walk_feed(walk *w, uint32_t ran, bool has_failed, uint64_t drawn) {
    assert(w->count > 0);
    const batch fed = w->under_way[w->first];
    assert(ran <= fed.count && (ran > 0 || !has_failed));
    assert(!has_failed || drawn <= fed.size || drawn == WALK_DRAWN_UNKNOWN);
    w->first = (w->first + 1) % WALK_TICKETS_MAX;
    w->count--;

    const uint32_t passed_count = has_failed ? ran - 1 : ran;
    if (passed_count > 0) walk_auto_passed(&w->config, &w->now, passed_count);
    if (has_failed) {
        const seed_input failing = {.size = fed.size, .seed = fed.first_seed + passed_count};
        walk_auto_failed(&w->config, &w->now, failing, drawn);
    }
    if (passed_count == fed.count) return false;
    walk_forget(w);
    return true;
}

void walk_forget(walk *w) {
    w->ahead = w->now;
    w->count = 0;
}
