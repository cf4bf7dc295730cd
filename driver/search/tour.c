#include "tour.h"

#include "evidence.h"
#include "search_events.h"
#include "search_state.h"
#include "walk.h"

#include <errno.h>

static stages *each_of(const search *s) { return &s->result->each; }

/* ---- Stages ---- */

/* Rerun a flaky failure as often as it takes to say how flaky it is. */
static void settle_flaky(search *s, stage *at) {
    search_rerun(s, &at->best, failure_reruns_due(&at->best), RERUNS_ALL);
    at->claim = (strategy_claim){.failed = true, .run = {.bound = 1}};
    at->state = STAGE_DONE;
}

/* End the current stage if its best always fails. Else the best before it is the best now, and the
 * stage goes on from there; without any, the signature is flaky. */
static void end_stage(search *s, stage *at) {
    if (walk_verify(s)) {
        failure_keep(&at->best, bests_smallest(&s->bests));
        at->claim = walk_claim(s, &at->best);
        at->stretch = strategy_last_stretch(s->strategy);
        at->state = STAGE_DONE;
    } else if (s->bests.count == 0 && client_is_running(&s->client)) {
        settle_flaky(s, at);
    }
}

/* Begin the next stage, or go on growing. */
static void begin_next(search *s) {
    static const strategy_stretch none = {.size = 0};
    stage *next;
    while ((next = stages_pending(each_of(s))) != NULL && failure_is_flaky(&next->best) &&
           client_is_running(&s->client)) {
        settle_flaky(s, next);
    }
    bests_clear(&s->bests);
    if (next != NULL) {
        next->state = STAGE_CURRENT;
        bests_add(&s->bests, &next->best);
    }
    if (client_is_running(&s->client)) walk_turn(s, next != NULL ? next->stretch : none);
}

/* At the tour's end, let each stage take its turn again, if the search keeps going. */
static bool goes_round(search *s) {
    s->result->grown = strategy_claim_now(s->strategy).run;
    if (!walk_goes_on(s)) return false;
    stages_reopen(each_of(s));
    return true;
}

/* Follow the walk of the current stage, or of growing, to its end. Return false if the tour is
 * over: nothing is left to grow or to pursue. */
static bool take_turn(search *s) {
    walk_follow(s);
    stage *at = stages_current(each_of(s));
    if (at == NULL) {
        if (!client_is_running(&s->client)) return false;
        if (stages_pending(each_of(s)) == NULL && !goes_round(s)) return false;
        begin_next(s);
        return true;
    }
    if (client_is_running(&s->client)) end_stage(s, at);
    if (at->state == STAGE_DONE) {
        begin_next(s);
    } else if (client_is_running(&s->client)) {
        walk_turn(s, (strategy_stretch){.size = 0});
    }
    return true;
}

void tour_run(search *s) {
    walk_replay_earlier(s);
    if (client_is_running(&s->client)) walk_begin(s);
    while (client_is_running(&s->client) && take_turn(s)) continue;
}

/* ---- Conclude ---- */

void tour_verify(search *s) {
    stages *each = each_of(s);
    for (size_t i = 0; i < each->count; i++) {
        stage *at = &each->list[i];
        if (!client_is_running(&s->client)) return;
        if (at->state != STAGE_PENDING || failure_is_flaky(&at->best)) continue;
        search_rerun(s, &at->best, failure_reruns_due(&at->best), RERUNS_UNTIL_PASS);
    }
}

/* Take the claim of a stage that is under way. An earlier one stands if its turn has not begun. */
static void claim_current(const search *s, stage *at) {
    if (s->strategy == NULL) return;
    const strategy_claim now = strategy_claim_now(s->strategy);
    const bool has_begun = now.failed && seed_input_equal(now.best, at->best.input);
    if (has_begun) at->claim = walk_claim(s, &at->best);
}

void tour_conclude(search *s) {
    stages *each = each_of(s);
    stage *at = stages_current(each);
    if (at != NULL && s->bests.count > 0) failure_keep(&at->best, bests_smallest(&s->bests));
    for (size_t i = 0; i < each->count; i++) {
        stage *of = &each->list[i];
        if (of == at) claim_current(s, of);
        if (!of->claim.failed) of->claim = (strategy_claim){.failed = true, .run = {.bound = 1}};
    }
    stages_sort(each);
}
