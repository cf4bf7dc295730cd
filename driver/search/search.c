/* The search for the smallest failure.
 *
 * The strategy (strategy.h) says which batches to run. The search submits them ahead of results, as
 * if all in flight will pass, takes the results in their order, judges runs that failed, and feeds
 * the strategy, until that has nothing left to run: follow(). At its end 20 reruns verify the best,
 * 2 if a reduction follows. If one passes, the strategy begins anew from that before.
 *
 * A run that failed counts only once it failed again in a fresh process; a flaky failure counts as
 * a pass. The list of failures has all that were rerun, each with a state. As long as none was seen
 * to be flaky, one rerun is enough, and the best gets all its reruns at the end. From then on the
 * search is strict: each failure must fail in all of them before the strategy relies on it.
 *
 * With --only and --ignore some failures count as passes. With --all the search goes in rounds: so
 * do those that an answer of an earlier round is like. A round begins from the smallest failure
 * that is not like an answer, or else grows, and ends with one more answer. The last round only
 * grows, and finds nothing. A failure smaller than the answer that it is like is news in any round.
 * With --keep-going each answer is then a failure to go down from again, with twice the attempts.
 *
 * Inputs that failed in other searches come from a source: all of them before the first strategy
 * begins, or those that may be news between two results. They are run like any other input. */
#include "search_state.h"

#include "clock.h"
#include "event.h"
#include "output_site.h"

#include <string.h>

enum {
    ENDS_FIRST = 1024,   /* fresh runs before the ends of processes are judged, and again after */
    ENDS_FACTOR = 16,    /* as many times as many: each costs the start of a process */
    PREFIX_RERUNS = 5,   /* to distinguish a prefix that passes from a flaky one */
    UNCONFIRMED_MAX = 16 /* announced failures that never failed again */
};

/* ---- Progress ---- */

/* Return the claim for this best. It holds only if the strategy went down from the best, and if
 * none of the runs that passed was a failure that did not repeat. */
static strategy_claim claim_of(const search *s, const failure *best) {
    if (s->strategy == NULL) return (strategy_claim){.run = {.bound = 1}};
    strategy_claim claim = strategy_claim_now(s->strategy);
    const bool is_of_best =
        best != NULL && best->repeated > 0 && seed_input_equal(claim.best, best->input);
    if (claim.failed && (!is_of_best || failure_table_is_unreliable(s->found, claim.run.below))) {
        claim.run.passed = claim.run.counted = 0;
        claim.run.bound = 1;
    }
    return claim;
}

static progress progress_of(const search *s) {
    const tally *t = &s->result->tally;
    const tally_row *goal = tally_goal(t);
    return (progress){.size = s->size,
                      .runs = s->result->told.progress.runs,
                      .discarded = t->discarded,
                      .reruns = s->client.reruns,
                      .elapsed_ns = clock_now_ns() - s->client.start_ns,
                      .best = failure_table_best(s->found),
                      .failures = s->found,
                      .goal = goal,
                      .goal_most = goal != NULL ? guide_height(s->guide, t, goal) : 0,
                      .claim = claim_of(s, failure_table_best(s->found)).run,
                      .stage = s->strategy != NULL ? strategy_stage(s->strategy)
                                                   : (search_stage){.passed = 0}};
}

static void emit_progress(void *context) {
    const search *s = context;
    event_emit(s->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(s)});
}

static void on_result(void *context, const run_result *r) {
    search *s = context;
    if (s->is_extra) s->cpu_ns += r->cpu_ns;
    s->result->told.end_failed |= r->end_failed;
    s->result->told.ends += r->ends;
    s->differs |= r->known_differ;
}

/* ---- Events ---- */

static void emit_failure(const search *s, event_kind kind, const failure *f) {
    failure with_evidence = *f;
    with_evidence.alike = failure_table_evidence(s->found, f);
    event_emit(s->sink,
               &(event){.kind = kind, .failure = &with_evidence, .progress = progress_of(s)});
}

/* True if the message of a failure of this site may be the first that differs. */
static bool is_comparable(const search *s, const failure *f) {
    return s->result->alike[0].output == NULL && f->site[0] != '\0' && !site_has_kind(f->site);
}

/* Report the first message that differs beyond numbers at a place: with shapes, if not ignored. */
static void compare_message(search *s, const failure *given, failure_row *row) {
    failure of_place = *given, *f = &of_place;
    if (!is_comparable(s, f) || f->output == NULL) return;
    if (standing_of(s, f) == IGNORED) f->site[site_shapeless_length(f->site)] = '\0';
    const failure_row *heard = failure_table_marked(s->found, f, FAILURE_HEARD);
    const failure *first = heard != NULL ? &heard->failure : f;
    if (heard == NULL) {
        if (row == NULL) row = failure_table_row(s->found, f);
        row->marks |= FAILURE_HEARD;
    } else if (first->output != NULL && !output_messages_alike(first->output, f->output, f->site)) {
        failure_keep(&s->result->alike[0], first);
        failure_keep(&s->result->alike[1], f);
        event_emit(s->sink, &(event){.kind = EVENT_ALIKE, .failure = f, .other = first});
    }
}

