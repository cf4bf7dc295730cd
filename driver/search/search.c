#include "evidence.h"
#include "lineup.h"
#include "pool.h"
#include "search_events.h"
#include "search_state.h"
#include "summary.h"
#include "tour.h"
#include "walk.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 2000 }; /* for the last reruns after the budget is spent */

/* Recall that another search of this program saw a failure to be flaky. It is so still. */
static void recall(search *s, const failure *f) {
    if (f->alike.repeated == f->alike.reruns) return;
    evidence_add(s->evidence, f, f->alike);
    evidence_set_aside(s->evidence, f->input);
}

/* True if another search of this program saw the failure, and saw it in each rerun. */
static bool is_sure(const failure *f) {
    return f->alike.reruns > 0 && f->alike.repeated == f->alike.reruns;
}

/* True if a failure is no smaller than the best, nor than what is known of its own signature. */
static bool is_no_news_below(const search *s, const failure *f, const failure *best) {
    const distinct_failures *others = &s->result->others;
    if (best == NULL || seed_input_less(f->input, best->input)) return false;
    const size_t i = distinct_failures_find(others, f);
    return f->alike.reruns == 0 || i == others->count ||
           !seed_input_less(f->input, others->list[i].input);
}

/* True if a stage has the signature of a failure that is sure, and a best that is no larger. */
static bool is_no_news_to_stages(const search *s, const failure *f) {
    const failure *best = stages_best_like(&s->result->each, f);
    return is_sure(f) && best != NULL && !failure_is_flaky(best) &&
           best->input.size <= f->input.size;
}

/* True if a run of an input of another search would show nothing new, or cannot be made. */
static bool is_no_news(const search *s, const failure *f) {
    if (f->input.size > s->config->strategy.size_max) return true;
    switch (s->config->goal) {
    case SEARCH_SMALLEST: return is_no_news_below(s, f, bests_smallest(&s->bests));
    case SEARCH_EACH: return is_no_news_to_stages(s, f);
    }
    return false;
}

bool search_take_known(search *s) {
    const search_source *from = &s->config->source;
    if (s->is_known_untried) return true;
    if (from->next == NULL) return false;
    do {
        if (!from->next(from->context, bests_smallest(&s->bests), &s->known)) return false;
        recall(s, &s->known);
    } while (is_no_news(s, &s->known));
    s->is_known_untried = true;
    return true;
}

/* Go down to the smallest failure; if the search keeps going, again and again. Return false if
 * reruns show that the best does not hold. */
static bool go_down(search *s) {
    walk_replay_earlier(s);
    walk_begin(s);
    do {
        walk_follow(s);
        if (client_is_running(&s->client) && !walk_verify(s)) return false;
    } while (walk_goes_on(s));
    return true;
}

static void find_smallest(search *s) {
    while (!go_down(s)) continue;
}

/* Run what other searches have found until the deadline: all of them end with the same best. */
static void try_last(search *s) {
    while (client_is_running(&s->client) && walk_try_known(s)) continue;
}

/* Verify what the search relies on when it stopped early. */
static void verify_last(search *s) {
    client_extend(&s->client, GRACE_MS * CLOCK_NS_PER_MS);
    if (s->client.stop.end == END_SPENT && s->strategy != NULL) try_last(s);
    walk_verify(s);
    if (s->config->goal == SEARCH_EACH) tour_verify(s);
}

/* Answer with a fallback, because nothing always fails. */
static void settle_for_fallback(search *s) {
    search_result *r = s->result;
    const fallback_kind kind = fallbacks_preferred(&s->fallbacks);
    if (kind == FALLBACK_KINDS) return;
    fallback *k = &s->fallbacks.of[kind];
    if (kind != FALLBACK_LIMITED) {
        search_rerun(s, &k->failure, failure_reruns_due(&k->failure), RERUNS_ALL);
        r->found = k->failure.repeated > 0;
    }
    r->inconclusive = !r->found;
    failure_keep(&r->best, &k->failure);
    if (r->found && k->state != FALLBACK_ANNOUNCED) {
        search_emit_failure(s, EVENT_BEST, &k->failure);
    }
}

/* Add to each failure the reruns of all failures like it. */
static void attach_evidence(const search *s) {
    search_result *r = s->result;
    r->best.alike = evidence_of(s->evidence, &r->best);
    for (size_t i = 0; i < r->each.count; i++) {
        r->each.list[i].best.alike = evidence_of(s->evidence, &r->each.list[i].best);
    }
    for (size_t i = 0; i < r->others.count; i++) {
        r->others.list[i].alike = evidence_of(s->evidence, &r->others.list[i]);
    }
}

