/* forkserver.h: a system under test that stays and makes runs in processes that it forks; and its
 * client, which starts it when it is needed, gives it orders with their bytes, and ends what does
 * not answer. */
#ifndef FORKSERVER_H
#define FORKSERVER_H

#include "file_stamp.h"
#include "input_memfd.h"
#include "proc.h"
#include "report_shm.h"
#include "runner_spawn.h"

typedef struct forkserver {
    proc child;
    int control;    /* -1: it is not there */
    uint64_t flags; /* of its HELLO: what it can do */
    report_layout layout;
} forkserver;

#define FORKSERVER_NONE ((forkserver){.control = -1})

typedef enum forkserver_answer {
    FORKSERVER_READY,
    FORKSERVER_PLAIN, /* it started, but speaks no protocol */
    FORKSERVER_ERROR  /* *error_number says why it could not be started */
} forkserver_answer;

/* A HELLO may take as long as a run may (`timeout_ns`), but at least so long, since a busy machine
 * starts a program slowly, and at most so long. */
enum { FORKSERVER_HELLO_MIN_MS = 2000, FORKSERVER_HELLO_MAX_MS = 10000 };
int64_t forkserver_hello_ns(int64_t timeout_ns);

/* Start it and wait for its HELLO, at most forkserver_hello_ns. It is spared (orphans.h) until it
 * is stopped. */
forkserver_answer forkserver_start(forkserver *s, const run_config *config,
                                   const report_shm *report, const input_memfd *entropy,
                                   int *error_number);

/* Kill it and all that it has started. Nothing if it is not there. The caller has adopted orphans
 * (orphans_adopt), and has no other children. */
void forkserver_stop(forkserver *s);

bool forkserver_send(const forkserver *s, const frng_message *order);

/* Read its answer. False when it hung up, or what it sent is no DONE for an order of `count`. */
bool forkserver_receive(const forkserver *s, uint64_t count, frng_message *done);

/* ---- The client ---- */

typedef struct forkserver_client {
    const run_config *config;
    const runner_watch *watch;
    report_shm report;
    input_memfd entropy; /* for what the fork server does not expand */
    forkserver forkserver;
    file_stamp program; /* that the fork server was started from */
    bool cancelled;     /* the batch being run is not wanted any more */
    bool is_plain;      /* no fork server can be had: it greeted the probe, and not since */
} forkserver_client;

/* The end of an order. */
typedef enum forkserver_client_end {
    CLIENT_DONE,      /* *done says */
    CLIENT_HUNG,      /* run done->count outlived its deadline; the fork server was killed */
    CLIENT_CANCELLED, /* given up */
    CLIENT_LOST       /* the fork server is gone or talks nonsense, and was killed */
} forkserver_client_end;

/* Both are borrowed. Returns 0 or an errno, with nothing left open. */
int forkserver_client_init(forkserver_client *x, const run_config *config,
                           const runner_watch *watch);
void forkserver_client_finish(forkserver_client *x);

/* Start the fork server if it is not there. Returns 0 or an errno. */
int forkserver_client_need_server(forkserver_client *x);

/* Stop the fork server if its program is not what its path names any more: old and new runs are not
 * to be mixed. */
void forkserver_client_heed_program(forkserver_client *x);

/* Return how many of these runs the fork server, which is there, can take in one order. 0: it
 * expands seeds, and knows nothing else. */
uint32_t forkserver_client_takes(const forkserver_client *x, const batch *runs);

/* Have the fork server, which is there, make no more runs than it takes; flags are those of
 * FRNG_RUN, and FRNG_DIGEST is for the last run. What the runs told is in the report until the next
 * order. */
forkserver_client_end forkserver_client_make(forkserver_client *x, const batch *runs,
                                             uint64_t flags, frng_message *done);

#endif