/* Make a failure the best of its signature. Return false if it is not. */
static bool keep(search *s, failure_row *e) {
    compare_message(s, &e->failure, e);
    return failure_table_keep(s->found, e);
}

/* ---- Reruns ---- */

static void cancel_runs(search *s) {
    pool_cancel(s->client.pool);
    s->under_way = s->cost_under_way = 0;
    if (s->guide != NULL) guide_forget(s->guide);
}

/* Rerun a failure until it has `due` reruns, or until one passes. What is under way is cancelled.
 * Reruns of a failure must be like it if --only asks for it, or once a round of --all pursues it.
 * Else they can fail in any way. */
static void rerun(search *s, failure *f, unsigned due, reruns_until until) {
    failure like = {.signature = f->signature};
    bool is_bound = s->config->filter->only.count > 0;
    if (s->config->goal == SEARCH_EACH) {
        memcpy(like.site, f->site, sizeof like.site);
        like.is_site_known = f->is_site_known;
        is_bound = f->repeated > 0;
    }
    const reruns_job what = {client_seed(f->input), f, is_bound ? &like : NULL, s->is_strict};
    cancel_runs(s);
    reruns_make(&s->client, &what, due, until);
}

/* Return false if the user namespace that the workers are in is why a confirmed failure fails. */
static bool stands_outside(search *s, failure *f, bool is_last) {
    const failure like = {.signature = f->signature};
    const bool is_bound = s->config->filter->only.count > 0 || s->config->goal == SEARCH_EACH;
    const reruns_job what = {client_seed(f->input), f, is_bound ? &like : NULL};
    if (!outside_is_due(&s->outside, f, is_last)) return true;
    cancel_runs(s);
    const bool stands = outside_stands(&s->outside, &s->client, &what);
    return !(s->has_moved |= !stands && !s->outside.is_inside) && stands;
}

/* Count a failure that a limit may have caused, and announce the first of each cause. */
static void note_limited(search *s, const failure *f) {
    if (s->result->told.limited[f->cause]++ == 0)
        event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
}

/* Note a failure that counts as a pass. */
static failure_row *set_aside(search *s, const failure *f) {
    const bool is_limited = failure_lacks_memory(f) || f->cause == CAUSE_WORKER;
    const failure_state state = is_limited        ? FAILURE_LIMITED
                                : f->repeated > 0 ? FAILURE_FLAKY
                                                  : FAILURE_ONCE;
    if (f->cause != CAUSE_NONE) {
        note_limited(s, f);
    } else if (failure_is_flaky(f) && !s->is_strict) {
        s->is_strict = true;
        event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
    }
    failure_row *e = failure_table_note(s->found, f, state);
    const bool is_once = state == FAILURE_ONCE && f->reruns > 0 && f->cause == CAUSE_NONE;
    if (is_once && !e->is_aside && s->unconfirmed++ < UNCONFIRMED_MAX)
        emit_failure(s, EVENT_UNCONFIRMED, f);
    e->is_aside |= f->cause == CAUSE_NONE && f->reruns > 0;
    if (state == FAILURE_FLAKY) keep(s, e);
    return e;
}

/* Rerun a failure that the search relies on. If a rerun passes, it is flaky; if it stands nowhere
 * but in the user namespace, it is taken back. */
static bool verify(search *s, failure_row *sure) {
    failure *f = &sure->failure;
    const bool is_reduced =
        f->input.size < s->config->reduced_below && !s->is_strict && s->client.stop.end == END_DONE;
    rerun(s, f, is_reduced ? FAILURE_RERUNS_OF_REDUCED : failure_reruns_due(f), RERUNS_UNTIL_PASS);
    const bool stands = failure_is_flaky(f) || stands_outside(s, f, true);
    if (stands && !failure_is_flaky(f)) return true;
    sure->state = FAILURE_OTHER; /* the reruns may have shown another site, that of another entry */
    sure->is_best &= stands;
    if (!stands) f->repeated = 0;
    event_emit(s->sink, &(event){.kind = EVENT_REFUTED, .failure = f});
    if (stands) set_aside(s, f)->is_announced = true;
    return false;
}

/* Rerun a failure, more often once a flaky one was seen. The first rerun can show that it is not
 * what the search pursues; then stop. Return true if it always fails and never passed before. */
static bool repeats(search *s, failure *f) {
    const bool was_aside = failure_table_was_aside(s->found, f->input);
    const bool is_strict = s->is_strict && !was_aside;
    if (s->config->goal == SEARCH_EACH || !is_strict) rerun(s, f, 1, RERUNS_UNTIL_PASS);
    const bool is_other = f->repeated > 0 && standing_of(s, f) != NEWS;
    if (is_strict && !is_other && !failure_is_flaky(f))
        rerun(s, f, failure_reruns_due(f), RERUNS_UNTIL_PASS);
    return f->reruns > 0 && !failure_is_flaky(f) && !was_aside && stands_outside(s, f, false) &&
           !failure_is_flaky(f);
}

/* ---- Judging ---- */

/* Note a confirmed failure that the search does not pursue. Without --all, announce it if it is the
 * best of its signature. */
