/* How a run in a process of its own goes.
 *
 * Its input is a memory file that each run opens anew, or a pipe. The child is started with its
 * limits of memory and time, and is served until it ends: its pipes, its deadline, and the watch,
 * which tells that the driver wants it no more. Then it is reaped, and what it left behind is
 * killed (proc.h). A program that is missing or busy may be in the hands of a build: so its
 * start is tried again for a second, and while the system is short of processes for some seconds.
 *
 * Confirmation gives twice the time, and a failure under a limit of memory is made again with twice
 * the memory: it counts if it ends alike.
 *
 * Sanitizers take long to name functions and lines: runs get an environment in which they print
 * addresses, and only a run that a person may read, or the first with a new address, names them. A
 * run that passes and may leak is made again with a leak check. */
#include "spawn.h"

#include "candidate_set.h"
#include "clock.h"
#include "memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct child_state {
    const child_setup *how;
    proc child;
    int input_fd;         /* our end of a piped stdin; -1 after the last byte */
    int stdin_fd;         /* what the run has as stdin: it tells how much was read; or -1 */
    const uint8_t *input; /* the unwritten part of its input, input_left bytes */
    uint64_t input_left;
    int output_fd; /* our end of the pipe of stdout and stderr, or -1 */
    int error;     /* errno of a failed wait or read; 0: none */
    bool killed;   /* killed by us, at its deadline or by cancellation */
    run_result *result;
} child_state;

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* True if the child leads a process group, which is killed as a whole. */
static bool leads_group(const child_setup *o) { return o->setup.place != PROC_SAME_GROUP; }

/* ---- Starting ---- */

/* True if a linker may be replacing the program: it removes the old one, and writes the new one
 * before it makes that executable. */
static bool is_being_rebuilt(int error) {
    return error == ETXTBSY || error == ENOENT || error == EACCES || error == ENOEXEC;
}

/* True if the watch cancels the wait for the end of a shortage. */
static bool is_wait_cancelled(const runner_watch *watch, run_result *result) {
    runner_go_on(watch, CLOCK_NS_PER_S);
    if (result == NULL) return false;
    struct pollfd fd = {watch != NULL ? watch->fd : -1, POLLIN, 0};
    if (poll(&fd, 1, 0) > 0) result->cancelled |= watch->cancelled(watch->context);
    return result->cancelled;
}

/* A program that was replaced just before it started is the new one. */
static void look_at_program(const char *path, run_result *result) {
    const file_stamp now = file_stamp_of(path);
    if (file_stamp_is_known(&result->program) && !file_stamp_equal(&now, &result->program))
        result->program = now;
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
            if (is_wait_cancelled(watch, result) || !backoff_wait(&waits)) return error;
        } else if (is_being_rebuilt(error) && clock_now_ns() < rebuilt_ns) {
            runner_go_on(watch, CLOCK_NS_PER_S);
            nanosleep(&(struct timespec){0, pause_ms * CLOCK_NS_PER_MS}, NULL);
            if (pause_ms < PAUSE_MAX_MS) pause_ms *= 2;
        } else {
            if (error == 0 && result != NULL) look_at_program(command->path, result);
            return error;
        }
    }
}

/* Start the child with its ends of the pipes. Returns 0 or an errno. */
static int start_child(child_state *r) {
    const child_setup *o = r->how;
    proc_setup setup = o->setup;
    int input[2] = {-1, -1}, output[2] = {-1, -1}, error = 0;
    setup.dies_with_parent = true;
    if (o->is_piped) {
        if (pipe2(input, O_CLOEXEC) != 0) error = errno;
    } else if (o->input != NULL) {
        input[0] = input_memfd_open(o->input);
        if (input[0] < 0) error = errno;
    }
    if (error == 0 && o->capture && pipe2(output, O_CLOEXEC) != 0) error = errno;
    if (input[0] >= 0) setup.stdin_fd = input[0];
    if (o->capture) setup.stdout_fd = setup.stderr_fd = output[1];
    if (error == 0) error = child_spawn(o->command, &setup, o->watch, r->result, &r->child);
    close_descriptor(&output[1]);
    r->stdin_fd = input[0];
    r->input_fd = input[1];
    r->output_fd = output[0];
    if (r->input_fd >= 0) fcntl(r->input_fd, F_SETFL, O_NONBLOCK);
    if (r->output_fd >= 0) fcntl(r->output_fd, F_SETFL, O_NONBLOCK);
    return error;
}

