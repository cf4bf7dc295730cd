#include "forkserver.h"

#include "child.h"
#include "clock.h"
#include "input_memfd.h"
#include "orphans.h"
#include "runner_spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Start the process with its end of the control socket. Returns 0 or an errno. */
static int start_process(forkserver *s, const forkserver_setup *setup, int control) {
    const run_config *config = setup->config;
    char offer[REPORT_SHM_OFFER_MAX];
    const int inherited[] = {control, setup->report->fd, setup->entropy->fd};
    const int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd < 0) return errno;
    report_shm_offer(setup->report, control, setup->entropy->fd, offer);
    const proc_setup process = {
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
    char *const *envp = config->terse_envp != NULL ? config->terse_envp : command.envp;
    command.envp = report_shm_environment(envp, offer);
    const int error =
        command.envp != NULL ? child_spawn(&command, &process, NULL, NULL, &s->child) : ENOMEM;
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

static forkserver_answer take_greeting(forkserver *s) {
    frng_message hello;
    if (!receive(s, &hello)) return FORKSERVER_PLAIN;
    if (hello.type == __builtin_bswap64(FRNG_HELLO)) return FORKSERVER_FOREIGN;
    if (hello.type != FRNG_HELLO || hello.version != FRNG_PROTOCOL_VERSION) return FORKSERVER_PLAIN;
    s->flags = hello.flags;
    s->layout = report_shm_check_layout(&hello);
    return FORKSERVER_READY;
}

/* Wait for HELLO. A program that does not speak the protocol ends, or is still busy at the
 * deadline. */
static forkserver_answer await_greeting(forkserver *s, const runner_watch *watch,
                                        int64_t timeout_ns) {
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, timeout_ns);
    struct pollfd fds[] = {
        {s->control, POLLIN, 0}, {s->child.pidfd, POLLIN, 0}, {watch->fd, POLLIN, 0}};
    for (; now_ns < deadline_ns; now_ns = clock_now_ns()) {
        const int ready = poll(fds, 3, proc_look_ms(&s->child, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) break;
        if (ready > 0 && (fds[0].revents & POLLIN) != 0) return take_greeting(s);
        if (ready > 0 && (fds[0].revents != 0 || fds[1].revents != 0)) break;
        if (ready > 0 && watch->cancelled(watch->context)) return FORKSERVER_CANCELLED;
        if (ready == 0 && proc_has_ended(&s->child)) break;
    }
    return FORKSERVER_PLAIN;
}

int64_t forkserver_hello_ns(int64_t timeout_ns) {
    const int64_t least_ns = FORKSERVER_HELLO_MIN_MS * CLOCK_NS_PER_MS;
    const int64_t most_ns = FORKSERVER_HELLO_MAX_MS * CLOCK_NS_PER_MS;
    if (timeout_ns < least_ns) return least_ns;
    return timeout_ns < most_ns ? timeout_ns : most_ns;
}

forkserver_answer forkserver_start(forkserver *s, const forkserver_setup *setup,
                                   int *error_number) {
    forkserver_answer answer;
    int ends[2];
    *s = FORKSERVER_NONE;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *error_number = errno;
        return FORKSERVER_ERROR;
    }
    *error_number = start_process(s, setup, ends[1]);
    close(ends[1]);
    if (*error_number != 0) {
        close(ends[0]);
        return FORKSERVER_ERROR;
    }
    s->control = ends[0];
    orphans_spare(s->child.pid);
    answer = await_greeting(s, setup->watch, forkserver_hello_ns(setup->config->timeout_ns));
    if (answer != FORKSERVER_READY) forkserver_stop(s);
    return answer;
}

bool forkserver_reap(forkserver *s, int *status) {
    assert(s->control >= 0);
    orphans_unspare(s->child.pid);
    const bool is_known = proc_reap(&s->child, true, status) == 0;
    close(s->control);
    *s = FORKSERVER_NONE;
    orphans_sweep();
    return is_known;
}

void forkserver_stop(forkserver *s) {
    int status;
    if (s->control < 0) return;
    proc_kill(&s->child, true);
    forkserver_reap(s, &status);
}

bool forkserver_send(const forkserver *s, const frng_message *order) {
    assert(s->control >= 0);
    return send(s->control, order, sizeof *order, MSG_NOSIGNAL) == (ssize_t)sizeof *order;
}

/* True for a status that waitpid can return for a process that has ended. */
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
