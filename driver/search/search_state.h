/* search_state.h: the state of a search, which search.c, judge.c and search_events.c share. */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "bests.h"
#include "engine.h"
#include "search.h"

typedef struct evidence evidence;
typedef struct lineup lineup;

typedef struct search {
    const search_config *config;
    const event_sink *sink;
    search_result *result;
    client client;
    strategy *strategy;
    lineup *lineup;        /* what the strategy has under way */
    evidence *evidence;    /* of all reruns */
    bests bests;           /* failures that the strategy relies on */
    fallbacks fallbacks;   /* failures that it does not rely on */
    file_stamp program;    /* the file of the target, as the first runs had it */
    bool is_strict;        /* a failure was flaky: each later one must fail in all reruns that are
                                due */
    bool has_warned_alike; /* EVENT_ALIKE was emitted: judge.c */
    bytes_tail judged_output; /* of the failure that is being judged */
    failure known;            /* taken from the source */
    bool is_known_untried;    /* `known` was not run: the client had stopped */
    uint64_t size;            /* bytes of the run committed last */
    uint64_t watched_from;    /* number of the run from which on leaks are looked for */
    int64_t start_ns;
} search;

/* Rerun a failure until it has `due` reruns, or until one passes. Add the reruns to the evidence.
 * Nothing else may be under way. */
void search_rerun(search *s, failure *f, unsigned due, reruns_until until);

/* Take the next input of other searches that may be news, from the source, into s->known. Return
 * false if there is none now. An input that was not run comes again. */
bool search_take_known(search *s);

/* Keep a confirmed failure if it is the best of its signature. Return false if it is not. */
bool search_keep(search *s, const failure *f);

/* Keep an unreliable failure. `state` is FALLBACK_ANNOUNCED if the search announced it before it
 * was known to be unreliable, else FALLBACK_KEPT. */
void search_set_aside(search *s, const failure *f, fallback_state state);

typedef enum judgement {
    JUDGED_FAILED,     /* it is accepted: the strategy may rely on it */
    JUDGED_UNRELIABLE, /* it counts as a pass */
    JUDGED_MASKED      /* it is not of what the search pursues, and counts as a pass */
} judgement;

/* Judge a run that did not pass. Rerun it with the bytes that it drew, if the target reported them.
 * If that prefix does not fail again, *drawn becomes unknown. Then, or if the target reported
 * nothing, rerun it with all bytes. Reruns cancel what is under way. */
judgement search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn);

/* Judge a failed run of a void batch: keep it as unreliable if a rerun passes. Else the search will
 * meet such a failure again. The rerun cancels what is under way. */
void search_judge_void(search *s, seed_input t, const run_result *r);

#endif
