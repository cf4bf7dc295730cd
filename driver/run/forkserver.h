/* forkserver.h: a fork server: a target that stays alive and makes runs in processes that it forks,
 * or in itself (FRNG_NO_FORK): then its end is that of the run in progress. */
#ifndef FORKSERVER_H
#define FORKSERVER_H

#include "proc.h"
#include "report_shm.h"

typedef struct input_memfd input_memfd;
typedef struct run_config run_config;
typedef struct runner_watch runner_watch;

typedef struct forkserver {
    proc child;
    int control;    /* socket for orders and answers; -1: no fork server is running */
    uint64_t flags; /* its abilities, from its HELLO */
    report_layout layout;
} forkserver;

#define FORKSERVER_NONE ((forkserver){.control = -1})

typedef enum forkserver_answer {
    FORKSERVER_READY,
    FORKSERVER_PLAIN,     /* the target started, but does not speak the protocol */
    FORKSERVER_FOREIGN,   /* the same; it speaks in the other byte order */
    FORKSERVER_CANCELLED, /* the batch was cancelled before the HELLO */
    FORKSERVER_ERROR      /* the target could not be started; *error_number is the cause */
} forkserver_answer;

/* Limits on the wait for a HELLO, which may otherwise take as long as a run (`timeout_ns`). The
 * minimum is for busy machines, which start a program slowly. */
enum { FORKSERVER_HELLO_MIN_MS = 2000, FORKSERVER_HELLO_MAX_MS = 10000 };
int64_t forkserver_hello_ns(int64_t timeout_ns);

/* What a fork server is started with. All is borrowed. */
typedef struct forkserver_setup {
    const run_config *config;
    const report_shm *report;
    const input_memfd *entropy;
    const runner_watch *watch; /* stops the wait for the HELLO */
} forkserver_setup;

/* Start a fork server and wait for its HELLO, at most forkserver_hello_ns. The process is spared
 * (orphans.h) until forkserver_stop. *error_number is the cause of FORKSERVER_ERROR. */
forkserver_answer forkserver_start(forkserver *s, const forkserver_setup *setup, int *error_number);

/* Reap a fork server that has ended, and kill all processes that it started. Returns false if its
 * wait status cannot be known. The caller is that of forkserver_stop. */
bool forkserver_reap(forkserver *s, int *status);

/* Kill the fork server and all processes that it started; do nothing if it is not running. The
 * caller has adopted orphans (orphans_adopt), and has no other children that are not spared. */
void forkserver_stop(forkserver *s);

bool forkserver_send(const forkserver *s, const frng_message *order);

/* Read an answer. False if the fork server hung up, or sent anything but a DONE for an order of
 * `count` runs. */
bool forkserver_receive(const forkserver *s, uint64_t count, frng_message *done);

#endif
