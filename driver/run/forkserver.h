/* forkserver.h: a system under test that stays, and makes runs in processes that it forks. */
#ifndef FORKSERVER_H
#define FORKSERVER_H

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

/* How long a HELLO may take where a run may take `timeout_ns`: as long, but at least two seconds,
 * since a busy machine starts a program slowly, and at most ten. */
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

#endif
