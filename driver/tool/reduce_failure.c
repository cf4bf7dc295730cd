/* A failure is reduced from the bytes of its input to the report, for frng-reduce and for --reduce.
 *
 * What the reduction announces is kept before users read of it: in the folder of --findings, as
 * bytes, and in the file of --output, which is replaced as a whole. Failures of other signatures
 * are findings, too.
 *
 * Where a reduction ends depends on where it starts. So --reduce also starts from other inputs that
 * the search found to fail alike, in as many calls together as the search made runs. It goes on
 * from what is simpler until that is a fixpoint. Users see the progress of the others, and what
 * else failed.
 *
 * A result that is long has to be in a file, as nobody reads so long a line: beside the finding
 * that was reduced, if nothing else was asked for. */
#include "atomic_file.h"
#include "bytes.h"
#include "clock.h"
#include "engine.h"
#include "messages.h"
#include "pool.h"
#include "session.h"
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A reduction from its start to its report. */
typedef struct failure_reduction {
    session *session;
    seed_input from;           /* the seed of the input; its size is 0 if it has none */
    const atomic_file *output; /* for the result; NULL: none */
    char *saved;               /* path of the result, a finding or a file; or NULL */
    bool is_finding;
    char *others_saved[DISTINCT_FAILURES_MAX]; /* paths of the other failures, or NULL */
    reduce_result result;
    int64_t start_ns;
    progress before; /* calls, steps and time of the reductions before this one */
} failure_reduction;

/* Write bytes to --output. Returns true on success. */
static bool write_output(failure_reduction *r, const uint8_t *bytes, size_t size) {
    const int error = atomic_file_put(r->output, bytes, size);
    if (error != 0) session_output_failed(r->session, r->output->path, error);
    return error == 0;
}

/* Store a failure, then emit its event: a finding is on disk before it is announced. */
static void take_event(void *context, const event *e) {
    failure_reduction *r = context;
    event told = *e;
    told.progress.runs += r->before.runs;
    told.progress.steps += r->before.steps;
    told.progress.elapsed_ns += r->before.elapsed_ns;
    if (e->kind == EVENT_BEST && r->output != NULL && !r->output->is_stream)
        write_output(r, e->bytes, e->failure->input.size);
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER)
        session_save(r->session, e->failure, (finding){.bytes = e->bytes});
    session_emit(r->session, &told);
}

/* ---- The reduction ---- */

void reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                        const event_sink *sink, reduce_result *result) {
    workers.candidate_set_bytes = config->is_file ? reduce_candidate_set_bytes(config->size)
                                                  : reduce_choices_bytes(config->size);
    pool *p = pool_create(&workers);
    if (p == NULL) {
        run_stop_broken(&result->stop, errno);
        return;
    }
    reduce_run(config, p, sink, result);
    pool_destroy(p);
    if (result->stop.end == END_REBUILT)
        message("%s: has been rebuilt or replaced; the reduction ends", s->target.path);
    s->signal_number = tool_take_signal(&s->signals);
}

static const explain_limits limits[] = {
    [EXPLAIN_AUTO] = {.calls_max = 2000, .time_ns = 60 * CLOCK_NS_PER_S},
    [EXPLAIN_YES] = {.calls_max = 20000, .time_ns = CLOCK_NEVER, .is_asked = true},
    [EXPLAIN_NO] = {.calls_max = 0, .time_ns = 0},
};

/* Reduce bytes, of which `known` is known. Fills *result in any case. */
static void run(failure_reduction *r, const input_source *in, uint64_t calls_max,
                explain_limits explain, const event_sink *sink, reduce_result *result) {
    session *s = r->session;
    const tool_options *o = s->options;
    run_config runs = s->runs;
    runs.size_max = in->size;
    runs.keeps_output = true;
    runs.candidate_bytes = reduce_choices_bytes(in->size);
    runs.records_max = reduce_candidate_set_records(in->size);
    pool_config workers = session_pool(s, runner_server_create, &runs);
    workers.candidate_set_records = runs.records_max;
    const reduce_config config = {.bytes = in->bytes,
                                  .size = in->size,
                                  .filter = &o->run.filter,
                                  .any_failure = o->any_failure,
                                  .is_fresh = runs.mode == MODE_SPAWN,
                                  .has_memory_limit = runs.memory_max > 0,
                                  .jobs = (unsigned)o->jobs,
                                  .calls_max = calls_max,
                                  .explain = explain,
                                  .known = &in->known,
                                  .deadline_ns = session_deadline(s),
                                  .last_ns = s->last_ns};
    reduce_failure_run(s, workers, &config, sink, result);
}

