/* runner_spawn.h: the runner that starts a fresh process for each run, of any program. */
#ifndef RUNNER_SPAWN_H
#define RUNNER_SPAWN_H

#include "proc.h"
#include "report_shm.h"
#include "runner.h"

typedef enum run_stdin {
    RUN_STDIN_FILE, /* a memory file: a read gives all that is asked for */
    RUN_STDIN_PIPE  /* a pipe: reads come up short, as they do in life */
} run_stdin;

/* Borrowed by its runners, with all it points to. */
typedef struct run_config {
    proc_command command;
    run_stdin stdin_kind;
    int64_t timeout_ns;   /* for one run */
    uint64_t size_max;    /* bytes of entropy */
    uint64_t memory_max;  /* RLIMIT_AS of a run in bytes; 0: none */
    sigset_t mask;        /* the signal mask that a run starts with */
    bool reports;         /* it speaks the protocol: let it tell what it has drawn ... */
    report_layout layout; /* ... where this says */
    uint64_t given_bytes; /* room for the test cases of a candidate set; 0: only seeds are run */
    uint64_t records_max; /* of the trace of a test case; 0: there is none */
} run_config;

/* A runner_factory; config is a run_config. */
runner *runner_spawn_create(const void *config, const runner_watch *watch, int *error_number);

/* A run begins elsewhere that runner_spawn_judge_killed will be asked about. */
void runner_spawn_watch_kills(runner *r);

/* Judge an outcome anew once it is known whether the kernel, short of memory, has killed the run: a
 * SIGKILL that the driver has not sent is not the fault of the run then. */
outcome runner_spawn_judge_killed(runner *r, outcome o);

#endif