/* ---- Until its end ---- */

/* Write as much input as the pipe accepts now. It is no failure if a run does not read all of
 * it. */
static void write_input(child_state *r) {
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
static void read_output(child_state *r) {
    enum { PIECE = 64 * 1024, PIECES = 2 };
    static uint8_t bytes[PIECE]; /* stacks may be small */
    for (int i = 0; i < PIECES; i++) {
        const ssize_t count = read(r->output_fd, bytes, sizeof bytes);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            if (count < 0) r->error = errno; /* the run would die of the closed pipe: no verdict */
            close_descriptor(&r->output_fd);
            return;
        }
        bytes_tail_add(&r->result->output, bytes, (size_t)count);
        if (r->how->scan != NULL) output_scan_add(r->how->scan, bytes, (size_t)count);
    }
}

/* Kill the child. False if it had already ended by itself. */
static bool kill_child(child_state *r) {
    if (!r->killed && proc_has_ended(&r->child)) return false;
    if (!r->killed) proc_kill(&r->child, leads_group(r->how));
    r->killed = true;
    return true;
}

/* Handle a signal of the driver. SIGTERM and SIGHUP kill the child. A signal from the terminal
 * reached a child in the same group already, which may handle it; other signals are passed on. */
static void take_signal(const child_state *r) {
    struct signalfd_siginfo info;
    child_signals *signals = r->how->signals;
    if (read(signals->fd, &info, sizeof info) != (ssize_t)sizeof info) return;
    const int number = (int)info.ssi_signo;
    if (number == SIGTERM || number == SIGHUP) {
        proc_kill(&r->child, leads_group(r->how));
    } else if (info.ssi_pid != 0 || leads_group(r->how)) {
        kill(r->child.pid, number);
    }
    if (signals->first == 0) signals->first = number;
}

/* Serve the run's pipes until it ends, or kill it at its deadline or on cancellation. True if it
 * was killed at its deadline. */
static bool serve(child_state *r) {
    const child_setup *o = r->how;
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, o->timeout_ns);
    while (!r->killed) {
        struct pollfd fds[] = {{r->child.pidfd, POLLIN, 0},
                               {o->watch != NULL ? o->watch->fd : -1, POLLIN, 0},
                               {r->output_fd, POLLIN, 0},
                               {r->input_fd, POLLOUT, 0},
                               {o->signals != NULL ? o->signals->fd : -1, POLLIN, 0}};
        const int ready = poll(fds, 5, proc_look_ms(&r->child, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) {
            r->error = errno;
            kill_child(r);
            return false;
        }
        if (ready > 0 && fds[1].revents != 0 && o->watch->cancelled(o->watch->context)) {
            r->result->cancelled = true;
            kill_child(r);
        }
        if (ready > 0 && fds[4].revents != 0) take_signal(r);
        if (ready > 0 && fds[0].revents != 0) return false;
        if (ready <= 0 && proc_has_ended(&r->child)) return false;
        if (ready > 0 && fds[2].revents != 0) read_output(r);
        if (ready > 0 && fds[3].revents != 0) write_input(r);
        if (o->pulse.beat != NULL) o->pulse.beat(o->pulse.context);
        if (o->output_fd > 0) output_memfd_limit(o->output_fd);
        now_ns = clock_now_ns();
        if (now_ns >= deadline_ns && !r->killed) return kill_child(r);
    }
    return false;
}

