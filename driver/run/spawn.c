#include "spawn.h"

#include "clock.h"
#include "entropy.h"
#include "feed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct spawn_runner {
    runner base;
    const spawn_config *config;
    const runner_watch *watch;
    entropy_file entropy;
    shared report; /* where config->reports */
    char offer[SHARED_OFFER_MAX];
    proc_command command; /* the config's, with the offer in its environment */
    pid_t spared;
    int null_fd; /* where output goes that nobody asked for */
} spawn_runner;

/* One run while it lasts. */
typedef struct run {
    spawn_runner *runner;
    proc child;
    uint64_t size; /* bytes of entropy */
    feed feed;
    int output_fd; /* our end of the pipe that stdout and stderr go to, or -1 */
    bool wants_output;
    bool killed; /* by us, at its deadline or because it was cancelled */
    run_result *result;
} run;

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* Errors that pass: too many processes or descriptors just now, a program being written. */
static bool is_passing(int error) {
    return outcome_fault_of_exec(error) == FAULT_SYSTEM || error == ETXTBSY;
}

static bool has_pipes(const run *r) {
    return r->wants_output || r->runner->config->stdin_kind == SPAWN_STDIN_PIPE;
}

/* Start the child on the two ends that it gets. Returns 0 or an errno. */
static int start_child(run *r, int stdin_fd, int output_fd) {
    const spawn_config *config = r->runner->config;
    const bool reports = config->reports;
    const proc_setup setup = {
        .inherited = &r->runner->report.fd,
        .inherited_count = reports ? 1 : 0,
        .stdin_folder_fd = r->runner->entropy.folder_fd,
        .stdin_path = stdin_fd < 0 ? r->runner->entropy.name : NULL,
        .stdin_fd = stdin_fd,
        .stdout_fd = output_fd,
        .stderr_fd = output_fd,
        .place = PROC_OWN_GROUP,
        .wants_pidfd = has_pipes(r),
        .dies_with_parent = true,
        .memory_max = config->memory_max,
        .mask = config->mask,
    };
    int error = 0;
    for (long delay_ns = CLOCK_NS_PER_MS; delay_ns < CLOCK_NS_PER_S; delay_ns *= 2) {
        error = proc_spawn(&r->runner->command, &setup, &r->child);
        if (!is_passing(error)) return error;
        nanosleep(&(struct timespec){0, delay_ns}, NULL);
    }
    return error;
}

static int start(run *r) {
    int stdin_fd = -1, output[2] = {-1, -1};
    int error = 0;
    if (r->runner->config->stdin_kind == SPAWN_STDIN_PIPE) {
        error = feed_open(&r->feed, r->runner->entropy.bytes, r->size, &stdin_fd);
    }
    if (error == 0 && r->wants_output && pipe2(output, O_CLOEXEC) != 0) error = errno;
    if (error == 0) {
        error = start_child(r, stdin_fd, r->wants_output ? output[1] : r->runner->null_fd);
    }
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
            close_descriptor(&r->output_fd);
            return;
        }
        bytes_tail_add(&r->result->output, bytes, (size_t)count);
    }
}

static void give_up(run *r) {
    if (!r->killed) proc_kill(&r->child, true);
    r->killed = true;
}

/* Whether the driver has said that this ticket is not wanted any more. */
static bool is_cancelled(const spawn_runner *s) {
    struct pollfd fd = {s->watch->fd, POLLIN, 0};
    return poll(&fd, 1, 0) > 0 && s->watch->cancelled(s->watch->context);
}

static void heed_watch(run *r) {
    if (r->killed || !is_cancelled(r->runner)) return;
    r->result->cancelled = true;
    give_up(r);
}

/* Wait for a run that needs nothing from us: one call, which the worker's ticks interrupt now and
 * then. Twice as cheap as polling a pidfd. Returns true at the run's deadline. */
static bool sit_by(run *r) {
    const int64_t deadline_ns = clock_after(clock_now_ns(), r->runner->config->timeout_ns);
    bool timed_out = false;
    while (!proc_wait(&r->child)) {
        heed_watch(r);
        if (timed_out || clock_now_ns() < deadline_ns) continue;
        timed_out = true;
        give_up(r);
    }
    return timed_out;
}