/* Reduce the input of the session. */
static void run_first(failure_reduction *r) {
    session *s = r->session;
    const tool_options *o = s->options;
    s->setup.task = TASK_REDUCE;
    s->setup.size = s->held != NULL ? r->from.size : s->input.size; /* of a search, the seed's */
    s->setup.limits.calls_max = o->calls_max;
    session_deadline(s); /* the budget begins */
    session_start(s);
    r->start_ns = clock_now_ns();
    run(r, &s->input, o->calls_max, limits[o->explain], &(event_sink){take_event, r}, &r->result);
}

/* ---- Other starts ---- */

static void take_of_rival(void *context, const event *e) {
    const failure_reduction *r = context;
    event told = *e;
    told.progress.size = r->result.bytes.size; /* the best of all, which it has yet to beat */
    told.progress.steps = 0;
    if (e->kind == EVENT_PROGRESS || e->kind == EVENT_OTHER) take_event(context, &told);
}

/* Take the other failures of a reduction that are new, or simpler. */
static void take_others(reduce_result *to, reduce_result *from) {
    for (size_t i = 0; i < DISTINCT_FAILURES_MAX; i++) {
        failed_case *other = &from->others[i], *place = NULL, old;
        if (other->testcase.bytes == NULL) continue;
        for (size_t k = DISTINCT_FAILURES_MAX; k-- > 0;) {
            failed_case *c = &to->others[k];
            if (c->testcase.bytes == NULL && (place == NULL || place->testcase.bytes == NULL)) {
                place = c;
            } else if (c->testcase.bytes != NULL &&
                       failure_is_alike(&c->failure, &other->failure)) {
                place = c;
            }
        }
        if (place == NULL) continue;
        old = *place;
        if (old.testcase.bytes != NULL && testcase_compare(&other->testcase, &old.testcase) >= 0)
            continue;
        *place = *other;
        *other = old;
    }
}

/* Reduce from another start, after reductions whose calls and time count, too. Return false if it
 * was stopped by more than the end of its time or of its calls. */
static bool run_again(failure_reduction *r, const input_source *in, uint64_t calls_max,
                      explain_limits explain, const event_sink *sink, reduce_result *result) {
    reduce_result *all = &r->result;
    r->before = (progress){
        .runs = all->calls, .steps = all->successes, .elapsed_ns = clock_now_ns() - r->start_ns};
    run(r, in, calls_max, explain, sink, result);
    all->calls += result->calls;
    all->elapsed_ns += result->elapsed_ns;
    take_others(all, result);
    return result->stop.end == END_DONE || result->stop.end == END_SPENT;
}

/* True if a reduction came to a simpler test case that fails alike, of the same build. */
static bool is_simpler(const reduce_result *r, const reduce_result *than) {
    const file_stamp *a = &r->best.program, *b = &than->best.program;
    const bool is_rebuilt =
        file_stamp_is_known(a) && file_stamp_is_known(b) && !file_stamp_equal(a, b);
    return r->found && !is_rebuilt && !failure_is_flaky(&r->best) &&
           failure_is_alike(&r->best, &than->best) && testcase_compare(&r->bytes, &than->bytes) < 0;
}

/* Go on from the answer of a rival, which is simpler. Return false if that was stopped. */
static bool go_on(failure_reduction *r, const reduce_result *rival) {
    static reduce_result next; /* large */
    reduce_result *now = &r->result;
    const input_source in = {.bytes = rival->bytes.bytes, .size = rival->bytes.size};
    now->successes += rival->successes;
    const bool goes_on = run_again(r, &in, UINT64_MAX, limits[r->session->options->explain],
                                   &(event_sink){take_event, r}, &next);
    now->successes += next.successes;
    if (is_simpler(&next, now)) {
        testcase_finish(&now->bytes);
        failure_drop(&now->best);
        explanation_finish(&now->explanation);
        now->bytes = next.bytes;
        now->best = next.best;
        now->explanation = next.explanation;
        now->stop = next.stop;
        next.bytes = (testcase){.bytes = NULL};
        next.best = (failure){.output = NULL};
        next.explanation = (explanation){.draws = NULL};
    }
    reduce_finish(&next);
    return goes_on;
}

static void run_rivals(failure_reduction *r) {
    static reduce_result rival; /* large */
    const search_result *searched = r->session->searched;
    const reduce_result *now = &r->result;
    const event_sink sink = {take_of_rival, r};
    uint64_t left = searched->runs;
    bool goes_on = r->session->signal_number == 0;
    for (size_t i = 0; goes_on && i < searched->rival_count && left > 0; i++) {
        const input_options from = {.seeded = searched->rivals[i]};
        const bool is_whole = now->found && now->stop.end == END_DONE;
        input_source in;
        if (!is_whole || failure_is_flaky(&now->best)) return;
        if (input_source_read(&in, &from, REDUCE_FAILURE_SIZE_MAX)) {
            goes_on = run_again(r, &in, left, limits[EXPLAIN_NO], &sink, &rival);
            left -= smaller(left, rival.calls);
            if (goes_on && is_simpler(&rival, now)) goes_on = go_on(r, &rival);
            reduce_finish(&rival);
        }
        input_source_finish(&in);
    }
}

