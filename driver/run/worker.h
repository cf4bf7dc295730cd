/* worker.h: a process that runs batches, one at a time, for the driver that forked it. */
#ifndef WORKER_H
#define WORKER_H

#include "runner.h"

#include <stdint.h>
#include <sys/types.h>

/* An order of the driver. Batches have rising numbers. */
typedef enum worker_verb { WORKER_RUN, WORKER_SKIP, WORKER_END } worker_verb;

typedef struct worker_order {
    worker_verb verb;
    run_purpose purpose; /* WORKER_RUN */
    uint64_t number;     /* of the batch to run, or, for WORKER_SKIP, to cancel. WORKER_END: there
                            are no more orders */
    batch batch;         /* WORKER_RUN; its tally is shared with the driver */
} worker_order;

/* An answer of the worker: one for each batch, in their order. A worker that could not create its
 * runner sends only one answer, with an errno in `start_error`; otherwise that is 0. */
typedef struct worker_answer {
    uint64_t number;
    int start_error;
    run_result result; /* last: an answer ends after the kept bytes of output */
} worker_answer;

/* Limit on the orders in flight of one worker. */
enum { WORKER_DEPTH = 2 };

/* Serve `driver_fd` until its other end closes, which happens however the driver ends; then kill
 * the run in progress and exit. Never returns. `step` is memory shared with the driver, for the
 * worker's progress. For a process of containment_fork. */
_Noreturn void worker_main(int driver_fd, runner_step *step, runner_factory create,
                           const void *config);

/* Read one answer into *answer. False if the worker is gone or sent no valid answer. */
bool worker_receive(int worker_fd, worker_answer *answer);

#endif
