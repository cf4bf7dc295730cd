#include "search_state.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 2000 }; /* for the last reruns once the budget is spent */

static void commit(search *s, const batch *runs, const run_result *r) {
    s->result->runs += r->ran;
    s->size = runs->size;
    if (r->last.verdict == VERDICT_PASS) {
        strategy_feed(s->strategy, r->ran, false, STRATEGY_DRAWN_UNKNOWN);
        search_emit_progress(s);
        return;
    }
    const seed_input t = batch_input(runs, r->ran - 1);
    uint64_t drawn = r->last.drawn;
    const uint32_t ran = r->ran; /* *r does not outlive the reruns */
    const bool trusted = search_judge(s, t, r, &drawn);
    strategy_feed(s->strategy, ran, trusted, drawn);
    strategy_forget(s->strategy);
    search_emit_progress(s);
}

static void begin_strategy(search *s) {
    const failure *best = search_best(s);
    strategy *before = s->strategy;
    if (before != NULL) {
        s->strategy = strategy_continue(before, best != NULL ? &best->input : NULL);
    } else if (best != NULL) {
        s->strategy = strategy_resume(&s->config->strategy, best->input);
    } else {
        s->strategy = strategy_create(&s->config->strategy);
    }
    strategy_destroy(before);
    if (s->strategy != NULL) return;
    s->client.error_number = ENOMEM;
    client_stop(&s->client, END_BROKEN);
}

/* A replay of such would show something else. */
static void forget_outdated(search *s) {
    distinct_failures *others = &s->result->others;
    size_t kept = 0;
    for (size_t i = 0; i < others->count; i++) {
        if (!search_is_outdated(s, &others->list[i])) others->list[kept++] = others->list[i];
    }
    others->count = kept;
}

static void emit_replayed(const search *s, const seed_input *input, bool fails) {
    event_emit(s->sink, &(event){.kind = EVENT_REPLAYED, .input = input, .fails = fails});
}

/* The program is another now: what passed says nothing of it, and what failed is run again. */
static void begin_anew(search *s) {
    s->is_rebuilt = false;
    evidence_forget(s->evidence);
    forget_outdated(s);
    pool_cancel(s->client.pool);
    while (s->best_count > 0 && client_is_running(&s->client)) {
        failure *best = &s->bests[s->best_count - 1];
        const failure before = *best;
        best->reruns = best->repeated = 0;
        search_rerun(s, best, 1, RERUNS_UNTIL_PASS);
        if (!client_is_running(&s->client)) {
            if (best->reruns == 0) *best = before;
            s->is_rebuilt = true; /* should there be time after all */
            return;
        }
        distinct_failures_remove(&s->result->others, &before); /* it may be another one now */
        const bool fails = best->repeated > 0;
        emit_replayed(s, &best->input, fails);
        if (fails) {
            distinct_failures_add(&s->result->others, best);
            search_announce(s, best, true); /* of this program it is a finding, too */
            break;
        }
        evidence_forget(s->evidence); /* it failed in another program: its pass is no flaky one */
        s->best_count--;
    }
    if (client_is_running(&s->client)) begin_strategy(s);
}

/* Follow the strategy to its end. */
static void follow(search *s) {
    while (client_is_running(&s->client)) {
        if (s->is_rebuilt) begin_anew(s);
        strategy_answer answer = STRATEGY_WAIT;
        batch next;
        while (pool_has_room(s->client.pool) &&
               (answer = strategy_next(s->strategy, pool_batch(s->client.pool), &next)) ==
                   STRATEGY_RUN) {
            pool_submit(s->client.pool, &next, RUN_TRY);
        }
        if (answer == STRATEGY_DONE) return;
        const run_result *r = client_wait(&s->client, &next);
        if (r != NULL) commit(s, &next, r);
    }
}

/* What an earlier search saw of this program to be flaky is so still. */
static void recall(search *s) {
    for (size_t i = 0; i < s->config->known_count; i++) {
        const search_known *k = &s->config->known[i];
        failure f = {.input = k->input, .signature = k->signature};
        if (k->count.repeated == k->count.reruns) continue;
        memcpy(f.site, k->site, sizeof f.site);
        evidence_add(s->evidence, &f, k->count);
        evidence_set_aside(s->evidence, f.input);
    }
}

/* Run again what failed before, from the best on, until something fails still. When that turns out
 * to be flaky, the next one has its turn. */
static void replay_known(search *s) {
    while (s->known_next < s->config->known_count && client_is_running(&s->client) &&
           s->best_count == 0) {
        const seed_input t = s->config->known[s->known_next++].input;
        if (t.size > s->config->strategy.size_max) continue;
        const client_input input = client_seed(t);
        batch runs;
        const run_result *r = client_run_alone(&s->client, &input, RUN_TRY, &runs);
        if (r == NULL) return;
        s->result->runs++;
        uint64_t drawn = r->last.drawn;
        const bool fails = r->last.verdict != VERDICT_PASS && search_judge(s, t, r, &drawn);
        emit_replayed(s, &t, fails);
    }
}

