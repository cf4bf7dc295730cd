/* The search for the smallest failure.
 *
 * The strategy (strategy.h) says which batches to run. The search submits them ahead of results, as
 * if all in flight will pass, takes the results in their order, judges runs that failed
 * (judge.h), and feeds the strategy, until that has nothing left to run: follow(). At its end the
 * best is verified by 20 reruns. If one passes, a new strategy begins from the best before it.
 *
 * Inputs that failed in other searches come from a source: all of them before the first strategy
 * begins, or those that may be news between two results. They are run like any other input.
 *
 * With --all the search goes in rounds (find_each). A round is a search in which the answers so far
 * count as passes, as if --ignore named them: it begins from the smallest failure that is not like
 * an answer, or else grows, and ends with one more answer. The last round only grows, and finds
 * nothing. A failure smaller than the answer that it is like is news in any round. With
 * --keep-going each answer is a failure to go down from again after that, with twice the
 * attempts. */
#include "search.h"

#include "judge.h"
#include "pool.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 2000 }; /* for the last reruns after the budget is spent */

/* ---- Progress ---- */

/* Return the claim for this best. It holds only if the strategy went down from the best, and if
 * none of the runs that passed was a failure that did not repeat. */
static strategy_claim claim_of(const search *s, const failure *best) {
    if (s->strategy == NULL) return (strategy_claim){.run = {.bound = 1}};
    strategy_claim claim = strategy_claim_now(s->strategy);
    const bool is_of_best =
        best != NULL && best->repeated > 0 && seed_input_equal(claim.best, best->input);
    if (claim.failed && (!is_of_best || search_is_unreliable_size(s, claim.run.below))) {
        claim.run.passed = claim.run.counted = 0;
        claim.run.bound = 1;
    }
    return claim;
}

progress search_progress(const search *s) {
    return (progress){.size = s->size,
                      .runs = s->result->runs,
                      .reruns = s->client.reruns,
                      .elapsed_ns = clock_now_ns() - s->start_ns,
                      .best = search_best(s),
                      .claim = claim_of(s, search_best(s)).run,
                      .stint = s->strategy != NULL ? strategy_stint_now(s->strategy)
                                                   : (search_stint){.size = 0}};
}

static void emit_progress(void *context) {
    const search *s = context;
    event_emit(s->sink, &(event){.kind = EVENT_PROGRESS, .progress = search_progress(s)});
}

/* Passes and failures of one program say nothing of another. */
static void on_result(void *context, const run_result *r) {
    search *s = context;
    if (!file_stamp_is_known(&r->program)) return;
    if (!file_stamp_is_known(&s->program)) s->program = r->program;
    if (!file_stamp_equal(&s->program, &r->program)) client_stop(&s->client, END_REBUILT);
}

/* ---- Batches and their results ---- */

void search_cancel(search *s) {
    pool_cancel(s->client.pool);
    s->under_way = 0;
}

/* Cancel all batches under way, also of the strategy. */
static void cancel(search *s) {
    search_cancel(s);
    strategy_forget(s->strategy);
}

/* Look for no leaks for a while, or for ever, after a run that seemed to leak and did not: to find
 * that out takes as long as thousands of runs. The time is counted in runs, so that --rng-seed
 * repeats the search. Return true if batches under way look for leaks in vain. */
static bool rest_from_leaks(search *s, leak_finding leak) {
    if (leak == LEAK_SUSPECTED) s->watched_from = 2 * s->result->runs;
    if (leak == LEAK_OF_START) s->watched_from = UINT64_MAX;
    return leak == LEAK_SUSPECTED || leak == LEAK_OF_START;
}

/* Judge the last run of a batch, which did not pass, and count it. */
static strategy_result judge_last(search *s, const batch *b, const run_result *r, uint64_t *drawn,
                                  tested_runs *tested) {
    const bool is_hang = r->last.verdict == VERDICT_TIMEOUT; /* *r does not outlive the reruns */
    switch (search_judge(s, batch_input(b, r->ran - 1), r, drawn)) {
    case JUDGED_FAILED: tested->failures++; return STRATEGY_FAILED;
    case JUDGED_UNRELIABLE: tested->unreliable++; return STRATEGY_PASSED;
    case JUDGED_MASKED: tested->others++; break;
    }
    return is_hang ? STRATEGY_MASKED_BY_HANG : STRATEGY_MASKED;
}

