/* probe.h: detects the fastest mode that a target supports. */
#ifndef PROBE_H
#define PROBE_H

#include "containment.h"
#include "mode.h"
#include "report_shm.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct run_config run_config;

/* How a target is asked. */
typedef struct probe_setup {
    containment containment;
    const run_config *config; /* borrowed */
    int interrupt_fd;         /* the question ends when it is readable; -1: none */
    int64_t deadline_ns;      /* the question ends then; on clock_now_ns's clock */
} probe_setup;

/* What a target can do. */
typedef struct probe_answer {
    run_mode mode;        /* the fastest; MODE_SPAWN also if the target cannot be started */
    report_layout layout; /* the place where it reports its draws */
    bool is_foreign;      /* it answered in the other byte order */
} probe_answer;

/* Ask a target what it can do. Runs it once, below a contained process; one that does not speak the
 * protocol sees an empty stdin. Returns 0; ECANCELED if the question ended before the answer; or an
 * errno if the system stays too short of resources to run the target. */
int probe_run(const probe_setup *setup, probe_answer *answer);

#endif
