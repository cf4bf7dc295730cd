/* server.h: targets that speak the protocol. The runner that makes batches by a fork server, a
 * target that stays alive and makes runs in processes that it forks, or in itself (FRNG_NO_FORK:
 * then its end is that of the run in progress); a runner whose runs ask a target what it can do; and
 * the fork server itself: its start and end, and its messages. */
#ifndef SERVER_H
#define SERVER_H

#include "files.h"
#include "input_memfd.h"
#include "mode.h"
#include "proc.h"
#include "report.h"
#include "seed_input.h"
#include "spawn.h"

#include <stdbool.h>

/* ---- The runner ---- */

/* Borrowed by its runners, with all it points to. */
typedef struct runner_server_config {
    run_config spawn;
    run_mode mode;        /* the fastest mode to use */
    bool steady;          /* keep that mode despite isolation violations */
    report_layout layout; /* found by the probe */
} runner_server_config;

/* Return the fastest mode of the target in which each run has a process of its own. */
static inline run_mode runner_server_lone_mode(const runner_server_config *config) {
    return config->layout.forks_none ? MODE_SPAWN : MODE_FORK;
}

/* A runner_factory; config is a runner_server_config. */
runner *runner_server_create(const void *config, const runner_watch *watch, int *error_number);

/* ---- What a target can do ---- */

typedef struct probe_answer {
    run_mode mode;        /* the fastest */
    report_layout layout; /* the place where it reports its draws */
    bool is_foreign;      /* it answered in the other byte order */
} probe_answer;

/* A runner_factory; config is a run_config. A run starts the target as a fork server, whatever its
 * input; one that does not speak the protocol sees an empty stdin. The run passes with an answer,
 * unless the target cannot be started: VERDICT_ERROR. */
runner *probe_create(const void *config, const runner_watch *watch, int *error_number);

/* Return the answer of a run that passed. If the target stopped its worker, it can do nothing. */
probe_answer probe_answer_of(const run_result *result);

/* ---- The fork server ---- */

/* The process of a fork server, and what it has made in itself. */
typedef struct server_process {
    proc child;
    int control;    /* socket for messages and answers; -1: no fork server is running */
    uint64_t flags; /* its abilities, from its HELLO */
    report_layout layout;
    file_stamp program; /* its program file */
    uint64_t lived;     /* runs */
    int64_t counted_ns; /* when its children were counted last, or could be */
} server_process;

typedef struct fork_server {
    const run_config *config;
    const runner_watch *watch;
    report_shm report;
    input_memfd entropy; /* bytes that the fork server does not expand itself */
    server_process process;
    frng_leaks_request leaks; /* of the next message */
    bool made_first;          /* no run came before those of the last message in their process */
    uint32_t unbegun;         /* messages in a row that it did not even begin */
    bool knows_helpers;       /* of this program */
    unsigned helpers;         /* living children of its first process when that had started */
    bool cancelled;           /* the current batch is cancelled */
    bool is_plain;            /* no fork server can be started, although the probe could; or it
                                 begins no message */
} fork_server;

/* The end of a message. */
typedef enum server_end {
    SERVER_DONE,      /* *done is the answer */
    SERVER_HUNG,      /* run done->count missed its deadline; the fork server was killed */
    SERVER_STOPPED,   /* the same, but run done->count had stopped the fork server */
    SERVER_CANCELLED, /* the batch was cancelled */
    SERVER_LOST       /* the fork server died or sent nonsense, and was killed */
} server_end;

/* `config` and `watch` are borrowed. Returns 0, or an errno with nothing left open. */
int server_init(fork_server *c, const run_config *config, const runner_watch *watch);
void server_finish(fork_server *c);

/* Start the fork server unless it is running. Returns 0 or an errno: ECANCELED if the batch was
 * cancelled meanwhile; EPROTO if it is plain. */
int server_need(fork_server *c);

/* Kill the fork server and all processes that it started; do nothing if it is not running. The
 * caller has adopted orphans (orphans_adopt), and has no other children that are not spared. */
void server_stop(fork_server *c);

/* Stop the fork server if its program file was replaced or rewritten: runs of the old and the new
 * program must not mix. */
void server_stop_if_replaced(fork_server *c);

/* True if the running fork server can run choices, and report what they drew. */
bool server_can_choose(const fork_server *c);

/* Return the number of these runs that fit in one message to the running fork server. 0: the first
 * has explicit bytes or a style, and the fork server only expands plain seeds. */
uint32_t server_takes(const fork_server *c, const batch *b);

/* Make these runs, no more than server_takes returned, with the running fork server. The
 * flags are those of FRNG_RUN; FRNG_DIGEST applies to the last run. The report of the runs is valid
 * until the next message. */
server_end server_make(fork_server *c, const batch *b, uint64_t flags, frng_message *done);

/* Make a batch of one run in a process that makes no other before it: a fork of the fork server,
 * which is started if needed. Where that makes its runs in itself, a new one makes the run beside
 * it: a warm process is worth more than a new one. */
server_end server_make_alone(fork_server *c, const batch *once, uint64_t flags, frng_message *done);

#endif
