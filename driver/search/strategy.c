/* A strategy that asks ahead of results.
 *
 * What to run next is decided by the state of a search over sizes (size_search.h), a plain value.
 * There are two of them: `now`, after all results that were fed, and `ahead`, as if all batches
 * under way had passed. Requests come from `ahead`. A pass changes `now` as was expected, and
 * nothing else. After anything else, `ahead` is worked out again from `now`; if it asks for the
 * batches that are under way, they stay, else they are void, and the caller cancels them.
 *
 * So the runs that count do not depend on how many batches are under way, or how long they are: for
 * `now` it makes no difference in how many parts passes are fed. tests/self/strategy.c tries to
 * refute that. */
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
    strategy_draws draws;         /* of the batch that is fed next; see strategy_take_draws */
    batch under_way[BATCHES_MAX]; /* a ring */
};

static const strategy_draws draws_unknown = {STRATEGY_DRAWN_UNKNOWN, STRATEGY_DRAWN_UNKNOWN, 0};

strategy_claim strategy_claim_now(const strategy *s) {
    return size_search_claim(&s->config, &s->now);
}

search_stint strategy_stint_now(const strategy *s) {
    return size_search_stint(&s->config, &s->now);
}

/* ---- Life ---- */

static strategy *create(const strategy_config *config, const seed_input *best) {
    assert(config->attempts > 0);
    strategy *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->config = *config;
    s->now = best != NULL ? size_search_resume(*best) : size_search_begin();
    s->ahead = s->now;
    s->draws = draws_unknown;
    return s;
}

strategy *strategy_create(const strategy_config *config) { return create(config, NULL); }

strategy *strategy_resume(const strategy_config *config, seed_input best) {
    return create(config, best.size <= config->size_max ? &best : NULL);
}

strategy *strategy_continue(const strategy *before, const seed_input *best, bool is_thorough) {
    const bool fits = best != NULL && best->size <= before->config.size_max;
    strategy *s = create(&before->config, fits ? best : NULL);
    if (s == NULL) return NULL;
    s->now.fresh = before->now.fresh;
    s->now.stretches += before->now.stretches;
    s->now.is_thorough = is_thorough;
    if (!s->now.failed) s->now.growing = s->now.stretches;
    s->ahead = s->now;
    return s;
}

void strategy_adopt(strategy *s, seed_input best) {
    assert(best.size <= s->config.size_max);
    size_search_adopt(&s->config, &s->now, best);
    strategy_forget(s);
}

bool strategy_raise_attempts(strategy *s) {
    assert(s->count == 0 && s->now.phase == PHASE_OVER);
    if (size_search_is_exhausted(&s->config, &s->now)) return false;
    while (s->now.phase == PHASE_OVER && s->config.attempts <= UINT64_MAX / 2) {
        s->config.attempts *= 2;
        size_search_go_on(&s->config, &s->now);
    }
    s->ahead = s->now;
    return s->now.phase != PHASE_OVER;
}

void strategy_destroy(strategy *s) { free(s); }

/* ---- Requests and results ---- */

uint64_t strategy_next_size(const strategy *s) {
    return size_search_request(&s->config, &s->ahead).first.size;
}

bool strategy_is_fresh(const strategy *s) { return s->now.phase != PHASE_BISECT; }

/* Take a batch under way as if it had passed. */
static void expect_pass(strategy *s, const batch *b) {
    size_search_drew(&s->config, &s->ahead, size_search_predict(&s->config, &s->ahead, b->count));
    size_search_passed(&s->config, &s->ahead, b->count);
}

