/* worker.h: a contained process that runs batches, one at a time, for the driver that forked it. */
#pragma once

#include "candidate_set.h"
#include "known_failures.h"
#include "runner.h"
#include "tally.h"
#include "work_folder.h"

#include <sys/types.h>

/* Limit on the requests in flight of one worker. */
enum { WORKER_DEPTH = 2 };

/* A batch from its request to its result, in memory that the driver shares with its workers. While
 * a worker has it, the driver writes only `is_void`. */
typedef struct slot {
    uint64_t number;      /* of the batch, from 1 on; 0: the slot is free */
    unsigned worker;      /* that has the batch */
    bool is_done;         /* the result waits for its turn */
    _Atomic bool is_void; /* the worker is to cancel the batch */
    run_purpose purpose;
    batch batch;
    run_result result;
    tally tally;
    known_runs known;
    candidate_set set;
} slot;

/* True for a failure that waits for its turn: later batches will most likely be cancelled. Not for
 * a candidate that is alone in its set, since the engine expects its failure. */
static inline bool slot_makes_void(const slot *s) {
    const bool is_alone = s->batch.candidates != NULL && s->batch.candidates->count == 1;
    return !s->result.cancelled && !is_alone && s->result.last.verdict != VERDICT_PASS;
}

/* A request of the driver, and its verb. */
typedef enum worker_verb {
    WORKER_RUN,  /* run the batch of the slot, and send the slot back */
    WORKER_LOOK, /* a batch has become void */
    WORKER_END   /* there are no more requests */
} worker_verb;

typedef struct worker_request {
    worker_verb verb;
    slot *slot;
} worker_request;

/* An answer of the worker: one for each batch, in their order. A worker that could not create its
 * runner sends only one answer, with an errno in `start_error`; otherwise that is 0. */
typedef struct worker_answer {
    slot *slot;
    int start_error;
} worker_answer;

/* What a worker is to do. Borrowed. */
typedef struct worker_setup {
    unsigned job, jobs; /* its number, from 0 on, and how many there are */
    pid_t driver;       /* the pid of the driver, as the driver has it */
    runner_step *step;  /* memory shared with the driver, for the worker's progress */
    runner_factory create;
    const void *config;      /* for create */
    const work_folder *work; /* may be NULL */
} worker_setup;

/* Serve `driver_fd` until its other end closes, which happens however the driver ends; then kill
 * the run in progress and exit. Never returns. For a process of containment_fork. */
_Noreturn void worker_main(int driver_fd, const worker_setup *setup);