/* Take the result of the oldest batch. A batch ends at its first run that does not pass. A masked
 * run that needed no rerun leaves the batches after it valid, and the rest of its own goes on. */
static void commit(search *s, const batch *b, const run_result *r) {
    const bool passes = r->last.verdict == VERDICT_PASS;
    const bool has_tally = r->tally != NULL; /* *r does not outlive the reruns */
    const bool is_counted = has_tally && r->tally->runs == r->ran;
    const uint32_t ran = r->ran, count = b->count;
    uint64_t drawn = r->last.drawn;
    strategy_result last = STRATEGY_PASSED;
    bool is_void = false;
    strategy_draws draws = {0, 0, 0};
    tested_runs tested = {.size = b->size,
                          .runs = ran,
                          .drawn = is_counted ? tally_sum_drawn(r->tally) : UINT64_MAX,
                          .is_fresh =
                              strategy_stint_now(s->strategy).activity != ACTIVITY_BISECTING};
    s->under_way -= count;
    s->result->runs += ran;
    s->result->passed += ran - !passes;
    s->size = b->size;
    if (has_tally) {
        tally_merge(&s->result->tally, r->tally);
        draws = (strategy_draws){tally_most_used(r->tally), tally_sum_drawn(r->tally),
                                 r->tally->ran_out};
    }
    if (passes) {
        is_void = rest_from_leaks(s, r->leak);
    } else {
        last = judge_last(s, b, r, &drawn, &tested);
    }
    is_void |= strategy_feed(s->strategy, ran, last, drawn, has_tally ? &draws : NULL);
    if (is_void || s->under_way == 0) {
        cancel(s);
    } else if (ran < count) {
        pool_continue(s->client.pool, ran);
        s->under_way += count - ran;
    }
    emit_progress(s);
    event_emit(s->sink,
               &(event){.kind = EVENT_TESTED, .tested = &tested, .progress = search_progress(s)});
}

/* Submit the next batch of the strategy. All its runs are looked at for leaks, or none. */
static strategy_answer submit_next(search *s) {
    const uint64_t number = s->result->runs + s->under_way;
    const bool is_watched = number >= s->watched_from;
    uint64_t room = pool_batch(s->client.pool, strategy_next_size(s->strategy));
    if (!is_watched && s->watched_from - number < room) room = s->watched_from - number;
    batch next;
    const strategy_answer answer = strategy_next(s->strategy, (uint32_t)room, &next);
    if (answer != STRATEGY_RUN) return answer;
    pool_submit(s->client.pool, &next, is_watched ? RUN_TRY : RUN_TRY_UNWATCHED);
    s->under_way += next.count;
    return answer;
}

/* ---- Inputs of other searches ---- */

/* True if a run of an input of another search would show nothing new, or cannot be made. */
static bool is_no_news(const search *s, const failure *f) {
    const failure *best = search_best(s);
    const distinct_failures *others = &s->result->others;
    const size_t i = distinct_failures_find(others, f);
    const failure *like = i < others->count ? &others->list[i] : NULL;
    const bool is_sure = f->alike.reruns > 0 && f->alike.repeated == f->alike.reruns;
    if (f->input.size > s->config->strategy.size_max) return true;
    if (s->config->goal == SEARCH_EACH) {
        return is_sure && like != NULL && failure_is_same(like, f) && !failure_is_flaky(like) &&
               like->input.size <= f->input.size;
    }
    if (best == NULL || seed_input_less(f->input, best->input)) return false;
    return f->alike.reruns == 0 || like == NULL || !seed_input_less(f->input, like->input);
}

/* Take the next input of other searches that may be news, from the source, into s->known. Return
 * false if there is none now. An input that was not run comes again. */
static bool take_known(search *s) {
    const search_source *from = &s->config->source;
    if (s->is_known_untried) return true;
    if (from->next == NULL) return false;
    do {
        if (!from->next(from->context, search_best(s), &s->known)) return false;
        search_recall(s, &s->known);
    } while (is_no_news(s, &s->known));
    s->is_known_untried = true;
    return true;
}

