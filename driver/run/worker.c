#include "worker.h"

#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct worker {
    int driver_fd;
    uint64_t void_through; /* tickets up to this number are cancelled */
    uint64_t running;      /* number of the ticket being run */
    bool is_orphan;        /* nobody will give orders any more, or read answers */
    uint32_t queued;
    worker_order queue[WORKER_DEPTH];
} worker;

/* Take one order from the socket; the driver's end is the worker's. */
static void take_order(worker *w) {
    worker_order order;
    ssize_t size;
    while ((size = recv(w->driver_fd, &order, sizeof order, 0)) < 0 && errno == EINTR) {
    }
    if (size <= 0) { /* the driver has ended, perhaps by SIGKILL: so does what is being run */
        w->is_orphan = true;
        return;
    }
    assert((size_t)size == sizeof order);
    if (order.verb == WORKER_CANCEL) {
        w->void_through = order.number;
        return;
    }
    assert(w->queued < WORKER_DEPTH);
    w->queue[w->queued++] = order;
}

static bool is_cancelled(void *context) {
    worker *w = context;
    take_order(w);
    return w->is_orphan || w->running <= w->void_through;
}

static worker_order next_order(worker *w) {
    while (w->queued == 0 && !w->is_orphan) take_order(w);
    if (w->is_orphan) _exit(EXIT_SUCCESS);
    const worker_order order = w->queue[0];
    w->queued--;
    memmove(w->queue, w->queue + 1, w->queued * sizeof order);
    return order;
}

static void take_waiting_orders(worker *w) {
    struct pollfd fd = {w->driver_fd, POLLIN, 0};
    while (!w->is_orphan && poll(&fd, 1, 0) > 0) take_order(w);
}

static void answer(const worker *w, const worker_answer *a) {
    const size_t size = offsetof(worker_answer, result.output.bytes) + a->result.output.size;
    if (send(w->driver_fd, a, size, MSG_NOSIGNAL) < 0) _exit(EXIT_SUCCESS); /* nobody is there */
}

_Noreturn void worker_main(int driver_fd, runner_factory create, const void *config) {
    static worker w;
    static worker_answer a;
    const runner_watch watch = {driver_fd, is_cancelled, &w};
    proc_adopt_orphans();
    setsid(); /* no run can reach the terminal, nor its signals this worker */
    prctl(PR_SET_NAME, "frng-worker");
    w.driver_fd = driver_fd;
    runner *r = create(config, &watch, &a.start_error);
    if (r == NULL) {
        answer(&w, &a);
        _exit(EXIT_FAILURE);
    }
    a.start_error = 0;
    for (;;) {
        const worker_order order = next_order(&w);
        take_waiting_orders(&w);
        a.number = w.running = order.number;
        a.result.output.size = 0;
        a.result.doubt = DOUBT_NONE;
        a.result.cancelled = w.is_orphan || order.number <= w.void_through;
        if (!a.result.cancelled) r->ops->run(r, &order.runs, order.capture, &a.result);
        answer(&w, &a);
    }
}

bool worker_receive(int worker_fd, worker_answer *a) {
    ssize_t size;
    while ((size = recv(worker_fd, a, sizeof *a, 0)) < 0 && errno == EINTR) {
    }
    return size >= (ssize_t)offsetof(worker_answer, result.output.bytes) &&
           (size_t)size == offsetof(worker_answer, result.output.bytes) + a->result.output.size;
}
