/* How a worker works.
 *
 * It is a contained fork of the driver. It takes requests from its socket, one batch after another,
 * and looks for more while a run lasts: that is how a batch is cancelled. When the driver dies, the
 * socket closes and a SIGCONT comes, which also wakes a worker that a run has stopped. Then it ends
 * its run, removes the files of it, and exits; an alarm ends it if that gets stuck. */
#include "worker.h"

#include "containment.h"
#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- Requests ---- */

/* The state of a worker. It serves until the driver requests its end, or dies without a request
 * (SIGKILL). */
typedef enum worker_state { SERVING, SHUTDOWN_REQUESTED, DRIVER_DIED } worker_state;

typedef struct worker {
    int driver_fd;
    worker_state state;
    uint32_t count;            /* unanswered requests */
    slot *slots[WORKER_DEPTH]; /* the oldest first, which may be in progress */
} worker;

static void take_request(worker *w) {
    worker_request request;
    const ssize_t size = UNINTERRUPTED(recv(w->driver_fd, &request, sizeof request, 0));
    if (size <= 0) {
        if (w->state == SERVING) w->state = DRIVER_DIED; /* the run in progress stops too */
        return;
    }
    assert((size_t)size == sizeof request);
    assert(request.verb != WORKER_RUN || w->count < WORKER_DEPTH);
    if (request.verb == WORKER_RUN) w->slots[w->count++] = request.slot;
    if (request.verb == WORKER_END && w->state == SERVING) w->state = SHUTDOWN_REQUESTED;
}

static bool is_void(const worker *w) { return w->state != SERVING || w->slots[0]->is_void; }

static bool is_cancelled(void *context) {
    take_request(context);
    return is_void(context);
}

/* Wait for a request, and take all that are there. False if there are no more. */
static bool take_requests(worker *w) {
    struct pollfd fd = {w->driver_fd, POLLIN, 0};
    while (w->state == SERVING && (w->count == 0 || poll(&fd, 1, 0) > 0)) take_request(w);
    return w->state == SERVING;
}

/* Send an answer. False if the driver is gone. */
static bool answer(const worker *w, worker_answer a) {
    return UNINTERRUPTED(send(w->driver_fd, &a, sizeof a, MSG_NOSIGNAL)) >= 0;
}

/* Run batches until there are no more requests. An interrupted batch has no answer. */
static void serve(worker *w, runner *r, const runner_watch *watch, const pid_block *pids) {
    enum { VOID_MS = 10 }; /* time for the driver to cancel the next batch before it forks */
    while (take_requests(w)) {
        pid_block_go_on(pids);
        slot *s = w->slots[0];
        watch->step->batch = s->number;
        runner_begin_step(watch, s->batch.first_seed, 0);
        run_result_clear(&s->result);
        if (s->batch.tally != NULL) tally_clear(s->batch.tally);
        s->known.count = 0;
        s->result.cancelled = is_void(w);
        if (!s->result.cancelled) r->run(r, &s->batch, s->purpose, &s->result);
        s->result.tally = s->batch.tally;
        s->result.known = s->known.count > 0 ? &s->known : NULL;
        s->result.unkillable = orphans_take_given_up();
        const bool makes_void = slot_makes_void(s);
        if (w->state != SERVING || !answer(w, (worker_answer){.slot = s})) return;
        memmove(w->slots, w->slots + 1, --w->count * sizeof s);
        if (makes_void && w->count > 0) poll(&(struct pollfd){w->driver_fd, POLLIN, 0}, 1, VOID_MS);
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

_Noreturn void worker_main(int driver_fd, const worker_setup *setup) {
    static worker w;
    static job_folder folder;
    const runner_watch watch = {driver_fd, is_cancelled, &w, setup->step, &folder};
    int error;
    hear_of_driver_death(driver_fd);
    prctl(PR_SET_NAME, "frng-worker");
    /* If memory runs out, the kernel kills it and its runs first, so that the driver survives. */
    procfs_write("self/oom_score_adj", "1000");
    w.driver_fd = driver_fd;
    runner_go_on(&watch, WORK_FOLDER_NS);
    const pid_block pids = pid_block_begin(setup->driver, setup->job, setup->jobs);
    job_folder_open(&folder, setup->work, setup->job);
    runner *r = setup->create(setup->config, &watch, &error);
    if (r == NULL) {
        answer(&w, (worker_answer){.start_error = error});
        _exit(EXIT_FAILURE);
    }
    serve(&w, r, &watch, &pids);
    r->destroy(r);
    job_folder_close(&folder, setup->work, w.state == DRIVER_DIED);
    _exit(EXIT_SUCCESS);
}
