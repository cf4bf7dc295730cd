#include "child.h"

#include "clock.h"
#include "orphans.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* The state of a child's run. */
typedef struct run {
    const child_order *order;
    proc child;
    int input_fd;         /* our end of a piped stdin; -1 after the last byte or the reader's end */
    const uint8_t *input; /* the unwritten part of its input, input_left bytes */
    uint64_t input_left;
    int output_fd; /* our end of the pipe of stdout and stderr, or -1 */
    int error;     /* errno of a failed wait or read; 0: none */
    bool killed;   /* killed by us, at its deadline or by cancellation */
    run_result *result;
} run;

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* True if the child leads a process group, which is killed as a whole. */
static bool leads_group(const child_order *o) { return o->setup.place != PROC_SAME_GROUP; }

/* ---- Starting ---- */

/* True if a linker may be replacing the program: it removes the old one, and writes the new one
 * before it makes that executable. */
static bool is_being_rebuilt(int error) {
    return error == ETXTBSY || error == ENOENT || error == EACCES || error == ENOEXEC;
}

static bool is_cancelled(const runner_watch *watch, run_result *result) {
    if (watch == NULL || result == NULL) return false;
    if (runner_is_cancelled(watch)) result->cancelled = true;
    return result->cancelled;
}

/* Wait for a scarce resource. False if the shortage lasted too long, or the run was cancelled. */
static bool wait_for_system(backoff *waits, int error, const runner_watch *watch,
                            run_result *result) {
    if (result != NULL) {
        result->short_of = error;
        result->waited_ns = waits->waited_ns;
    }
    runner_go_on(watch, CLOCK_NS_PER_S);
    return !is_cancelled(watch, result) && backoff_wait(waits);
}

int child_spawn(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child) {
    enum { PAUSE_MAX_MS = 64 };
    const int64_t rebuilt_ns = clock_after(clock_now_ns(), CHILD_REBUILD_MS * CLOCK_NS_PER_MS);
    backoff waits = {0};
    long pause_ms = 1;
    for (;;) {
        const int error = proc_spawn(command, setup, child);
        if (backoff_helps(error)) {
            if (!wait_for_system(&waits, error, watch, result)) return error;
        } else if (is_being_rebuilt(error) && clock_now_ns() < rebuilt_ns) {
            runner_go_on(watch, CLOCK_NS_PER_S);
            nanosleep(&(struct timespec){0, pause_ms * CLOCK_NS_PER_MS}, NULL);
            if (pause_ms < PAUSE_MAX_MS) pause_ms *= 2;
        } else {
            return error;
        }
    }
}

/* Start the child with its ends of the pipes. Returns 0 or an errno. */
static int start_on(run *r, int stdin_fd, int output_fd) {
    const child_order *o = r->order;
    proc_setup setup = o->setup;
    setup.dies_with_parent = true;
    if (stdin_fd >= 0) {
        setup.stdin_path = NULL;
        setup.stdin_fd = stdin_fd;
    }
    if (output_fd >= 0) setup.stdout_fd = setup.stderr_fd = output_fd;
    return child_spawn(o->command, &setup, o->watch, r->result, &r->child);
}

/* Open the pipe for the child's input; *reader is the child's end. Returns 0 or an errno. */
static int open_input(run *r, int *reader) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *reader = ends[0];
    r->input_fd = ends[1];
    r->input = r->order->piped;
    r->input_left = r->order->piped_size;
    return 0;
}

static int start(run *r) {
    const child_order *o = r->order;
    int stdin_fd = -1, output[2] = {-1, -1};
    int error = 0;
    if (o->is_piped) error = open_input(r, &stdin_fd);
    if (error == 0 && o->capture && pipe2(output, O_CLOEXEC) != 0) error = errno;
    if (error == 0) error = start_on(r, stdin_fd, output[1]);
    close_descriptor(&stdin_fd);
    close_descriptor(&output[1]);
    r->output_fd = output[0];
    if (r->output_fd >= 0) fcntl(r->output_fd, F_SETFL, O_NONBLOCK);
    return error;
}

/* ---- Until its end ---- */

/* Write as much input as the pipe accepts now. It is no failure if a run does not read all of
 * it. */
static void write_input(run *r) {
    while (r->input_left > 0) {
        const ssize_t count = write(r->input_fd, r->input, r->input_left);
        if (count < 0 && errno == EAGAIN) return;
        if (count < 0 && errno != EINTR) break;
        if (count <= 0) continue;
        r->input += count;
        r->input_left -= (uint64_t)count;
    }
    close_descriptor(&r->input_fd);
}

/* Read the available output, but at most one or two pipefuls: otherwise a flood could delay the
 * deadline, and a process that outlives the run could delay its end. */
