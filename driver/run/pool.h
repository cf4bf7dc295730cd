/* pool.h: N workers that run batches and return their results in the order of submission. */
#pragma once

#include "candidate_set.h"
#include "known_failures.h"
#include "runner.h"
#include "work_folder.h"

enum { POOL_JOBS_MAX = 256 };

/* The time that workers get to end their runs at shutdown; then they are killed. */
enum { POOL_SHUTDOWN_MS = 2000 };

typedef struct pool_config {
    unsigned jobs;                /* worker processes, 1 to POOL_JOBS_MAX */
    unsigned first_job;           /* number of the first */
    runner_factory create;        /* called in each worker */
    const void *config;           /* for create; borrowed */
    size_t config_size;           /* its bytes, which pool_go_on may change; 0: it may not */
    bool starts_first;            /* only the first worker is started, until pool_go_on */
    containment containment;      /* containment of each worker */
    const work_folder *work;      /* for the files of their runs; NULL: there is none. Borrowed */
    int interrupt_fd;             /* pool_wait returns when it is readable; -1: none */
    uint64_t candidate_set_bytes; /* capacity of each candidate set; 0: there are none */
    uint64_t candidate_set_records;
    uint64_t candidate_set_log; /* records of comparisons of a guided set; 0: there are none */
    bool counts;                /* results of RUN_TRY have statistics */
    /* Called for a worker or a process of a run that cannot be killed, and is left alone; may be
     * NULL. */
    void (*on_unkillable)(void *context, pid_t pid);
    void *context; /* borrowed; its first argument */
} pool_config;

typedef enum pool_event {
    POOL_RESULT,      /* the oldest batch is done */
    POOL_IDLE,        /* no result is due: the deadline has passed, or no batch is in flight */
    POOL_INTERRUPTED, /* interrupt_fd is readable; nothing was read from it */
    POOL_BROKEN       /* the pool has failed, with an errno: workers cannot be started, keep dying
                         (ECHILD), were stuck several times in a row (ETIME), or have a bug
                         (ENOTRECOVERABLE) */
} pool_event;

typedef struct pool pool;

/* Returns NULL with errno if a worker cannot be started. */
pool *pool_create(const pool_config *config);

/* Let the workers see the config as it is now, and start those that are missing. Nothing may be
 * under way. Returns 0 or an errno. */
int pool_go_on(pool *p);

/* Create a pool like p, but of one worker that is in no namespace, only a subreaper. It lives while
 * p, which must be idle, makes no runs. */
pool *pool_create_outside(const pool *p);

/* Replace the workers of p, which must be idle, by such ones. False if that broke the pool. */
bool pool_move_outside(pool *p);

/* End the workers and all their runs, within some seconds. True if a worker did not end by itself
 * and had to be killed; *stuck is the input of its run in progress. */
bool pool_stop(pool *p, seed_input *stuck);

/* Stop and free the pool. NULL is allowed. */
void pool_destroy(pool *p);

/* True if one more batch would keep a worker busy. */
bool pool_has_room(const pool *p);

/* Return true if no worker has a request, cancelled ones included. */
bool pool_is_idle(const pool *p);

/* Return the largest number of runs of `size` bytes that a batch should have, so that it takes a
 * worker some milliseconds. */
uint32_t pool_batch(const pool *p, uint64_t size);

/* Submit a batch of seeds; requires pool_has_room. */
void pool_submit(pool *p, const batch *b, run_purpose purpose);

/* Let runs of seeds that fail so be counted (run_result.known), as far as the target can do it: its
 * process and their batch go on. Such a failure may end its batch all the same. */
void pool_know(pool *p, const known_failure *k);

/* Let each failure end its batch again, until others are known, or for good. All batches in flight
 * are cancelled. */
void pool_know_none(pool *p, bool for_good);

/* Return an empty candidate set that no worker uses. Fill and submit it before you ask for another
 * one. One is free whenever pool_has_room. */
candidate_set *pool_candidate_set(pool *p);
void pool_submit_candidate_set(pool *p, candidate_set *set, run_purpose purpose);

/* Wait for the oldest batch, *b. If a worker takes much longer for a run than twice the run's
 * limit, it is killed with all processes that it started, and the run's result is VERDICT_STUCK.
 * *result, its candidate set and its tally are valid until the next call for this pool. */
pool_event pool_wait(pool *p, int64_t deadline_ns, batch *b, const run_result **result);

/* Go on with the batch that pool_wait has just returned, from run `ran` on: it is the oldest again.
 * Only if its last run did not pass, and nothing was submitted or cancelled since. */
void pool_continue(pool *p, uint32_t ran);

/* Return how long the smallest run under way that may hang has gone on, and its input; 0 if there
 * is none. It has taken half its time limit; more than most_ns, and three times as long as runs of
 * its size do; or ten times as long, and more than 250 ms or most_ns. */
int64_t pool_slow_run(const pool *p, int64_t most_ns, seed_input *input);

/* Skip a submitted candidate set: unless its result exists already, it comes at once, as
 * cancelled. */
void pool_skip(pool *p, const candidate_set *set);

/* Cancel all batches in flight: they are stopped, and have no results. */
void pool_cancel(pool *p);