/* Serve the run's pipes until it has ended, or kill it. Returns true at its deadline. */
static bool serve(run *r) {
    const runner_watch *watch = r->runner->watch;
    const int64_t start_ns = clock_now_ns();
    int64_t deadline_ns = clock_after(start_ns, r->runner->config->timeout_ns);
    int64_t now_ns = start_ns;
    bool timed_out = false;
    for (;;) {
        struct pollfd fds[] = {{r->child.pidfd, POLLIN, 0},
                               {r->killed ? -1 : watch->fd, POLLIN, 0},
                               {r->output_fd, POLLIN, 0},
                               {r->feed.fd, POLLOUT, 0}};
        if (poll(fds, 4, clock_poll_ms(now_ns, deadline_ns)) < 0) fds[0].revents = 0;
        if (fds[0].revents != 0) return timed_out;
        if (fds[2].revents != 0) read_output(r);
        if (fds[3].revents != 0) feed_write(&r->feed);
        if (fds[1].revents != 0) heed_watch(r);
        now_ns = clock_now_ns();
        if (now_ns >= deadline_ns) {
            timed_out = true;
            deadline_ns = CLOCK_NEVER;
            give_up(r);
        }
    }
}

static outcome run_once(spawn_runner *s, trial t, bool capture, run_result *result) {
    run r = {.runner = s,
             .size = t.size,
             .feed = FEED_NONE,
             .output_fd = -1,
             .wants_output = capture,
             .result = result};
    if (s->config->reports) shared_reset(&s->report);
    int error = entropy_expand(&s->entropy, t.size, t.seed);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    error = start(&r);
    outcome o = outcome_error(outcome_fault_of_exec(error), error);
    if (error == 0) {
        const bool timed_out = has_pipes(&r) ? serve(&r) : sit_by(&r);
        if (r.output_fd >= 0) read_output(&r);
        o = outcome_of_end(proc_reap(&r.child, true), timed_out, &result->output);
        proc_sweep(s->spared);
    }
    feed_close(&r.feed);
    close_descriptor(&r.output_fd);
    if (s->config->reports) {
        o.drawn = shared_drawn(&s->report, s->config->layout, t.size);
        shared_copy_site(&s->report, result->site);
    }
    return o;
}

static void spawn_run(runner *base, const ticket *runs, bool capture, run_result *result) {
    spawn_runner *s = (spawn_runner *)base;
    const int64_t start_ns = clock_now_ns();
    result->ran = 0;
    result->cancelled = false;
    result->doubt = DOUBT_NONE;
    result->site[0] = '\0';
    result->last = outcome_of_status(0);
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS) {
        const trial t = {runs->size, runs->first_seed + result->ran};
        result->output.size = result->output.total = 0;
        result->last = run_once(s, t, capture, result);
        if (result->cancelled) break;
        result->ran++;
        result->cancelled = result->ran < runs->count && is_cancelled(s);
        if (result->cancelled) break;
    }
    result->took_ns = clock_now_ns() - start_ns;
}

void spawn_spare(runner *base, pid_t pid) { ((spawn_runner *)base)->spared = pid; }

static void spawn_destroy(runner *base) {
    spawn_runner *s = (spawn_runner *)base;
    if (s->config->reports) {
        shared_finish(&s->report);
        free((void *)(uintptr_t)s->command.envp);
    }
    entropy_finish(&s->entropy);
    close(s->null_fd);
    free(s);
}

/* Memory for what the runs tell, and an environment that offers it. Returns 0 or an errno. */
static int open_report(spawn_runner *s) {
    s->command = s->config->command;
    if (!s->config->reports) return 0;
    const int error = shared_init(&s->report, 0);
    if (error != 0) return error;
    shared_offer(&s->report, -1, -1, s->offer);
    s->command.envp = shared_environment(s->config->command.envp, s->offer);
    if (s->command.envp != NULL) return 0;
    shared_finish(&s->report);
    return ENOMEM;
}

static int open_all(spawn_runner *s) {
    int error = open_report(s);
    if (error != 0) return error;
    s->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    error = s->null_fd < 0 ? errno : entropy_init(&s->entropy, s->config->size_max);
    if (error == 0) return 0;
    if (s->null_fd >= 0) close(s->null_fd);
    if (!s->config->reports) return error;
    shared_finish(&s->report);
    free((void *)(uintptr_t)s->command.envp);
    return error;
}

runner *spawn_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {spawn_run, spawn_destroy};
    spawn_runner *s = calloc(1, sizeof *s);
    *error_number = ENOMEM;
    if (s == NULL) return NULL;
    s->base.ops = &ops;
    s->config = config;
    s->watch = watch;
    proc_tick(); /* for the deadlines of runs */
    *error_number = open_all(s);
    if (*error_number == 0) return &s->base;
    free(s);
    return NULL;
}
