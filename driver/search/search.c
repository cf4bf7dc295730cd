#include "search_events.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 2000 }; /* for the last reruns after the budget is spent */

/* Look for no leaks for a while, or for ever, after a run that seemed to leak and did not: to find
 * that out takes as long as thousands of runs. The time is counted in runs, so that --rng-seed
 * repeats the search. */
static void rest_from_leaks(search *s, leak_finding leak) {
    if (leak == LEAK_SUSPECTED) s->watched_from = 2 * s->result->runs;
    if (leak == LEAK_OF_START) s->watched_from = UINT64_MAX;
}

static void commit_passes(search *s, const run_result *r) {
    rest_from_leaks(s, r->leak);
    if (strategy_feed(s->strategy, r->ran, false, STRATEGY_DRAWN_UNKNOWN)) {
        pool_cancel(s->client.pool);
        s->ahead = 0;
    }
    search_emit_progress(s);
}

static void commit(search *s, const batch *runs, const run_result *r) {
    s->result->runs += r->ran;
    s->size = runs->size;
    if (r->tally != NULL) {
        tally_merge(&s->result->tally, r->tally);
        strategy_tell_used(s->strategy, tally_most_used(r->tally));
    }
    s->ahead -= runs->count;
    if (r->last.verdict == VERDICT_PASS) {
        commit_passes(s, r);
        return;
    }
    s->ahead = 0;
    const seed_input t = batch_input(runs, r->ran - 1);
    uint64_t drawn = r->last.drawn;
    const uint32_t ran = r->ran; /* *r does not outlive the reruns */
    const bool trusted = search_judge(s, t, r, &drawn);
    strategy_feed(s->strategy, ran, trusted, drawn);
    strategy_forget(s->strategy);
    search_emit_progress(s);
}