static void take_other(search *s, const failure *f) {
    failure_row *e = failure_table_note(s->found, f, FAILURE_OTHER);
    if (f->repeated > 0 && s->config->goal == SEARCH_SMALLEST && keep(s, e))
        emit_failure(s, EVENT_OTHER, f);
}

/* Take a failure whose reruns all failed. One of another signature can be larger than the best. */
static strategy_result take_sure(search *s, const failure *f) {
    const deed due = standing_deeds[standing_of(s, f)].confirmed;
    if (due == COUNT) ignored_add(&s->result->ignored, f, 1);
    if (due == TELL) take_other(s, f);
    if (due != PURSUE) return STRATEGY_MASKED;
    const failure *best = failure_table_best(s->found);
    const bool is_best = best == NULL || seed_input_less(f->input, best->input);
    const bool is_best_like = keep(s, failure_table_note(s->found, f, FAILURE_SURE));
    if (is_best || is_best_like) emit_failure(s, is_best ? EVENT_BEST : EVENT_OTHER, f);
    return STRATEGY_FAILED;
}

static strategy_result take_as_pass(failure_row *e) {
    e->is_pass = true;
    return STRATEGY_PASSED;
}

/* Judge the drawn prefix of a failing run. The prefix does not always fail, though the run drew no
 * more. It is flaky if it fails at times. It passes if the target looks at how much entropy is
 * left. */
static void judge_prefix(search *s, failure *prefix) {
    if (prefix->cause == CAUSE_NONE && prefix->repeated == 0)
        rerun(s, prefix, PREFIX_RERUNS, RERUNS_ALL);
    const rerun_count alike = failure_table_evidence(s->found, prefix);
    const bool is_flaky = prefix->repeated > 0 || alike.repeated < alike.reruns;
    if (prefix->reruns > 0 && (is_flaky || failure_lacks_memory(prefix))) set_aside(s, prefix);
}

/* Confirm a failed run. Rerun it with the bytes that it drew, if the target reported them. *drawn
 * becomes unknown if that prefix passes: a target may look at how much entropy is left. Then, or if
 * the target reported nothing, rerun it with all bytes. */
static strategy_result confirm(search *s, failure *f, uint64_t *drawn) {
    if (*drawn < f->input.size) {
        failure prefix = *f;
        prefix.input = seed_input_cut(f->input, *drawn);
        if (repeats(s, &prefix)) return take_sure(s, &prefix);
        if (s->has_moved) return STRATEGY_PASSED;
        *drawn = STRATEGY_DRAWN_UNKNOWN;
        judge_prefix(s, &prefix);
        bytes_tail_copy(f->output, &s->printed); /* in place of the prefix's */
        f->reruns = f->repeated = 0;             /* nor was it confirmed, if that was */
        if (failure_lacks_memory(&prefix))
            return take_as_pass(failure_table_note(s->found, f, FAILURE_LIMITED));
    }
    if (repeats(s, f)) return take_sure(s, f);
    if (s->has_moved) return STRATEGY_PASSED;
    return take_as_pass(set_aside(s, f)); /* also if the search stopped before any rerun */
}

/* Judge a failure that --only does not ask for. Confirm one that is new, or smaller than the one
 * known of its signature. */
static strategy_result judge_unwanted(search *s, failure *f) {
    const failure_row *like = failure_table_like(s->found, f);
    const bool is_news = like == NULL || seed_input_less(f->input, like->failure.input);
    if (s->config->goal == SEARCH_EACH || !is_news) return STRATEGY_MASKED;
    rerun(s, f, 1, RERUNS_UNTIL_PASS);
    if (failure_lacks_memory(f)) note_limited(s, f);
    if (!stands_outside(s, f, false)) return STRATEGY_PASSED;
    if (f->reruns > 0) take_other(s, f);
    return STRATEGY_MASKED;
}

/* Set aside a run that stopped its worker. It says nothing of the bytes it got. */
static strategy_result judge_stuck(search *s, seed_input t) {
    const failure f = {.input = t, .signature = {SIGNATURE_TIMEOUT, 0}, .cause = CAUSE_WORKER};
    cancel_runs(s);
    return take_as_pass(set_aside(s, &f));
}

/* Compare the message of a failure that is answered or ignored. A server keeps none: the first few
 * of such failures are rerun for it, and then each whose number is a power of two. */
static bool is_rerun_due(search *s) {
    enum { ALWAYS = 4 };
    const uint64_t number = ++s->unread;
    return number <= ALWAYS || (number & (number - 1)) == 0;
}

static void rerun_masked(search *s, failure *f) {
    if (!is_comparable(s, f)) return;
    rerun(s, f, 1, RERUNS_UNTIL_PASS);
    if (f->repeated > 0) compare_message(s, f, NULL);
}

static void compare_masked(search *s, failure *f, bool has_message) {
    if (has_message)
        compare_message(s, f, NULL);
    else if (is_comparable(s, f) && is_rerun_due(s))
        rerun_masked(s, f);
}

/* Let further runs that fail like this masked one be counted at once. */
static void know(search *s, const failure *f, deed due) {
    const failure_row *like = failure_table_answer(s->found, f);
    known_failure k = {.signature = f->signature};
    if (due == MASK && like == NULL) return;
    if (due == MASK) k.least = like->failure.input.size;
    memcpy(k.site, f->site, sizeof k.site);
    pool_know(s->client.pool, &k);
}