/* Run s->known. Return false if the client stopped before that. */
static bool replay_known(search *s) {
    const seed_input t = s->known.input;
    const client_input input = client_seed(t);
    batch b;
    const run_result *r = client_run_alone(&s->client, &input, RUN_TRY, &b);
    if (r == NULL) return false;
    const bool passes = r->last.verdict == VERDICT_PASS;
    uint64_t drawn = r->last.drawn;
    s->is_known_untried = false;
    s->result->runs++;
    s->result->passed += passes;
    const bool fails = !passes && search_judge(s, t, r, &drawn) != JUDGED_UNRELIABLE;
    event_emit(s->sink, &(event){.kind = EVENT_REPLAYED, .input = &t, .fails = fails});
    return true;
}

/* Before a strategy begins, run earlier failures, the best first: all of them (SEARCH_EACH), or
 * until one still fails. If that one turns out to be flaky, the next call goes on with the next. */
static void replay_earlier(search *s) {
    while (client_is_running(&s->client) &&
           (s->config->goal == SEARCH_EACH || search_best(s) == NULL) && take_known(s)) {
        if (!replay_known(s)) return;
    }
}

/* Run an input that another search found meanwhile, and go on below it if it fails and is the
 * smallest. What is under way is cancelled only for that. Return false if there is none now. */
static bool try_known(search *s) {
    const failure *best = search_best(s);
    const seed_input before = best != NULL ? best->input : (seed_input){.size = UINT64_MAX};
    if (!take_known(s)) return false;
    cancel(s);
    if (replay_known(s)) {
        best = search_best(s);
        if (best != NULL && seed_input_less(best->input, before))
            strategy_adopt(s->strategy, best->input);
    }
    emit_progress(s);
    return true;
}

/* ---- The way down ---- */

/* Begin a strategy from the best, or from nothing. */
static void begin(search *s) {
    const failure *best = search_best(s);
    const seed_input *from = best != NULL ? &best->input : NULL;
    strategy *before = s->strategy;
    if (before != NULL) {
        s->strategy = strategy_continue(before, from, s->result->each.count > 0);
        strategy_destroy(before);
    } else {
        s->strategy = strategy_create(&s->config->strategy, from);
    }
    if (s->strategy == NULL) client_stop_broken(&s->client, ENOMEM);
}

/* Follow the strategy to its end, and take what the source has meanwhile. */
static void follow(search *s) {
    while (client_is_running(&s->client)) {
        if (try_known(s)) continue;
        strategy_answer answer = STRATEGY_WAIT;
        batch b;
        while (pool_has_room(s->client.pool) && (answer = submit_next(s)) == STRATEGY_RUN) continue;
        if (answer == STRATEGY_DONE) return;
        const run_result *r = client_wait(&s->client, &b);
        if (r != NULL) commit(s, &b, r);
    }
}

/* At the end, go on with twice the attempts if the search keeps going. Return false if it does not,
 * if the client has stopped, or if nothing smaller is left to run. */
static bool goes_on(search *s) {
    return s->config->keeps_going && client_is_running(&s->client) &&
           strategy_raise_attempts(s->strategy);
}

/* Verify the best. If a rerun passes, verify the next larger one. Return false if the best
 * changed. */
static bool verify_best(search *s) {
    bool stands = true;
    found *best;
    while ((best = search_smallest(s, FOUND_SURE)) != NULL && client_is_running(&s->client)) {
        if (search_verify(s, best)) return stands;
        stands = false;
    }
    return stands;
}

/* Go down to the smallest failure; if the search keeps going, again and again. Return false if
 * reruns show that the best does not hold. */
static bool go_down(search *s) {
    replay_earlier(s);
    begin(s);
    do {
        follow(s);
        if (client_is_running(&s->client) && !verify_best(s)) return false;
    } while (goes_on(s));
    return true;
}

/* ---- Rounds ---- */

/* Put an answer in its place, unless the one of its signature is better. Return the answer for its
 * signature, or NULL if there is no room for one. */
static const search_answer *put_answer(search *s, const failure *f, const strategy_claim *claim) {
    search_answers *each = &s->result->each;
    search_answer *at = search_answer_like(each, f);
    if (at == NULL) {
        if (each->count == DISTINCT_FAILURES_MAX) return NULL;
        at = &each->list[each->count++];
        *at = (search_answer){.claim = *claim};
    } else if (f->input.size >= at->best.input.size &&
               !(seed_input_equal(f->input, at->best.input) &&
                 claim->run.bound < at->claim.run.bound)) {
        return at;
    }
    at->claim = *claim;
    failure_keep(&at->best, f);
    return at;
}