static void begin_strategy(search *s) {
    const failure *best = bests_smallest(&s->bests);
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

/* Forget the failures of a replaced program: their replay would show something else. */
static void forget_outdated(search *s) {
    distinct_failures *others = &s->result->others;
    size_t kept = 0;
    for (size_t i = 0; i < others->count; i++) {
        if (!program_version_is_outdated(&s->program, &others->list[i].program))
            others->list[kept++] = others->list[i];
    }
    others->count = kept;
}

/* Begin anew with a replaced program: earlier passes say nothing of it, and earlier failures are
 * rerun. */
static void begin_anew(search *s) {
    s->program.is_replaced = false;
    evidence_forget(s->evidence);
    tally_clear(&s->result->tally);
    forget_outdated(s);
    pool_cancel(s->client.pool);
    while (s->bests.count > 0 && client_is_running(&s->client)) {
        failure *best = bests_smallest(&s->bests);
        const failure before = *best;
        best->reruns = best->repeated = 0;
        search_rerun(s, best, 1, RERUNS_UNTIL_PASS);
        if (!client_is_running(&s->client)) {
            if (best->reruns == 0) *best = before;
            s->program.is_replaced = true; /* begin anew if there is time after all */
            return;
        }
        distinct_failures_remove(&s->result->others, &before); /* its signature may have changed */
        const bool fails = best->repeated > 0;
        search_emit_replayed(s, best->input, fails);
        if (fails) {
            distinct_failures_add(&s->result->others, best);
            search_emit_failure(s, EVENT_BEST, best); /* it is a finding of this program, too */
            break;
        }
        evidence_forget(s->evidence); /* it failed in another program: this pass does not make it
                                         flaky */
        bests_drop_smallest(&s->bests);
    }
    if (client_is_running(&s->client)) begin_strategy(s);
}

/* Submit the next batch of the strategy. All its runs are looked at for leaks, or none. */
static strategy_answer submit_next(search *s) {
    const uint64_t number = s->result->runs + s->ahead;
    uint64_t room = pool_batch(s->client.pool);
    if (number < s->watched_from && s->watched_from - number < room) {
        room = s->watched_from - number;
    }
    batch next;
    const strategy_answer answer = strategy_next(s->strategy, (uint32_t)room, &next);
    if (answer != STRATEGY_RUN) return answer;
    s->ahead += next.count;
    pool_submit(s->client.pool, &next, number < s->watched_from ? RUN_TRY_UNWATCHED : RUN_TRY);
    return answer;
}

/* Follow the strategy to its end. */
static void follow(search *s) {
    s->ahead = 0;
    while (client_is_running(&s->client)) {
        if (s->program.is_replaced) {
            begin_anew(s);
            s->ahead = 0;
        }
        strategy_answer answer = STRATEGY_WAIT;
        batch next;
        while (pool_has_room(s->client.pool) && (answer = submit_next(s)) == STRATEGY_RUN) {
        }
        if (answer == STRATEGY_DONE) return;
        const run_result *r = client_wait(&s->client, &next);
        if (r != NULL) commit(s, &next, r);
    }
}

/* Recall the failures that an earlier search of this program saw to be flaky. They are so still. */
static void recall(search *s) {
    for (size_t i = 0; i < s->config->known_count; i++) {
        const search_known *k = &s->config->known[i];
        failure f = {.input = k->input, .signature = k->signature};
        if (k->count.repeated == k->count.reruns) continue;
        memcpy(f.site, k->site, sizeof f.site);
        f.is_site_known = f.site[0] != '\0';
        evidence_add(s->evidence, &f, k->count);
        evidence_set_aside(s->evidence, f.input);
    }
}

/* Rerun earlier failures, the best first, until one still fails. If that one turns out to be flaky,
 * the next call goes on with the next one. */
static void replay_known(search *s) {
    while (s->known_next < s->config->known_count && client_is_running(&s->client) &&
           s->bests.count == 0) {
        const seed_input t = s->config->known[s->known_next++].input;
        if (t.size > s->config->strategy.size_max) continue;
        const client_input input = client_seed(t);
        batch runs;
        const run_result *r = client_run_alone(&s->client, &input, RUN_TRY, &runs);
        if (r == NULL) return;
        s->result->runs++;
        uint64_t drawn = r->last.drawn;
        const bool fails = r->last.verdict != VERDICT_PASS && search_judge(s, t, r, &drawn);
        search_emit_replayed(s, t, fails);
    }
}

/* Rerun the best as often as it takes to call it reliable. If a rerun passes, set it aside and
 * verify the next larger one. Return false if the best changed. Return false also if the program
 * was replaced meanwhile, because the reruns were then of two programs. */
static bool verify(search *s) {
    bool stands = true;
    while (s->bests.count > 0 && client_is_running(&s->client)) {
        failure *best = bests_smallest(&s->bests);
        search_rerun(s, best, failure_reruns_due(best), RERUNS_UNTIL_PASS);
        if (s->program.is_replaced) return false;
        if (!failure_is_flaky(best)) return stands;
        search_set_aside(s, best, FALLBACK_ANNOUNCED);
        bests_drop_smallest(&s->bests);
        stands = false;
    }
    return stands;
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

/* Return the claim for the best. It holds only if the strategy went down from the best, and if none
 * of the runs that passed was a failure that did not repeat. */
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

/* Add to each failure the reruns of all failures like it. */
static void tell_evidence(const search *s) {
    search_result *r = s->result;
    r->best.alike = evidence_of(s->evidence, &r->best);
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

static void conclude(search *s) {
    search_result *r = s->result;
    forget_outdated(s);
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
    if (s->strategy != NULL) r->claim = claim_of(s);
    for (size_t i = 0; i < s->bests.count; i++) {
        assert(!seed_input_less(s->bests.list[i].input, r->best.input));
    }
    if (r->found) distinct_failures_remove(&r->others, &r->best);
    if (r->found) list_smaller_flaky(s);
    tell_evidence(s);
    r->reruns = s->client.reruns;
    r->end = s->client.end;
    r->error = s->client.error;
    r->error_output = s->client.error_output;
    r->error_number = s->client.error_number;
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
    return bests_init(&s->bests) && s->evidence != NULL;
}

static void run(search *s) {
    recall(s);
    do {
        replay_known(s);
        begin_strategy(s);
        follow(s);
    } while (client_is_running(&s->client) && !verify(s));
    client_extend(&s->client, GRACE_MS * CLOCK_NS_PER_MS); /* to verify the best */
    if (s->program.is_replaced && client_is_running(&s->client)) begin_anew(s);
    verify(s);
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
    evidence_destroy(s->evidence);
    bests_finish(&s->bests);
    free(s);
}
