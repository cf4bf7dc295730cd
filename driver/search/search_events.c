#include "search_events.h"

#include "clock.h"
#include "evidence.h"
#include "search_state.h"
#include "walk.h"

#include <assert.h>

/* Return the evidence so far. A strategy that has not begun has none. */
static run_claim claim_so_far(const search *s) {
    static const failure none = {.reruns = 0};
    const failure *best = bests_smallest(&s->bests);
    if (s->strategy == NULL) return (run_claim){.bound = 1};
    return walk_claim(s, best != NULL ? best : &none).run;
}

static progress progress_of(const search *s) {
    return (progress){.size = s->size,
                      .runs = s->result->runs,
                      .reruns = s->client.reruns,
                      .elapsed_ns = clock_now_ns() - s->start_ns,
                      .best = bests_smallest(&s->bests),
                      .claim = claim_so_far(s),
                      .stint = s->strategy != NULL ? strategy_stint_now(s->strategy)
                                                   : (search_stint){.size = 0}};
}

void search_emit_progress(const search *s) {
    event_emit(s->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(s)});
}

void search_emit_tested(const search *s, const tested_runs *t) {
    event_emit(s->sink, &(event){.kind = EVENT_TESTED, .tested = t, .progress = progress_of(s)});
}

void search_emit_replayed(const search *s, seed_input input, bool fails) {
    event_emit(s->sink, &(event){.kind = EVENT_REPLAYED, .input = &input, .fails = fails});
}

void search_emit_flaky(const search *s, const failure *f) {
    event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
}

void search_emit_alike(const search *s, const failure *f, const failure *earlier) {
    event_emit(s->sink, &(event){.kind = EVENT_ALIKE, .failure = f, .other = earlier});
}

void search_emit_failure(const search *s, event_kind kind, const failure *f) {
    assert(kind == EVENT_BEST || kind == EVENT_OTHER);
    failure with_evidence = *f;
    with_evidence.alike = evidence_of(s->evidence, f);
    event_emit(s->sink,
               &(event){.kind = kind, .failure = &with_evidence, .progress = progress_of(s)});
}
