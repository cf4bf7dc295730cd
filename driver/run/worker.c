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
    uint64_t void_through;          /* tickets up to this number are cancelled */
    uint64_t running;               /* number of the ticket being run */
    uint64_t skipped[WORKER_DEPTH]; /* tickets that are not wanted, the latest first */
    bool is_orphan;                 /* nobody will give orders any more, or read answers */
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
    if (order.verb == WORKER_SKIP) {
        memmove(w->skipped + 1, w->skipped, (WORKER_DEPTH - 1) * sizeof w->skipped[0]);
        w->skipped[0] = order.number;
        return;
    }
    assert(w->queued < WORKER_DEPTH);
    w->queue[w->queued++] = order;
}

static bool is_void(const worker *w, uint64_t number) {
    if (w->is_orphan || number <= w->void_through) return true;
    for (size_t i = 0; i < WORKER_DEPTH; i++) {
        if (w->skipped[i] == number) return true;
    }
    return false;
}

static bool is_cancelled(void *context) {
    worker *w = context;
    take_order(w);
    return is_void(w, w->running);
}

/* False when there will be no more. */
static bool next_order(worker *w, worker_order *order) {
    while (w->queued == 0 && !w->is_orphan) take_order(w);
    if (w->is_orphan) return false;
    *order = w->queue[0];
    w->queued--;
    memmove(w->queue, w->queue + 1, w->queued * sizeof *order);
    return true;
}

static void take_waiting_orders(worker *w) {
    struct pollfd fd = {w->driver_fd, POLLIN, 0};
    while (!w->is_orphan && poll(&fd, 1, 0) > 0) take_order(w);
}

/* False when nobody is there. */
static bool answer(const worker *w, const worker_answer *a) {
    const size_t size = offsetof(worker_answer, result.output.bytes) + a->result.output.size;
    return send(w->driver_fd, a, size, MSG_NOSIGNAL) >= 0;
}

/* Run tickets until there will be no more. */
static void serve(worker *w, runner *r, worker_answer *a) {
    worker_order order;
    while (next_order(w, &order)) {
        take_waiting_orders(w);
        a->number = w->running = order.number;
        a->result.output.size = 0;
        a->result.doubt = DOUBT_NONE;
        a->result.cancelled = is_void(w, order.number);
        if (a->result.cancelled) a->result.ran = 0;
        if (!a->result.cancelled) r->ops->run(r, &order.runs, order.capture, &a->result);
        if (!answer(w, a)) return;
    }
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
    serve(&w, r, &a);
    r->ops->destroy(r);
    _exit(EXIT_SUCCESS);
}

bool worker_receive(int worker_fd, worker_answer *a) {
    ssize_t size;
    while ((size = recv(worker_fd, a, sizeof *a, 0)) < 0 && errno == EINTR) {
    }
    return size >= (ssize_t)offsetof(worker_answer, result.output.bytes) &&
           (size_t)size == offsetof(worker_answer, result.output.bytes) + a->result.output.size;
}
