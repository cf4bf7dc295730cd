/* reduction_state.h: the state of a reduction, which its parts share. */
#ifndef REDUCTION_STATE_H
#define REDUCTION_STATE_H

#include "client.h"
#include "external.h"
#include "inflight.h"
#include "other_failures.h"
#include "patch.h"
#include "reduce.h"
#include "rejected_cache.h"
#include "schedule.h"

#include <errno.h>

typedef enum best_state {
    BEST_UNCONFIRMED, /* it has not failed again in a fresh process */
    BEST_CONFIRMED,   /* it has: it is the result */
    BEST_ANNOUNCED    /* and the result was announced */
} best_state;

/* The simplest test case that failed. */
typedef struct best_case {
    testcase testcase;
    prefix_hashes hashes; /* of it, once they were asked for */
    failure failure;
    best_state state;
} best_case;

/* The best when the site at hand began, once that made progress. */
typedef struct base_case {
    testcase testcase;
    prefix_hashes hashes;
} base_case;

typedef enum confirm_policy {
    CONFIRM_LATER,     /* the best is confirmed now and then, and at the end */
    CONFIRM_EVERY_STEP /* something was flaky: a step must fail as often as what it replaces */
} confirm_policy;

/* A result that was announced, kept to go back to. */
typedef struct rung {
    testcase bytes;
    failure failure;
} rung;

enum { RUNGS_MAX = 32 }; /* each at most half as long as the one before, or the second */

/* The simplest test case that failed again in a fresh process, and those before it. */
typedef struct confirmed_cases {
    testcase testcase; /* of result->best */
    confirm_policy policy;
    rung rungs[RUNGS_MAX]; /* while nothing was flaky; the first is what all are measured by */
    size_t rung_count;
    double floor;  /* in which share of its runs that one failed, once something was flaky */
    bool is_first; /* the result is that one */
    int64_t announced_ns;
} confirmed_cases;

/* The loop: what is proposed and what is under way. */
typedef struct shrink_loop {
    const pass *passes[PASS_MAX + 1]; /* ended by NULL */
    schedule schedule;                /* with all results that were taken */
    struct schedule ahead;            /* and if all that is under way fails */
    inflight window;
    uint32_t batch_max; /* candidates in a candidate set */
    size_t lanes;       /* candidate sets under way, at most */
    testcase tried;     /* room for a candidate */
} shrink_loop;

/* Each part is written by the file behind it. */
struct reduction {
    const reduce_config *config;
    const event_sink *sink;
    reduce_result *result;
    int64_t start_ns;
    client client;
    failure target;            /* what steps must fail like: reduce.c */
    best_case best;            /* accept.c, and confirm.c when it goes back */
    base_case base;            /* accept.c */
    confirmed_cases confirmed; /* confirm.c */
    shrink_loop loop;          /* shrink.c */
    external external;         /* external.c */
    rejected_cache rejected;
    other_failures others;
};

static inline bool reduction_is_strict(const reduction *r) {
    return r->confirmed.policy == CONFIRM_EVERY_STEP;
}

/* Memory has run out: that ends it. */
static inline void reduction_stop_for_memory(reduction *r) {
    r->client.error_number = ENOMEM;
    client_stop(&r->client, END_BROKEN);
}

#endif
