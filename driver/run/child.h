/* child.h: one process from its start to its end: its input and output, its deadline, its
 * cancellation and its leftovers. The caller has adopted orphans (orphans.h), and has no other
 * children that are not spared. */
#ifndef CHILD_H
#define CHILD_H

#include "proc.h"
#include "runner.h"

/* The time to wait for a program that is missing or cannot be executed: a build may be replacing it
 * just now. */
enum { CHILD_REBUILD_MS = 1000 };

/* Signals that the driver gets while a child runs. */
typedef struct child_signals {
    int fd;    /* a signalfd */
    int first; /* the first signal that came; 0: none */
} child_signals;

/* A function that is called about once a second while a child runs, to show that the tool lives. */
typedef struct child_pulse {
    void (*beat)(void *context); /* NULL: none */
    void *context;
} child_pulse;

/* The description of a child. Borrowed for the call, with all it points to. */
typedef struct child_order {
    const proc_command *command;
    const runner_watch *watch; /* NULL: the child is never cancelled */
    child_signals *signals;    /* NULL: the child gets none of the driver's signals */
    child_pulse pulse;
    int64_t timeout_ns;   /* CLOCK_NEVER for none */
    proc_setup setup;     /* dies_with_parent is set. If the child leads a process group, the whole
                             group is killed */
    bool is_piped;        /* stdin is a pipe, and not as `setup` says */
    const uint8_t *piped; /* the bytes written to that pipe */
    uint64_t piped_size;
    bool capture; /* keep both ends of the output in the result; stdout and stderr are not as
                     `setup` says */
} child_order;

/* Run a child to its end. With `capture`, add its output to result->output. If the watch cancels
 * the run, kill it and set result->cancelled. If the child was started, set *resident_max (may be
 * NULL) as proc_reap does. Afterwards all processes that the child started are gone, except those
 * that cannot be killed (orphans_take_given_up). */
outcome child_run(const child_order *o, run_result *result, uint64_t *resident_max);

/* Start a process as proc_spawn does, but wait for temporary errors to pass: some seconds
 * (backoff.h) while the system is short of processes, memory or descriptors, and CHILD_REBUILD_MS
 * while the program is being written or replaced. *result records a shortage, and whether the watch
 * cancelled the wait; `watch` and `result` may be NULL. Returns 0 or an errno. */
int child_spawn(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child);

#endif
