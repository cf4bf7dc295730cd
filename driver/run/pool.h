/* pool.h: N workers that take batches in one order and give results in the same order. */
#ifndef POOL_H
#define POOL_H

#include "candidate_set.h"
#include "containment.h"
#include "runner.h"

#include <stdbool.h>
#include <stdint.h>

enum { POOL_JOBS_MAX = 256 };

/* Workers that shut down get this long to end what they run; then they are killed. */
enum { POOL_SHUTDOWN_MS = 2000 };

typedef struct pool_config {
    unsigned jobs;           /* worker processes, 1 to POOL_JOBS_MAX */
    runner_factory create;   /* called in each worker */
    const void *config;      /* for create; borrowed */
    containment containment; /* of each worker */
    int interrupt_fd;        /* pool_wait returns when this has something to read; -1 for none */
    uint64_t candidate_set_bytes; /* room of each candidate set; 0: there are none */
    uint64_t candidate_set_records;
    shortage_told *shortage; /* of a worker or what it starts; may be NULL */
    /* A process that a run left, or a worker, cannot be killed, and is left alone; may be NULL. */
    void (*unkillable)(void *told, pid_t pid);
    void *told; /* for shortage and unkillable */
} pool_config;

typedef enum pool_event {
    POOL_RESULT,      /* the oldest batch is done */
    POOL_IDLE,        /* no result is due: the deadline has passed, or no batch is under way */
    POOL_INTERRUPTED, /* interrupt_fd has something to read; nothing was read from it */
    POOL_BROKEN       /* workers cannot be started, keep dying (ECHILD), or were stuck for most of
                         the time (ETIME): errno says */
} pool_event;

typedef struct pool pool;

/* NULL with errno when a worker cannot be started. */
pool *pool_create(const pool_config *config);

/* Ends the workers and all that they run, in some seconds at most. True if a worker had to be
 * killed, since it did not end by itself; *stuck is the run that it had in progress. */
bool pool_stop(pool *p, seed_input *stuck);

/* Stops it, and frees all. NULL is allowed. */
void pool_destroy(pool *p);

/* True when one more batch keeps a worker busy. */
bool pool_has_room(const pool *p);

/* Return how many runs a batch should have at the most, so that it takes a worker some
 * milliseconds. */
uint32_t pool_batch(const pool *p);

/* Hand out a batch of seeds; there must be room. */
void pool_submit(pool *p, const batch *runs, run_purpose purpose);

/* An empty candidate set that no worker has, to be filled and then submitted before another is
 * asked for. There is one while there is room. */
candidate_set *pool_candidate_set(pool *p);
void pool_submit_candidate_set(pool *p, candidate_set *given, run_purpose purpose);

/* Wait for the oldest batch, *runs. A worker that takes much longer for a run than twice what it
 * may take is killed with all that it started; that run's result is VERDICT_STUCK. *result, and its
 * candidate set, live until the next call for this pool. */
pool_event pool_wait(pool *p, int64_t deadline_ns, batch *runs, const run_result **result);

/* A candidate set that was submitted is not wanted any more: its result comes at once, as
 * cancelled, if it had not come about before. */
void pool_skip(pool *p, const candidate_set *given);

/* All batches under way are void: they are stopped, and have no results. */
void pool_cancel(pool *p);

#endif
