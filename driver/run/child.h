/* child.h: one process from its start to its end: what it reads and prints, its deadline, being
 * cancelled, and whatever it leaves behind. For workers: it takes all their children for its own.
 */
#ifndef CHILD_H
#define CHILD_H

#include "proc.h"
#include "runner.h"

/* Borrowed for the call, with all it points to. */
typedef struct child_order {
    const proc_command *command;
    const runner_watch *watch;
    int64_t timeout_ns;
    uint64_t memory_max;  /* RLIMIT_AS in bytes; 0: none */
    uint64_t file_max;    /* RLIMIT_FSIZE in bytes; 0: none */
    sigset_t mask;        /* the signal mask it starts with */
    const char *folder;   /* where it starts; NULL: where we are */
    const int *inherited; /* further descriptors that it gets */
    size_t inherited_count;
    int stdin_folder_fd;    /* where stdin_path begins: AT_FDCWD, or a folder */
    const char *stdin_path; /* opened read-only as its stdin, unless that is a pipe */
    bool is_piped;          /* its stdin is a pipe ... */
    const uint8_t *piped;   /* ... that brings these */
    uint64_t piped_size;
    bool capture;             /* keep the end of what it prints in the result, or else ... */
    int stdout_fd, stderr_fd; /* ... these are what it prints to */
} child_order;

/* Run it. result->output is added to where that is wanted, result->cancelled set when the watch
 * said so: then it was killed. *resident_max (NULL: of no interest) is set when it was started, as
 * in proc. All that it started is gone afterwards, but for what cannot be killed
 * (orphans_take_given_up). */
outcome child_run(const child_order *o, run_result *result, uint64_t *resident_max);

#endif
