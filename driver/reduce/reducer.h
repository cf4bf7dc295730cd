/* reducer.h: a reduction while it lasts. What its parts share; of nobody else's business. */
#ifndef REDUCER_H
#define REDUCER_H

#include "client.h"
#include "external.h"
#include "inflight.h"
#include "others.h"
#include "prefix_hashes.h"
#include "reduce.h"
#include "rejected_cache.h"
#include "schedule.h"

#include <errno.h>

/* A result that was announced, kept to go back to. */
typedef struct rung {
    testcase bytes;
    failure failure;
} rung;

enum { RUNGS_MAX = 32 }; /* each at most half as long as the one before, or the second */

struct reducer {
    const reduce_config *config;
    const event_sink *sink;
    reduce_result *result;
    client client;
    failure target; /* what steps must fail like */
    int64_t start_ns;
    testcase best; /* what failed last and is the simplest */
    testcase base; /* what was best when the site at hand began, once that made progress */
    prefix_hashes best_hashes, base_hashes; /* of these two, where one was asked for */
    testcase verified; /* the simplest that failed again in a fresh process: result->best */
    testcase tried;    /* room for a candidate */
    failure best_failure;
    bool is_settled;       /* it is the best */
    bool is_told;          /* best was announced */
    bool is_strict;        /* something was flaky: steps must fail as often as what they replace */
    rung rungs[RUNGS_MAX]; /* while nothing was flaky; the first is what all are measured by */
    size_t rung_count;
    double floor;      /* in which share of its runs that one failed, once something was flaky */
    bool is_first;     /* the result is that one */
    schedule schedule; /* what is known */
    struct schedule ahead; /* and what follows from it if all that is under way fails */
    inflight window;
    uint32_t batch; /* candidates in a candidate set */
    size_t lanes;   /* candidate sets under way, at most */
    rejected_cache rejected;
    others others;
    external external;
    const pass *passes[PASS_MAX + 1]; /* ended by NULL */
    int64_t told_ns;
};

/* Memory has run out: that ends it. */
static inline void reducer_stop_for_memory(reducer *r) {
    r->client.error_number = ENOMEM;
    client_stop(&r->client, END_BROKEN);
}

#endif
