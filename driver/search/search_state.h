/* search_state.h: the state of a search, which search.c, judge.c and search_events.c share. */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "bests.h"
#include "client.h"
#include "evidence.h"
#include "fallbacks.h"
#include "program_version.h"
#include "reruns.h"
#include "search.h"

typedef struct search {
    const search_config *config;
    const event_sink *sink;
    search_result *result;
    client client;
    strategy *strategy;
    evidence *evidence;      /* of all reruns */
    bests bests;             /* failures that the strategy relies on */
    fallbacks fallbacks;     /* failures that it does not rely on */
    program_version program; /* of the target */
    bool is_strict;          /* a failure was flaky: each later one must fail in all reruns that are
                                due */
    size_t known_next;       /* index in config->known of the next input to rerun */
    uint64_t size;           /* bytes of the run committed last */
    uint64_t ahead;          /* runs under way */
    uint64_t watched_from;   /* number of the run from which on leaks are looked for */
    int64_t start_ns;
} search;

/* Rerun a failure until it has `due` reruns, or until one passes. Add the reruns to the evidence.
 * Nothing else may be under way. */
void search_rerun(search *s, failure *f, unsigned due, reruns_until until);

/* Keep an unreliable failure. `state` is FALLBACK_ANNOUNCED if the search announced it before it
 * was known to be unreliable, else FALLBACK_KEPT. */
void search_set_aside(search *s, const failure *f, fallback_state state);

/* Judge a run that did not pass. Rerun it with the bytes that it drew, if the target reported them.
 * If that prefix does not fail again, *drawn becomes unknown. Then, or if the target reported
 * nothing, rerun it with all bytes. If a rerun fails, accept the failure and return true: the
 * strategy may rely on it. Cancel what is under way. */
bool search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn);

#endif