/* The best, which was verified, answers for its signature. Hand it to the caller; the time that
 * this takes does not count for the deadline. */
static void answer(search *s) {
    const search_config *c = s->config;
    const failure *best = search_best(s);
    const strategy_claim claim = claim_of(s, best);
    const search_answer *at = put_answer(s, best, &claim);
    for (size_t i = 0; i < s->count; i++) {
        found *e = &s->list[i];
        if (e->state == FOUND_SURE && search_is_answered(s, &e->failure)) e->state = FOUND_ANSWERED;
    }
    if (c->take_answer == NULL || at == NULL) return;
    const int64_t start_ns = clock_now_ns();
    const size_t number = (size_t)(at - s->result->each.list);
    if (!c->take_answer(c->listener, number, &at->best)) client_stop(&s->client, END_INTERRUPTED);
    int64_t *deadline_ns = &s->client.config.deadline_ns;
    *deadline_ns = clock_after(*deadline_ns, clock_now_ns() - start_ns);
}

/* Answer with the smallest flaky failure of each signature that never failed always. Rerun it as
 * often as it takes to say how flaky it is. */
static void answer_flaky(search *s) {
    static const strategy_claim none = {.failed = true, .run = {.bound = 1}};
    for (size_t i = 0; i < s->count; i++) {
        found *e = &s->list[i];
        if (e->state != FOUND_FLAKY || search_answer_like(&s->result->each, &e->failure) != NULL)
            continue;
        if (client_is_running(&s->client))
            search_rerun(s, &e->failure, failure_reruns_due(&e->failure), RERUNS_ALL);
        put_answer(s, &e->failure, &none);
    }
}

/* At the end of a round without a failure: if the search keeps going, go down from each answer
 * again where something smaller is left to run. Return false if the search is over. */
static bool begin_again(search *s) {
    const run_claim grown = strategy_claim_now(s->strategy).run;
    if (!grown.is_partial && grown.rounds >= s->result->grown.rounds) s->result->grown = grown;
    if (!goes_on(s)) return false;
    const search_answers *each = &s->result->each;
    for (size_t i = 0; i < s->count; i++) {
        found *e = &s->list[i];
        for (size_t k = 0; k < each->count && e->state == FOUND_ANSWERED; k++) {
            const seed_input best = each->list[k].best.input;
            if (best.size > 1 && seed_input_equal(e->failure.input, best)) e->state = FOUND_SURE;
        }
    }
    return true;
}

static void find_each(search *s) {
    bool begins = true;
    replay_earlier(s);
    while (client_is_running(&s->client)) {
        if (begins) begin(s);
        follow(s);
        begins = true;
        if (!client_is_running(&s->client) || !verify_best(s)) continue;
        if (search_best(s) != NULL) {
            answer(s);
        } else if (begin_again(s)) {
            begins = search_best(s) != NULL; /* else the round grows on */
        } else {
            return; /* nothing is left to find */
        }
    }
}

/* ---- The end ---- */

/* Verify the smallest sure failure of each signature. */
static void verify_each(search *s) {
    for (size_t i = 0; i < s->count && client_is_running(&s->client); i++) {
        found *e = &s->list[i];
        bool is_first = e->state == FOUND_SURE;
        for (size_t k = 0; k < i; k++) {
            is_first &= s->list[k].state != FOUND_SURE ||
                        !failure_is_same(&s->list[k].failure, &e->failure);
        }
        if (is_first) search_verify(s, e);
    }
}

/* Verify what the search relies on when it stopped early. Run what other searches have found until
 * the deadline: all of them end with the same best. */
static void verify_last(search *s) {
    client_extend(&s->client, GRACE_MS * CLOCK_NS_PER_MS);
    if (s->client.stop.end == END_SPENT && s->strategy != NULL) {
        while (client_is_running(&s->client) && try_known(s)) continue;
    }
    verify_best(s);
    if (s->config->goal == SEARCH_EACH) verify_each(s);
}

/* Answer with a failure that the search does not rely on, because nothing always fails. */
static void settle(search *s) {
    search_result *r = s->result;
    found *e = NULL;
    for (found_state state = FOUND_FLAKY; e == NULL && state <= FOUND_LIMITED; state++)
        e = search_smallest(s, state);
    if (e == NULL) return;
    if (e->state != FOUND_LIMITED) {
        search_rerun(s, &e->failure, failure_reruns_due(&e->failure), RERUNS_ALL);
        r->found = e->failure.repeated > 0;
    }
    r->inconclusive = !r->found;
    failure_keep(&r->best, &e->failure);
    if (r->found && !e->is_announced) search_emit_failure(s, EVENT_BEST, &e->failure);
}

