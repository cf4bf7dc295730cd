#include "strategy.h"

#include "candidate_set.h"
#include "size_search.h"

#include <assert.h>
#include <stdlib.h>

/* Most batches under way at one time, far more than any pool holds. Beyond them strategy_next
 * answers STRATEGY_WAIT. */
enum { BATCHES_MAX = 4096 };

struct strategy {
    strategy_config config;
    size_search now;              /* the state after all results fed */
    size_search ahead;            /* the state as if all batches under way had passed */
    uint32_t first;               /* index of the oldest batch under way */
    uint32_t count;               /* number of batches under way */
    uint64_t used;                /* of the batch that is fed next; see strategy_tell_used */
    batch under_way[BATCHES_MAX]; /* a ring */
};

strategy_claim strategy_claim_now(const strategy *s) {
    return size_search_claim(&s->config, &s->now);
}

/* ---- Life ---- */

static strategy *create(const strategy_config *config, const seed_input *best) {
    assert(config->attempts > 0);
    strategy *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->config = *config;
    s->now = best != NULL ? size_search_resume(*best) : size_search_begin();
    s->ahead = s->now;
    s->used = STRATEGY_DRAWN_UNKNOWN;
    return s;
}

strategy *strategy_create(const strategy_config *config) { return create(config, NULL); }

strategy *strategy_resume(const strategy_config *config, seed_input best) {
    return create(config, best.size <= config->size_max ? &best : NULL);
}

strategy *strategy_continue(const strategy *before, const seed_input *best) {
    const bool fits = best != NULL && best->size <= before->config.size_max;
    strategy *s = create(&before->config, fits ? best : NULL);
    if (s == NULL) return NULL;
    s->now.fresh = before->now.fresh;
    s->now.windows = before->now.windows;
    s->ahead = s->now;
    return s;
}

void strategy_destroy(strategy *s) { free(s); }

/* ---- Requests and results ---- */

strategy_answer strategy_next(strategy *s, uint32_t count_max, batch *next) {
    assert(count_max > 0);
    const size_request wanted = size_search_request(&s->config, &s->ahead);
    if (wanted.count == 0) return s->count == 0 ? STRATEGY_DONE : STRATEGY_WAIT;
    if (s->count == BATCHES_MAX) return STRATEGY_WAIT;
    assert(wanted.first.size <= s->config.size_max);

    *next = (batch){
        .first_seed = wanted.first.seed,
        .size = wanted.first.size,
        .count = wanted.count < count_max ? (uint32_t)wanted.count : count_max,
    };
    size_search_passed(&s->config, &s->ahead, next->count,
                       size_search_predict(&s->ahead, next->size));
    s->under_way[(s->first + s->count) % BATCHES_MAX] = *next;
    s->count++;
    return STRATEGY_RUN;
}

void strategy_tell_used(strategy *s, uint64_t used) { s->used = used; }

/* True if the oldest batch under way is what the results so far ask for. */
static bool is_as_predicted(const strategy *s) {
    const batch *oldest = &s->under_way[s->first];
    const size_request wanted = size_search_request(&s->config, &s->now);
    if (s->count == 0) return true;
    return wanted.count >= oldest->count && wanted.first.size == oldest->size &&
           wanted.first.seed == oldest->first_seed;
}

bool strategy_feed(strategy *s, uint32_t ran, bool has_failed, uint64_t drawn) {
    assert(s->count > 0);
    const batch fed = s->under_way[s->first];
    assert(ran <= fed.count && (ran > 0 || !has_failed));
    assert(!has_failed || drawn <= fed.size || drawn == STRATEGY_DRAWN_UNKNOWN);
    s->first = (s->first + 1) % BATCHES_MAX;
    s->count--;

    const uint32_t passed_count = has_failed ? ran - 1 : ran;
    if (passed_count > 0) size_search_passed(&s->config, &s->now, passed_count, s->used);
    s->used = STRATEGY_DRAWN_UNKNOWN;
    if (has_failed) {
        size_search_failed(&s->config, &s->now, batch_input(&fed, passed_count), drawn);
    }
    if (s->count == 0) s->ahead = s->now; /* what was told replaces what was predicted */
    if (passed_count == fed.count && is_as_predicted(s)) return false;
    strategy_forget(s);
    return true;
}

void strategy_forget(strategy *s) {
    s->ahead = s->now;
    s->count = 0;
}
