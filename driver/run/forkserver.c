#include "forkserver.h"

#include "child.h"
#include "clock.h"
#include "orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Start the process on its end of the control socket. Returns 0 or an errno. */
static int start_process(forkserver *s, const run_config *config, const report_shm *report,
                         const input_memfd *entropy, int control) {
    char offer[REPORT_SHM_OFFER_MAX];
    const int inherited[] = {control, report->fd, entropy->fd};
    const int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd < 0) return errno;
    report_shm_offer(report, control, entropy->fd, offer);
    const proc_setup setup = {
        .stdin_fd = null_fd,
        .stdout_fd = null_fd,
        .stderr_fd = null_fd,
        .place = PROC_OWN_SESSION,
        .dies_with_parent = true,
        .memory_max = config->memory_max,
        .mask = config->mask,
        .inherited = inherited,
        .inherited_count = sizeof inherited / sizeof inherited[0],
    };
    proc_command command = config->command;
    command.envp = report_shm_environment(config->command.envp, offer);
    const int error =
        command.envp != NULL ? child_spawn(&command, &setup, NULL, NULL, &s->child) : ENOMEM;
    free((void *)(uintptr_t)command.envp);
    close(null_fd);
    return error;
}

static bool receive(const forkserver *s, frng_message *message) {
    ssize_t size;
    while ((size = recv(s->control, message, sizeof *message, MSG_TRUNC)) < 0 && errno == EINTR) {
    }
    return size == (ssize_t)sizeof *message;
}

/* Wait for HELLO. A program that knows nothing of it ends, or is still busy at the deadline. */
static bool is_greeted(forkserver *s, int64_t timeout_ns) {
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, timeout_ns);
    struct pollfd fds[] = {{s->control, POLLIN, 0}, {s->child.pidfd, POLLIN, 0}};
    frng_message hello;
    int ready = 0;
    for (; ready <= 0 && now_ns < deadline_ns; now_ns = clock_now_ns()) {
        ready = poll(fds, 2, proc_look_ms(&s->child, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) return false;
        if (ready == 0 && proc_has_ended(&s->child)) return false;
    }
    if (ready <= 0 || (fds[0].revents & POLLIN) == 0 || !receive(s, &hello)) return false;
    if (hello.type != FRNG_HELLO || hello.version != FRNG_PROTOCOL_VERSION) return false;
    s->flags = hello.flags;
    s->layout = report_shm_check_layout(&hello);
    return true;
}

int64_t forkserver_hello_ns(int64_t timeout_ns) {
    const int64_t least_ns = 2 * CLOCK_NS_PER_S, most_ns = 10 * CLOCK_NS_PER_S;
    if (timeout_ns < least_ns) return least_ns;
    return timeout_ns < most_ns ? timeout_ns : most_ns;
}

forkserver_answer forkserver_start(forkserver *s, const run_config *config,
                                   const report_shm *report, const input_memfd *entropy,
                                   int *error_number) {
    int ends[2];
    *s = FORKSERVER_NONE;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *error_number = errno;
        return FORKSERVER_ERROR;
    }
    *error_number = start_process(s, config, report, entropy, ends[1]);
    close(ends[1]);
    if (*error_number != 0) {
        close(ends[0]);
        return FORKSERVER_ERROR;
    }
    s->control = ends[0];
    orphans_spare(s->child.pid);
    if (is_greeted(s, forkserver_hello_ns(config->timeout_ns))) return FORKSERVER_READY;
    forkserver_stop(s);
    return FORKSERVER_PLAIN;
}

void forkserver_stop(forkserver *s) {
    int status;
    if (s->control < 0) return;
    orphans_unspare(s->child.pid);
    proc_kill(&s->child, true);
    proc_reap(&s->child, true, &status);
    close(s->control);
    *s = FORKSERVER_NONE;
    orphans_sweep();
}

bool forkserver_send(const forkserver *s, const frng_message *order) {
    return send(s->control, order, sizeof *order, MSG_NOSIGNAL) == (ssize_t)sizeof *order;
}

/* A status that waitpid can have given for a process that has ended. */
static bool is_end(uint64_t status) {
    if (status > UINT16_MAX) return false;
    if (WIFEXITED((int)status)) return true;
    return WIFSIGNALED((int)status) && WTERMSIG((int)status) <= SIGRTMAX;
}

bool forkserver_receive(const forkserver *s, uint64_t count, frng_message *done) {
    enum { ERRNO_MAX = 4095 };
    if (!receive(s, done) || done->type != FRNG_DONE || done->count > count) return false;
    const bool is_errno = (done->flags & FRNG_NO_PROCESS) != 0;
    return is_errno ? done->status <= ERRNO_MAX : is_end(done->status);
}
