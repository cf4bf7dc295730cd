#include "follow.h"

#include "best.h"
#include "confirm.h"
#include "diff.h"

#include <assert.h>
#include <string.h>

enum {
    BATCH_FIRST = 8,       /* candidates run ahead of their results, after a success ... */
    BATCH_MAX = 64,        /* ... and after many failures */
    LOOKS_MAX = 64,        /* proposals looked at for one more candidate, while others are run */
    PARALLEL_NS = 1000000, /* a candidate set that takes longer is worth being run beside others */
    FORESEEN_MAX = 1 << 20 /* draws of a best that several copies are made of */
};

#define CHANCE_LEAST                                                                               \
    0.1 /* that a candidate comes to be tried by, to be run before that is known  \
                          */

/* ---- What is known of candidates ---- */

static bool is_known(const reducer *r, uint64_t digest) {
    return rejected_cache_has_digest(&r->rejected, digest) || flights_have(&r->flights, digest);
}

/* Make the candidate in r->tried, if it can be a success that nobody knows of. False when it is not
 * worth a call, or there is no memory. What is known already is not even built. */
static bool make(reducer *r, const patch *edits, future *best, future *base, uint64_t *digest) {
    future *from = base != NULL ? base : best;
    if (base == NULL && !patch_may_simplify(edits, &best->bytes)) return false;
    *digest = future_digest(from, edits);
    if (*digest == 0 || (!is_known(r, *digest) && !patch_apply(edits, &from->bytes, &r->tried))) {
        reducer_stop_for_memory(r);
        return false;
    }
    const testcase *t = &r->tried;
    return !is_known(r, *digest) && testcase_compare(t, &best->bytes) < 0 &&
           !rejected_cache_has_prefix(&r->rejected, t->bytes, t->size);
}

/* Whether it can be foreseen what comes after a success: of bytes that nobody tells the meaning of,
 * the edits make just what will be. */
static bool can_foresee(const reducer *r) {
    const bool is_exact = r->config->is_fresh && !r->best.has_trace && !r->is_strict;
    return r->config->jobs > 1 && is_exact && r->best.count <= FORESEEN_MAX;
}

/* Whether successes that come too late are merged. Where the schedule knows what comes after each end,
 * it meets them again anyway: merged, they only lead it astray (measured: 1.0 to 1.8 times the
 * calls), and the result hangs on who won a race. */
static bool merges_late(const reducer *r) { return r->config->jobs > 1 && !can_foresee(r); }

/* The odds that a candidate is a success, by what its schedule has seen. 0: not looked beyond. */
static double odds_of(const reducer *r, const schedule *before) {
    const bool is_run = before->steps.kind == STEP_MOST || before->steps.kind == STEP_RUN;
    if (!can_foresee(r)) return 0;
    if (is_run && before->steps.bad > 0) return 0.5;
    if (is_run && before->steps.good > 0) return 0.75;
    return r->odds[schedule_pass(before)];
}

/* A first try has ended so. */
static void note_odds(reducer *r, const schedule *before, bool success) {
    enum { MEMORY = 8 };
    double *odds = &r->odds[schedule_pass(before)];
    if (before->steps.good > 0 || before->steps.bad > 0) return;
    *odds += ((success ? 0.9 : 0.05) - *odds) / MEMORY;
}

/* ---- On their way out ---- */

static bool put(candidate_set *p, const testcase *t) {
    const uint64_t start = candidate_set_start(p, p->count);
    if (t->size > p->bytes_max - start) return false;
    memcpy(p->bytes + start, t->bytes, t->size);
    p->ends[p->count++] = start + t->size;
    return true;
}

/* Candidates that a candidate set may have: no more than there are calls left. */
static uint32_t candidate_set_room(const reducer *r) {
    const uint64_t max = r->oracle.calls_max, made = r->result->calls + flights_load(&r->flights);
    const uint64_t left = max > made ? max - made : 0;
    return left < r->batch ? (uint32_t)left : r->batch;
}

static void set_best(flight *f, future *best) {
    future_share(best);
    future_release(f->best);
    f->best = best;
}

