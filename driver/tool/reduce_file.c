#include "reduce_file.h"

#include "clock.h"
#include "engine.h"
#include "excerpt.h"
#include "file_task.h"
#include "frng_expand.h"
#include "messages.h"
#include "options.h"
#include "pool.h"
#include "reduce_failure.h"
#include "session.h"
#include "units.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* Time limit of a run as a multiple of the first run's time, and its least value in seconds. */
enum { TIMEOUT_TIMES = 10, TIMEOUT_MIN_S = 1 };

/* A run of the predicate before the reduction. */
typedef struct initial_check {
    run_stop stop;  /* END_DONE: interesting; END_PASSES: not; else: no answer */
    run_result run; /* zeroed if the run has no result */
    bool is_late;   /* the run was killed at its time limit */
} initial_check;

/* A reduction from its first check to its report. */
typedef struct reduction {
    session *session;
    const tool_options *options;
    file_task task;
    initial_check check; /* last check; interesting once the reduction began */
    uint64_t checks;     /* count of checks; checks_ns is their time */
    int64_t checks_ns;
    int64_t check_began_ns; /* start of the check at work */
    bool is_put;            /* the best is in the output */
    reduce_result result;
} reduction;

/* ---- Before the reduction ---- */

/* Show that the tool lives while a check runs. */
static void on_idle(void *context) {
    const reduction *r = context;
    const progress now = {.size = r->task.file.size,
                          .runs = r->checks,
                          .elapsed_ns = r->checks_ns + clock_now_ns() - r->check_began_ns};
    session_emit(r->session, &(event){.kind = EVENT_PROGRESS, .progress = now});
}

/* Judge a run that ended. */
static void judge(initial_check *c, int64_t timeout_ns) {
    const int status = c->run.last.status;
    c->is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && c->run.took_ns >= timeout_ns;
    switch (c->run.last.verdict) {
    case VERDICT_FAIL: c->stop.end = END_DONE; return;
    case VERDICT_PASS:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: c->stop.end = END_PASSES; return;
    case VERDICT_STUCK: run_stop_broken(&c->stop, ETIME); return;
    case VERDICT_ERROR: c->stop.end = END_ENVIRONMENT; return;
    }
}

/* Run the predicate on bytes, in a pool of one worker. Return true if they are interesting. */
static bool ask(reduction *r, const uint8_t *bytes, size_t size, client_hooks hooks) {
    pool_config workers = session_pool(r->session, runner_predicate_create, &r->task.predicate);
    const client_input in = client_bytes(bytes, size);
    initial_check *c = &r->check;
    workers.jobs = 1;
    workers.candidate_set_bytes = size + 1;
    memset(c, 0, sizeof *c);
    r->check_began_ns = clock_now_ns();
    c->stop = client_run_once(
        &workers, &(client_config){.deadline_ns = session_deadline(r->session), .hooks = hooks},
        &in, &c->run);
    if (c->stop.end == END_DONE) judge(c, r->task.predicate.timeout_ns);
    r->checks++;
    r->checks_ns += c->run.took_ns;
    return c->stop.end == END_DONE;
}

/* Choose the time limit of a run by the first run, unless --timeout sets it. */
static void choose_timeout(reduction *r) {
    const int64_t max_ns = FILE_TASK_TIMEOUT_S * CLOCK_NS_PER_S;
    const int64_t min_ns = TIMEOUT_MIN_S * CLOCK_NS_PER_S;
    if (r->options->run.timeout_ns != 0) return;
    int64_t timeout_ns = r->check.run.took_ns * TIMEOUT_TIMES;
    if (timeout_ns < min_ns) timeout_ns = min_ns;
    if (timeout_ns > max_ns) timeout_ns = max_ns;
    r->task.predicate.timeout_ns = timeout_ns - timeout_ns % CLOCK_NS_PER_MS; /* to print it */
}

static void start(reduction *r) {
    session *s = r->session;
    s->setup.task = TASK_REDUCE_FILE;
    s->setup.size = r->task.file.size;
    s->setup.limits.calls_max = r->options->calls_max;
    s->setup.file = r->task.path;
    s->setup.output = r->task.output_path;
    s->setup.name = r->task.predicate.name;
    s->setup.command_count = r->task.reducers.count;
    session_start(s);
}

/* ---- The reduction ---- */

static void put_best(reduction *r, const uint8_t *bytes, size_t size) {
    const int error = atomic_file_put(&r->task.output, bytes, size);
    r->is_put = error == 0;
    if (error != 0) session_output_failed(r->session, r->task.output_path, error);
}

/* Write a best to the output, then emit its event. Every failure is a best, so OTHER and ISOLATION
 * do not apply: a file that is not interesting has passed. */
static void take_event(void *context, const event *e) {
    reduction *r = context;
    event passed = *e;
    if (e->kind == EVENT_OTHER || e->kind == EVENT_ISOLATION) return;
    passed.progress.runs += r->checks;
    passed.progress.elapsed_ns += r->checks_ns;
    if (e->kind == EVENT_PASS_DROPPED) passed.name = r->task.reducers.list[e->external_pass].name;
    if (e->kind == EVENT_BEST && !r->task.output.is_stream) {
        put_best(r, e->bytes, e->failure->input.size);
    }
    session_emit(r->session, &passed);
}

static uint64_t calls_left(const reduction *r) {
    const uint64_t max = r->options->calls_max;
    if (max == UINT64_MAX) return max;
    return max > r->checks ? max - r->checks : 0;
}