static void read_output(run *r) {
    enum { PIECE = 4 * 1024, PIECES = 32 };
    uint8_t bytes[PIECE];
    for (int i = 0; i < PIECES; i++) {
        const ssize_t count = read(r->output_fd, bytes, sizeof bytes);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            if (count < 0) r->error = errno; /* the run would die of the closed pipe: no verdict */
            close_descriptor(&r->output_fd);
            return;
        }
        bytes_tail_add(&r->result->output, bytes, (size_t)count);
    }
}

/* Kill the child. False if it had already ended by itself. */
static bool give_up(run *r) {
    if (!r->killed && proc_has_ended(&r->child)) return false;
    if (!r->killed) proc_kill(&r->child, leads_group(r->order));
    r->killed = true;
    return true;
}

/* Check the watch, which is readable, and kill the run if it was cancelled. */
static void check_watch(run *r) {
    if (!r->order->watch->cancelled(r->order->watch->context)) return;
    r->result->cancelled = true;
    give_up(r);
}

/* Handle a signal of the driver. SIGTERM and SIGHUP kill the child. A signal from the terminal
 * reached a child in the same group already, which may handle it; other signals are passed on. */
static void take_signal(const run *r) {
    struct signalfd_siginfo info;
    child_signals *signals = r->order->signals;
    if (read(signals->fd, &info, sizeof info) != (ssize_t)sizeof info) return;
    const int number = (int)info.ssi_signo;
    if (number == SIGTERM || number == SIGHUP) {
        proc_kill(&r->child, leads_group(r->order));
    } else if (info.ssi_pid != 0 || leads_group(r->order)) {
        kill(r->child.pid, number);
    }
    if (signals->first == 0) signals->first = number;
}

/* Return how long to wait for a child: until its deadline, or the next beat. */
static int wait_ms(const run *r, int64_t now_ns, int64_t deadline_ns) {
    enum { BEAT_MS = 1000 };
    const int look_ms = proc_look_ms(&r->child, now_ns, deadline_ns);
    if (r->order->pulse.beat == NULL) return look_ms;
    return look_ms >= 0 && look_ms < BEAT_MS ? look_ms : BEAT_MS;
}

static void beat(const child_pulse *p) {
    if (p->beat != NULL) p->beat(p->context);
}

/* Serve the run's pipes until it ends, or kill it at its deadline or on cancellation. True if it
 * was killed at its deadline. */
static bool serve(run *r) {
    const child_order *o = r->order;
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, o->timeout_ns);
    while (!r->killed) {
        struct pollfd fds[] = {{r->child.pidfd, POLLIN, 0},
                               {o->watch != NULL ? o->watch->fd : -1, POLLIN, 0},
                               {r->output_fd, POLLIN, 0},
                               {r->input_fd, POLLOUT, 0},
                               {o->signals != NULL ? o->signals->fd : -1, POLLIN, 0}};
        const int ready = poll(fds, 5, wait_ms(r, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) {
            r->error = errno;
            give_up(r);
            return false;
        }
        if (ready > 0 && fds[1].revents != 0) check_watch(r); /* orders may have waited */
        if (ready > 0 && fds[4].revents != 0) take_signal(r);
        if (ready > 0 && fds[0].revents != 0) return false;
        if (ready <= 0 && proc_has_ended(&r->child)) return false;
        if (ready > 0 && fds[2].revents != 0) read_output(r);
        if (ready > 0 && fds[3].revents != 0) write_input(r);
        beat(&o->pulse);
        now_ns = clock_now_ns();
        if (now_ns >= deadline_ns && !r->killed) return give_up(r);
    }
    return false;
}

/* Reap the run, read its last output, and kill the processes that it left behind. */
static outcome finish(run *r, bool timed_out, uint64_t *resident_max) {
    int status = 0;
    const int error = proc_reap(&r->child, leads_group(r->order), &status);
    if (r->output_fd >= 0) read_output(r);
    if (resident_max != NULL) *resident_max = r->child.resident_max;
    orphans_sweep();
    if (error != 0) return outcome_error(FAULT_END, error);
    if (r->error != 0) return outcome_error(FAULT_SYSTEM, r->error);
    return outcome_of_end(status, timed_out, &r->result->output);
}

outcome child_run(const child_order *o, run_result *result, uint64_t *resident_max) {
    assert(o->command->path != NULL && o->timeout_ns >= 0);
    assert(!o->is_piped || o->piped != NULL || o->piped_size == 0);
    run r = {.order = o, .input_fd = -1, .output_fd = -1, .result = result};
    const int error = start(&r);
    outcome end = r.result->cancelled ? outcome_of_status(0)
                                      : outcome_error(outcome_fault_of_exec(error), error);
    if (error == 0) {
        runner_go_on(o->watch, o->timeout_ns);
        const bool timed_out = serve(&r);
        end = finish(&r, timed_out, resident_max);
    }
    close_descriptor(&r.input_fd);
    close_descriptor(&r.output_fd);
    return end;
}
