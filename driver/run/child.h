/* child.h: one process from its start to its end: what it reads and prints, its deadline, being
 * cancelled, and what it leaves behind. The caller has adopted orphans (orphans.h), and has no
 * other children that are not spared. */
#ifndef CHILD_H
#define CHILD_H

#include "proc.h"
#include "runner.h"

/* A program that is missing or cannot be executed may be rebuilt just now: wait for it so long. */
enum { CHILD_REBUILD_MS = 1000 };

/* Signals of the driver while a child runs. */
typedef struct child_signals {
    int fd;    /* a signalfd */
    int first; /* the first one that came; 0: none did */
} child_signals;

/* Borrowed for the call, with all it points to. */
typedef struct child_order {
    const proc_command *command;
    const runner_watch *watch; /* NULL: it is never cancelled */
    child_signals *signals;    /* NULL: signals are not passed on */
    int64_t timeout_ns;        /* CLOCK_NEVER for none */
    uint64_t memory_max;       /* RLIMIT_AS in bytes; 0: none */
    uint64_t file_max;         /* RLIMIT_FSIZE in bytes; 0: none */
    sigset_t mask;             /* the signal mask it starts with */
    proc_place place;          /* all of its group is killed where it leads one */
    const char *folder;        /* where it starts; NULL: where we are */
    const int *inherited;      /* further descriptors that it gets */
    size_t inherited_count;
    int stdin_folder_fd;    /* where stdin_path begins: AT_FDCWD, or a folder */
    const char *stdin_path; /* opened read-only as its stdin, unless that is a pipe */
    const int *stdin_fd;    /* not NULL: open already, in place of that path */
    bool is_piped;          /* its stdin is a pipe ... */
    const uint8_t *piped;   /* ... that brings these */
    uint64_t piped_size;
    bool capture;             /* keep the end of what it prints in the result, or else ... */
    int stdout_fd, stderr_fd; /* ... these are what it prints to; -1: where we print */
} child_order;

/* Run it. result->output is added to where that is wanted, result->cancelled set when the watch
 * said so: then it was killed. *resident_max (NULL: of no interest) is set when it was started, as
 * in proc. All that it started is gone afterwards, but for what cannot be killed
 * (orphans_take_given_up). */
outcome child_run(const child_order *o, run_result *result, uint64_t *resident_max);

/* Start a process as proc_spawn does, but wait for what passes: some seconds (backoff.h) where the
 * system is short of processes, memory or descriptors, and CHILD_REBUILD_MS where the program is
 * being written or replaced. A shortage is noted in *result, and that the watch has cancelled the
 * wait; both may be NULL. Returns 0 or an errno. */
int child_spawn(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child);

#endif