/* Return whether somebody has read the pipe. If it was empty, nobody had anything to read. */
static reading_state reading_of_pipe(const child_state *r) {
    int unread;
    if (ioctl(r->stdin_fd, FIONREAD, &unread) != 0) return READING_UNKNOWN;
    const uint64_t written = r->how->piped_size - r->input_left;
    return (uint64_t)unread < written ? READING_SEEN : READING_NONE;
}

/* Return whether the run has read its input, from its stdin or from a file. */
static reading_state reading_of(const child_state *r) {
    const child_setup *o = r->how;
    const reading_state of_file = o->file != NULL ? file_watch_take(o->file) : READING_NONE;
    const reading_state of_stdin = o->is_piped        ? reading_of_pipe(r)
                                   : o->input != NULL ? input_memfd_reading(o->input, r->stdin_fd)
                                   : o->file != NULL  ? READING_NONE
                                                      : READING_UNKNOWN;
    return of_file == READING_NONE || of_stdin == READING_SEEN ? of_stdin : of_file;
}

void child_note_oom(outcome *o) {
    const bool is_killed = WIFSIGNALED(o->status) && WTERMSIG(o->status) == SIGKILL;
    o->is_oom = o->verdict == VERDICT_FAIL && is_killed && proc_oom_has_killed("");
}

/* Reap the run, read its last output, and kill the processes that it left behind. */
static outcome finish_child(child_state *r, bool timed_out) {
    int status = 0;
    const int error = proc_reap(&r->child, leads_group(r->how), &status);
    if (r->output_fd >= 0) read_output(r);
    orphans_sweep();
    if (error != 0) return outcome_error(FAULT_END, error);
    if (r->error != 0) return outcome_error(FAULT_SYSTEM, r->error);
    outcome o = outcome_of_end(status, timed_out, reading_of(r),
                               r->how->capture ? &r->result->output : NULL);
    if (!r->killed) child_note_oom(&o);
    return o;
}

outcome child_run(const child_setup *o, run_result *result) {
    assert(o->command->path != NULL && o->timeout_ns >= 0);
    assert(!o->is_piped || o->piped != NULL || o->piped_size == 0);
    child_state r = {.how = o, .input = o->piped, .input_left = o->piped_size, .result = result};
    if (o->capture || o->signals != NULL) proc_oom_has_killed(""); /* forget earlier kills */
    const int error = start_child(&r);
    outcome end = r.result->cancelled ? outcome_of_status(0)
                                      : outcome_error(outcome_fault_of_exec(error), error);
    if (error == 0) {
        runner_go_on(o->watch, o->timeout_ns);
        const bool timed_out = serve(&r);
        end = finish_child(&r, timed_out);
    }
    close_descriptor(&r.input_fd);
    close_descriptor(&r.stdin_fd);
    close_descriptor(&r.output_fd);
    return end;
}

/* ---- Runners ---- */

leak_finding runner_leak_of(const outcome *end, uint64_t leak_state) {
    if (end->verdict == VERDICT_FAIL && leak_state == FRNG_LEAK_CHECK) return LEAK_FOUND;
    return leak_state == FRNG_LEAK_START ? LEAK_OF_START : LEAK_SUSPECTED;
}

void runner_run_each(runner *r, const batch *b, run_purpose purpose, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    run_result_clear(result);
    while (result->ran < b->count && result->last.verdict == VERDICT_PASS) {
        bytes_tail_clear(&result->output);
        const batch once = batch_part(b, result->ran, 1);
        result->last = r->once(r, &once, purpose, result);
        if (result->cancelled) break;
        result->ran++;
        if (b->candidates == NULL && result->leak > LEAK_FOUND) break;
    }
    result->took_ns = clock_now_ns() - start_ns;
}

enum { SITE_NAMES_MAX = 32 };

/* The site that an address in the report of a sanitizer stands for, as a run with symbols has shown
 * it. */
typedef struct site_name {
    char address[SITE_MAX], name[SITE_MAX];
} site_name;

