/* search_state.h: a search under way, as search.c, judge.c and search_events.c share it. */
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
    bests bests;             /* what the strategy relies on */
    fallbacks fallbacks;     /* what it does not rely on */
    program_version program; /* of the target */
    bool is_strict;    /* a failure did not repeat: from now on each must fail as often as due */
    size_t known_next; /* of config->known, to be run again */
    uint64_t size;     /* of the run committed last */
    int64_t start_ns;
} search;

/* Run a failure again until it has `due` reruns, or until one passes. All of it is evidence.
 * Nothing else may be under way. */
void search_rerun(search *s, failure *f, unsigned due, reruns_until until);

/* Keep a failure that is not reliable; `state` is FALLBACK_ANNOUNCED if it was announced before
 * that was known, else FALLBACK_KEPT. */
void search_set_aside(search *s, const failure *f, fallback_state state);

/* Judge a run that did not pass. Return true when it fails again, so that the strategy may rely on
 * it: with the bytes that it had drawn, where the target reported them, or else with all of them;
 * *drawn becomes unknown where that prefix passes. It is accepted then. Cancel what is under
 * way. */
bool search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn);

#endif
