#include "walk.h"

#include "engine.h"
#include "evidence.h"
#include "lineup.h"
#include "pool.h"
#include "search_events.h"
#include "search_state.h"
#include "summary.h"

#include <errno.h>

static strategy_result result_of(judgement j, verdict v) {
    switch (j) {
    case JUDGED_FAILED: return STRATEGY_FAILED;
    case JUDGED_UNRELIABLE: return STRATEGY_PASSED;
    case JUDGED_MASKED: break;
    }
    return v == VERDICT_TIMEOUT ? STRATEGY_MASKED_BY_HANG : STRATEGY_MASKED;
}

/* Look for no leaks for a while, or for ever, after a run that seemed to leak and did not: to find
 * that out takes as long as thousands of runs. The time is counted in runs, so that --rng-seed
 * repeats the search. Return true if batches under way look for leaks in vain. */
static bool rest_from_leaks(search *s, leak_finding leak) {
    if (leak == LEAK_SUSPECTED) s->watched_from = 2 * s->result->runs;
    if (leak == LEAK_OF_START) s->watched_from = UINT64_MAX;
    return leak == LEAK_SUSPECTED || leak == LEAK_OF_START;
}

/* Return the counts of a batch whose last run was judged so. *r is valid. */
static tested_runs tested_of(const search *s, const batch *runs, const run_result *r) {
    const bool is_known = r->tally != NULL && r->tally->runs == r->ran;
    return (tested_runs){.size = runs->size,
                         .runs = r->ran,
                         .drawn = is_known ? tally_sum_drawn(r->tally) : UINT64_MAX,
                         .is_fresh = strategy_is_fresh(s->strategy)};
}

static void count_end(tested_runs *t, judgement j) {
    switch (j) {
    case JUDGED_FAILED: t->failures++; break;
    case JUDGED_UNRELIABLE: t->unreliable++; break;
    case JUDGED_MASKED: t->others++; break;
    }
}

/* Cancel all batches under way. */
static void cancel(search *s) {
    lineup_cancel(s->lineup, &s->client);
    strategy_forget(s->strategy);
}

/* Wait for batches that other draws than expected made void. The search makes their runs again if
 * it needs them, but a flaky failure may come only once: see if one is among them. */
static void look_at_void(search *s) {
    batch runs;
    while (client_is_running(&s->client) && !lineup_is_empty(s->lineup)) {
        const run_result *r = lineup_wait(s->lineup, &s->client, &runs);
        if (r == NULL) continue;
        s->client.runs -= r->ran; /* as those of other void batches */
        if (outcome_failed(&r->last)) search_judge_void(s, batch_input(&runs, r->ran - 1), r);
    }
}

/* Take the result of the oldest batch. A masked run that needed no rerun leaves the batches after
 * it valid. */
static void commit(search *s, const batch *runs, const run_result *r) {
    s->result->runs += r->ran;
    s->result->passed += r->ran - (r->last.verdict != VERDICT_PASS);
    s->size = runs->size;
    if (r->tally != NULL) {
        tally_merge(&s->result->tally, r->tally);
        strategy_take_draws(s->strategy,
                            (strategy_draws){tally_most_used(r->tally), tally_sum_drawn(r->tally),
                                             r->tally->ran_out});
    }
    uint64_t drawn = r->last.drawn;
    const uint32_t ran = r->ran; /* *r does not outlive the reruns */
    tested_runs tested = tested_of(s, runs, r);
    bool is_void = false;
    strategy_result last = STRATEGY_PASSED;
    if (r->last.verdict == VERDICT_PASS) {
        is_void = rest_from_leaks(s, r->leak);
    } else {
        const verdict v = r->last.verdict;
        const judgement j = search_judge(s, batch_input(runs, ran - 1), r, &drawn);
        count_end(&tested, j);
        last = result_of(j, v);
    }
    is_void |= strategy_feed(s->strategy, ran, last, drawn);
    if (is_void && last == STRATEGY_PASSED && s->bests.count == 0) look_at_void(s);
    if (is_void || lineup_is_empty(s->lineup)) {
        cancel(s);
    } else if (ran < runs->count) {
        lineup_continue(s->lineup, ran);
    }
    search_emit_progress(s);
    search_emit_tested(s, &tested);
}

/* Go on with this strategy; NULL if memory is out. */
static void replace_strategy(search *s, strategy *next) {
    strategy_destroy(s->strategy);
    s->strategy = next;
    if (next == NULL) client_stop_broken(&s->client, ENOMEM);
}

void walk_begin(search *s) {
    const failure *best = bests_smallest(&s->bests);
    const seed_input *from = best != NULL ? &best->input : NULL;
    if (s->strategy != NULL) {
        replace_strategy(s, strategy_continue(s->strategy, from));
    } else {
        replace_strategy(s, from != NULL ? strategy_resume(&s->config->strategy, *from)
                                         : strategy_create(&s->config->strategy));
    }
}

