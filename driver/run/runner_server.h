/* runner_server.h: the runner for targets that speak the protocol. It runs batches in one
 * process of the target, or each run in a forked one, and detects isolation violations.
 *
 * A failure of a seed counts if it repeats in a process forked for that run alone, or if it is
 * flaky. Now and then the runner repeats the last run of a batch in a fresh fork, and compares the
 * bytes drawn and the draws. If they differ, the target keeps state between its runs, and each
 * later run is forked. Where the target makes its runs in itself (FRNG_NO_FORK), a new server takes
 * the place of a fork, and later runs are spawned.
 *
 * Failures of a candidate set are not repeated here, since its submitter confirms them. The
 * candidate set returns the reports of its runs. */
#ifndef RUNNER_SERVER_H
#define RUNNER_SERVER_H

#include "mode.h"
#include "report.h"
#include "spawn.h"

/* Borrowed by its runners, with all it points to. */
typedef struct runner_server_config {
    run_config spawn;
    run_mode mode;        /* the fastest mode to use */
    bool steady;          /* keep that mode despite isolation violations */
    report_layout layout; /* found by the probe */
} runner_server_config;

/* Return the fastest mode of the target in which each run has a process of its own. */
static inline run_mode runner_server_lone_mode(const runner_server_config *config) {
    return config->layout.forks_none ? MODE_SPAWN : MODE_FORK;
}

/* A runner_factory; config is a runner_server_config. */
runner *runner_server_create(const void *config, const runner_watch *watch, int *error_number);

#endif