/* Judge a run that did not pass. PASSED: its failure is unreliable, and counts as a pass. MASKED:
 * it is not of what the search pursues. */
static strategy_result judge(search *s, seed_input t, const run_result *r, uint64_t *drawn) {
    if (r->last.verdict == VERDICT_STUCK) return judge_stuck(s, t);
    failure f;
    client_failure(&s->client, &f, r, t);
    bytes_tail_copy(&s->printed, &r->output);
    bytes_tail_copy(&s->heard_last, &r->output);
    f.output = &s->heard_last;
    const deed due = standing_deeds[standing_of_run(s, &f, *drawn)].failed;
    if (due == TELL) return judge_unwanted(s, &f);
    if (due == PURSUE && r->is_repeated) s->client.reruns += f.reruns = f.repeated = 1;
    if (due == PURSUE) return confirm(s, &f, drawn);
    if (due == COUNT) ignored_add(&s->result->ignored, &f, 1);
    if (r->is_shared) know(s, &f, due);
    compare_masked(s, &f, !r->is_shared && r->output.total > 0);
    return STRATEGY_MASKED;
}

/* ---- Batches and their results ---- */

static void cancel(search *s) {
    cancel_runs(s);
    strategy_forget(s->strategy);
}

/* Let the strategy forget what reruns have cancelled. Return true if nothing is under way. */
static bool forget_cancelled(search *s) {
    const bool is_idle = s->under_way == 0 && guide_runs_under_way(s->guide) == 0;
    if (is_idle) strategy_forget(s->strategy);
    return is_idle;
}

/* After a run that only seemed to leak, look for no leaks until there were twice as many runs, or
 * for good: a look costs as much as thousands. True if the batches under way still look. */
static bool rest_from_leaks(search *s, leak_finding leak) {
    if (leak == LEAK_SUSPECTED) s->watched_from = 2 * s->fresh;
    if (leak == LEAK_OF_START) s->watched_from = UINT64_MAX;
    return leak == LEAK_SUSPECTED || leak == LEAK_OF_START;
}

static bool is_guided(const search *s) {
    return s->guide != NULL && guide_has_begun(s->guide) && !strategy_claim_now(s->strategy).failed;
}

static uint64_t cost_of(const search *s, uint64_t runs, uint64_t size) {
    return s->guide != NULL && guide_has_begun(s->guide) ? guide_cost(s->guide, runs, size) : 0;
}

/* Begin with guided runs once each size got its fresh ones. Return true if that changes what comes
 * next. */
static bool begin_to_guide(search *s) {
    if (s->guide == NULL || guide_has_begun(s->guide) || !strategy_has_grown(s->strategy))
        return false;
    const bool by_draws = s->config->needs_goal && tally_goal(&s->result->tally) == NULL;
    if (by_draws && !s->config->climbs_by_draws) return false;
    const uint64_t most = tally_most_used(&s->result->tally);
    s->cost =
        guide_begin(s->guide, by_draws, s->fresh, s->asked, tally_sum_drawn(&s->result->tally),
                    most < s->asked_most ? most : UINT64_MAX);
    return true;
}

/* Bytes do not show that runs are slow, or need a process each. Only past runs decide, so that the
 * bound holds. With a time limit it grows on. True if that changes what comes next. */
static bool settle_strategy(search *s) {
    const bool is_slow = s->cpu_ns >= s->config->cpu_ns &&
                         (!s->config->strategy.endless || strategy_claim_now(s->strategy).failed);
    const bool is_apart = s->client.has_violation || s->is_alone;
    if ((!is_slow && !is_apart) || !strategy_settle(s->strategy)) return false;
    return s->is_cut |= !is_apart, true;
}

/* ---- Runs that failed as known (known_failures.h) ---- */

/* True if a batch counts as it was made. Else it is made again, as far as the strategy asks for it,
 * or without known failures. */
static bool fits(search *s, const batch *b, const known_runs *all, uint32_t ran) {
    const uint32_t last = all->count - (all->list[all->count - 1].run + 1 == ran);
    const bool is_masked = standing_are_masked(s, b, all);
    const uint32_t fit = is_masked ? strategy_fit(s->strategy, ran, all->list, last) : 0;
    if (is_masked && fit == ran) return true;
    if (!is_masked) pool_know_none(s->client.pool, false);
    cancel(s);
    s->fit = fit;
    return false;
}

/* Count them, and compare the messages of some, which cancels what is under way. */
static void count_known(search *s, const batch *b, const known_runs *all) {
    enum { DUE_MAX = 32 };
    failure due[DUE_MAX];
    uint64_t runs[FRNG_KNOWN_MAX] = {0};
    size_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t at = all->list[i].failure;
        runs[at]++;
        if (all->failures->list[at].site[0] != '\0' && is_rerun_due(s) && count < DUE_MAX)
            due[count++] = standing_failure(b, all, &all->list[i]);
    }
    for (uint32_t i = 0; i < FRNG_KNOWN_MAX; i++) {
        if (runs[i] == 0) continue;
        const failure f = standing_failure(b, all, &(known_run){.failure = i});
        if (standing_of(s, &f) == IGNORED) ignored_add(&s->result->ignored, &f, runs[i]);
    }
    for (size_t i = 0; i < count; i++) {
        due[i].output = &s->heard_last;
        bytes_tail_clear(due[i].output);
        rerun_masked(s, &due[i]);
    }
}

