/* oracle.h: what fails, and how: the one way from the reducer to the pool. Counts calls, heeds the
 * budget, and knows which failures are of interest. */
#ifndef ORACLE_H
#define ORACLE_H

#include "reduce.h"

typedef struct oracle {
    const reduce_config *config;
    const event_sink *sink;
    pool *pool;
    reduce_result *result; /* calls, end and errors go there */
    failure target;        /* what it must fail like, once known; see oracle_aim */
    bool stopped;          /* result->end says why */
    bool doubt_told;
    int64_t start_ns, deadline_ns;
    uint64_t calls_max;
} oracle;

void oracle_init(oracle *o, const reduce_config *config, pool *p, const event_sink *sink,
                 reduce_result *result);

void oracle_stop(oracle *o, run_end end);

/* The budget is spent, but what was found should still be verified: so much more time for that. */
void oracle_grant(oracle *o, int64_t time_ns);

/* From now on, only failures like this one are of interest. */
void oracle_aim(oracle *o, const failure *f);

/* The next result of the pool, and the candidate set that it is of; NULL with stopped, or when
 * nothing came for some time: ask again. */
const run_result *oracle_wait(oracle *o, const candidate_set **given);

/* Run one test case, while nothing else is under way. NULL once stopped. */
const run_result *oracle_run_alone(oracle *o, const uint8_t *bytes, size_t size,
                                   run_purpose purpose, const candidate_set **given);

/* A failure as a run told it. */
failure oracle_failure(const run_result *r, uint64_t size);

/* Whether a run failed as the target does. */
bool oracle_is_interesting(const oracle *o, const run_result *r);

#endif
