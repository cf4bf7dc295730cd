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

typedef struct probe_answer {
    run_mode mode;        /* the fastest */
    report_layout layout; /* the place where it reports its draws */
} probe_answer;

/* A runner_factory; config is a run_config. A run starts the target as a fork server, whatever its
 * input; one that does not speak the protocol sees an empty stdin. The run passes with an answer,
 * unless the target cannot be started: VERDICT_ERROR. */
runner *probe_create(const void *config, const runner_watch *watch, int *error_number);

/* Return the answer of a run that passed. If the target stopped its worker, it can do nothing. */
static inline probe_answer probe_answer_of(const run_result *result) {
    probe_answer answer = {.mode = MODE_SPAWN};
    if (result->last.verdict == VERDICT_PASS && result->output.size == sizeof answer)
        memcpy(&answer, result->output.bytes, sizeof answer);
    return answer;
}