typedef struct runner_spawn {
    runner base;
    const run_config *config;
    const runner_watch *watch;
    input_memfd entropy;
    report_shm report;               /* used if config->reports */
    proc_command command;            /* the config's command with the offer in its environment */
    int null_fd;                     /* destination of output that nobody reads */
    int output_fd;                   /* a file for that of runs that search; -1: none, or they print
                                        so much that nobody listens any more */
    output_scan *scan;               /* of the output that is captured */
    proc_command terse;              /* the same, for runs whose output is not shown */
    char **envp, **terse_envp;       /* their environments; owned */
    named_input named;               /* the file that @@ names */
    temp_folder temp;                /* of each run */
    site_name names[SITE_NAMES_MAX]; /* the oldest is forgotten */
    size_t name_count;               /* of all, with those forgotten */
    run_result again;                /* result of a run with twice the memory, which is not kept */
    bool has_differed; /* two new processes did: there is no need of another difference */
} runner_spawn;

/* One run of an input, its limits, and what is wanted of it. */
typedef struct attempt {
    runner_spawn *s;
    batch once;       /* a batch of one run */
    seed_input input; /* of that run */
    run_purpose purpose;
    run_limits limits;
    bool capture; /* its output is kept */
    frng_leaks_request leaks;
    bool is_read;   /* sanitizers may take the time to name functions and lines */
    uint64_t wants; /* FRNG_WANTS_... */
    run_result *result;
} attempt;

/* Return the same attempt again, with a result that is not kept. */
static attempt repeat(const attempt *a) {
    attempt again = *a;
    again.result = &a->s->again;
    bytes_tail_clear(&again.result->output);
    again.result->site[0] = '\0';
    again.result->cancelled = false;
    return again;
}

/* True if a run records its draws: of a shown one, a finding keeps them. */
static bool is_traced(const attempt *a) {
    return a->once.candidates != NULL || a->wants != 0 || runner_is_shown(a->purpose);
}

/* Write the run's input, and clear the report. Returns 0 or an errno. */
static int prepare(const attempt *a) {
    runner_spawn *s = a->s;
    const bool is_seed = a->once.candidates == NULL;
    const bool is_counted = a->once.tally != NULL;
    s->report.counts = is_counted;
    if (s->config->reports) {
        report_shm_reset(&s->report, is_traced(a) ? 1 : 0);
        if (is_counted && is_seed) report_shm_request_rows(&s->report, 1);
        s->report.report->leaks = a->leaks;
        s->report.report->wants |= a->wants | (a->capture ? FRNG_WANTS_CRASH : 0);
    }
    uint64_t size;
    const int error = input_memfd_write(&s->entropy, &a->once, false, &size);
    return error != 0 ? error : named_input_write(&s->named, s->entropy.bytes, size);
}

static void take_report(const attempt *a, outcome *o) {
    const runner_spawn *s = a->s;
    candidate_set *set = a->once.candidates;
    if (set != NULL) {
        set->passes[a->input.seed] = CANDIDATE_PASS_UNKNOWN;
        set->reported = set->record_count = 0;
    }
    if (!s->config->reports) return;
    o->drawn = report_shm_drawn(&s->report, s->config->layout, a->input.size);
    if (s->config->site_rule == NULL) report_shm_copy_site(&s->report, a->result->site);
    report_shm_copy_set(&s->report, s->config->layout, &a->once, (run_rows){0, 1}, 1);
    if (is_traced(a) && outcome_failed(o))
        a->result->draws = report_shm_draws(&s->report, FRNG_DRAWS_KEPT);
    a->result->has_narrowed = report_shm_has_narrowed(&s->report);
}

/* Find the site of a failure in its output, unless an assertion or the kernel told. What a hung
 * run printed says nothing of where it hangs. */
