/* reduction_state.h: the state of a reduction, shared by its parts. */
#ifndef REDUCTION_STATE_H
#define REDUCTION_STATE_H

#include "engine.h"
#include "external.h"
#include "other_failures.h"
#include "patch.h"
#include "reduce.h"
#include "schedule.h"
#include "step_change.h"
#include "window.h"

#include <errno.h>

typedef struct event_sink event_sink;

typedef enum best_state {
    BEST_UNCONFIRMED, /* has not failed again in a fresh process */
    BEST_CONFIRMED,   /* failed again; it is the result */
    BEST_ANNOUNCED    /* is the result, and was announced */
} best_state;

/* The simplest test case that failed. */
typedef struct best_case {
    testcase testcase;
    prefix_hashes hashes; /* of `testcase`; made on first use */
    failure failure;
    best_state state;
} best_case;

/* The best when the current site began; set by the site's first success. */
typedef struct base_case {
    testcase testcase;
    prefix_hashes hashes;
} base_case;

typedef enum confirm_policy {
    CONFIRM_LATER,     /* the best is confirmed at intervals and at the end */
    CONFIRM_EVERY_STEP /* a test case was flaky: a step must fail as often as the one it replaces */
} confirm_policy;

/* A previous result, kept to go back to. */
typedef struct rung {
    testcase bytes;
    failure failure;
} rung;

enum { RUNGS_MAX = 32 }; /* each at most half as long as the one before */

/* The simplest confirmed test case, which is the result, and earlier ones. */
typedef struct confirmed_cases {
    testcase testcase; /* of result->best */
    confirm_policy policy;
    rung rungs[RUNGS_MAX]; /* from before any was flaky; all are compared with the first */
    size_t rung_count;
    double floor;  /* share of its reruns in which the first rung failed */
    bool is_first; /* the result is the first rung */
    int64_t announced_ns;
    uint64_t announced_calls;
} confirmed_cases;

/* The loop: the schedule and the candidates in flight. */
typedef struct shrink_loop {
    const pass *passes[PASS_MAX + 1]; /* ended by NULL */
    schedule schedule;                /* after all results that were taken */
    struct schedule ahead;            /* the same, if no candidate in flight becomes the best */
    inflight window;
    uint32_t batch_max;    /* candidates in a candidate set */
    run_purpose purpose;   /* RUN_TRY_UNWATCHED if the failure is no leak */
    candidate_form form;   /* of candidates */
    testcase tried;        /* buffer for a candidate */
    encoded_bytes encoded; /* buffer for its choices */
} shrink_loop;

/* The comment of a part names the file that writes it. */
struct reduction {
    const reduce_config *config;
    const event_sink *sink;
    reduce_result *result;
    int64_t start_ns;
    client client;
    failure target;            /* the failure that steps must be like: reduce.c */
    bytes_tail judged_output;  /* of the failure that is being judged: accept.c */
    best_case best;            /* accept.c; confirm.c, when it goes back to a rung */
    base_case base;            /* accept.c */
    step_change change;        /* of the last step: accept.c */
    confirmed_cases confirmed; /* confirm.c */
    shrink_loop loop;          /* shrink.c */
    external external;         /* external.c; confirm.c, when it goes back to a rung */
    rejected_cache rejected;
    other_failures others;
    bool can_choose; /* the target can take choices: reduce.c */
    bool has_looked; /* a candidate was rerun to see its site: nothing is in flight: accept.c */
    bool distrusts;  /* a record was wrong: no records are used any more: accept.c */
    bool has_warned_alike; /* EVENT_ALIKE was emitted: accept.c */
};

static inline bool reduction_is_strict(const reduction *r) {
    return r->confirmed.policy == CONFIRM_EVERY_STEP;
}

/* End the reduction, for memory has run out. */
static inline void reduction_stop_for_memory(reduction *r) {
    client_stop_broken(&r->client, ENOMEM);
}

#endif
