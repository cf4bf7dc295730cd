#include "runner.h"

#include "clock.h"
#include "frng_protocol.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

void run_result_clear(run_result *result) {
    memset(result, 0, offsetof(run_result, output.bytes));
    result->last = outcome_of_status(0);
}

void runner_go_on(const runner_watch *watch, int64_t allowed_ns) {
    assert(allowed_ns >= 0);
    if (watch == NULL || watch->step == NULL) return;
    watch->step->allowed_ns = allowed_ns;
    watch->step->number++;
}

void runner_begin_step(const runner_watch *watch, uint64_t seed, int64_t allowed_ns) {
    if (watch == NULL || watch->step == NULL) return;
    watch->step->seed = seed;
    runner_go_on(watch, allowed_ns);
}

leak_finding runner_leak_of(const outcome *end, uint64_t leak_state) {
    if (end->verdict == VERDICT_FAIL && leak_state == FRNG_LEAK_CHECK) return LEAK_FOUND;
    return leak_state == FRNG_LEAK_START ? LEAK_OF_START : LEAK_SUSPECTED;
}

void runner_run_each(runner *r, const batch *b, run_purpose purpose, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    run_result_clear(result);
    while (result->ran < b->count && result->last.verdict == VERDICT_PASS) {
        result->output.size = result->output.total = 0;
        const batch once = batch_part(b, result->ran, 1);
        result->last = r->ops->once(r, &once, purpose, result);
        if (result->cancelled) break;
        result->ran++;
        if (b->candidates == NULL && result->leak > LEAK_FOUND) break;
    }
    result->took_ns = clock_now_ns() - start_ns;
}