static void find_site(const runner_spawn *s, const outcome *o, run_result *result) {
    const regex_t *rule = s->config->site_rule;
    result->is_site_known = true;
    if (o->is_oom) strcpy(result->site, SITE_OOM);
    if (result->site[0] != '\0') return;
    if (o->verdict == VERDICT_FAIL || rule != NULL) output_scan_end(s->scan, result->site);
    if (result->site[0] != '\0' || !s->config->reports) return;
    if (rule != NULL) report_shm_copy_site(&s->report, result->site);
    if (result->site[0] == '\0' && WIFSIGNALED(o->status))
        report_shm_copy_crash(&s->report, s->command.path, result->site);
}

static void count_attempt(const attempt *a, const outcome *o, tally *sum) {
    const bool has_passed = o->verdict == VERDICT_PASS;
    const report_end end = {has_passed, !has_passed, o->drawn, a->input.size, &a->once};
    if (o->verdict == VERDICT_ERROR) return;
    sum->unread += o->reading == READING_NONE;
    if (a->s->config->reports) {
        report_tally_add(&a->s->report, &end, sum);
        return;
    }
    sum->runs++;
    sum->failed += !has_passed;
    if (a->input.size > sum->size_max) sum->size_max = a->input.size;
}

static outcome run_bounded(attempt *a) {
    runner_spawn *s = a->s;
    const run_config *config = s->config;
    const bool is_kept = a->result != &s->again && s->output_fd >= 0;
    runner_begin_step(s->watch, a->input.seed,
                      clock_after(a->limits.timeout_ns, runner_expansion_ns(a->input.size)));
    const int out_fd = is_kept ? s->output_fd : s->null_fd;
    const int error = prepare(a);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    if (is_kept && !a->capture) output_memfd_clear(out_fd);
    const child_setup how = {
        .command = a->is_read ? &s->command : &s->terse,
        .watch = s->watch,
        .timeout_ns = a->limits.timeout_ns,
        .setup = {.memory_max = a->limits.memory_max,
                  .mask = config->mask,
                  .place = PROC_OWN_GROUP,
                  .inherited = &s->report.fd,
                  .inherited_count = config->reports ? 1 : 0,
                  .stdout_fd = out_fd,
                  .stderr_fd = out_fd},
        .input = &s->entropy,
        .file = named_input_watch(&s->named),
        .is_piped = a->limits.stdin_kind == RUN_STDIN_PIPE,
        .piped = s->entropy.bytes,
        .piped_size = a->input.size,
        .output_fd = is_kept && !a->capture ? out_fd : 0,
        .capture = a->capture,
        .scan = a->capture ? s->scan : NULL,
    };
    output_scan_begin(s->scan, config->site_rule);
    const int64_t start_ns = clock_now_ns();
    const outcome end = child_run(&how, a->result);
    if (how.output_fd > 0 && outcome_failed(&end)) output_memfd_read(out_fd, &a->result->output);
    if (how.output_fd > 0) runner_spawn_hush(&s->base, clock_now_ns() - start_ns);
    temp_folder_empty(&s->temp, s->watch);
    return end;
}

/* Judge a failure under a memory limit: it counts if it repeats with twice the memory. */
static outcome judge_memory(const attempt *a, outcome o) {
    attempt again = repeat(a);
    const uint64_t memory_max = a->limits.memory_max;
    again.limits.memory_max = memory_max > UINT64_MAX / 2 ? UINT64_MAX : memory_max * 2;
    const outcome end = run_bounded(&again);
    a->result->cancelled = again.result->cancelled;
    if (end.verdict == VERDICT_ERROR) return end;
    if (!outcome_failed_alike(&o, &end)) o.verdict = VERDICT_MEMORY;
    return o;
}

