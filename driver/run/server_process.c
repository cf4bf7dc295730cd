/* The process of a server: its start, its HELLO and its end.
 *
 * It is started with a socket, the report and the memory of entropy, and sends HELLO, which names
 * its abilities. A program that does not, by the deadline, is plain: its runs are spawned. It is
 * killed with all processes that it started. One that cannot be started RESTART_MAX times in a row
 * is plain, too. */
#include "server_state.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    SERVER_HELLO_MIN_MS = 2000,  /* wait for HELLO, at least: busy machines start programs slowly */
    SERVER_HELLO_MAX_MS = 10000, /* wait for HELLO, at most; else as long as for a run */
    COUNT_MS = 20,               /* time between two counts of the processes that runs left */
    RESTART_MAX = 3              /* failed starts of a server in a row before it counts as plain */
};

/* Start the process with its end of the control socket. Returns 0 or an errno. */
static int start_process(runner_server *r, int control) {
    const run_config *config = r->config;
    const int inherited[] = {control, r->report.fd, r->entropy.fd};
    const int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int out_fd = output_of(r);
    if (null_fd < 0) return errno;
    const proc_setup process = {
        .stdin_fd = null_fd,
        .stdout_fd = out_fd >= 0 ? out_fd : null_fd,
        .stderr_fd = out_fd >= 0 ? out_fd : null_fd,
        .place = PROC_OWN_SESSION,
        .dies_with_parent = true,
        .memory_max = config->limits.memory_max,
        .mask = config->mask,
        .inherited = inherited,
        .inherited_count = sizeof inherited / sizeof inherited[0],
    };
    proc_command command = config->command;
    char *const *envp = config->terse_envp != NULL ? config->terse_envp : command.envp;
    char **temp_envp = temp_folder_environment(temp_of(r), envp);
    char **offer = report_shm_environment(&r->report, control, r->entropy.fd, temp_envp);
    command.envp = offer;
    const int error = child_spawn(&command, &process, r->watch, NULL, &r->process.child);
    free(offer);
    free(temp_envp);
    close(null_fd);
    return error;
}

bool server_receive(const runner_server *r, frng_message *message) {
    return UNINTERRUPTED(recv(r->process.control, message, sizeof *message, MSG_TRUNC)) ==
           (ssize_t)sizeof *message;
}

