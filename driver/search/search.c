#include "search_events.h"
#include "tour.h"
#include "walk.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 2000 }; /* for the last reruns after the budget is spent */

/* Recall that an earlier search of this program saw a failure to be flaky. It is so still. */
static void recall(search *s, const search_known *k) {
    failure f = {.input = k->input, .signature = k->signature};
    if (k->count.repeated == k->count.reruns) return;
    memcpy(f.site, k->site, sizeof f.site);
    f.is_site_known = f.site[0] != '\0';
    evidence_add(s->evidence, &f, k->count);
    evidence_set_aside(s->evidence, f.input);
}

bool search_take_known(search *s, search_known *known) {
    const search_source *from = &s->config->source;
    if (from->next == NULL || !from->next(from->context, bests_smallest(&s->bests), known))
        return false;
    recall(s, known);
    return true;
}

/* Rerun earlier failures, the best first, until one still fails. If that one turns out to be flaky,
 * the next call goes on with the next one. */
static void replay_known(search *s) {
    search_known known;
    while (client_is_running(&s->client) && s->bests.count == 0 && search_take_known(s, &known)) {
        if (!walk_replay(s, known.input)) return;
    }
}

/* Search for the smallest failure. */
static void find_smallest(search *s) {
    do {
        replay_known(s);
        walk_begin(s);
        walk_follow(s);
    } while (client_is_running(&s->client) && !walk_verify(s));
}

/* Verify what the search relies on when it stopped early. */
static void verify_last(search *s) {
    client_extend(&s->client, GRACE_MS * CLOCK_NS_PER_MS);
    if (s->program.is_replaced && client_is_running(&s->client)) {
        switch (s->config->goal) {
        case SEARCH_SMALLEST: walk_begin_anew(s); break;
        case SEARCH_EACH: tour_begin_anew(s); break;
        }
    }
    walk_verify(s);
}

void search_forget_outdated(search *s) {
    distinct_failures *others = &s->result->others;
    size_t kept = 0;
    for (size_t i = 0; i < others->count; i++) {
        if (!program_version_is_outdated(&s->program, &others->list[i].program))
            others->list[kept++] = others->list[i];
    }
    others->count = kept;
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
    r->best = k->failure;
    if (r->found && k->state != FALLBACK_ANNOUNCED) {
        search_emit_failure(s, EVENT_BEST, &k->failure);
    }
}

/* Add to each failure the reruns of all failures like it. */
static void tell_evidence(const search *s) {
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
    search_forget_outdated(s);
    for (size_t i = 0; i < s->bests.count; i++) {
        if (!program_version_is_outdated(&s->program, &s->bests.list[i].program))
            distinct_failures_add(&r->others, &s->bests.list[i]);
    }
    if (s->bests.count > 0) {
        r->found = true;
        r->best = *bests_smallest(&s->bests);
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
    r->best = r->each.list[0].best;
    r->claim = r->each.list[0].claim;
}

static void conclude(search *s) {
    search_result *r = s->result;
    switch (s->config->goal) {
    case SEARCH_SMALLEST: conclude_smallest(s); break;
    case SEARCH_EACH: conclude_each(s); break;
    }
    tell_evidence(s);
    r->reruns = s->client.reruns;
    r->end = s->client.end;
    r->error = s->client.error;
    r->error_output = s->client.error_output;
    r->error_number = s->client.error_number;
    if (s->corpus != NULL) r->guide = corpus_count(s->corpus);
    r->elapsed_ns = clock_now_ns() - s->start_ns;
}

/* ---- Hooks of the client ---- */

static void on_result(void *context, const run_result *r) {
    search *s = context;
    if (program_version_update(&s->program, &r->program)) search_emit_rebuilt(s);
}

static void on_idle(void *context) { search_emit_progress(context); }

/* ---- The search ---- */

static bool prepare(search *s, pool *p) {
    const client_hooks hooks = {s, on_result, on_idle};
    s->start_ns = clock_now_ns();
    client_init(&s->client, p, s->config->deadline_ns, s->sink, hooks);
    s->evidence = evidence_create();
    s->lineup = lineup_create();
    if (s->config->guides) {
        s->corpus = corpus_create(pool_known(p), s->config->strategy.master_seed);
        if (s->corpus == NULL) return false;
    }
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
    search *s = calloc(1, sizeof *s); /* its failures are too large for a small stack */
    if (s == NULL) {
        result->error_number = ENOMEM;
        result->end = END_BROKEN;
        return;
    }
    s->config = config;
    s->sink = sink;
    s->result = result;
    if (prepare(s, p)) {
        run(s);
    } else {
        result->error_number = ENOMEM;
        result->end = END_BROKEN;
    }
    strategy_destroy(s->strategy);
    corpus_destroy(s->corpus);
    lineup_destroy(s->lineup);
    evidence_destroy(s->evidence);
    bests_finish(&s->bests);
    free(s);
}