/* ---- After the reduction ---- */

/* Write a long result to a new file beside the finding that was reduced. The result line has the
 * bytes if that fails, or if there is no such finding. */
static void save_beside(failure_reduction *r) {
    const testcase *result = &r->result.bytes;
    if (asprintf(&r->saved, "%s.reduced", r->session->options->input.finding) < 0) r->saved = NULL;
    if (r->saved == NULL ||
        atomic_file_write_new(AT_FDCWD, r->saved, result->bytes, result->size) == 0)
        return;
    free(r->saved);
    r->saved = NULL;
}

static void save_result(failure_reduction *r) {
    const failure *f = &r->result.best;
    const uint8_t *bytes = r->result.bytes.bytes;
    remarks why = explained_remarks(&r->result.explanation);
    const finding reduced = {.bytes = bytes,
                             .is_reduced = r->result.stop.end == END_DONE,
                             .from = r->from,
                             .remarks = why};
    const bool is_kept = session_save(r->session, f, reduced);
    session_conclude(r->session, f, reduced);
    explained_free_remarks(&why);
    if (r->output != NULL && write_output(r, bytes, f->input.size))
        r->saved = strdup(r->output->path);
    if (r->saved == NULL && is_kept) {
        r->saved = session_finding_path(r->session, f, bytes);
        r->is_finding = r->saved != NULL;
    } else if (r->saved == NULL && r->session->options->input.finding != NULL &&
               f->input.size > PHRASE_HEX_MAX) {
        save_beside(r);
    }
}

static run_answer answer_of(const failure_reduction *r) {
    const reduce_result *result = &r->result;
    if (result->found) return ANSWER_FOUND;
    if (result->stop.end != END_PASSES) return ANSWER_NONE;
    if (result->seen.verdict == VERDICT_STUCK) return ANSWER_INCONCLUSIVE;
    if (!outcome_failed(&result->seen)) return ANSWER_PASSED;
    return result->is_unwanted ? ANSWER_DIFFERENT : ANSWER_INCONCLUSIVE;
}

static signature signature_seen(const outcome *seen) {
    if (seen->verdict == VERDICT_STUCK) return (signature){SIGNATURE_TIMEOUT, 0};
    return outcome_failed(seen) ? outcome_signature(seen) : (signature){0};
}

/* Report the reduction. Returns the exit status. */
static int report(failure_reduction *r) {
    const reduce_result *result = &r->result;
    found_input others[DISTINCT_FAILURES_MAX], best = {.failure = NULL};
    size_t other_count = 0;
    if (result->found) {
        save_result(r);
        best = (found_input){&result->best, result->bytes.bytes, r->saved, r->is_finding};
    }
    for (size_t i = 0; i < DISTINCT_FAILURES_MAX; i++) {
        const failure *f = &result->others[i].failure;
        const uint8_t *bytes = result->others[i].testcase.bytes;
        if (bytes == NULL) continue;
        r->others_saved[other_count] = session_finding_path(r->session, f, bytes);
        others[other_count] = (found_input){f, bytes, r->others_saved[other_count], true};
        other_count++;
    }
    const summary whole = {
        .setup = &r->session->setup,
        .end = result->stop.end,
        .stop = &result->stop,
        .answer = answer_of(r),
        .best = best,
        .others = others,
        .other_count = other_count,
        .progress = {.size = result->bytes.size,
                     .runs = result->calls,
                     .steps = result->successes,
                     .elapsed_ns = result->elapsed_ns},
        .has_draws = result->bytes.trace != TRACE_NONE,
        .ignored = result->ignored,
        .is_ignored = r->session->options->run.filter.only.count == 0,
        .seen = signature_seen(&result->seen),
        .limit = result->limit,
        .passes = result->statistics,
        .pass_count = result->statistics_count,
        .explanation = &result->explanation,
    };
    session_end_findings(r->session);
    return session_report(r->session, &whole, result->found);
}

int reduce_failure(session *s, seed_input from, const atomic_file *output) {
    static failure_reduction r; /* too large for small stacks */
    memset(&r, 0, sizeof r);    /* frng-search --all reduces one failure after another */
    r.session = s;
    r.from = from;
    r.output = output;
    run_first(&r);
    if (s->searched != NULL) run_rivals(&r);
    const int status = report(&r);
    if (status == EXIT_FOUND) session_warn_empty(s, &r.result.best);
    for (size_t i = 0; i < DISTINCT_FAILURES_MAX; i++) free(r.others_saved[i]);
    free(r.saved);
    if (r.result.found) {
        free(s->input.bytes);
        s->input.bytes = r.result.bytes.bytes;
        s->input.size = r.result.bytes.size;
        r.result.bytes.bytes = NULL;
        failure_keep(&s->input.known, &r.result.best);
    }
    reduce_finish(&r.result);
    return status;
}
