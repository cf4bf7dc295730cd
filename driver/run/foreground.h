/* foreground.h: makes one run in the foreground, on the driver's terminal. */
#ifndef FOREGROUND_H
#define FOREGROUND_H

#include "failure.h"
#include "proc.h"
#include "report.h"
#include "spawn.h"

/* Limit on the output that is kept, in bytes. Writes beyond it fail, and their bytes are lost. */
enum { FOREGROUND_OUTPUT_MAX = 64 * 1024 };

/* The description of a foreground run. Borrowed for the call. */
typedef struct foreground_run {
    proc_command command;
    int stdin_folder_fd;       /* AT_FDCWD, or the folder of stdin_path */
    const char *stdin_path;    /* opened as stdin; NULL: the driver's */
    const int *stdin_fd;       /* not NULL: an open descriptor, used instead of stdin_path */
    const uint8_t *pipe_bytes; /* not NULL: stdin is a pipe with these bytes instead */
    uint64_t pipe_size;
    bytes_tail *output;       /* not NULL: gets the first FOREGROUND_OUTPUT_MAX bytes of output */
    bool hidden;              /* output is discarded, and the run has its own session */
    bytes_tail *hidden_ends;  /* not NULL: gets both ends of a hidden run's output, if it is not in
                                 `output` */
    int64_t timeout_ns;       /* CLOCK_NEVER for none */
    uint64_t memory_max;      /* RLIMIT_AS in bytes; 0: none */
    sigset_t mask;            /* the run's initial signal mask */
    const report_shm *report; /* offered to the run for its report; NULL: none */
    child_pulse pulse;        /* called while the run lasts */
    int signal_fd;            /* a signalfd; the run gets its signals too, or is killed */
} foreground_run;

/* Make the run. *stopped_by is the first signal that came meanwhile, for the caller to handle, or
 * 0. */
outcome foreground_run_once(const foreground_run *run, int *stopped_by);

#endif
