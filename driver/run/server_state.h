/* server_state.h: what server.c knows of its server, and of the runs of a batch. */
#pragma once

#include "proc.h"
#include "server.h"
#include "warm.h"

/* The process of a server, and what it has made in itself. */
typedef struct server_process {
    proc child;
    int control; /* socket for messages and answers; -1: no server is running */
    bool has_greeted;
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

/* What is known of a failure in a fork of the server, which makes no run itself. */
typedef enum forks_state {
    FORKS_UNKNOWN,
    FORKS_ALIKE,   /* a new program has repeated one: forks may repeat the next ones */
    FORKS_DOUBTED, /* one did not repeat it: a new program tells */
    FORKS_DIFFER   /* it did */
} forks_state;

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
    bool was_asked;       /* what it can do; the config has the answer */
    bool cancelled;       /* the current batch is cancelled */
    run_purpose purpose;  /* of the batch in progress */
    int64_t cpu_ns, unseen_ns; /* CPU time of all runs, and time since it was seen */
    int64_t made_ns;           /* time in which the runs of the batch were made */
    bool knows_end;            /* the end of a process was judged */
    uint32_t ends;             /* in the batch in progress */
    bool end_failed;           /* one of them did */
    warm_state warm;
    forks_state forks;
    bool has_states; /* a run has called frng_digest: such tests are worth the time to compare */
    tally counted;   /* statistics of the last message, which may not count */
} runner_server;

static inline bool can(const runner_server *r, uint64_t ability) {
    return (r->process.flags & ability) != 0;
}

static inline bool server_is_ready(const runner_server *r) {
    return r->process.control >= 0 && r->process.has_greeted;
}

static inline temp_folder *temp_of(runner_server *r) { return &r->temps[r->is_beside]; }

/* Return the file of what servers print, or -1. */
static inline int output_of(const runner_server *r) {
    return r->spawn != NULL ? runner_spawn_output(r->spawn) : -1;
}

/* ---- Its start and end (server_process.c) ---- */

typedef enum start_end {
    START_READY,
    START_PLAIN,     /* the target started, but does not speak the protocol */
    START_CANCELLED, /* the batch was cancelled before the HELLO; the start goes on */
    START_ERROR      /* the target could not be started */
} start_end;

bool server_receive(const runner_server *r, frng_message *message);

/* True if the server sends no more answers. */
bool server_has_hung_up(const runner_server *r);

/* True if runs left processes behind that the server did not notice, since it made them in itself,
 * or has a process that stays. */
bool server_has_left(runner_server *r, const part *p);

int64_t server_hello_ns(const runner_server *r);

/* Reap a server that has ended, and kill all processes that it started. Returns false if its wait
 * status cannot be known. */
bool server_reap(runner_server *r, int *status);

/* Kill the server and all processes that it started; do nothing if it is not running. This process
 * has adopted orphans (orphans_adopt), and has no other children that are not spared. */
void server_stop(runner_server *r);

/* Start a server and wait for its HELLO. The process is spared (proc.h) until its end.
 * *error_number is the cause of START_ERROR. */
start_end server_start(runner_server *r, int *error_number);

/* Start the server unless it is running. Returns 0 or an errno: ECANCELED if the batch was
 * cancelled meanwhile; EPROTO if it is plain. */
int server_need(runner_server *r);

/* Let a process that makes runs in itself end, and judge how. A cancelled wait tells nothing: a
 * pass. A death by SIGKILL is a failure, as that of a run: runs alone tell whether it was the
 * handler's. */
outcome server_end(runner_server *r);