static void conclude_smallest(search *s) {
    search_result *r = s->result;
    const failure *best = search_best(s);
    for (size_t i = s->count; i > 0; i--) {
        if (s->list[i - 1].state == FOUND_SURE)
            distinct_failures_add(&r->others, &s->list[i - 1].failure);
    }
    if (best != NULL) {
        r->found = true;
        failure_keep(&r->best, best);
    } else {
        settle(s);
    }
    r->claim = claim_of(s, &r->best);
    if (!r->found) return;
    distinct_failures_remove(&r->others, &r->best);
    const found *flaky = search_smallest(s, FOUND_FLAKY); /* listed too if it is like the best */
    if (flaky != NULL && failure_is_alike(&flaky->failure, &r->best) &&
        flaky->failure.input.size < r->best.input.size) {
        distinct_failures_put(&r->others, r->others.count, &flaky->failure);
    }
}

static int compare(const void *a, const void *b) {
    const failure *x = &((const search_answer *)a)->best, *y = &((const search_answer *)b)->best;
    if (failure_is_of_flaky(x) != failure_is_of_flaky(y)) return failure_is_of_flaky(x) ? 1 : -1;
    return seed_input_less(x->input, y->input) ? -1 : seed_input_less(y->input, x->input) ? 1 : 0;
}

/* Answer also with what no round has come to. */
static void conclude_each(search *s) {
    search_result *r = s->result;
    for (size_t i = 0; i < s->count; i++) {
        const failure *f = &s->list[i].failure;
        strategy_claim claim = claim_of(s, f);
        claim.failed = true;
        if (s->list[i].state == FOUND_SURE) put_answer(s, f, &claim);
    }
    answer_flaky(s);
    distinct_failures_finish(&r->others);
    for (size_t i = 0; i < r->each.count; i++)
        r->each.list[i].best.alike = search_evidence(s, &r->each.list[i].best);
    qsort(r->each.list, r->each.count, sizeof r->each.list[0], compare);
    if (r->each.count == 0) {
        settle(s);
        r->claim = claim_of(s, &r->best);
        return;
    }
    r->found = true;
    failure_keep(&r->best, &r->each.list[0].best);
    r->claim = r->each.list[0].claim;
}

static void conclude(search *s) {
    search_result *r = s->result;
    const run_stop *stop = &s->client.stop;
    switch (s->config->goal) {
    case SEARCH_SMALLEST: conclude_smallest(s); break;
    case SEARCH_EACH: conclude_each(s); break;
    }
    if (stop->end == END_SPENT && stop->cut_ns > 0) search_result_hung(r, stop->cut, CAUSE_BUDGET);
    r->best.alike = search_evidence(s, &r->best);
    for (size_t i = 0; i < r->others.count; i++)
        r->others.list[i].alike = search_evidence(s, &r->others.list[i]);
    r->reruns = s->client.reruns;
    r->stop = *stop;
    r->elapsed_ns = clock_now_ns() - s->start_ns;
}

void search_run(const search_config *config, pool *p, const event_sink *sink,
                search_result *result) {
    memset(result, 0, sizeof *result);
    search *s = calloc(1, sizeof *s);
    found *list = calloc(FOUND_MAX, sizeof *list);
    if (s == NULL || list == NULL) {
        run_stop_broken(&result->stop, ENOMEM);
    } else {
        const client_hooks hooks = {s, on_result, emit_progress};
        s->config = config;
        s->sink = sink;
        s->result = result;
        s->list = list;
        s->start_ns = clock_now_ns();
        client_init(&s->client, p, &(client_config){config->deadline_ns, sink, hooks});
        if (config->goal == SEARCH_EACH) find_each(s);
        while (config->goal == SEARCH_SMALLEST && !go_down(s)) continue;
        verify_last(s);
        conclude(s);
        strategy_destroy(s->strategy);
        while (s->count > 0) failure_drop(&s->list[--s->count].failure);
    }
    free(list);
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
    while (r->each.count > 0) failure_drop(&r->each.list[--r->each.count].best);
    distinct_failures_finish(&r->others);
}