void walk_turn(search *s, strategy_stretch stretch) {
    const failure *best = bests_smallest(&s->bests);
    if (s->strategy == NULL) {
        walk_begin(s);
    } else if (best == NULL) {
        replace_strategy(s, strategy_turn_to(s->strategy, NULL));
    } else {
        replace_strategy(s, strategy_return_to(s->strategy, best->input, &stretch));
    }
}

/* Submit the next batch of the strategy. All its runs are looked at for leaks, or none. */
static strategy_answer submit_next(search *s) {
    const uint64_t number = s->result->runs + lineup_runs(s->lineup);
    uint64_t room = pool_batch(s->client.pool, strategy_next_size(s->strategy));
    if (number < s->watched_from && s->watched_from - number < room) {
        room = s->watched_from - number;
    }
    batch next;
    const strategy_answer answer = strategy_next(s->strategy, (uint32_t)room, &next);
    if (answer != STRATEGY_RUN) return answer;
    lineup_submit(s->lineup, &s->client, &next,
                  number < s->watched_from ? RUN_TRY_UNWATCHED : RUN_TRY);
    return answer;
}

/* Go on below the best if a known input was it. `before` was the best until then; NULL: none. */
static void adopt_best(search *s, const seed_input *before) {
    const failure *best = bests_smallest(&s->bests);
    if (best == NULL || (before != NULL && !seed_input_less(best->input, *before))) return;
    strategy_adopt(s->strategy, best->input);
}

bool walk_try_known(search *s) {
    const failure *best = bests_smallest(&s->bests);
    const seed_input before = best != NULL ? best->input : (seed_input){.size = 0};
    if (!search_take_known(s)) return false;
    cancel(s);
    if (walk_replay_known(s)) adopt_best(s, best != NULL ? &before : NULL);
    search_emit_progress(s);
    return true;
}

/* True if the search grows while a stage waits that was met since: a search that keeps going may
 * grow for hours. */
static bool has_stage_waiting(const search *s) {
    stages *each = &s->result->each;
    return s->config->goal == SEARCH_EACH && s->config->keeps_going &&
           stages_current(each) == NULL && stages_pending(each) != NULL;
}

void walk_follow(search *s) {
    while (client_is_running(&s->client) && !has_stage_waiting(s)) {
        if (walk_try_known(s)) continue;
        strategy_answer answer = STRATEGY_WAIT;
        batch next;
        while (lineup_has_room(s->lineup, &s->client) &&
               (answer = submit_next(s)) == STRATEGY_RUN) {
        }
        if (answer == STRATEGY_DONE) return;
        const run_result *r = lineup_wait(s->lineup, &s->client, &next);
        if (r != NULL) commit(s, &next, r);
    }
}

bool walk_goes_on(search *s) {
    return s->config->keeps_going && client_is_running(&s->client) &&
           strategy_raise_attempts(s->strategy);
}

bool walk_verify(search *s) {
    bool stands = true;
    while (s->bests.count > 0 && client_is_running(&s->client)) {
        failure *best = bests_smallest(&s->bests);
        search_rerun(s, best, failure_reruns_due(best), RERUNS_UNTIL_PASS);
        if (!failure_is_flaky(best)) return stands;
        search_set_aside(s, best, FALLBACK_ANNOUNCED);
        bests_drop_smallest(&s->bests);
        stands = false;
    }
    return stands;
}

bool walk_replay_known(search *s) {
    const seed_input t = s->known.input;
    const client_input input = client_seed(t);
    batch runs;
    const run_result *r = client_run_alone(&s->client, &input, RUN_TRY, &runs);
    if (r == NULL) return false;
    s->is_known_untried = false;
    s->result->runs++;
    s->result->passed += r->last.verdict == VERDICT_PASS;
    uint64_t drawn = r->last.drawn;
    const bool fails =
        r->last.verdict != VERDICT_PASS && search_judge(s, t, r, &drawn) != JUDGED_UNRELIABLE;
    search_emit_replayed(s, t, fails);
    return true;
}

void walk_replay_earlier(search *s) {
    const bool takes_all = s->config->goal == SEARCH_EACH;
    while (client_is_running(&s->client) && (takes_all || s->bests.count == 0) &&
           search_take_known(s)) {
        if (!walk_replay_known(s)) return;
    }
}

strategy_claim walk_claim(const search *s, const failure *best) {
    strategy_claim claim = strategy_claim_now(s->strategy);
    const bool is_of_best = best->repeated > 0 && seed_input_equal(claim.best, best->input);
    if (claim.failed &&
        (!is_of_best || evidence_is_unreliable_size(s->evidence, claim.run.below))) {
        claim.run.passed = claim.run.counted = 0;
        claim.run.bound = 1;
    }
    return claim;
}
