/* search_events.h: the events of a search, except those that its client emits. */
#ifndef SEARCH_EVENTS_H
#define SEARCH_EVENTS_H

#include "event.h"
#include "seed_input.h"

typedef struct search search;

void search_emit_progress(const search *s);
void search_emit_tested(const search *s, const tested_runs *t);
void search_emit_replayed(const search *s, seed_input input, bool fails);
void search_emit_flaky(const search *s, const failure *f);
void search_emit_alike(const search *s, const failure *f, const failure *earlier);

/* Emit a confirmed failure, a best or another one, with the evidence of all failures like it. */
void search_emit_failure(const search *s, event_kind kind, const failure *f);

#endif