bool server_has_hung_up(const runner_server *r) {
    char byte;
    return recv(r->process.control, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

/* Counting happens now and then, unless the run was alone: the kernel takes some ms longer to reap
 * a process whose folder in /proc was read. */
bool server_has_left(runner_server *r, const part *p) {
    const int64_t now_ns = clock_now_ns();
    const bool stays = (p->done.flags & FRNG_STAYED) != 0;
    const bool is_due = now_ns >= clock_after(r->process.counted_ns, COUNT_MS * CLOCK_NS_PER_MS);
    if (!can(r, FRNG_NO_FORK) && !stays) return false;
    if (!is_due && !(stays && (p->flags & FRNG_STAY) == 0)) return false;
    r->process.counted_ns = now_ns;
    return orphans_count_children(r->process.child.pid) > (stays ? 1 : r->helpers);
}

static bool take_greeting(runner_server *r) {
    frng_message hello;
    if (!server_receive(r, &hello)) return false;
    if (hello.type != FRNG_HELLO || hello.version != FRNG_PROTOCOL_VERSION) return false;
    r->process.has_greeted = true;
    r->process.flags = hello.flags;
    r->process.layout = report_shm_check_layout(&hello);
    return true;
}

static void begin(runner_server *r) {
    r->process.counted_ns = clock_now_ns();
    r->process.has_files = temp_folder_count(temp_of(r), 1) > 0;
    if (can(r, FRNG_NO_FORK) && !r->knows_helpers) {
        r->helpers = orphans_count_children(r->process.child.pid);
        r->knows_helpers = true;
    }
}

int64_t server_hello_ns(const runner_server *r) {
    const uint64_t least_ns = SERVER_HELLO_MIN_MS * CLOCK_NS_PER_MS;
    const uint64_t most_ns = SERVER_HELLO_MAX_MS * CLOCK_NS_PER_MS;
    return (int64_t)smaller(larger((uint64_t)r->config->limits.timeout_ns, least_ns), most_ns);
}

/* Wait for HELLO. A program that does not speak the protocol ends, or is still busy at the
 * deadline, and is killed. One whose batch is cancelled goes on to start, for the next batch. */
static start_end await_greeting(runner_server *r) {
    const server_process *s = &r->process;
    runner_go_on(r->watch, server_hello_ns(r));
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, server_hello_ns(r));
    struct pollfd fds[] = {
        {s->control, POLLIN, 0}, {s->child.pidfd, POLLIN, 0}, {r->watch->fd, POLLIN, 0}};
    for (; now_ns < deadline_ns; now_ns = clock_now_ns()) {
        const int ready = poll(fds, 3, proc_look_ms(&s->child, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) break;
        if (ready > 0 && (fds[0].revents & POLLIN) != 0 && take_greeting(r)) {
            begin(r);
            return START_READY;
        }
        if (ready > 0 && (fds[0].revents != 0 || fds[1].revents != 0)) break;
        if (ready > 0 && r->watch->cancelled(r->watch->context)) return START_CANCELLED;
        if (ready == 0 && proc_has_ended(&s->child)) break;
    }
    server_stop(r);
    return START_PLAIN;
}

bool server_reap(runner_server *r, int *status) {
    assert(r->process.control >= 0);
    orphans_unspare(r->process.child.pid);
    const bool is_known = proc_reap(&r->process.child, true, status) == 0;
    close(r->process.control);
    r->process.control = -1;
    orphans_sweep();
    temp_folder_empty(temp_of(r), r->watch);
    return is_known;
}

void server_stop(runner_server *r) {
    if (r->process.control < 0) return;
    proc_kill(&r->process.child, true);
    server_reap(r, &r->process.status);
}

start_end server_start(runner_server *r, int *error_number) {
    int ends[2];
    r->process = NO_SERVER;
    r->entropy.written = 0; /* the last one may have cut it */
    r->process.program = file_stamp_of(r->config->command.path);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *error_number = errno;
        return START_ERROR;
    }
    *error_number = start_process(r, ends[1]);
    close(ends[1]);
    if (*error_number != 0) {
        close(ends[0]);
        return START_ERROR;
    }
    r->process.control = ends[0];
    orphans_spare(r->process.child.pid);
    return await_greeting(r);
}

int server_need(runner_server *r) {
    int error = 0;
    if (r->unbegun >= RESTART_MAX) r->is_plain = true;
    if (r->is_plain) return EPROTO;
    for (int i = 0; !server_is_ready(r) && i < RESTART_MAX; i++) {
        if (r->watch->step != NULL) r->watch->step->is_start = true;
        runner_go_on(r->watch, server_hello_ns(r));
        switch (r->process.control >= 0 ? await_greeting(r) : server_start(r, &error)) {
        case START_READY:
        case START_PLAIN: break;
        case START_CANCELLED: r->cancelled = true; return ECANCELED;
        case START_ERROR: return error;
        }
    }
    r->is_plain = r->process.control < 0;
    return r->is_plain ? EPROTO : 0;
}

/* ---- The end of one that makes runs in itself ----
 *
 * Exit handlers may find what runs left: a spawned run would fail by that. */

/* Hang up, and wait for the end of the process, for as long as a run may take. False: it hangs. */
static bool await_end(runner_server *r) {
    const proc *child = &r->process.child;
    const int64_t deadline_ns = clock_after(clock_now_ns(), r->config->limits.timeout_ns);
    runner_go_on(r->watch, r->config->limits.timeout_ns);
    shutdown(r->process.control, SHUT_RDWR);
    while (!proc_has_ended(child) && !r->cancelled) {
        const int64_t now_ns = clock_now_ns();
        struct pollfd fds[] = {{child->pidfd, POLLIN, 0}, {r->watch->fd, POLLIN, 0}};
        if (now_ns >= deadline_ns) return false;
        const int ready = poll(fds, 2, proc_look_ms(child, now_ns, deadline_ns));
        if (ready > 0 && fds[1].revents != 0)
            r->cancelled |= r->watch->cancelled(r->watch->context);
    }
    return true;
}

outcome server_end(runner_server *r) {
    int status;
    const bool has_ended = await_end(r);
    if (!has_ended || r->cancelled) proc_kill(&r->process.child, true);
    const bool is_known = server_reap(r, &status) && !r->cancelled;
    const outcome o = !has_ended ? OUTCOME_HUNG : outcome_of_status(is_known ? status : 0);
    r->ends += is_known;
    r->knows_end |= is_known;
    r->end_failed |= outcome_failed(&o);
    return o;
}
