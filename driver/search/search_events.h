/* search_events.h: the events that a search emits, all of them but the client's. */
#ifndef SEARCH_EVENTS_H
#define SEARCH_EVENTS_H

#include "search_state.h"

void search_emit_progress(const search *s);
void search_emit_replayed(const search *s, seed_input input, bool fails);
void search_emit_flaky(const search *s, const failure *f);
void search_emit_rebuilt(const search *s);

/* A failure that failed again, with the evidence of all like it: a best, or an other one. */
void search_emit_failure(const search *s, event_kind kind, const failure *f);

#endif