/* ---- Results ---- */

/* Take the result of the oldest batch. A batch ends at its first run that does not pass. A masked
 * run that needed no rerun leaves the batches after it valid, and the rest of its own goes on. */
static void commit(search *s, const batch *b, const run_result *r) {
    static known_runs known; /* copies: *r does not outlive reruns */
    known.count = 0;
    if (r->known != NULL) known = *r->known;
    if (known.count > 0 && !fits(s, b, &known, r->ran)) return;
    const known_run *end = known.count > 0 ? &known.list[known.count - 1] : NULL;
    if (end != NULL && end->run + 1 < r->ran) end = NULL;
    const uint32_t masked = known.count - (end != NULL);
    const uint32_t before = masked > 0 ? known.list[masked - 1].run + 1 : 0;
    const bool passes = r->last.verdict == VERDICT_PASS;
    const bool is_hang = r->last.verdict == VERDICT_TIMEOUT, has_tally = r->tally != NULL;
    const uint32_t ran = r->ran;
    uint64_t drawn = end != NULL ? end->drawn : r->last.drawn;
    strategy_draws draws = search_result_draws(r->tally);
    const bool is_fresh = strategy_stage(s->strategy).activity != ACTIVITY_BISECTING;
    tested_runs tested = {.size = b->size, .runs = ran, .is_fresh = is_fresh};
    s->under_way -= b->count;
    s->fresh += ran;
    s->asked += ran * b->size;
    s->asked_most = larger(s->asked_most, b->size);
    s->cost_under_way -= cost_of(s, b->count, b->size);
    s->cost += cost_of(s, ran, b->size);
    s->result->told.progress.runs += ran;
    s->result->passed += ran - !passes - known.count;
    s->size = b->size;
    if (has_tally) tally_merge(&s->result->tally, r->tally);
    tested.drawn = has_tally && r->tally->runs == ran ? draws.sum : UINT64_MAX;
    bool is_void = passes && rest_from_leaks(s, r->leak);
    strategy_result last = end != NULL ? STRATEGY_MASKED
                           : passes    ? STRATEGY_PASSED
                                       : judge(s, batch_input(b, ran - 1), r, &drawn);
    tested.discarded = draws.discarded;
    tested.failures = last == STRATEGY_FAILED;
    tested.others = masked + (last == STRATEGY_MASKED);
    tested.unreliable = !passes && last == STRATEGY_PASSED;
    if (s->has_moved) return;
    if (last == STRATEGY_MASKED && is_hang) last = STRATEGY_MASKED_BY_HANG;
    strategy_feed_masked(s->strategy, known.list, masked, &draws);
    is_void |= strategy_feed(s->strategy, ran - before, last, drawn, has_tally ? &draws : NULL);
    is_void |= settle_strategy(s);
    s->is_extra = strategy_is_extra(s->strategy);
    is_void |= begin_to_guide(s);
    if (is_void) cancel(s);
    count_known(s, b, &known);
    if (!forget_cancelled(s) && ran < b->count) {
        pool_continue(s->client.pool, ran);
        s->under_way += b->count - ran;
        s->cost_under_way += cost_of(s, b->count - ran, b->size);
    }
    emit_progress(s);
    event_emit(s->sink,
               &(event){.kind = EVENT_TESTED, .tested = &tested, .progress = progress_of(s)});
    if (failure_table_best(s->found) == NULL &&
        tally_ends_unread(&s->result->tally, s->config->strategy.size_max))
        client_stop(&s->client, END_DONE);
}

/* Submit the next batch of the strategy, which costs about `most` at most. All its runs are looked
 * at for leaks, or none. */
static strategy_answer submit_fresh(search *s, uint64_t most) {
    const uint64_t number = s->fresh + s->under_way, size = strategy_next_size(s->strategy);
    const bool is_watched = number >= s->watched_from;
    uint64_t room = pool_batch(s->client.pool, size);
    if (is_guided(s)) room = smaller(room, 1 + most / guide_cost(s->guide, 1, size));
    if (!is_watched && s->watched_from - number < room) room = s->watched_from - number;
    const uint64_t submitted = s->under_way + guide_runs_under_way(s->guide);
    room = smaller(room, smaller(s->ends_at - number, client_runs_left(&s->client, submitted)));
    if (s->fit > 0 && s->fit < room) room = s->fit;
    if (room == 0) return STRATEGY_WAIT;
    batch next;
    const strategy_answer answer = strategy_next(s->strategy, (uint32_t)room, &next);
    if (answer != STRATEGY_RUN) return answer;
    pool_submit(s->client.pool, &next,
                s->is_alone  ? RUN_TRY_ALONE
                : is_watched ? RUN_TRY
                             : RUN_TRY_UNWATCHED);
    s->fit = 0;
    s->under_way += next.count;
    s->cost_under_way += cost_of(s, next.count, next.size);
    return answer;
}

/* ---- Guided runs ---- */

