#include "offers.h"

#include "accept.h"
#include "clock.h"
#include "confirm.h"
#include "reduction_state.h"
#include "shrink.h"

/* Time between looks; less before a best is announced. */
enum { LOOK_MS = 1000, LOOK_BEFORE_MS = 250 };

bool offers_are_due(const reduction *r) {
    const int64_t wait_ms = confirm_is_due(r) ? LOOK_BEFORE_MS : LOOK_MS;
    return r->config->source.next != NULL &&
           clock_now_ns() >= r->looked_ns + wait_ms * CLOCK_NS_PER_MS;
}

/* Run a test case until it is the best. */
static bool try(reduction *r, const client_input *offered) {
    for (int i = 0; i < OFFERS_TRIES; i++) {
        batch runs;
        const run_result *run = client_run_alone(&r->client, offered, RUN_TRY, &runs);
        if (run == NULL) return false;
        const tried_candidate tried = {run, runs.candidates, 0, SIZE_MAX, false};
        if (outcome_failed(&run->last) && accept_try(r, &tried)) return true;
    }
    return false;
}

/* Go on from the new best: all passes may have candidates again. */
static void go_on(reduction *r) {
    r->result->successes++;
    confirm_emit_step(r, "another reducer");
    shrink_from_other(r);
}

bool offers_take(reduction *r) {
    const reduce_source *source = &r->config->source;
    const uint8_t *bytes;
    size_t size;
    r->looked_ns = clock_now_ns();
    if (!source->next(source->context, &bytes, &size)) return false;
    if (size >= r->best.testcase.size) return false;
    shrink_stop(r);
    const client_input offered = client_bytes(bytes, size);
    const bool is_best = try(r, &offered);
    if (is_best) go_on(r);
    if (is_best || client_is_running(&r->client)) source->judged(source->context, is_best);
    return is_best;
}
