/* server_state.h: what server.c knows of its server, and of the runs of a batch. */
#pragma once

#include "proc.h"
#include "server.h"
#include "warm.h"

/* The process of a server, and what it has made in itself. */
typedef struct server_process {
    proc child;
    int control;    /* socket for messages and answers; -1: no server is running */
    uint64_t flags; /* its abilities, from its HELLO */
    report_layout layout;
    file_stamp program; /* its program file */
    int status;         /* wait status of its end */
    uint64_t lived;     /* runs: in itself, or in the process that stays */
    bool has_answered;  /* a message */
    bool stays;         /* a process stays */
    bool went_on;       /* one did after a failure */
    int64_t counted_ns; /* when its children were counted last, or could be */
    bool has_files;     /* temporary ones, since before its first run */
} server_process;

#define NO_SERVER ((server_process){.control = -1})

typedef struct runner_server {
    runner base;
    const run_config *config;
    const runner_watch *watch;
    runner *spawn; /* for runs in fresh processes */
    run_mode mode;
    report_shm report;
    input_memfd entropy; /* bytes that the server does not expand itself */
    server_process process;
    temp_folder temps[2]; /* of the server, and of one beside it */
    bool is_beside;       /* `process` is the latter */
    uint32_t unbegun;     /* messages in a row that it did not even begin */
    bool knows_helpers;   /* of this program */
    unsigned helpers;     /* living children of its first process when that had started */
    bool is_plain;        /* no server can be started, although the probe could; or it begins no
                           message */
    bool cancelled;       /* the current batch is cancelled */
    run_purpose purpose;  /* of the batch in progress */
    int64_t cpu_ns, unseen_ns; /* CPU time of all runs, and time since it was seen */
    bool knows_end;            /* the end of a process was judged */
    uint32_t ends;             /* in the batch in progress */
    bool end_failed;           /* one of them did */
    warm_state warm;
    bool has_states; /* a run has called frng_digest: such tests are worth the time to compare */
    tally counted;   /* statistics of the last message, which may not count */
} runner_server;
