/* worker.h: a process that runs batches, one at a time, for the driver that forked it; and how it
 * is contained, so that no process of a run outlives it, however it ends. */
#ifndef WORKER_H
#define WORKER_H

#include "mode.h"
#include "runner.h"

#include <stdint.h>
#include <sys/types.h>

/* An order of the driver. Batches have rising numbers. */
typedef enum worker_verb { WORKER_RUN, WORKER_CANCEL, WORKER_SKIP, WORKER_END } worker_verb;

typedef struct worker_order {
    worker_verb verb;
    run_purpose purpose; /* WORKER_RUN */
    uint64_t number;     /* number of the batch; WORKER_CANCEL: cancels all up to this one;
                            WORKER_SKIP: cancels this one alone; WORKER_END: there are no more
                            orders */
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

/* ---- Containment ---- */

/* Return the name, such as "pid namespace". */
const char *containment_name(containment c);

/* Return the best containment that this process is permitted, by trying. Many container engines
 * refuse pid namespaces, and some distributions refuse unprivileged user namespaces. */
containment containment_detect(void);

/* Fork a contained process in its own session; it gets SIGKILL when the caller ends. If it is pid 1
 * of a pid namespace, it has its own mounts and /proc, no process in the namespace outlives it, and
 * the processes that it starts can neither kill nor stop it. Returns -1 with errno if the fork
 * fails. A process that was forked, but is refused something it needs, exits nonzero. */
pid_t containment_fork(containment c);

/* Called before each wait for a scarce resource: the errno, and the time waited so far. */
typedef void shortage_callback(void *context, int error_number, int64_t waited_ns);

/* As containment_fork, but wait (clock.h) while the system is short of processes or memory.
 * `on_shortage` may be NULL; its first argument is `context`. */
pid_t containment_fork_patiently(containment c, shortage_callback *on_shortage, void *context);

#endif