strategy_answer strategy_next(strategy *s, uint32_t count_max, batch *next) {
    assert(count_max > 0);
    const size_request wanted = size_search_request(&s->config, &s->ahead);
    if (wanted.count == 0) return s->count == 0 ? STRATEGY_DONE : STRATEGY_WAIT;
    if (s->count == BATCHES_MAX) return STRATEGY_WAIT;
    assert(wanted.first.size <= s->config.size_max);

    *next = (batch){
        .first_seed = wanted.first.seed,
        .size = wanted.first.size,
        .mix = wanted.mix,
        .count = wanted.count < count_max ? (uint32_t)wanted.count : count_max,
    };
    expect_pass(s, next);
    s->under_way[(s->first + s->count) % BATCHES_MAX] = *next;
    s->count++;
    return STRATEGY_RUN;
}

void strategy_take_draws(strategy *s, strategy_draws draws) { s->draws = draws; }

/* True if the results so far, or those that are expected, ask for this batch. */
static bool is_asked_for(const strategy *s, const size_search *state, const batch *b) {
    const size_request wanted = size_search_request(&s->config, state);
    return wanted.count >= b->count && wanted.first.size == b->size &&
           wanted.first.seed == b->first_seed && wanted.mix == b->mix;
}

/* Work out again the state as if all batches under way pass. Return false if they are not the ones
 * that are asked for now. */
static bool look_ahead(strategy *s) {
    s->ahead = s->now;
    for (uint32_t i = 0; i < s->count; i++) {
        const batch *b = &s->under_way[(s->first + i) % BATCHES_MAX];
        if (!is_asked_for(s, &s->ahead, b)) return false;
        expect_pass(s, b);
    }
    return true;
}

/* Take the oldest batch, or its first `ran` runs, off those under way. */
static void take_off(strategy *s, uint32_t ran) {
    batch *oldest = &s->under_way[s->first];
    oldest->first_seed += ran;
    oldest->count -= ran;
    if (oldest->count > 0) return;
    s->first = (s->first + 1) % BATCHES_MAX;
    s->count--;
}

static void take_passed(strategy *s, uint32_t count) {
    if (count > 0) size_search_passed(&s->config, &s->now, count);
}

/* Take what the runs that were made drew. With more bytes a masked run would have ended in the same
 * failure, unless the prefix that it drew passes, and `drawn` is unknown. */
static void take_draws(strategy *s, uint32_t ran, strategy_result last, uint64_t drawn) {
    strategy_draws draws = s->draws;
    const bool is_masked = last == STRATEGY_MASKED || last == STRATEGY_MASKED_BY_HANG;
    if (ran == 0) return;
    if (is_masked && s->config.masks == MASKED_COUNTS_LESS && drawn == STRATEGY_DRAWN_UNKNOWN) {
        draws.most = STRATEGY_DRAWN_UNKNOWN;
    }
    size_search_drew(&s->config, &s->now, draws);
}

bool strategy_feed(strategy *s, uint32_t ran, strategy_result last, uint64_t drawn) {
    assert(s->count > 0);
    const batch fed = s->under_way[s->first];
    const uint32_t passed_count = last == STRATEGY_PASSED ? ran : ran - 1;
    bool is_valid = false;
    assert(ran <= fed.count && (ran > 0 || last == STRATEGY_PASSED));
    assert(last == STRATEGY_PASSED || drawn <= fed.size || drawn == STRATEGY_DRAWN_UNKNOWN);
    take_off(s, ran);
    take_draws(s, ran, last, drawn);
    switch (last) {
    case STRATEGY_PASSED:
        take_passed(s, ran);
        is_valid = ran == fed.count && look_ahead(s);
        break;
    case STRATEGY_FAILED:
        take_passed(s, passed_count);
        size_search_failed(&s->config, &s->now, batch_input(&fed, passed_count), drawn);
        break;
    case STRATEGY_MASKED:
    case STRATEGY_MASKED_BY_HANG:
        take_passed(s, passed_count);
        size_search_masked(&s->config, &s->now, drawn, last);
        is_valid = look_ahead(s);
        break;
    }
    s->draws = draws_unknown;
    if (!is_valid) strategy_forget(s);
    return !is_valid;
}

void strategy_forget(strategy *s) {
    s->ahead = s->now;
    s->count = 0;
}
