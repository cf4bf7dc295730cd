/* foreground.h: one run in front of its user, on the terminal that the driver has. */
#ifndef FOREGROUND_H
#define FOREGROUND_H

#include "outcome.h"
#include "proc.h"
#include "report_shm.h"

/* Bytes of output that are taken; what a run writes after them is lost, and its writes fail. */
enum { FOREGROUND_OUTPUT_MAX = 64 * 1024 };

/* Borrowed for the call. */
typedef struct foreground_run {
    proc_command command;
    int stdin_folder_fd;       /* AT_FDCWD, or the folder of stdin_path */
    const char *stdin_path;    /* opened as its stdin; NULL: the driver's */
    const int *stdin_fd;       /* not NULL: what stdin_path says is open here already */
    const uint8_t *pipe_bytes; /* not NULL: its stdin is a pipe that brings these instead */
    uint64_t pipe_size;
    bytes_tail *output;  /* not NULL: the first FOREGROUND_OUTPUT_MAX bytes it prints go there */
    bool hidden;         /* output is discarded, and the run is a session of its own */
    int64_t timeout_ns;  /* CLOCK_NEVER for none */
    uint64_t memory_max; /* RLIMIT_AS in bytes; 0: none */
    sigset_t mask;       /* the signal mask it starts with */
    const report_shm *report; /* what the run is offered to report in; NULL for nothing */
    int signal_fd;            /* a signalfd of signals that end the wait; they stay to be handled by
                               the caller, who is told the first one by stopped_by */
} foreground_run;

/* Run it to its end. *stopped_by is the signal that ended it early, or 0. */
outcome foreground_run_once(const foreground_run *run, int *stopped_by);

#endif