static bool has_bytes(void *context, seed_input t) {
    const search *s = context;
    return failure_table_has_bytes(s->found, t) || s->known.input.seed == t.seed;
}

/* Keep the bytes of a guided run that failed. Where there is no room, those go that no failure has:
 * of runs that do not count there may be any number. */
static bool keep_bytes(search *s, const candidate_set *set, uint32_t i, seed_input *t) {
    const uint8_t *bytes = candidate_set_bytes(set, i);
    const uint64_t size = candidate_set_size(set, i);
    if (seed_input_keep(bytes, size, t)) return true;
    seed_input_forget(has_bytes, s);
    return seed_input_keep(bytes, size, t);
}

/* Take the result of a guided row, whose runs are no evidence for any claim. A failure has explicit
 * bytes. One that counts is a new start of the strategy. */
static void commit_guided(search *s, const candidate_set *set, const run_result *r) {
    const uint32_t passed = r->ran - (r->last.verdict != VERDICT_PASS);
    seed_input t;
    s->result->told.progress.runs += r->ran;
    s->result->told.guided += r->ran;
    s->result->passed += passed;
    guide_offer(s->guide, &s->result->tally);
    guide_take(s->guide, set, passed);
    if (passed < r->ran && keep_bytes(s, set, passed, &t)) {
        const bool counts = judge(s, t, r, &(uint64_t){r->last.drawn}) == STRATEGY_FAILED;
        if (counts) cancel(s);
        if (counts) strategy_adopt(s->strategy, failure_table_best(s->found)->input);
    }
    forget_cancelled(s);
    emit_progress(s);
}

/* Submit what comes next: fresh runs, or a guided row. */
static strategy_answer submit_next(search *s) {
    const uint64_t fresh = s->cost + s->cost_under_way;
    uint64_t room = UINT64_MAX;
    guide_answer turn = GUIDE_FRESH;
    if (is_guided(s)) turn = guide_turn(s->guide, fresh, false, &room);
    if (turn == GUIDE_FRESH) {
        const strategy_answer answer = submit_fresh(s, room);
        if (answer != STRATEGY_DONE || !is_guided(s)) return answer;
        turn = guide_turn(s->guide, s->config->keeps_going ? 0 : fresh, true, &room);
        if (turn == GUIDE_FRESH) return answer;
    }
    if (turn == GUIDE_WAIT) return STRATEGY_WAIT;
    candidate_set *set = pool_candidate_set(s->client.pool);
    guide_fill(s->guide, set);
    pool_submit_candidate_set(s->client.pool, set, RUN_TRY_UNWATCHED);
    return STRATEGY_RUN;
}

/* ---- Inputs of other searches ---- */

/* Take the next input of other searches that may be news, from the source, into s->known. Return
 * false if there is none now. An input that was not run comes again. */
static bool take_known(search *s) {
    const search_source *from = &s->config->source;
    if (s->is_known_untried) return true;
    if (from->next == NULL) return false;
    do {
        if (!from->next(from->context, failure_table_best(s->found), s->found, &s->known))
            return false;
        failure_table_recall(s->found, &s->known);
    } while (search_is_no_news(s->config, s->found, &s->known));
    s->is_known_untried = s->has_known = true;
    return true;
}

/* Run s->known. Return false if the client stopped before that. */
static bool replay_known(search *s) {
    const seed_input t = s->known.input;
    const client_input input = client_seed(t);
    batch b;
    const run_purpose purpose = s->is_alone ? RUN_TRY_ALONE : RUN_TRY;
    const run_result *r = client_run_alone(&s->client, &input, purpose, &b);
    if (r == NULL) return false;
    const bool passes = r->last.verdict == VERDICT_PASS;
    s->is_known_untried = false;
    s->result->told.progress.runs++;
    s->result->passed += passes;
    const bool fails = !passes && judge(s, t, r, &(uint64_t){r->last.drawn}) != STRATEGY_PASSED;
    event_emit(s->sink, &(event){.kind = EVENT_REPLAYED, .input = &t, .fails = fails});
    return true;
}

/* Before a strategy begins, run earlier failures, the best first: all of them (SEARCH_EACH), or
 * until one still fails. If that one turns out to be flaky, the next call goes on with the next. */
static void replay_earlier(search *s) {
    while (client_is_running(&s->client) &&
           (s->config->goal == SEARCH_EACH || failure_table_best(s->found) == NULL) &&
           take_known(s) && replay_known(s))
        continue;
}

/* Run an input that another search found meanwhile, and go on below it if it fails and is the
 * smallest. What is under way is cancelled only for that. Return false if there is none now. */
static bool try_known(search *s) {
    const failure *best = failure_table_best(s->found);
    const seed_input before = best != NULL ? best->input : (seed_input){.size = UINT64_MAX};
    if (!take_known(s)) return false;
    cancel(s);
    if (replay_known(s)) {
        best = failure_table_best(s->found);
        if (best != NULL && seed_input_less(best->input, before))
            strategy_adopt(s->strategy, best->input);
    }
    emit_progress(s);
    return true;
}

/* ---- The way down ---- */

