/* worker.h: a process that runs batches, one at a time, for the driver that forked it. */
#ifndef WORKER_H
#define WORKER_H

#include "runner.h"

/* An order of the driver. Batches have rising numbers. */
typedef enum worker_verb { WORKER_RUN, WORKER_CANCEL, WORKER_SKIP, WORKER_END } worker_verb;

typedef struct worker_order {
    worker_verb verb;
    run_purpose purpose; /* WORKER_RUN */
    uint64_t number;     /* of the batch; WORKER_CANCEL: all up to this one are void; WORKER_SKIP:
                        this one alone is not wanted; WORKER_END: there will be no more */
    batch runs;          /* WORKER_RUN */
} worker_order;

/* An answer of the worker, once for each batch and in their order. `start_error` is not 0 in the
 * one answer of a worker that could not make its runner: an errno. */
typedef struct worker_answer {
    uint64_t number;
    int start_error;
    run_result result; /* last: an answer ends with the last byte of output that is kept */
} worker_answer;

/* Orders that may be under way at one worker. */
enum { WORKER_DEPTH = 2 };

/* Serve `driver_fd` until its other end closes; never returns. However the driver ends, that closes
 * it; then the worker ends what it runs, and itself. `step` is memory that it shares with the
 * driver, and tells it there what it is doing. For a process of containment_fork. */
_Noreturn void worker_main(int driver_fd, runner_step *step, runner_factory create,
                           const void *config);

/* Read one answer into *answer. False when the worker is gone, or what it sent is no answer. */
bool worker_receive(int worker_fd, worker_answer *answer);

#endif