/* Make a run. If it passes and may leak, make it again in another process that checks for leaks. */
static outcome run_watched(attempt *a) {
    const report_shm *report = &a->s->report;
    run_result *result = a->result;
    const outcome o = run_bounded(a);
    result->leak = LEAK_NONE;
    if (!a->s->config->reports || result->cancelled || o.verdict == VERDICT_ERROR) return o;
    const uint64_t state = report->report->leak_state;
    if (state == FRNG_LEAK_AGAIN && outcome_failed(&o)) return outcome_of_status(0); /* passed */
    if (state != FRNG_LEAK_SUSPECT || o.verdict != VERDICT_PASS) return o;
    attempt check = *a;
    check.leaks = FRNG_LEAKS_CHECK;
    bytes_tail_clear(&result->output);
    const outcome end = run_bounded(&check);
    if (result->cancelled || end.verdict == VERDICT_ERROR) return end;
    result->leak = runner_leak_of(&end, report->report->leak_state);
    return result->leak == LEAK_FOUND ? end : outcome_of_status(0);
}

/* Return the name of a site with an address, or NULL if it is new. */
static const char *name_of(const runner_spawn *s, const char *address) {
    for (size_t i = 0; i < s->name_count && i < SITE_NAMES_MAX; i++) {
        if (strcmp(s->names[i].address, address) == 0) return s->names[i].name;
    }
    return NULL;
}

/* Make a failed run again with symbols, for which there is time, and take what it shows. False if
 * that is nothing. */
static bool read_again(const attempt *a) {
    const int64_t symbols_ns = INT64_C(10000) * CLOCK_NS_PER_MS;
    runner_spawn *s = a->s;
    attempt again = repeat(a);
    again.is_read = true;
    again.limits.timeout_ns = clock_after(a->limits.timeout_ns, symbols_ns);
    if (a->result->leak == LEAK_FOUND) again.leaks = FRNG_LEAKS_CHECK;
    const outcome o = run_bounded(&again);
    if (again.result->cancelled || o.verdict != VERDICT_FAIL) return false; /* perhaps flaky */
    bytes_tail_copy(&a->result->output, &again.result->output);
    find_site(s, &o, again.result);
    if (again.result->site[0] == '\0') return false;
    if (site_is_address(a->result->site) && name_of(s, a->result->site) == NULL) {
        site_name *name = &s->names[s->name_count++ % SITE_NAMES_MAX];
        strcpy(name->address, a->result->site);
        strcpy(name->name, again.result->site);
    }
    return true;
}

/* Name the site of a failure if an address stands for it. The name is known, or comes from another
 * run, which a person may read in any case. */
static void name_site(const attempt *a) {
    runner_spawn *s = a->s;
    char *site = a->result->site;
    const bool is_address = site_is_address(site), is_read = a->purpose == RUN_READ;
    if (s->config->terse_envp == NULL || (!is_address && !is_read)) return;
    const char *known = is_address ? name_of(s, site) : NULL;
    if ((known == NULL || is_read) && read_again(a)) {
        if (is_address || site[0] == '\0') strcpy(site, s->again.site);
    } else if (known != NULL) {
        strcpy(site, known);
    }
}

/* Make a run, and set the program that it ran. A confirmed failure needs an exact one. */
static outcome run_program(attempt *a) {
    const char *path = a->s->command.path;
    a->result->program = file_stamp_of(path);
    const outcome o = run_watched(a);
    if (runner_is_shown(a->purpose)) {
        const file_stamp now = file_stamp_of(path);
        if (!file_stamp_equal(&now, &a->result->program))
            a->result->program = (file_stamp){0, 0, 0, 0};
    }
    return o;
}

static outcome run_judged(attempt *a) {
    runner_spawn *s = a->s;
    run_result *result = a->result;
    outcome o = run_program(a);
    take_report(a, &o);
    if ((a->capture && outcome_failed(&o)) || o.is_oom) find_site(s, &o, result);
    if (a->once.tally != NULL && !result->cancelled) count_attempt(a, &o, a->once.tally);
    if (a->capture && o.verdict == VERDICT_FAIL && !o.is_oom && !result->cancelled) name_site(a);
    const bool confirms = a->purpose == RUN_CONFIRM && s->config->limits.memory_max > 0;
    if (confirms && outcome_failed(&o) && !result->cancelled) o = judge_memory(a, o);
    return o;
}

