/* runner_forkserver.h: the runner for systems under test that speak the protocol: it runs batches
 * in one process of theirs, or each run in a forked one, and knows when not to trust that.
 *
 * What it reports as failed has failed in a process forked for that run alone. Every now and then
 * a run from the middle of a batch is made again in a fresh fork, and compared: bytes drawn and
 * the draws themselves. A test that differs keeps state between its runs; from then on each run
 * is forked.
 *
 * Test cases that are given (a candidate set) are not made again when they fail: who gives them has
 * them verified. What the runs told comes back in the candidate set. */
#ifndef RUNNER_FORKSERVER_H
#define RUNNER_FORKSERVER_H

#include "forkserver.h"
#include "mode.h"

/* Borrowed by its runners, with all it points to. */
typedef struct runner_forkserver_config {
    run_config spawn;
    run_mode mode;        /* the fastest to be used */
    bool steady;          /* stay in it, also where the test seems to keep state */
    report_layout layout; /* as the probe found it */
} runner_forkserver_config;

/* A runner_factory; config is a runner_forkserver_config. */
runner *runner_forkserver_create(const void *config, const runner_watch *watch, int *error_number);

#endif
