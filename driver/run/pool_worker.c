#include "pool_worker.h"

#include "clock.h"
#include "orphans.h"
#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Close all inherited files of the driver in the worker: a run that may open /proc/PID/fd of its
 * worker could write to them. Returns the new number of the worker's socket. */
static int keep_socket(int socket_fd) {
    const int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd >= 0) {
        dup2(null_fd, STDIN_FILENO);
        dup2(null_fd, STDOUT_FILENO);
    }
    return proc_keep_descriptor(socket_fd);
}

int pool_worker_start(pool_worker *w, const pool_worker_config *config) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    const pid_t pid =
        containment_fork_patiently(config->containment, config->on_shortage, config->context);
    if (pid == 0) worker_main(keep_socket(ends[1]), w->step, config->create, config->config);
    const int error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return error;
    }
    orphans_spare(pid);
    w->pid = pid;
    w->fd = ends[0];
    w->busy = 0;
    w->step_number = w->step->number;
    w->since_ns = clock_now_ns();
    return 0;
}

/* Sending to a dead worker fails; its pool detects the death, and starts another worker. If an
 * order cannot reach a living worker, the worker would never answer, so its socket is shut down. */
void pool_worker_send(const pool_worker *w, const worker_order *order) {
    ssize_t sent;
    while ((sent = send(w->fd, order, sizeof *order, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 &&
           errno == EINTR) {
    }
    if (sent < 0) shutdown(w->fd, SHUT_RDWR);
}

/* An order that was not sent counts as well, so that a later worker never gets more orders than it
 * can queue. */
void pool_worker_give(pool_worker *w, const worker_order *order) {
    if (w->busy == 0) w->since_ns = clock_now_ns();
    pool_worker_send(w, order);
    w->busy++;
}

void pool_worker_answered(pool_worker *w) {
    assert(w->busy > 0);
    w->busy--;
    w->deaths = 0;
    w->since_ns = clock_now_ns();
}

bool pool_worker_is_stuck(pool_worker *w, int64_t now_ns) {
    const uint64_t number = w->step->number;
    if (w->busy == 0 || w->fd < 0) return false;
    if (number != w->step_number) {
        w->step_number = number;
        w->since_ns = now_ns;
        return false;
    }
    const int64_t allowed_ns = w->step->allowed_ns;
    const int64_t twice_ns = clock_after(allowed_ns, allowed_ns);
    struct pollfd answer = {w->fd, POLLIN, 0};
    if (now_ns <
        clock_after(w->since_ns, clock_after(twice_ns, POOL_WORKER_SLACK_MS * CLOCK_NS_PER_MS)))
        return false;
    return poll(&answer, 1, 0) == 0; /* otherwise the driver is late, not the worker */
}

void pool_worker_hang_up(pool_worker *w) {
    const worker_order order = {.verb = WORKER_END};
    if (w->fd < 0) return;
    pool_worker_send(w, &order);
    close(w->fd);
    w->fd = -1;
}

static bool is_reaped(pool_worker *w) {
    const pid_t reaped = waitpid(w->pid, NULL, WNOHANG);
    if (reaped != w->pid && (reaped >= 0 || errno == EINTR)) return false;
    orphans_unspare(w->pid);
    w->pid = 0;
    return true;
}

bool pool_worker_reap(pool_worker *workers, unsigned count, int limit_ms) {
    enum { PAUSE_MIN_US = 50, PAUSE_MAX_US = 2000 };
    const int64_t end_ns = clock_after(clock_now_ns(), limit_ms * CLOCK_NS_PER_MS);
    for (long us = PAUSE_MIN_US;; us = us < PAUSE_MAX_US ? 2 * us : us) {
        unsigned left = 0;
        for (unsigned i = 0; i < count; i++) {
            if (workers[i].pid == 0 || is_reaped(&workers[i])) continue;
            proc_wake(workers[i].pid); /* its run may have stopped it */
            left++;
        }
        if (left == 0 || clock_now_ns() >= end_ns) return left == 0;
        nanosleep(&(struct timespec){0, us * 1000}, NULL);
    }
}

void pool_worker_kill(pool_worker *workers, unsigned count) {
    enum { ROUNDS = 50, ROUND_MS = 20 };
    for (unsigned i = 0; i < count; i++) {
        if (workers[i].pid != 0) kill(workers[i].pid, SIGKILL);
    }
    orphans_sweep();
    /* A process that a dying worker leaves may trace the worker, which hides the worker's end until
     * the tracer is killed. */
    for (int i = 0; i < ROUNDS && !pool_worker_reap(workers, count, ROUND_MS); i++) {
        for (unsigned k = 0; k < count; k++) {
            if (workers[k].pid != 0) orphans_kill_descendants(workers[k].pid);
        }
        orphans_sweep();
    }
    for (unsigned i = 0; i < count; i++) {
        if (workers[i].pid != 0) orphans_give_up(workers[i].pid);
        workers[i].pid = 0;
    }
}
