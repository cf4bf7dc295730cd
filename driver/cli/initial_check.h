/* initial_check.h: one run of a predicate before a reduction: its answer, time and output. */
#ifndef INITIAL_CHECK_H
#define INITIAL_CHECK_H

#include "client.h"
#include "pool.h"
#include "runner_predicate.h"
#include "summary.h"

typedef struct initial_check {
    run_stop stop;  /* END_DONE: interesting; END_PASSES: not; else: no answer */
    run_result run; /* zeroed if the run has no result */
    bool is_late;   /* the run was killed at its time limit */
} initial_check;

/* Run the predicate on bytes, in a pool of one worker configured by `workers`, until a deadline
 * (clock_now_ns). The hooks may show that it lives. Fills *c in any case; *c is large. */
void initial_check_run(initial_check *c, pool_config workers,
                       const runner_predicate_config *predicate, const uint8_t *bytes, size_t size,
                       int64_t deadline_ns, client_hooks hooks);

#endif