static void reduce(reduction *r) {
    session *s = r->session;
    const file_task *t = &r->task;
    const reduce_config config = {
        .bytes = t->file.bytes,
        .size = t->file.size,
        .is_file = true,
        .is_fresh = true,
        .jobs = s->options->jobs,
        .calls_max = calls_left(r),
        .deadline_ns = session_deadline(s),
        .external_passes = t->reducers.list,
        .external_pass_count = t->reducers.count,
    };
    const event_sink sink = {take_event, r};
    const pool_config workers = session_pool(s, runner_predicate_create, &t->predicate);
    reduce_failure_run(s, workers, &config, &sink, &r->result);
}

static void run(reduction *r) {
    session_deadline(r->session); /* begin the budget, which includes the checks */
    start(r);
    session_warn_cores(r->session); /* interesting files mostly make a program crash */
    const client_hooks hooks = {r, NULL, on_idle};
    if (ask(r, r->task.file.bytes, r->task.file.size, hooks)) {
        choose_timeout(r);
        reduce(r);
        return;
    }
    r->result.stop = r->check.stop;
    if (r->check.stop.end == END_INTERRUPTED) {
        r->session->signal_number = tool_take_signal(&r->session->signals);
    }
}

/* ---- After the reduction ---- */

/* Return the answer. The start was interesting once, which is a result until a run refutes it. */
static run_answer answer_of(const reduction *r) {
    const bool has_begun = r->check.stop.end == END_DONE;
    if (r->result.found || (has_begun && r->result.stop.end != END_PASSES)) return ANSWER_FOUND;
    if (has_begun) return ANSWER_INCONCLUSIVE;
    return r->check.stop.end == END_PASSES ? ANSWER_PASSED : ANSWER_NONE;
}

/* Print why the first run found the file uninteresting, and its output. */
static void report_uninteresting(const reduction *r) {
    char how[128];
    const signature end = signature_of_status(r->check.run.last.status);
    if (r->check.is_late) {
        snprintf(how, sizeof how, "took longer than %s (--timeout)",
                 units_format_duration(UNITS_TEXT, r->task.predicate.timeout_ns));
    } else if (end.kind == SIGNATURE_SIGNAL) {
        snprintf(how, sizeof how, "died of %s",
                 signature_format(end, SIGNATURE_TEXT) + strlen("signal:"));
    } else {
        snprintf(how, sizeof how, "exited with %d", end.value);
    }
    message("%s: not interesting: the predicate %s; it must exit with 0 for an interesting file",
            r->task.path, how);
    excerpt_put(message_stream(), &r->check.run.output);
}

/* Warn if the best is empty and the predicate accepts random bytes too. */
static void doubt_predicate(reduction *r, const summary *of) {
    enum { NOISE_SIZE = 256, NOISE_SEED = 1 };
    uint8_t noise[NOISE_SIZE];
    const bool is_empty = of->answer == ANSWER_FOUND && of->best.failure->input.size == 0;
    if (!is_empty || of->end != END_DONE || r->options->quiet) return;
    frng_expand(NOISE_SEED, noise, sizeof noise);
    if (!ask(r, noise, sizeof noise, (client_hooks){0})) return;
    message("%s: exits with 0 for an empty file, and for random bytes: does it check anything?",
            r->session->target.subject.sut);
}

static summary summary_of(const reduction *r, const found_input *best) {
    const reduce_result *result = &r->result;
    const bool has_reducers = result->external_passes != NULL;
    return (summary){
        .setup = &r->session->setup,
        .end = result->stop.end,
        .stop = &result->stop,
        .answer = answer_of(r),
        .best = *best,
        .progress = {.size = best->failure != NULL ? best->failure->input.size : 0,
                     .runs = result->calls + r->checks,
                     .steps = result->successes,
                     .elapsed_ns = result->elapsed_ns + r->checks_ns},
        .folder = r->task.root,
        .passes = result->statistics,
        .pass_count = result->statistics_count,
        .reducers = result->external_passes,
        .reducer_count = has_reducers ? result->external_pass_count : 0,
        .calls_to_size = result->calls_to_size + r->checks,
        .timeout_ns = r->task.predicate.timeout_ns,
    };
}

/* Report the reduction. Returns the exit status. */
static int report(reduction *r) {
    const reduce_result *result = &r->result;
    const failure first = {.input = {.size = r->task.file.size}};
    found_input best = {.failure = NULL};
    if (r->check.stop.end == END_PASSES) report_uninteresting(r);
    if (r->check.stop.end == END_SPENT && !r->options->quiet) {
        message("%s: not reduced: the predicate had not answered once when --time was over",
                r->task.path);
    }
    if (answer_of(r) == ANSWER_FOUND) {
        best.failure = result->found ? &result->best : &first;
        best.bytes = result->found ? result->bytes.bytes : r->task.file.bytes;
        put_best(r, best.bytes, best.failure->input.size);
    }
    const summary whole = summary_of(r, &best);
    const int status = session_report(r->session, &whole, best.failure != NULL && r->is_put);
    doubt_predicate(r, &whole);
    return status;
}

int reduce_file(session *s, const tool_options *o) {
    static reduction r; /* too large for small stacks; a process reduces once */
    int status = EXIT_ENVIRONMENT;
    r.session = s;
    r.options = o;
    if (file_task_prepare(&r.task, s, o)) {
        run(&r);
        status = report(&r);
    }
    reduce_finish(&r.result);
    file_task_finish(&r.task);
    return status;
}
