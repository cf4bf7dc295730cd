/* pool_worker.h: a pool's view of a worker process, from its fork to its end. */
#ifndef POOL_WORKER_H
#define POOL_WORKER_H

#include "containment.h"
#include "worker.h"

#include <stdbool.h>
#include <stdint.h>

/* The time that a worker may take for a step beyond twice the step's limit; then its pool kills it.
 * Even a busy machine lets the worker run much sooner. */
enum { POOL_WORKER_SLACK_MS = 3000 };

typedef struct pool_worker {
    pid_t pid;            /* 0: there is no process */
    int fd;               /* the driver's end of their socket; -1: closed */
    runner_step *step;    /* its progress, in shared memory; borrowed */
    uint32_t busy;        /* unanswered orders, including cancelled ones */
    unsigned deaths;      /* of workers in this place since the last answer */
    uint64_t step_number; /* number of the step last seen */
    int64_t since_ns;     /* time when that step was first seen */
} pool_worker;

typedef struct pool_worker_config {
    runner_factory create; /* called in the worker */
    const void *config;    /* for create; borrowed */
    containment containment;
    shortage_callback *on_shortage; /* may be NULL */
    void *context;                  /* borrowed; its first argument */
} pool_worker_config;

/* Fork a worker. Of the driver's descriptors it keeps only its end of the socket and standard
 * error. Returns 0 or an errno. */
int pool_worker_start(pool_worker *w, const pool_worker_config *config);

/* Send an order. Never waits: if the worker does not read, its socket is shut down, and it ends. */
void pool_worker_send(const pool_worker *w, const worker_order *order);

/* Send an order that the worker will answer. */
void pool_worker_give(pool_worker *w, const worker_order *order);

/* Record an answer of the worker. */
void pool_worker_answered(pool_worker *w);

/* True if the worker exceeds the limit of its present step by far. Call it regularly: the time of a
 * step counts from the call that first saw it. */
bool pool_worker_is_stuck(pool_worker *w, int64_t now_ns);

/* Order the worker to end, which takes no time once it has killed its runs. */
void pool_worker_hang_up(pool_worker *w);

/* Reap those of `count` workers that end within `limit_ms`. True if all are reaped. */
bool pool_worker_reap(pool_worker *workers, unsigned count, int limit_ms);

/* Kill and reap the remaining workers, and all processes that dead workers have left, which are now
 * children of this process (orphans.h). A worker that does not die within a second is given up. */
void pool_worker_kill(pool_worker *workers, unsigned count);

#endif