/* Return an environment with the folder for temporary files, and the offer of the report. */
static char **environment_of(runner_spawn *s, char *const *envp) {
    char **with_temp = temp_folder_environment(&s->temp, envp);
    if (!s->config->reports) return with_temp;
    char **whole = report_shm_environment(&s->report, -1, -1, with_temp);
    free(with_temp);
    return whole;
}

/* Create the files and memory of spawned runs with the first one. Most workers spawn none, as a
 * server makes all of their runs. */
static int open_all(runner_spawn *s) {
    const run_config *config = s->config;
    char *const *terse_envp = config->terse_envp;
    if (s->null_fd >= 0) return 0;
    named_input_open(&s->named, s->watch->folder, config->command.argv);
    if (s->named.argv != NULL) s->command.argv = s->terse.argv = s->named.argv;
    const uint64_t records = larger(config->records_max, FRNG_DRAWS_KEPT);
    int error = config->reports ? report_shm_init(&s->report, records, 0, 0) : 0;
    if (error == 0)
        error = input_memfd_init(&s->entropy, larger(config->candidate_bytes, config->size_max));
    if (error != 0) return error;
    s->command.envp = s->envp = environment_of(s, config->command.envp);
    s->terse.envp = s->terse_envp =
        environment_of(s, terse_envp != NULL ? terse_envp : config->command.envp);
    s->scan = output_scan_create();
    s->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    return s->null_fd < 0 ? errno : 0;
}

static outcome run_once(runner *base, const batch *once, run_purpose purpose, run_result *result) {
    runner_spawn *s = (runner_spawn *)base;
    const run_config *config = s->config;
    attempt a = {.s = s,
                 .once = *once,
                 .input = batch_input(once, 0),
                 .purpose = purpose,
                 .limits = config->limits,
                 .capture = runner_is_shown(purpose) || config->keeps_output,
                 .leaks = purpose == RUN_TRY_UNWATCHED ? FRNG_LEAKS_IGNORE : FRNG_LEAKS_WATCH,
                 .result = result};
    const int error = open_all(s);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    if (purpose == RUN_CONFIRM)
        a.limits.timeout_ns = clock_after(a.limits.timeout_ns, a.limits.timeout_ns);
    return run_judged(&a);
}

/* ---- Comparing two new processes ---- */

/* One run in 2^N is compared. N is smaller where each run starts a program anyway. */
enum { COMPARED_SHARE_OF_STARTS = 8, COMPARED_SHARE = 16 };

int runner_spawn_output(const runner *base) { return ((const runner_spawn *)base)->output_fd; }

bool runner_spawn_hush(runner *base, int64_t took_ns) {
    runner_spawn *s = (runner_spawn *)base;
    if (!output_memfd_is_loud(s->output_fd, took_ns)) return false;
    close_descriptor(&s->output_fd);
    return true;
}

bool runner_spawn_has_states(const runner *base) {
    const runner_spawn *s = (const runner_spawn *)base;
    return s->report.report != NULL && (s->report.report->wants & FRNG_HAS_STATES) != 0;
}

/* What two runs of one input have in common. */
typedef struct run_sum {
    uint64_t digest, drawn;
    outcome end;
} run_sum;

/* Make a run with a digest. False if it says nothing. */
static bool sum_run(runner_spawn *s, const batch *once, uint64_t wants, run_sum *sum) {
    attempt a = {.s = s,
                 .once = *once,
                 .input = batch_input(once, 0),
                 .limits = s->config->limits,
                 .leaks = FRNG_LEAKS_IGNORE,
                 .wants = wants,
                 .result = &s->again};
    s->again.cancelled = false;
    sum->end = run_bounded(&a);
    sum->digest = s->report.report->digest;
    sum->drawn = report_shm_drawn(&s->report, s->config->layout, a.input.size);
    return !s->again.cancelled &&
           (sum->end.verdict == VERDICT_PASS || sum->end.verdict == VERDICT_FAIL);
}

