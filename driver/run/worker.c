/* How a worker works.
 *
 * It is a contained fork of the driver (containment.h). It takes orders from its socket, one batch
 * after the other, and looks for more while a run lasts: that is how a batch is cancelled. When the
 * driver dies, the socket closes and a SIGCONT comes, which also wakes a worker that a run has
 * stopped. Then it ends its run, removes the files of it, and exits; an alarm ends it if that gets
 * stuck. */
#include "worker.h"

#include "proc.h"
#include "stats.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The state of a worker. It serves until the driver orders its end, or dies without an order
 * (SIGKILL). */
typedef enum worker_state { SERVING, SHUTDOWN_REQUESTED, DRIVER_DIED } worker_state;

typedef struct worker {
    int driver_fd;
    worker_state state;
    uint32_t count;                    /* unanswered orders */
    worker_order orders[WORKER_DEPTH]; /* the oldest first, which may be in progress */
} worker;

/* Stop serving: accept no more orders and send no more answers. The first reason is kept. */
static void stop_serving(worker *w, worker_state why) {
    if (w->state == SERVING) w->state = why;
}

static void carry_out(worker *w, const worker_order *order) {
    switch (order->verb) {
    case WORKER_RUN:
        assert(w->count < WORKER_DEPTH);
        w->orders[w->count++] = *order;
        return;
    case WORKER_SKIP: /* too late for one that was answered */
        for (uint32_t i = 0; i < w->count; i++) {
            if (w->orders[i].number == order->number) w->orders[i].verb = WORKER_SKIP;
        }
        return;
    case WORKER_END: stop_serving(w, SHUTDOWN_REQUESTED); return;
    }
    abort();
}

/* Receive one order from the socket. */
static void take_order(worker *w) {
    worker_order order;
    ssize_t size;
    while ((size = recv(w->driver_fd, &order, sizeof order, 0)) < 0 && errno == EINTR) {
    }
    if (size <= 0) {
        stop_serving(w, DRIVER_DIED); /* the run in progress stops too */
        return;
    }
    assert((size_t)size == sizeof order);
    carry_out(w, &order);
}

/* True if the batch in progress is void. */
static bool is_void(const worker *w) {
    return w->state != SERVING || w->orders[0].verb == WORKER_SKIP;
}

static bool is_cancelled(void *context) {
    take_order(context);
    return is_void(context);
}

static bool has_driver_died(void *context) {
    return ((const worker *)context)->state == DRIVER_DIED;
}

/* Wait for an order, and take all that are there. False if there are no more. */
static bool take_orders(worker *w) {
    struct pollfd fd = {w->driver_fd, POLLIN, 0};
    while (w->state == SERVING && (w->count == 0 || poll(&fd, 1, 0) > 0)) take_order(w);
    return w->state == SERVING;
}

/* Send an answer. False if the driver is gone. */
static bool answer(const worker *w, const worker_answer *a) {
    const size_t size = offsetof(worker_answer, result.output.bytes) + a->result.output.size;
    ssize_t sent;
    while ((sent = send(w->driver_fd, a, size, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return sent >= 0;
}

/* Run batches until there are no more orders. An interrupted batch has no answer. */
static void serve(worker *w, runner *r, const runner_watch *watch, worker_answer *a) {
    const worker_order *order = &w->orders[0];
    while (take_orders(w)) {
        const batch *b = &order->batch;
        watch->step->batch = a->number = order->number;
        watch->step->size = b->size;
        watch->step->mix = b->mix;
        runner_begin_step(watch, b->first_seed, 0);
        run_result_clear(&a->result);
        if (b->tally != NULL) tally_clear(b->tally);
        a->result.cancelled = is_void(w);
        if (!a->result.cancelled) r->ops->run(r, b, order->purpose, &a->result);
        a->result.tally = b->tally;
        a->result.unkillable = orphans_take_given_up();
        if (w->state != SERVING || !answer(w, a)) return;
        memmove(w->orders, w->orders + 1, --w->count * sizeof *order);
    }
}

/* Data for signal handlers. */
static int driver_end;                /* the socket */
static void (*continued)(int number); /* the previous handler of SIGCONT; may be NULL */

static void on_alarm(int number) {
    (void)number;
    _exit(EXIT_FAILURE);
}

/* React to SIGCONT, which comes when the driver dies. The worker also sees the closed socket, ends
 * its run and cleans up. If that gets stuck, the alarm ends the worker, and its namespace with it.
 * A run may send SIGCONT too, so the socket is checked. */
static void on_driver_death(int number) {
    enum { LAST_S = 10 };
    const int error = errno;
    struct pollfd driver = {driver_end, 0, 0};
    if (continued != NULL) continued(number);
    if (poll(&driver, 1, 0) > 0 && (driver.revents & POLLHUP) != 0) alarm(LAST_S);
    errno = error;
}

/* Make the kernel kill this process and its future children before others, such as its parent, when
 * memory runs out. */
static void offer_to_oom_killer(void) {
    enum { OFFER = 1000 }; /* the maximum: no process is killed before it */
    FILE *file = fopen("/proc/self/oom_score_adj", "we");
    if (file == NULL) return;
    fprintf(file, "%d\n", OFFER);
    fclose(file);
}

/* Request SIGCONT for the driver's death. SIGKILL would leave the files of a run behind, and
 * SIGCONT also continues this process if a run has stopped it. */
static void hear_of_driver_death(int driver_fd) {
    const struct sigaction on_death = {.sa_handler = on_driver_death}; /* no SA_RESTART */
    const struct sigaction on_end = {.sa_handler = on_alarm};
    struct sigaction before;
    sigset_t set;
    driver_end = driver_fd;
    sigaction(SIGCONT, NULL, &before);
    continued =
        before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN ? NULL : before.sa_handler;
    sigaction(SIGALRM, &on_end, NULL);
    sigaction(SIGCONT, &on_death, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCONT);
    sigaddset(&set, SIGALRM); /* the tool's parent may have blocked it */
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    prctl(PR_SET_PDEATHSIG, SIGCONT);
}

_Noreturn void worker_main(int driver_fd, runner_step *step, runner_factory create,
                           const void *config) {
    static worker w;
    static worker_answer a;
    const runner_watch watch = {driver_fd, is_cancelled, &w, has_driver_died, step};
    hear_of_driver_death(driver_fd);
    prctl(PR_SET_NAME, "frng-worker");
    offer_to_oom_killer(); /* and its runs, so that the driver survives */
    w.driver_fd = driver_fd;
    runner *r = create(config, &watch, &a.start_error);
    if (r == NULL) {
        answer(&w, &a);
        _exit(EXIT_FAILURE);
    }
    a.start_error = 0;
    serve(&w, r, &watch, &a);
    r->ops->destroy(r);
    _exit(EXIT_SUCCESS);
}

bool worker_receive(int worker_fd, worker_answer *a) {
    ssize_t size; /* a worker that ended before an order was read resets the socket, once */
    while ((size = recv(worker_fd, a, sizeof *a, 0)) < 0 &&
           (errno == EINTR || errno == ECONNRESET)) {
    }
    return size >= (ssize_t)offsetof(worker_answer, result.output.bytes) &&
           (size_t)size == offsetof(worker_answer, result.output.bytes) + a->result.output.size;
}
