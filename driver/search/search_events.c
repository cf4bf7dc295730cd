#include "search_events.h"

#include "clock.h"

#include <assert.h>

static progress progress_of(const search *s) {
    return (progress){.size = s->size,
                      .runs = s->result->runs,
                      .reruns = s->client.reruns,
                      .elapsed_ns = clock_now_ns() - s->start_ns,
                      .best = bests_smallest(&s->bests)};
}

void search_emit_progress(const search *s) {
    event_emit(s->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(s)});
}

void search_emit_replayed(const search *s, seed_input input, bool fails) {
    event_emit(s->sink, &(event){.kind = EVENT_REPLAYED, .input = &input, .fails = fails});
}

void search_emit_flaky(const search *s, const failure *f) {
    event_emit(s->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
}

void search_emit_rebuilt(const search *s) { event_emit(s->sink, &(event){.kind = EVENT_REBUILT}); }

void search_emit_failure(const search *s, event_kind kind, const failure *f) {
    assert(kind == EVENT_BEST || kind == EVENT_OTHER);
    failure with_evidence = *f;
    with_evidence.alike = evidence_of(s->evidence, f);
    event_emit(s->sink,
               &(event){.kind = kind, .failure = &with_evidence, .progress = progress_of(s)});
}
