/* server.h: batches made by a server: a target that speaks the protocol, and stays alive. Failures
 * of a candidate set are not repeated here, since its submitter confirms them. The candidate set
 * returns the reports of its runs. */
#pragma once

#include "report.h"
#include "spawn.h"

/* Return the fastest mode of the target in which each run has a process of its own. */
static inline run_mode runner_server_lone_mode(const run_config *config) {
    return config->layout.forks_none ? MODE_SPAWN : MODE_FORK;
}

/* A runner_factory; config is a run_config. */
runner *runner_server_create(const void *config, const runner_watch *watch, int *error_number);

/* A runner_factory; config is a run_config. A run starts the target as a fork server, whatever its
 * input; one that does not speak the protocol sees an empty stdin. The run passes with an answer in
 * the result, unless the target cannot be started: VERDICT_ERROR. */
runner *probe_create(const void *config, const runner_watch *watch, int *error_number);
