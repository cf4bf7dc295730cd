/* spawn.h: one process from its start to its end, and the runner that makes every run so. */
#pragma once

#include "failure.h"
#include "named_input.h"
#include "output_site.h"
#include "proc.h"
#include "report.h"
#include "runner.h"

#include <regex.h>

/* ---- A child ----
 *
 * Its input and output, its deadline, its cancellation and its leftovers. The caller has adopted
 * orphans (proc.h), and has no other children that are not spared. */

/* The time to wait for a program that is missing or cannot be executed: a build may be replacing it
 * just now. */
enum { CHILD_REBUILD_MS = 1000 };

/* Signals that the driver gets while a child runs. */
typedef struct child_signals {
    int fd;    /* a signalfd */
    int first; /* the first signal that came; 0: none */
} child_signals;

/* A function that is called some times a second while a child runs, to show that the tool lives. */
typedef struct child_pulse {
    void (*beat)(void *context); /* NULL: none */
    void *context;
} child_pulse;

/* The description of a child. Borrowed for the call, with all it points to. */
typedef struct child_setup {
    const proc_command *command;
    const runner_watch *watch; /* NULL: the child is never cancelled */
    child_signals *signals;    /* NULL: the child gets none of the driver's signals */
    child_pulse pulse;
    int64_t timeout_ns; /* CLOCK_NEVER for none */
    proc_setup setup;   /* dies_with_parent is set. If the child leads a process group, the whole
                             group is killed */
    const input_memfd *input; /* its stdin, which each run opens anew; NULL: as `setup` says */
    file_watch *file;         /* of a file with the input, which a run may open; may be NULL */
    bool is_piped;            /* stdin is a pipe instead, with a copy of `piped` */
    const uint8_t *piped;
    uint64_t piped_size;
    int output_fd;     /* output_memfd_create, if the run writes to one; 0: it does not */
    output_scan *scan; /* NULL, or what looks for a site in the captured output */
    bool capture;      /* keep both ends of the output in the result; stdout and stderr are not as
                      `setup` says */
} child_setup;

/* Run a child to its end, and see whether it reads its input. With `capture`, add its output to
 * result->output. If the watch cancels the run, kill it and set result->cancelled. Afterwards all
 * processes that the child started are gone, except those that cannot be killed
 * (orphans_take_given_up). */
outcome child_run(const child_setup *o, run_result *result);

/* Note in the outcome of a process that frng did not kill whether the kernel did, as it lacked
 * memory. */
void child_note_oom(outcome *o);

/* Start a process as proc_spawn does, but wait for temporary errors to pass: some seconds
 * (clock.h) while the system is short of processes, memory or descriptors, and CHILD_REBUILD_MS
 * while the program is being written or replaced. result->cancelled tells whether the watch
 * cancelled the wait; `watch` and `result` may be NULL. Returns 0 or an errno. */
int child_spawn(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child);

/* ---- Runners ---- */

/* Make the runs of a batch one after the other by `once`, up to the first that does not pass. */
void runner_run_each(runner *r, const batch *b, run_purpose purpose, run_result *result);

/* Return what a leak check found, in a run that ended as `end` with this leak_state of its report
 * (frng_protocol.h). A check that took too long found nothing. */
leak_finding runner_leak_of(const outcome *end, uint64_t leak_state);

/* Borrowed by its runners, with all it points to. */
typedef struct run_config {
    proc_command command;
    char *const *terse_envp; /* environment of runs whose output is not shown; NULL: the same */
    run_limits limits;
    uint64_t size_max;        /* bytes of entropy */
    sigset_t mask;            /* a run's initial signal mask */
    run_mode mode;            /* of a server: the fastest mode to use */
    bool is_steady;           /* it keeps that mode despite isolation violations */
    bool is_unconfirmed;      /* what goes on after failures is believed if it can repeat them */
    bool forks_repeat;        /* a new program has repeated what a fork of the server showed */
    bool reports;             /* the target speaks the protocol and reports its draws */
    report_layout layout;     /* place of that report, found by the probe */
    const regex_t *site_rule; /* finds the sites of failures in their output; NULL: none */
    bool keeps_output;        /* of RUN_TRY too, which shows the sites of failures */
    uint64_t candidate_bytes; /* bytes for the test cases of a candidate set; 0: only seeds run */
    uint64_t guide_room;      /* records of comparisons in a report; 0: none are wanted */
    uint64_t records_max;     /* records of a test case's trace, or 0 */
} run_config;

/* A runner_factory; config is a run_config. */
runner *runner_spawn_create(const void *config, const runner_watch *watch, int *error_number);

/* Return the file that takes the output of runs that search, or -1. It is -1 from then on when runs
 * of this time printed too much for it: then runner_spawn_hush returns true, once. */
int runner_spawn_output(const runner *r);
bool runner_spawn_hush(runner *r, int64_t took_ns);

/* True if the last run has called frng_digest. */
bool runner_spawn_has_states(const runner *r);

/* Make the last run of a batch in two new processes, with other addresses and other garbage in
 * memory, and set result->differs; but only if a comparison is due (batch_is_sampled). For tests
 * that call frng_digest. */
void runner_spawn_compare(runner *r, const batch *b, run_result *result);

/* The description of a foreground run. Borrowed for the call. */
typedef struct foreground_run {
    proc_command command;
    child_setup how;          /* its limits, mask, input and pulse */
    int signal_fd;            /* a signalfd; the run gets its signals too, or is killed */
    const report_shm *report; /* offered to the run for its report; NULL: none */
    output_scan *scan;        /* what looks for a site in its hidden output; NULL: nothing */
    const regex_t *rule;      /* of the user, for that */
    bytes_tail *hidden_ends;  /* not NULL: the run is hidden. It has a session of its own, and only
                                 both ends of its output are kept, here */
} foreground_run;

/* Make the run. *stopped_by is the first signal that came meanwhile, for the caller to handle, or
 * 0. */
outcome foreground_run_once(const foreground_run *run, int *stopped_by);