/* List the smallest flaky failure too, if it is like the best and smaller. */
static void list_smaller_flaky(search *s) {
    search_result *r = s->result;
    const fallback *flaky = &s->fallbacks.of[FALLBACK_FLAKY];
    if (flaky->state == FALLBACK_NONE || !failure_is_alike(&flaky->failure, &r->best)) return;
    if (flaky->failure.input.size >= r->best.input.size) return;
    distinct_failures_put(&r->others, r->others.count, &flaky->failure);
}

static void conclude_smallest(search *s) {
    search_result *r = s->result;
    for (size_t i = 0; i < s->bests.count; i++)
        distinct_failures_add(&r->others, &s->bests.list[i]);
    if (s->bests.count > 0) {
        r->found = true;
        failure_keep(&r->best, bests_smallest(&s->bests));
    } else {
        settle_for_fallback(s);
    }
    if (s->strategy != NULL) r->claim = walk_claim(s, &r->best);
    for (size_t i = 0; i < s->bests.count; i++) {
        assert(!seed_input_less(s->bests.list[i].input, r->best.input));
    }
    if (r->found) distinct_failures_remove(&r->others, &r->best);
    if (r->found) list_smaller_flaky(s);
}

static void conclude_each(search *s) {
    search_result *r = s->result;
    tour_conclude(s);
    if (r->each.count == 0) {
        settle_for_fallback(s);
        if (s->strategy != NULL) r->claim = walk_claim(s, &r->best);
        return;
    }
    r->found = true;
    failure_keep(&r->best, &r->each.list[0].best);
    r->claim = r->each.list[0].claim;
}

static void conclude(search *s) {
    search_result *r = s->result;
    switch (s->config->goal) {
    case SEARCH_SMALLEST: conclude_smallest(s); break;
    case SEARCH_EACH: conclude_each(s); break;
    }
    const run_stop *stop = &s->client.stop;
    if (stop->end == END_SPENT && stop->cut_ns > 0) search_result_hung(r, stop->cut, CAUSE_BUDGET);
    attach_evidence(s);
    r->reruns = s->client.reruns;
    r->stop = s->client.stop;
    r->elapsed_ns = clock_now_ns() - s->start_ns;
}

/* ---- Hooks of the client ---- */

/* Passes and failures of one program say nothing of another. */
static void on_result(void *context, const run_result *r) {
    search *s = context;
    if (!file_stamp_is_known(&r->program)) return;
    if (!file_stamp_is_known(&s->program)) s->program = r->program;
    if (!file_stamp_equal(&s->program, &r->program)) client_stop(&s->client, END_REBUILT);
}

static void on_idle(void *context) { search_emit_progress(context); }

/* ---- The search ---- */

static bool prepare(search *s, pool *p) {
    const client_hooks hooks = {s, on_result, on_idle};
    s->start_ns = clock_now_ns();
    client_init(&s->client, p, &(client_config){s->config->deadline_ns, s->sink, hooks});
    s->evidence = evidence_create();
    s->lineup = lineup_create();
    return bests_init(&s->bests) && s->evidence != NULL && s->lineup != NULL;
}

static void run(search *s) {
    switch (s->config->goal) {
    case SEARCH_SMALLEST: find_smallest(s); break;
    case SEARCH_EACH: tour_run(s); break;
    }
    verify_last(s);
    conclude(s);
}

void search_run(const search_config *config, pool *p, const event_sink *sink,
                search_result *result) {
    memset(result, 0, sizeof *result);
    search *s = calloc(1, sizeof *s);
    if (s == NULL) {
        run_stop_broken(&result->stop, ENOMEM);
        return;
    }
    s->config = config;
    s->sink = sink;
    s->result = result;
    if (prepare(s, p)) {
        run(s);
    } else {
        run_stop_broken(&result->stop, ENOMEM);
    }
    strategy_destroy(s->strategy);
    lineup_destroy(s->lineup);
    evidence_destroy(s->evidence);
    bests_finish(&s->bests);
    fallbacks_finish(&s->fallbacks);
    free(s);
}

void search_result_hung(search_result *r, seed_input input, failure_cause cause) {
    if (r->found || (r->inconclusive && r->best.cause != CAUSE_BUDGET)) return;
    r->inconclusive = true;
    failure_drop(&r->best);
    r->best = (failure){
        .input = input, .signature = {SIGNATURE_TIMEOUT, 0}, .cause = cause, .output = NULL};
}

void search_finish(search_result *r) {
    failure_drop(&r->best);
    stages_clear(&r->each);
    distinct_failures_finish(&r->others);
}
