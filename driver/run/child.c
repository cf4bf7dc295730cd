#include "child.h"

#include "clock.h"
#include "feed.h"
#include "orphans.h"
#include "spawn_retry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* While it lasts. */
typedef struct run {
    const child_order *order;
    proc child;
    feed feed;
    int output_fd; /* our end of the pipe that stdout and stderr go to, or -1 */
    int error;     /* errno of what kept us from waiting for it, or from reading it; 0: nothing */
    bool killed;   /* by us, at its deadline or because it was cancelled */
    run_result *result;
} run;

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* Start the child on the two ends that it gets. Returns 0 or an errno. */
static int start_child(run *r, int stdin_fd, int output_fd) {
    const child_order *o = r->order;
    const proc_setup setup = {
        .folder = o->folder,
        .inherited = o->inherited,
        .inherited_count = o->inherited_count,
        .stdin_folder_fd = o->stdin_folder_fd,
        .stdin_path = stdin_fd < 0 ? o->stdin_path : NULL,
        .stdin_fd = stdin_fd,
        .stdout_fd = output_fd >= 0 ? output_fd : o->stdout_fd,
        .stderr_fd = output_fd >= 0 ? output_fd : o->stderr_fd,
        .place = PROC_OWN_GROUP,
        .dies_with_parent = true,
        .memory_max = o->memory_max,
        .file_max = o->file_max,
        .mask = o->mask,
    };
    return spawn_retry(o->command, &setup, o->watch, r->result, &r->child);
}

static int start(run *r) {
    const child_order *o = r->order;
    int stdin_fd = -1, output[2] = {-1, -1};
    int error = 0;
    if (o->is_piped) error = feed_open(&r->feed, o->piped, o->piped_size, &stdin_fd);
    if (error == 0 && o->capture && pipe2(output, O_CLOEXEC) != 0) error = errno;
    if (error == 0) error = start_child(r, stdin_fd, output[1]);
    close_descriptor(&stdin_fd);
    close_descriptor(&output[1]);
    r->output_fd = output[0];
    if (r->output_fd >= 0) fcntl(r->output_fd, F_SETFL, O_NONBLOCK);
    return error;
}

/* Read what is there, but no more than a pipeful or two: a flood must not keep us from the
 * deadline, nor a process that outlived the run from its end. */
static void read_output(run *r) {
    enum { PIECE = 16 * 1024, PIECES = 8 };
    uint8_t bytes[PIECE];
    for (int i = 0; i < PIECES; i++) {
        const ssize_t count = read(r->output_fd, bytes, sizeof bytes);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            if (count < 0) r->error = errno; /* the run would die of the pipe: no verdict */
            close_descriptor(&r->output_fd);
            return;
        }
        bytes_tail_add(&r->result->output, bytes, (size_t)count);
    }
}

/* Kill it. False when it was too late for that: it had ended by itself. */
static bool give_up(run *r) {
    if (!r->killed && proc_has_ended(&r->child)) return false;
    if (!r->killed) proc_kill(&r->child, true);
    r->killed = true;
    return true;
}

/* The watch has something to read. */
static void heed_watch(run *r) {
    if (!r->order->watch->cancelled(r->order->watch->context)) return;
    r->result->cancelled = true;
    give_up(r);
}

/* Serve the run's pipes until it has ended, or kill it at its deadline or because nobody wants its
 * result any more. Returns true at its deadline. */
static bool serve(run *r) {
    const runner_watch *watch = r->order->watch;
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, r->order->timeout_ns);
    while (!r->killed) {
        struct pollfd fds[] = {{r->child.pidfd, POLLIN, 0},
                               {watch->fd, POLLIN, 0},
                               {r->output_fd, POLLIN, 0},
                               {r->feed.fd, POLLOUT, 0}};
        const int ready = poll(fds, 4, proc_look_ms(&r->child, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) {
            r->error = errno;
            give_up(r);
            return false;
        }
        if (ready > 0 && fds[1].revents != 0) heed_watch(r); /* its last look was a run ago */
        if (ready > 0 && fds[0].revents != 0) return false;
        if (ready <= 0 && proc_has_ended(&r->child)) return false;
        if (ready > 0 && fds[2].revents != 0) read_output(r);
        if (ready > 0 && fds[3].revents != 0) feed_write(&r->feed);
        now_ns = clock_now_ns();
        if (now_ns >= deadline_ns && !r->killed) return give_up(r);
    }
    return false;
}

/* Reap the run, read what it printed last, and end what it left behind. */
static outcome finish(run *r, bool timed_out, uint64_t *resident_max) {
    int status = 0;
    const int error = proc_reap(&r->child, true, &status);
    if (r->output_fd >= 0) read_output(r);
    if (resident_max != NULL) *resident_max = r->child.resident_max;
    orphans_sweep();
    if (error != 0) return outcome_error(FAULT_END, error);
    if (r->error != 0) return outcome_error(FAULT_SYSTEM, r->error);
    return outcome_of_end(status, timed_out, &r->result->output);
}

outcome child_run(const child_order *o, run_result *result, uint64_t *resident_max) {
    run r = {.order = o, .feed = FEED_NONE, .output_fd = -1, .result = result};
    const int error = start(&r);
    outcome end = r.result->cancelled ? outcome_of_status(0)
                                      : outcome_error(outcome_fault_of_exec(error), error);
    if (error == 0) {
        runner_go_on(o->watch, o->timeout_ns);
        const bool timed_out = serve(&r);
        end = finish(&r, timed_out, resident_max);
    }
    feed_close(&r.feed);
    close_descriptor(&r.output_fd);
    return end;
}
