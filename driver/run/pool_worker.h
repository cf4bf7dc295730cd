/* pool_worker.h: a worker process as its pool sees it, from its fork to its end. */
#ifndef POOL_WORKER_H
#define POOL_WORKER_H

#include "containment.h"
#include "worker.h"

#include <stdbool.h>
#include <stdint.h>

/* A worker may take this much longer for a step than twice what the step is allowed: much more than
 * a busy machine takes to let it run. Then its pool kills it. */
enum { POOL_WORKER_SLACK_MS = 3000 };

typedef struct pool_worker {
    pid_t pid;            /* 0: there is none */
    int fd;               /* the driver's end of their socket; -1: closed */
    runner_step *step;    /* what it is doing, in memory that they share; borrowed */
    uint32_t busy;        /* orders that it has not answered, cancelled ones too */
    unsigned deaths;      /* of workers in its place, since one answered */
    uint64_t step_number; /* of the step that it was seen at last ... */
    int64_t since_ns;     /* ... and when it was seen there first */
} pool_worker;

typedef struct pool_worker_config {
    runner_factory create; /* called in the worker */
    const void *config;    /* for create; borrowed */
    containment containment;
    shortage_told *shortage; /* may be NULL */
    void *told;              /* for shortage */
} pool_worker_config;

/* Fork it. It keeps its end of the socket and standard error, and no other descriptor of the
 * driver. Returns 0 or an errno. */
int pool_worker_start(pool_worker *w, const pool_worker_config *config);

/* Send an order. Never waits: a worker that does not read is hung up on, and ends. */
void pool_worker_send(const pool_worker *w, const worker_order *order);

/* The same of an order that it will answer. */
void pool_worker_give(pool_worker *w, const worker_order *order);

/* An answer of it has come. */
void pool_worker_answered(pool_worker *w);

/* True if it takes much longer for its present step than that can take. Ask now and then: what it
 * took is counted from when it was first seen at the step. */
bool pool_worker_is_stuck(pool_worker *w, int64_t now_ns);

/* Tell it to end, which takes no time once it has killed what it runs. */
void pool_worker_hang_up(pool_worker *w);

/* Reap those of `count` workers that end within `limit_ms`. Returns true when all are reaped. */
bool pool_worker_reap(pool_worker *workers, unsigned count, int limit_ms);

/* Kill and reap those that are left, and all that dead workers have left, which are children of
 * this process now (orphans.h). A worker that does not die within a second is given up. */
void pool_worker_kill(pool_worker *workers, unsigned count);

#endif
