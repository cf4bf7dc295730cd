/* initial_check.h: one run of a predicate before a reduction: its answer, its time, its output. */
#ifndef INITIAL_CHECK_H
#define INITIAL_CHECK_H

#include "client.h"
#include "runner_predicate.h"

typedef struct initial_check {
    run_end end;      /* END_DONE: interesting; END_PASSES: not; else it has no answer */
    run_result run;   /* zeroed if it has no end */
    bool is_late;     /* it was killed at its deadline */
    int error_number; /* END_BROKEN: errno */
} initial_check;

/* Ask a predicate about bytes, in a pool of one worker as `workers` says, until a deadline on
 * clock_now_ns's clock. *c is filled in any case; it is large. */
void initial_check_run(initial_check *c, pool_config workers,
                       const runner_predicate_config *predicate, const uint8_t *bytes, size_t size,
                       int64_t deadline_ns);

#endif