/* Rerun the best as often as it takes to call it reliable. One that is not is set aside, for the
 * next larger. Returns true when the best now stands; false as well when the program was replaced
 * meanwhile, as its reruns were of two programs then. */
static bool verify(search *s) {
    bool stands = true;
    while (s->best_count > 0 && client_is_running(&s->client)) {
        failure *best = &s->bests[s->best_count - 1];
        search_rerun(s, best, failure_reruns_due(best), RERUNS_UNTIL_PASS);
        if (s->is_rebuilt) return false;
        if (!failure_is_flaky(best)) return stands;
        search_set_aside(s, best, true);
        s->best_count--;
        stands = false;
    }
    return stands;
}

/* The best of what is left when nothing repeats always. */
static void settle_for_flaky(search *s) {
    failure *f = s->has_flaky ? &s->flaky : &s->once;
    if (!s->has_flaky && !s->has_once) {
        s->result->inconclusive = s->has_limited;
        s->result->best = s->limited;
        return;
    }
    search_rerun(s, f, failure_reruns_due(f), RERUNS_ALL);
    s->result->found = f->repeated > 0;
    s->result->inconclusive = f->repeated == 0;
    s->result->best = *f;
    if (f->repeated > 0 && !(s->has_flaky && s->flaky_told)) search_announce(s, f, true);
}

/* The claim holds for the best only if the strategy went down from it, and if none of the runs that
 * passed was a failure that did not repeat. */
static strategy_claim claim_of(const search *s) {
    const search_result *r = s->result;
    strategy_claim claim = strategy_claim_now(s->strategy);
    const bool is_of_best = r->found && seed_input_equal(claim.best, r->best.input);
    if (claim.failed && (!is_of_best || evidence_is_unreliable_size(s->evidence, claim.below))) {
        claim.passed = 0;
        claim.confidence_bound = 1;
    }
    return claim;
}

/* Say of each failure what is known of all that are like it. */
static void tell_evidence(const search *s) {
    search_result *r = s->result;
    r->best.alike = evidence_of(s->evidence, &r->best);
    for (size_t i = 0; i < r->others.count; i++) {
        r->others.list[i].alike = evidence_of(s->evidence, &r->others.list[i]);
    }
}

static void conclude(search *s) {
    search_result *r = s->result;
    forget_outdated(s);
    for (size_t i = 0; i < s->best_count; i++) {
        if (!search_is_outdated(s, &s->bests[i])) distinct_failures_add(&r->others, &s->bests[i]);
    }
    if (s->best_count > 0) {
        r->found = true;
        r->best = *search_best(s);
    } else {
        settle_for_flaky(s);
    }
    if (s->strategy != NULL) r->claim = claim_of(s);
    for (size_t i = 0; i < s->best_count; i++) {
        assert(!seed_input_less(s->bests[i].input,
                                r->best.input)); /* the smallest, whatever the strategy */
    }
    if (r->found) distinct_failures_remove(&r->others, &r->best);
    if (r->found && s->has_flaky && failure_is_alike(&s->flaky, &r->best) &&
        s->flaky.input.size < r->best.input.size) {
        distinct_failures_put(&r->others, r->others.count, &s->flaky);
    }
    tell_evidence(s);
    r->end = s->client.end;
    r->error = s->client.error;
    r->error_output = s->client.error_output;
    r->error_number = s->client.error_number;
    r->elapsed_ns = clock_now_ns() - s->start_ns;
}

void search_run(const search_config *config, pool *p, const event_sink *sink,
                search_result *result) {
    search s = {.config = config, .sink = sink, .result = result};
    const client_hooks hooks = {&s, search_on_result, search_on_idle};
    memset(result, 0, sizeof *result);
    s.start_ns = clock_now_ns();
    s.bests = calloc(SEARCH_BEST_MAX, sizeof *s.bests);
    s.evidence = evidence_create();
    if (s.bests == NULL || s.evidence == NULL) {
        evidence_destroy(s.evidence);
        free(s.bests);
        result->error_number = ENOMEM;
        result->end = END_BROKEN;
        return;
    }
    client_init(&s.client, p, config->deadline_ns, sink, hooks);
    recall(&s);
    do {
        replay_known(&s);
        begin_strategy(&s);
        follow(&s);
    } while (client_is_running(&s.client) && !verify(&s));
    client_extend(&s.client, GRACE_MS * CLOCK_NS_PER_MS); /* for what was found */
    if (s.is_rebuilt && client_is_running(&s.client)) begin_anew(&s);
    verify(&s);
    conclude(&s);
    strategy_destroy(s.strategy);
    evidence_destroy(s.evidence);
    free(s.bests);
}
