/* runner_spawn.h: the runner that starts a fresh process of any program for each run. */
#ifndef RUNNER_SPAWN_H
#define RUNNER_SPAWN_H

#include "mode.h"
#include "proc.h"
#include "report_shm.h"
#include "runner.h"

#include <regex.h>

/* Borrowed by its runners, with all it points to. */
typedef struct run_config {
    proc_command command;
    char *const *terse_envp; /* environment of runs whose output is not shown; NULL: the same */
    run_stdin stdin_kind;
    int64_t timeout_ns;       /* for one run */
    uint64_t size_max;        /* bytes of entropy */
    uint64_t memory_max;      /* RLIMIT_AS of a run in bytes; 0: none */
    sigset_t mask;            /* a run's initial signal mask */
    bool reports;             /* the target speaks the protocol and reports its draws */
    report_layout layout;     /* place of that report */
    const regex_t *site_rule; /* finds the sites of failures in their output; NULL: none */
    bool keeps_output;        /* of RUN_TRY too, which shows the sites of failures */
    uint64_t candidate_bytes; /* bytes for the test cases of a candidate set; 0: only seeds run */
    uint64_t records_max;     /* records of a test case's trace; 0: there is none */
} run_config;

/* A runner_factory; config is a run_config. */
runner *runner_spawn_create(const void *config, const runner_watch *watch, int *error_number);

/* True if the last run has called frng_digest. */
bool runner_spawn_has_states(const runner *r);

/* Make a run in two new processes, with other addresses (a fork has those of its server) and other
 * garbage in memory, and find where they differ. DIFFERENCE_NONE also if that remains unknown: a
 * run was cancelled, or hung, or may have lacked memory. */
void runner_spawn_compare(runner *r, seed_input t, run_difference *d);

/* Prepare for runner_spawn_judge_killed, before a run that another runner makes. */
void runner_spawn_watch_kills(runner *r);

/* Return `o`, but VERDICT_MEMORY if the run got a SIGKILL, not from the driver, that the kernel may
 * have sent for lack of memory: such a kill is not the run's fault. */
outcome runner_spawn_judge_killed(runner *r, outcome o);

#endif