/* Run earlier failures, and begin a strategy from the best, or from nothing. */
static void begin(search *s) {
    replay_earlier(s);
    const failure *best = failure_table_best(s->found);
    const seed_input *from = best != NULL ? &best->input : NULL;
    if (s->strategy != NULL) {
        strategy_continue(s->strategy, from, s->found->answers > 0);
    } else {
        s->strategy = strategy_create(&s->config->strategy, from);
    }
}

/* Let the processes end that made many runs in themselves. */
static void end_processes(search *s) {
    if (s->ends_at == UINT64_MAX) return;
    cancel(s);
    client_end_processes(&s->client, s->config->ends);
    while (s->ends_at <= s->fresh) s->ends_at *= ENDS_FACTOR;
}

/* True if the search is to begin again. Nobody knows which run caused that an end failed. */
static bool is_stale(const search *s) {
    return s->has_moved || s->differs || (s->result->told.end_failed && !s->is_alone);
}

/* Follow the strategy to its end, and take what the source has meanwhile. */
static void follow(search *s) {
    while (client_is_running(&s->client) && !is_stale(s)) {
        if (s->fresh >= s->ends_at) end_processes(s);
        if (try_known(s)) continue;
        strategy_answer answer = STRATEGY_WAIT;
        batch b;
        while (pool_has_room(s->client.pool) && (answer = submit_next(s)) == STRATEGY_RUN) continue;
        if (answer == STRATEGY_DONE) return;
        const run_result *r = client_wait(&s->client, &b);
        if (r == NULL) continue;
        if (b.candidates != NULL)
            commit_guided(s, b.candidates, r);
        else
            commit(s, &b, r);
    }
}

/* Verify the best. If a rerun passes, verify the next larger one. False if the best changed. */
static bool verify_best(search *s) {
    bool stands = true;
    failure_row *best;
    while ((best = failure_table_smallest(s->found, FAILURE_SURE)) != NULL &&
           client_is_running(&s->client)) {
        if (verify(s, best)) return stands;
        stands = false;
    }
    return stands;
}

/* ---- Rounds ---- */

/* The best, which was verified, answers for its signature. */
static void answer(search *s) {
    failure_row *best = failure_table_smallest(s->found, FAILURE_SURE);
    const run_claim claim = claim_of(s, &best->failure).run;
    failure_table_put_answer(s->found, best, &claim);
    for (size_t i = 0; i < s->found->count; i++) {
        failure_row *e = &s->found->rows[i];
        if (e->state == FAILURE_SURE && standing_is_answered(s, &e->failure))
            e->state = FAILURE_ANSWERED;
    }
}

/* Answer with the smallest flaky failure of each signature that never failed always. Rerun it as
 * often as it takes to say how flaky it is. */
static void answer_flaky(search *s) {
    static const run_claim none = {.bound = 1};
    for (size_t i = 0; i < s->found->count; i++) {
        failure_row *e = &s->found->rows[i];
        if (e->state != FAILURE_FLAKY || failure_table_answer(s->found, &e->failure) != NULL)
            continue;
        if (client_is_running(&s->client))
            rerun(s, &e->failure, failure_reruns_due(&e->failure), RERUNS_ALL);
        failure_table_put_answer(s->found, e, &none);
    }
}

/* At the end: if the search keeps going, go on with twice the attempts, and go down from each
 * answer again where something smaller is left to run. Return false if the search is over. */
static bool begin_again(search *s) {
    const run_claim grown = strategy_claim_now(s->strategy).run;
    if (s->config->goal == SEARCH_EACH && !grown.is_partial &&
        grown.rounds >= s->result->told.grown.rounds)
        s->result->told.grown = grown;
    if (!s->config->keeps_going || !strategy_raise_attempts(s->strategy)) return false;
    for (size_t i = 0; i < s->found->count; i++) {
        failure_row *e = &s->found->rows[i];
        if (e->answer > 0 && e->state == FAILURE_ANSWERED && e->failure.input.size > 1)
            e->state = FAILURE_SURE;
    }
    return true;
}

/* Begin anew after a move, or with each run in a process of its own: what passed elsewhere says
 * nothing here. What was found fails here. */
static void forget_runs(search *s) {
    s->is_alone |= s->result->told.end_failed;
    if (s->is_alone) s->ends_at = UINT64_MAX;
    if (s->differs) { /* as if they had not been made; an answer, and what others found, stay */
        pool_know_none(s->client.pool, true);
        if (s->found->answers == 0 && !s->has_known) failure_table_clear(s->found);
        s->result->told.progress.runs = s->unread = s->client.shapes.count = 0;
        s->result->ignored = (ignored_counts){0};
    }
    s->has_moved = s->differs = false;
    strategy_destroy(s->strategy);
    s->strategy = NULL;
    if (s->guide != NULL) {
        guide_destroy(s->guide);
        s->guide = guide_create(s->config->strategy.master_seed, s->config->strategy.size_max,
                                s->config->words);
    }
    s->fresh = s->asked = s->asked_most = s->cost = s->watched_from = 0;
    s->result->passed = 0;
    s->result->told.grown = (run_claim){0};
    tally_clear(&s->result->tally);
}