/* Fill a candidate set with what the schedule of a prospect proposes. One of many is taken to pass:
 * only of a single one it is foreseen what comes after it, either way. */
static void fill_from_prospect(reducer *r, prospect *now, flight *f, candidate_set *p) {
    patch edits;
    uint64_t digest;
    unsigned looks = 0; /* since the last one that was worth a call */
    const uint32_t room = candidate_set_room(r);
    const bool is_alone = r->flights.count == 1; /* no other candidate set keeps the workers busy */
    const testcase *base = now->base != NULL ? &now->base->bytes : NULL;
    set_best(f, now->best);
    f->after = now->after;
    f->if_success = now->if_success;
    while (p->count < room && !r->oracle.stopped) {
        if (looks++ > LOOKS_MAX && !(p->count == 0 && is_alone)) break;
        if (!schedule_next(&now->schedule, &now->best->bytes, base, &edits)) {
            now->is_ended = true;
            break;
        }
        const bool is_on_best = !now->schedule.is_on_base;
        if (!make(r, &edits, now->best, is_on_best ? NULL : now->base, &digest)) {
            schedule_feedback(&now->schedule, false);
            continue;
        }
        if (!put(p, &r->tried)) break;
        flight_add(f, &now->schedule, digest, is_on_best && merges_late(r) ? &edits : NULL);
        forecast_split(&r->ahead, now, f->number, &edits,
                       room == 1 ? odds_of(r, &now->schedule) : 0);
        looks = 0;
    }
}

