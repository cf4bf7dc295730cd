/* search_state.h: what search.c and judge.c share, and nobody else includes: a search under way. */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "client.h"
#include "evidence.h"
#include "reruns.h"
#include "search.h"

enum { SEARCH_BEST_MAX = 64 }; /* bests that are remembered, should the last ones be flaky */

typedef struct search {
    const search_config *config;
    client client;
    const event_sink *sink;
    search_result *result;
    strategy *strategy;
    int64_t start_ns;
    uint64_t size;                      /* of the run committed last */
    size_t known_next;                  /* of config->known, to be run again */
    file_stamp program, program_before; /* what was run last, and before that was replaced */
    bool is_rebuilt;                    /* it was, since the strategy began */
    bool flaky_seen;                    /* some failure did not repeat: from now on be strict */
    size_t best_count;
    failure *bests; /* SEARCH_BEST_MAX; accepted ones, each smaller than the one before it */
    evidence *evidence;
    bool has_flaky, has_once;
    failure flaky;   /* the smallest that repeated, though not always */
    bool flaky_told; /* that one was announced */
    failure once;    /* the smallest that was never seen again */
    bool has_limited;
    failure limited; /* the smallest that failed for want of memory; told_limits: such was told */
    bool told_limits[CAUSE_COUNT];
} search;

/* The last one that was accepted and not set aside since; NULL for none. */
const failure *search_best(const search *s);

/* What the client calls. */
void search_on_result(void *context, const run_result *r);
void search_on_idle(void *context);

void search_emit_progress(search *s);

/* The program that failed was replaced since. */
bool search_is_outdated(const search *s, const failure *f);

/* Run a failure again until it has `due` reruns, or one of them passes and that is enough to know.
 * Until it has repeated, it gets twice what the limits are. All of it is evidence. Nothing else may
 * be under way. */
void search_rerun(search *s, failure *f, unsigned due, reruns_until until);

void search_announce(search *s, const failure *f, bool is_best);

/* Keep a failure that is not to be relied on; `told` if it was announced before that was known. */
void search_set_aside(search *s, const failure *f, bool told);

/* Judge a run that did not pass. Return true when it fails again, so that the strategy may rely on
 * it: with the bytes that it had drawn, where the target reported them, or else with all of them;
 * *drawn becomes unknown where that prefix passes. It is accepted then. Cancel what is under
 * way. */
bool search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn);

#endif