/* Go down to the smallest failure. With --all it is an answer, and the next round begins. */
static void find(search *s) {
    const bool is_each = s->config->goal == SEARCH_EACH;
    bool begins = true;
    while (client_is_running(&s->client)) {
        if (is_stale(s)) forget_runs(s);
        if (begins) begin(s);
        follow(s);
        begins = true;
        end_processes(s);
        if (!client_is_running(&s->client) || is_stale(s) || !verify_best(s)) continue;
        if (is_each && failure_table_best(s->found) != NULL) {
            answer(s);
        } else if (begin_again(s)) {
            begins =
                is_each && failure_table_best(s->found) != NULL; /* else the strategy goes on */
        } else {
            return; /* nothing is left to find */
        }
    }
}

/* ---- The end ---- */

/* Verify the best when the search stopped early. Run what other searches have found until
 * the deadline: all of them end with the same best. */
static void verify_last(search *s) {
    client_extend(&s->client, clock_after(clock_now_ns(), CLIENT_GRACE_MS * CLOCK_NS_PER_MS));
    if (s->client.stop.end == END_SPENT) {
        while (client_is_running(&s->client) && try_known(s)) continue;
        if (s->strategy != NULL) end_processes(s);
    }
    verify_best(s);
}

/* Answer with a failure that the search does not rely on, because nothing always fails. */
static void settle(search *s) {
    search_result *r = s->result;
    failure_row *e = NULL;
    for (failure_state state = FAILURE_FLAKY; e == NULL && state <= FAILURE_LIMITED; state++)
        e = failure_table_smallest(s->found, state);
    if (e == NULL) return;
    if (e->state != FAILURE_LIMITED) {
        rerun(s, &e->failure, failure_reruns_due(&e->failure), RERUNS_ALL);
        r->found = e->failure.repeated > 0 && stands_outside(s, &e->failure, false);
    }
    r->inconclusive = !r->found;
    failure_keep(&r->best, &e->failure);
    if (r->found && !e->is_announced) emit_failure(s, EVENT_BEST, &e->failure);
}

/* Answer also with what no round has come to: the smallest sure failure of each signature. */
static void answer_rest(search *s) {
    for (size_t i = 0; i < s->found->count; i++) {
        failure_row *e = &s->found->rows[i];
        const failure *f = &e->failure;
        const failure_row *like = failure_table_answer(s->found, f);
        const bool is_news = like == NULL || like == e || failure_is_better(f, &like->failure);
        if (e->state != FAILURE_SURE || !is_news || !verify(s, e)) continue;
        const run_claim claim = claim_of(s, f).run;
        failure_table_put_answer(s->found, e, &claim);
    }
    answer_flaky(s);
}

static void conclude(search *s) {
    search_result *r = s->result;
    const run_stop *stop = &s->client.stop;
    const bool is_each = s->config->goal == SEARCH_EACH;
    if (is_each) answer_rest(s);
    search_result_list_each(r);
    const found_input first = r->told.each.list[0]; /* or none */
    const failure *best = is_each ? first.failure : failure_table_best(s->found);
    r->found = best != NULL;
    if (r->found) failure_keep(&r->best, best);
    if (!r->found) settle(s);
    r->claim = claim_of(s, &r->best);
    if (first.claim != NULL) r->claim = (strategy_claim){true, best->input, *first.claim};
    if (!is_each) search_result_list_others(r);
    if (!is_each && r->found) search_result_list_starts(r);
    if (stop->end == END_SPENT && stop->cut_ns > 0) search_result_hung(r, stop->cut, CAUSE_BUDGET);
    r->best.alike = failure_table_evidence(s->found, &r->best);
    guide_add_to_tally(s->guide, &r->tally);
    search_result_list_once(r);
    r->told.progress.reruns = s->client.reruns;
    r->told.claim = r->claim.run;
    r->told.attempts_alike = s->is_cut ? strategy_attempts_alike(s->strategy) : 0;
    r->told.alike = r->alike[0].output != NULL ? r->alike : NULL;
    r->told.stop = *stop;
    r->told.progress.elapsed_ns = clock_now_ns() - s->client.start_ns;
}

void search_run(const search_config *config, pool *p, const event_sink *sink,
                search_result *result) {
    static search s;                               /* large */
    if (s.config != NULL) memset(&s, 0, sizeof s); /* pages that nobody writes cost nothing */
    s.config = config;
    s.sink = sink;
    s.result = result;
    s.found = &result->failures;
    s.ends_at = config->ends > 0 ? ENDS_FIRST : UINT64_MAX;
    s.outside = (outside_look){config->looks_outside, s.found};
    const client_hooks hooks = {&s, on_result, emit_progress};
    if (result->told.tally != NULL) memset(result, 0, sizeof *result);
    result->told.tally = &result->tally;
    result->told.ignored_by_signature = &result->ignored;
    const bool is_split = config->goal == SEARCH_EACH || !signature_filter_is_empty(config->filter);
    client_init(&s.client, p,
                &(client_config){config->deadline_ns, sink, hooks, config->filter, is_split});
    if (config->runs_max > 0) s.client.runs_max = config->runs_max;
    if (config->is_guided)
        s.guide =
            guide_create(config->strategy.master_seed, config->strategy.size_max, config->words);
    find(&s);
    verify_last(&s);
    conclude(&s);
    strategy_destroy(s.strategy);
    guide_destroy(s.guide);
}