static bool is_same(const testcase *a, const testcase *b) {
    return a->size == b->size && a->count == b->count && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Begin with the schedule as it is. */
static bool foresee(reducer *r) {
    if (r->is_foreseen) return true;
    if (r->now == NULL || !is_same(&r->now->bytes, &r->best)) {
        future_release(r->now);
        r->now = future_of(&r->best);
    }
    future *base = r->schedule.is_on_base ? future_of(&r->base) : NULL;
    if (r->now == NULL || (r->schedule.is_on_base && base == NULL)) {
        future_release(base);
        reducer_stop_for_memory(r);
        return false;
    }
    forecast_begin(&r->ahead, &r->schedule, r->now, base);
    future_release(base);
    r->is_foreseen = true;
    return true;
}

static void fill_from_plan(reducer *r, flight *f, candidate_set *p) {
    bool is_short = false;
    while (p->count == 0 && !r->oracle.stopped) {
        prospect *next = forecast_pick(&r->ahead, CHANCE_LEAST, &is_short);
        if (is_short) reducer_stop_for_memory(r);
        if (next == NULL) return;
        fill_from_prospect(r, next, f, p);
        if (p->count == 0 && !next->is_ended) return; /* it took too long for now */
    }
}

/* Try successes that came too late. */
static void fill_from_merges(reducer *r, flight *f, candidate_set *p) {
    patch edits;
    uint64_t digest;
    while (p->count == 0 && candidate_set_room(r) > 0 && !r->oracle.stopped &&
           merges_next(&r->merges, &edits)) {
        f->is_merge = make(r, &edits, r->now, NULL, &digest) && put(p, &r->tried);
        if (f->is_merge) {
            flight_add(f, &r->schedule, digest, &edits);
        } else {
            merges_told(&r->merges, false);
        }
    }
    if (!f->is_merge) return;
    r->is_merging = true;
    set_best(f, r->now);
}

/* Hand out one more candidate set. False when there is nothing to try just now. */
static bool send_one(reducer *r) {
    candidate_set *p = pool_candidate_set(r->oracle.pool);
    if (!foresee(r)) return false;
    flight *f = flights_add(&r->flights);
    p->count = 0;
    if (!r->is_merging) fill_from_merges(r, f, p);
    if (p->count == 0) fill_from_plan(r, f, p);
    if (p->count > 0 && !r->oracle.stopped) {
        f->given = p;
        pool_submit_candidate_set(r->oracle.pool, p, RUN_TRY);
        return true;
    }
    flights_drop_last(&r->flights);
    return false;
}

/* ---- On their way in ---- */

void follow_from(reducer *r, const schedule *told) {
    r->schedule = *told;
    r->is_foreseen = false;
    r->batch = r->config->is_fresh ? 1 : BATCH_FIRST;
}

static pass_statistics *statistics_of(reducer *r, const flight *f, size_t i) {
    const size_t row = f->is_merge ? r->schedule.count : schedule_pass(&f->candidates[i].before);
    return &r->result->statistics[row];
}

/* The best has changed by a candidate of this flight. False when nobody foresaw that. */
static bool go_on_as_foreseen(reducer *r, const flight *f, const patch *done) {
    prospect *next = forecast_of_success(&r->ahead, f->number);
    future *best = next != NULL ? next->best : flights_best_after(&r->flights, f->number);
    future *was = r->now;
    if (next == NULL && best == NULL) return false;
    if (r->best.has_trace || (best != NULL && !is_same(&best->bytes, &r->best))) return false;
    if (best == NULL) best = next->best = future_of(&r->best);
    if (best == NULL) {
        reducer_stop_for_memory(r);
        return true;
    }
    r->now = future_share(best);
    flights_settle(&r->flights, f, true, done, was, r->now);
    future_release(was);
    forecast_settle(&r->ahead, &r->flights, f->number, true);
    r->is_foreseen = true;
    return true;
}

/* Go on from a best that nobody foresaw. */
static void go_on_anew(reducer *r, const patch *done, const schedule *told) {
    future *was = r->now;
    r->now = NULL;
    follow_from(r, told);
    if (!foresee(r)) {
        future_release(r->now);
        r->now = NULL;
    }
    flights_outdate(&r->flights, done, was, r->now);
    future_release(was);
}

/* A candidate is the best. */
static void win(reducer *r, flight *f, candidate *c, bool was_strict) {
    schedule told = c->before;
    patch moved;
    const patch *done = diff_change(&r->now->bytes, &r->best, &moved) ? &moved : NULL;
    merges_rebase(&r->merges, done);
    if (f->is_merge) { /* the schedule knows nothing of it */
        told = r->schedule;
        schedule_disturb(&told);
    } else {
        schedule_feedback(&told, true);
    }
    r->schedule = told;
    const bool is_of_plan = !f->is_merge && !was_strict;
    if (!is_of_plan || !go_on_as_foreseen(r, f, done)) go_on_anew(r, done, &told);
}

/* All candidates of a flight are none. */
static void lose(reducer *r, const flight *f) {
    const schedule *last = &f->candidates[f->count - 1].before;
    r->schedule = *last;
    schedule_feedback(&r->schedule, false);
    flights_settle(&r->flights, f, false, NULL, r->now, r->now);
    forecast_settle(&r->ahead, &r->flights, f->number, false);
}

/* A candidate is none, though it failed: those behind it in its candidate set were not run. */
static void lose_one(reducer *r, const flight *f, const candidate *c, bool was_strict) {
    schedule told = c->before;
    rejected_cache_add_digest(&r->rejected, c->digest);
    if (f->is_merge) return;
    if (f->count == 1 && !was_strict) {
        lose(r, f);
        return;
    }
    schedule_feedback(&told, false);
    follow_from(r, &told);
    flights_outdate(&r->flights, NULL, r->now, r->now);
}

/* A success that nobody counts on any more: it may yet win, together with what won. */
static void keep_late(reducer *r, candidate *c) {
    r->has_lost = true;
    if (c->edits != NULL) merges_add(&r->merges, c->edits);
    c->edits = NULL;
}

/* A candidate of this flight did not pass; those behind it were not run. */
static void commit_failure(reducer *r, flight *f, const run_result *run,
                           const candidate_set *given) {
    const uint32_t at = run->ran - 1;
    candidate *c = &f->candidates[at];
    const size_t size = r->best.size;
    const bool was_strict = r->is_strict;
    pass_statistics *s = statistics_of(r, f, at);
    if (f->is_stale) {
        if (oracle_is_interesting(&r->oracle, run)) keep_late(r, c);
        return;
    }
    const bool success = best_take(r, run, given, at, !f->is_merge && c->before.is_on_base);
    if (f->is_merge) merges_told(&r->merges, success);
    if (!success) {
        lose_one(r, f, c, was_strict);
        return;
    }
    r->result->successes++;
    s->successes++;
    s->bytes += size - r->best.size;
    win(r, f, c, was_strict);
}

/* Every candidate of a flight passed. */
static void commit_passes(reducer *r, const flight *f) {
    if (f->is_stale) return;
    if (f->is_merge) {
        merges_told(&r->merges, false);
        return;
    }
    lose(r, f);
    if (r->batch < BATCH_MAX && !r->config->is_fresh) r->batch *= 2;
}

/* What takes long is run beside others; what takes very long, only beside as many as there are
 * workers: nothing is asked for before it has to be. */
static size_t lanes_of(const reducer *r, int64_t took_ns) {
    const bool is_long = took_ns > PARALLEL_NS;
    if (!r->config->is_fresh) return is_long ? r->flights.max : 1;
    return is_long ? r->config->jobs : r->flights.max;
}

/* Of what is run for nothing, workers are freed. */
static void drop_useless(reducer *r) {
    const flight *f;
    if (!r->config->is_fresh) return;
    while ((f = flights_drop_useless(&r->flights)) != NULL) {
        pool_skip(r->oracle.pool, f->given);
        r->has_lost = r->has_lost || f->is_counted;
    }
}

static void commit(reducer *r, const run_result *run, const candidate_set *given) {
    flight *f = flights_take(&r->flights);
    assert(run->ran <= f->count);
    const bool failed = !run->cancelled && run->last.verdict != VERDICT_PASS;
    const uint32_t passed = failed ? run->ran - 1 : run->ran;
    if (f->is_merge) r->is_merging = false;
    if (!f->is_merge && !run->cancelled) {
        note_odds(r, &f->candidates[run->ran - 1].before, failed);
    }
    if (!run->cancelled) r->lanes = lanes_of(r, run->took_ns);
    for (uint32_t i = 0; i < run->ran; i++) {
        statistics_of(r, f, i)->calls++;
        if (i < passed) best_remember(r, given, i);
    }
    if (failed) {
        commit_failure(r, f, run, given);
    } else if (!run->cancelled) {
        commit_passes(r, f);
    }
    drop_useless(r);
    confirm_tell_progress(r);
}

/* Keep the workers busy, and take one result. False when all is tried and known. */
static bool run_some(reducer *r) {
    const candidate_set *given;
    bool waits = confirm_is_due(r);            /* for a verification, with nothing under way */
    if (waits && r->best_failure.reruns > 0) { /* it was one already */
        confirm_best(r, 1);
        waits = false;
    }
    while (!waits && r->flights.count < r->lanes && pool_has_room(r->oracle.pool)) {
        if (!send_one(r)) break;
    }
    if (r->flights.count == 0 && (waits || pool_has_room(r->oracle.pool))) {
        const prospect *now = r->is_foreseen ? forecast_now(&r->ahead) : NULL;
        if (now != NULL) r->schedule = now->schedule;
        return waits;
    }
    const run_result *run = oracle_wait(&r->oracle, &given);
    if (run != NULL && r->flights.count > 0) commit(r, run, given);
    return true;
}

/* Follow the schedule to its end. */
void follow_plan(reducer *r) {
    do {
        if (r->flights.count > 0) continue;
        if (confirm_is_due(r)) confirm_best(r, 1);
        confirm_others(r);
    } while (!r->oracle.stopped && run_some(r));
    flights_clear(&r->flights);
    r->is_merging = false;
    r->is_foreseen = false;
    if (r->result->calls >= r->oracle.calls_max) oracle_stop(&r->oracle, END_SPENT);
}

/* What was taken for a failure and was none may have kept a pass from going on: look again. */
bool follow_again(reducer *r) {
    schedule again = r->schedule;
    if (!r->has_lost || r->oracle.stopped) return false;
    r->has_lost = false;
    schedule_restart(&again);
    follow_from(r, &again);
    return true;
}
