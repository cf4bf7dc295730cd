#include "comparer.h"

#include "clock.h"

#include <assert.h>

/* The reciprocal of the share of time spent on this. */
enum { COMPARED_SHARE = 100 };

static bool is_due(const comparer *c, int64_t batch_ns) {
    const bool is_early =
        c->count < COMPARED_FIRST && c->took_ns < COMPARED_FIRST_MS * CLOCK_NS_PER_MS;
    return c->has_states && !c->differs && (is_early || c->took_ns < batch_ns / COMPARED_SHARE);
}

void comparer_note(comparer *c) {
    const runner *spawn = c->spawn;
    if (spawn->ops->has_states != NULL && spawn->ops->has_states(spawn)) c->has_states = true;
}

void comparer_look(comparer *c, const batch *runs, int64_t batch_ns, run_result *result) {
    runner *spawn = c->spawn;
    assert(result->ran <= runs->count);
    const verdict last = result->last.verdict;
    const bool is_known = last == VERDICT_PASS || last == VERDICT_FAIL;
    if (!is_known || runs->candidates != NULL || result->ran == 0 || result->cancelled) return;
    if (!is_due(c, batch_ns) || spawn->ops->compare == NULL) return;
    const int64_t start_ns = clock_now_ns();
    const batch once = batch_part(runs, result->ran - 1, 1);
    spawn->ops->compare(spawn, &once, &result->difference);
    c->differs = result->difference.kind != DIFFERENCE_NONE;
    c->count++;
    c->took_ns += clock_now_ns() - start_ns;
}