/* True if a run differs in two new processes, with other addresses (a fork has those of its server)
 * and other garbage in memory. False also if that remains unknown: a run was cancelled, or hung, or
 * may have lacked memory. */
static bool differs(runner_spawn *s, const batch *once) {
    const uint64_t wants =
        FRNG_WANTS_SAYS | FRNG_WANTS_STATES; /* formatting lines uses the stack */
    run_sum a, b;
    return s->config->reports && open_all(s) == 0 && sum_run(s, once, wants, &a) &&
           sum_run(s, once, wants | FRNG_WANTS_OTHER_MEMORY, &b) &&
           (a.digest != b.digest || a.drawn != b.drawn || a.end.verdict != b.end.verdict ||
            a.end.status != b.end.status);
}

void runner_spawn_compare(runner *base, const batch *b, run_result *result) {
    runner_spawn *s = (runner_spawn *)base;
    const run_config *c = s->config;
    const verdict last = result->last.verdict;
    const unsigned share = c->mode == MODE_SPAWN ? COMPARED_SHARE_OF_STARTS : COMPARED_SHARE;
    if (s->has_differed || b->candidates != NULL || result->cancelled || result->ran == 0) return;
    if (last != VERDICT_PASS && last != VERDICT_FAIL) return;
    if (!batch_is_sampled(b, result->ran, c->layout.forks_none ? 4 : 2, share)) return;
    batch once = batch_part(b, result->ran - 1, 1);
    once.tally = NULL;
    result->differs = s->has_differed = differs(s, &once);
}

static void runner_spawn_destroy(runner *base) {
    runner_spawn *s = (runner_spawn *)base;
    if (s->report.report != NULL) report_shm_finish(&s->report);
    if (s->entropy.bytes != NULL) input_memfd_finish(&s->entropy);
    close_descriptor(&s->null_fd);
    close_descriptor(&s->output_fd);
    free(s->scan);
    free(s->envp);
    free(s->terse_envp);
    if (s->named.argv != NULL) named_input_close(&s->named);
    free(s);
}

runner *runner_spawn_create(const void *config, const runner_watch *watch, int *error_number) {
    runner_spawn *s = memory_zeroed(1, sizeof *s);
    s->base = (runner){runner_run_each, runner_spawn_destroy, run_once};
    s->config = config;
    s->watch = watch;
    s->null_fd = -1;
    s->command = s->terse = s->config->command;
    temp_folder_open(&s->temp, watch->folder, "t");
    s->output_fd = output_memfd_create();
    proc_oom_has_killed(""); /* forget earlier kills */
    *error_number = 0;
    return &s->base;
}

outcome foreground_run_once(const foreground_run *run, int *stopped_by) {
    static run_result result; /* needed only as a buffer for output */
    child_signals signals = {run->signal_fd, 0};
    proc_command command = run->command;
    child_setup how = run->how;
    char **envp = NULL;
    how.command = &command;
    how.signals = &signals;
    how.capture = run->hidden_ends != NULL;
    how.scan = how.capture ? run->scan : NULL;
    if (how.scan != NULL) output_scan_begin(how.scan, run->rule);
    how.setup.place = how.capture ? PROC_OWN_SESSION : PROC_SAME_GROUP;
    how.setup.stdout_fd = how.setup.stderr_fd = -1;
    if (run->report != NULL) {
        how.setup.inherited = &run->report->fd;
        how.setup.inherited_count = 1;
        command.envp = envp = report_shm_environment(run->report, -1, -1, run->command.envp);
    }
    bytes_tail_clear(&result.output);
    const outcome o = child_run(&how, &result);
    if (run->hidden_ends != NULL) bytes_tail_copy(run->hidden_ends, &result.output);
    free(envp);
    *stopped_by = signals.first;
    return o;
}
