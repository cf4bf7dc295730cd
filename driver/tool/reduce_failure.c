/* A failure is reduced from the bytes of its input to the report, for frng-reduce and for --reduce.
 *
 * What the reduction announces is kept before users read of it: in the folder of --findings, as
 * bytes, and in the file of --output, which is replaced as a whole. Failures of other signatures
 * are findings, too.
 *
 * Where a reduction ends depends on where it starts. So after a search without --all, inputs that
 * the search found to fail alike, and then new ones, are reduced, too, until several have come to
 * the simplest answer of all. frng-reduce and --all reduce what they are given, as another input
 * may be of another bug. Users see the progress of the other starts, each simpler answer, and what
 * else failed.
 *
 * A result that is long has to be in a file, as nobody reads so long a line: beside the finding
 * that was reduced, if nothing else was asked for. */
#include "atomic_file.h"
#include "bytes.h"
#include "candidate_set.h"
#include "clock.h"
#include "engine.h"
#include "explained.h"
#include "messages.h"
#include "pool.h"
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum {
    HANGS_ENOUGH = 2,        /* no other start is tried */
    ALIKE_ENOUGH = 4,        /* starts that come to one answer: no other one is tried */
    ALIKE_ENOUGH_OF_MORE = 8 /* the same if a start came to another one, and calls are cheap */
};

/* A reduction from its start to its report. */
typedef struct failure_reduction {
    session *session;
    seed_input from;           /* the seed of the input; its size is 0 if it has none */
    const atomic_file *output; /* for the result; NULL: none */
    char *saved;               /* path of the result, a finding or a file; or NULL */
    bool is_finding;
    failure_table met; /* what failed otherwise, from any start */
    reduce_result result;
    int64_t start_ns;
    bool is_doubted; /* the target reported what its bytes contradict */

    run_config runs; /* of the workers */
    pool *pool;      /* those of all starts; NULL: there are none */

    /* Of other starts: */
    progress before;    /* calls, steps and time of the reductions before this one */
    uint64_t calls_max; /* limit of all calls */
    int64_t end_ns;     /* that of the session */
    uint64_t next_seed; /* of a new one */
    unsigned starts;    /* inputs that were reduced, with the first one */
    unsigned alike;     /* those that came to the result */
    unsigned hangs;     /* of them, and of runs that might have become starts */
} failure_reduction;

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
    r->is_doubted |= e->kind == EVENT_WRONG_RECORD;
    if (e->kind == EVENT_BEST && r->output != NULL && !r->output->is_stream)
        write_output(r, e->bytes, e->failure->input.size);
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER)
        session_save(r->session, e->failure, (finding){.bytes = e->bytes});
    session_emit(r->session, &told);
}

/* ---- The reduction ---- */

pool *reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                         const event_sink *sink, reduce_result *result) {
    pool *p = pool_create(&workers);
    if (p == NULL) {
        run_stop_broken(&result->stop, errno);
        return NULL;
    }
    reduce_run(config, p, sink, result);
    session_take_end(s, &result->stop);
    return p;
}

static const explain_limits limits[] = {
    [EXPLAIN_AUTO] = {.calls_max = 2000},
    [EXPLAIN_YES] = {.calls_max = 20000, .is_asked = true},
    [EXPLAIN_NO] = {.calls_max = 0},
};

/* Return the configuration of runs of inputs of at most `size` bytes, and of their workers. */
static pool_config workers_for(session *s, uint64_t size, run_config *runs) {
    *runs = s->runs;
    runs->size_max = size;
    runs->keeps_output = true;
    runs->forks_repeat = s->searched != NULL && s->now->input.known.repeated > 1;
    runs->candidate_bytes = reduce_choices_bytes(size);
    runs->records_max = reduce_candidate_set_records(size);
    pool_config workers = session_pool(s, runner_server_create, runs);
    workers.candidate_set_bytes = reduce_choices_bytes(size);
    workers.candidate_set_records = runs->records_max;
    return workers;
}

run_doubt reduce_failure_doubt(session *s, client_input in, draws_seen kept) {
    run_config runs;
    pool_config workers = workers_for(s, in.input.size, &runs);
    client c;
    batch b;
    workers.jobs = 1;
    pool *p = pool_create(&workers);
    if (p == NULL) return DOUBT_NONE;
    client_init(&c, p, &(client_config){.deadline_ns = session_deadline(s)});
    const run_result *run = client_run_alone(&c, &in, RUN_SHOW, &b);
    const run_doubt doubt = run != NULL ? reduce_doubt(run, b.candidates, kept) : DOUBT_NONE;
    pool_destroy(p);
    return doubt;
}

/* Return the configuration of a reduction, of bytes of which `known` is known. */
static reduce_config configure(failure_reduction *r, const input_source *in, uint64_t calls_max,
                               explain_limits explain) {
    session *s = r->session;
    const tool_options *o = s->options;
    const uint64_t searched = s->searched != NULL ? s->searched->told.progress.runs : 0;
    return (reduce_config){.bytes = in->bytes,
                           .size = in->size,
                           .filter = &o->run.filter,
                           .any_failure = o->any_failure,
                           .is_fresh = s->runs.mode == MODE_SPAWN,
                           .is_unconfirmed = o->unconfirmed,
                           .has_memory_limit = s->runs.limits.memory_max > 0,
                           .jobs = (unsigned)o->jobs,
                           .calls_max = calls_max,
                           .runs_before = searched + r->result.calls,
                           .explain = explain,
                           .known = &in->known,
                           .kept = in->finding.of.draws,
                           .met = &r->met,
                           .deadline_ns = session_deadline(s),
                           .last_ns = s->now->last_ns};
}

/* True if the caller wants the simplest of all answers. */
static bool may_have_other_starts(const session *s) {
    return s->searched != NULL && !s->options->all;
}

/* Return the size of new starts, which are larger than the input: then more of them fail, and what
 * makes them larger is soon deleted. */
static uint64_t start_size(const failure_reduction *r) {
    enum { SIZE_TIMES = 8, SIZE_LEAST = 1 << 10, SIZE_MOST = 64 << 10 };
    const uint64_t wanted = smaller(larger(SIZE_TIMES * r->from.size, SIZE_LEAST), SIZE_MOST);
    return smaller(wanted, r->session->options->size_max);
}

static void run_first(failure_reduction *r) {
    session *s = r->session;
    const tool_options *o = s->options;
    const uint64_t other_size = may_have_other_starts(s) ? start_size(r) : 0;
    s->now->setup.task = TASK_REDUCE;
    s->now->setup.size = s->now->input.size;
    s->now->setup.calls_max = o->calls_max;
    session_deadline(s); /* the budget begins */
    session_start(s);
    r->start_ns = clock_now_ns();
    const pool_config workers = workers_for(s, larger(s->now->input.size, other_size), &r->runs);
    const reduce_config config = configure(r, &s->now->input, o->calls_max, limits[o->explain]);
    r->pool = reduce_failure_run(s, workers, &config, &(event_sink){take_event, r}, &r->result);
}

/* ---- Other starts ---- */

static void take_of_other(void *context, const event *e) {
    failure_reduction *r = context;
    event told = *e;
    told.progress.size = r->result.bytes.size; /* the best of all, which it has yet to beat */
    told.progress.steps = 0;
    if (e->kind == EVENT_PROGRESS || e->kind == EVENT_OTHER) take_event(r, &told);
}

static progress progress_before(const failure_reduction *r) {
    return (progress){.runs = r->result.calls,
                      .steps = r->result.successes,
                      .elapsed_ns = clock_now_ns() - r->start_ns};
}

/* Reduce in the workers of the other starts. Return false if that was stopped by more than the end
 * of its time or of its calls: a start that passes now does not end the others. */
static bool run_again(failure_reduction *r, const reduce_config *config, const event_sink *sink,
                      reduce_result *result) {
    reduce_result *all = &r->result;
    r->before = progress_before(r);
    reduce_run(config, r->pool, sink, result);
    session_take_end(r->session, &result->stop);
    all->calls += result->calls;
    reduce_add_statistics(all, result);
    const run_end end = result->stop.end;
    const bool is_over = end == END_DONE || end == END_SPENT || end == END_PASSES;
    return is_over && r->session->signal_number == 0;
}

/* True if a reduction came to a simpler test case that failed again alike, of the same build. */
static bool is_simpler(const reduce_result *r, const reduce_result *than) {
    const file_stamp *a = &r->best.program, *b = &than->best.program;
    const bool is_rebuilt =
        file_stamp_is_known(a) && file_stamp_is_known(b) && !file_stamp_equal(a, b);
    return r->found && !is_rebuilt && r->best.repeated > 0 && !failure_is_flaky(&r->best) &&
           failure_is_alike(&r->best, &than->best) && testcase_compare(&r->bytes, &than->bytes) < 0;
}

/* Make the answer of another reduction the result. */
static void take_other_answer(failure_reduction *r, reduce_result *from) {
    reduce_result *now = &r->result;
    testcase_finish(&now->bytes);
    failure_drop(&now->best);
    explanation_finish(&now->explanation);
    now->bytes = from->bytes;
    now->best = from->best;
    now->explanation = from->explanation;
    now->stop = from->stop;
    from->bytes = (testcase){.bytes = NULL};
    from->best = (failure){.output = NULL};
    from->explanation = (explanation){.draws = NULL};
    r->alike = 1;
}

/* Go on from the answer of another start, which is simpler: announce it, explain it, and if its
 * calls ended too early, reduce it. Return false if that was stopped. The answer counts also if
 * there is no time for that, but not if it passes now. */
static bool go_on(failure_reduction *r, reduce_result *other) {
    static reduce_result next; /* large */
    session *s = r->session;
    reduce_result *now = &r->result;
    const input_source in = {.bytes = other->bytes.bytes, .size = other->bytes.size};
    reduce_config config = configure(r, &in, UINT64_MAX, limits[s->options->explain]);
    config.is_new = true;
    config.is_reduced = other->stop.end == END_DONE;
    now->successes += other->successes;
    const bool goes_on = run_again(r, &config, &(event_sink){take_event, r}, &next);
    now->successes += next.successes;
    if (config.is_reduced) next.stop = next.stop.end == END_PASSES ? next.stop : other->stop;
    if (is_simpler(&next, now)) {
        take_other_answer(r, &next);
    } else if (!next.found && next.stop.end != END_PASSES) {
        take_other_answer(r, other);
    }
    reduce_finish(&next);
    return goes_on;
}

static bool may_start(const failure_reduction *r) {
    const reduce_result *now = &r->result;
    return now->found && now->stop.end == END_DONE && !failure_is_flaky(&now->best) &&
           now->calls < r->calls_max && r->hangs < HANGS_ENOUGH && clock_now_ns() < r->end_ns &&
           r->session->signal_number == 0;
}

static void on_idle(void *context) {
    failure_reduction *r = context;
    r->before = progress_before(r);
    take_of_other(r, &(event){.kind = EVENT_PROGRESS});
}

/* True if a failed run of this input is like the result. One that hides its site is rerun. */
static bool is_start(const failure_reduction *r, client *c, const run_result *run,
                     seed_input input) {
    failure f;
    batch made;
    const client_input in = client_seed(input);
    failure_of_run(&f, run, input);
    if (!f.is_site_known && failure_is_alike(&f, &r->result.best)) {
        run = client_run_alone(c, &in, RUN_CONFIRM, &made);
        if (run == NULL || !outcome_failed(&run->last)) return false;
        failure_of_run(&f, run, input);
    }
    return failure_is_alike(&f, &r->result.best);
}

/* Find an input of this size that fails like the result. Its seed follows from the first result, so
 * that the same command does the same. */
static bool find_start(failure_reduction *r, uint64_t size, seed_input *start) {
    enum { TRIES_MAX = 100 };
    const uint64_t tries = smaller(TRIES_MAX, r->calls_max - r->result.calls);
    const client_hooks hooks = {.context = r, .idle = on_idle};
    bool is_found = false, is_asked = false;
    client c;
    client_init(&c, r->pool, &(client_config){.deadline_ns = r->end_ns, .hooks = hooks});
    while (!is_found && c.runs < tries && client_is_running(&c)) {
        const batch asked = {
            .first_seed = r->next_seed, .count = (uint32_t)(tries - c.runs), .size = size};
        batch made;
        if (!is_asked && pool_has_room(r->pool)) {
            pool_submit(r->pool, &asked, RUN_TRY);
            is_asked = true;
        }
        const run_result *run = client_wait(&c, &made);
        if (run == NULL) continue;
        is_asked = false;
        *start = batch_input(&made, run->ran - 1);
        r->next_seed = start->seed + 1;
        if (run->last.verdict == VERDICT_TIMEOUT && ++r->hangs == HANGS_ENOUGH) break;
        is_found = outcome_failed(&run->last) && is_start(r, &c, run, *start);
    }
    r->result.calls += c.runs;
    session_take_end(r->session, &c.stop);
    return is_found;
}

/* Reduce from another start. Return false if no other one may follow. */
static bool run_start(failure_reduction *r, seed_input start) {
    static reduce_result other; /* large */
    const reduce_result *now = &r->result;
    const input_options from = {.seeded = start};
    input_source in;
    bool goes_on = input_source_read(&in, &from, REDUCE_FAILURE_SIZE_MAX);
    if (goes_on) {
        reduce_config config = configure(r, &in, r->calls_max - now->calls, limits[EXPLAIN_NO]);
        config.deadline_ns = r->end_ns;
        config.other_answer = &now->bytes;
        goes_on = run_again(r, &config, &(event_sink){take_of_other, r}, &other);
        r->starts++;
        if (other.is_other_answer) r->alike++;
        r->hangs += other.has_hung;
        if (is_simpler(&other, now)) {
            if (goes_on) {
                goes_on = go_on(r, &other);
            } else {
                take_other_answer(r, &other);
            }
        }
        reduce_finish(&other);
    }
    input_source_finish(&in);
    return goes_on;
}

/* True if other inputs are to be starts: not if each takes as long as a hang, or the target is not
 * to be relied on. */
static bool has_other_starts(const failure_reduction *r) {
    const session *s = r->session;
    return may_have_other_starts(s) && !r->is_doubted && r->result.bytes.size > 0 &&
           r->result.best.signature.kind != SIGNATURE_TIMEOUT;
}

/* True if most runs start or fork no process, so that a call costs microseconds. */
static bool are_calls_cheap(const session *s) {
    return s->runs.mode == MODE_PERSISTENT && !s->runs.layout.forks_none;
}

/* Limit the calls, and no time, so that the answer does not depend on the load of the machine. */
static void limit_calls(failure_reduction *r) {
    enum { TIMES = 3, TIMES_IF_CHEAP = 8, MOST = 1000, MOST_IF_CHEAP = 20000 };
    const bool are_cheap = are_calls_cheap(r->session);
    const uint64_t first = r->result.calls, times = are_cheap ? TIMES_IF_CHEAP : TIMES;
    r->calls_max = first + smaller(times * first, are_cheap ? MOST_IF_CHEAP : MOST);
}

/* True if enough starts have come to the result: some, if all have. */
static bool agrees(const failure_reduction *r) {
    const bool is_doubtful = are_calls_cheap(r->session) && r->alike < r->starts;
    return r->alike >= (is_doubtful ? ALIKE_ENOUGH_OF_MORE : ALIKE_ENOUGH);
}

/* Reduce from other starts: those of the search, then new ones. */
static void run_other_starts(failure_reduction *r) {
    enum { STARTS_MAX = 12 };
    session *s = r->session;
    const search_result *searched = s->searched;
    const size_t starts_max = are_calls_cheap(s) ? SIZE_MAX : STARTS_MAX;
    const uint64_t size = start_size(r);
    limit_calls(r);
    r->end_ns = session_deadline(s);
    if (!may_start(r)) return;
    r->next_seed = digest_of(r->result.bytes.bytes, r->result.bytes.size);
    for (size_t i = 0; i < starts_max && !agrees(r) && may_start(r); i++) {
        seed_input start =
            i < searched->start_count ? searched->starts[i] : (seed_input){.size = size};
        if (start.size > size) continue;
        if (i >= searched->start_count && (!find_start(r, size, &start) || !may_start(r))) break;
        if (!run_start(r, start)) break;
    }
    r->result.elapsed_ns = clock_now_ns() - r->start_ns;
}

/* ---- After the reduction ---- */

/* Write a long result to a new file beside the finding that was reduced. The result line has the
 * bytes if that fails, or if there is no such finding. */
static void save_beside(failure_reduction *r) {
    const testcase *result = &r->result.bytes;
    r->saved = memory_text("%s.reduced", r->session->options->input.finding);
    if (atomic_file_write_new(AT_FDCWD, r->saved, result->bytes, result->size, NULL) == 0) return;
    free(r->saved);
    r->saved = NULL;
}

static void save_result(failure_reduction *r) {
    const failure *f = &r->result.best;
    const uint8_t *bytes = r->result.bytes.bytes;
    remarks why = explained_remarks(&r->result.explanation);
    const finding reduced = {.bytes = bytes,
                             .of.form = r->result.stop.end == END_DONE ? FORM_REDUCED : FORM_BYTES,
                             .from = r->from,
                             .remarks = why};
    const bool is_kept = session_save(r->session, f, reduced);
    session_conclude(r->session, f, reduced);
    explained_free_remarks(&why);
    if (r->output != NULL && write_output(r, bytes, f->input.size))
        r->saved = memory_text("%s", r->output->path);
    if (r->saved == NULL && is_kept) {
        r->saved = session_finding_path(r->session, f, bytes);
        r->is_finding = r->saved != NULL;
    } else if (r->saved == NULL && r->session->options->input.finding != NULL &&
               f->input.size > PHRASE_HEX_MAX) {
        save_beside(r);
    }
}

static run_answer failure_answer(const failure_reduction *r) {
    const reduce_result *result = &r->result;
    if (result->found) return ANSWER_FOUND;
    if (result->stop.end != END_PASSES) return ANSWER_NONE;
    if (result->seen.verdict == VERDICT_STUCK) return ANSWER_INCONCLUSIVE;
    if (result->doubt != DOUBT_NONE) return ANSWER_INCONCLUSIVE;
    if (!outcome_failed(&result->seen)) return ANSWER_PASSED;
    return result->is_unwanted ? ANSWER_DIFFERENT : ANSWER_INCONCLUSIVE;
}

static signature signature_seen(const outcome *seen) {
    if (seen->verdict == VERDICT_STUCK) return (signature){SIGNATURE_TIMEOUT, 0};
    return outcome_failed(seen) ? outcome_signature(seen) : (signature){0};
}

/* Report the reduction. Returns the exit status. */
static int report_failure(failure_reduction *r) {
    const reduce_result *result = &r->result;
    found_input best = {.failure = NULL};
    found_list others = {.count = 0};
    if (result->found) {
        save_result(r);
        best = (found_input){&result->best, result->bytes.bytes, r->saved, r->is_finding};
    }
    for (size_t i = 0; i < r->met.count; i++) {
        failure_row *e = &r->met.rows[i];
        if (!e->is_best) continue;
        e->saved = session_finding_path(r->session, &e->failure, e->bytes);
        others.list[others.count++] = (found_input){&e->failure, e->bytes, e->saved, true};
    }
    const summary whole = {
        .setup = &r->session->now->setup,
        .stop = result->stop,
        .answer = failure_answer(r),
        .best = best,
        .others = others,
        .progress = {.size = result->bytes.size,
                     .runs = result->calls,
                     .steps = result->successes,
                     .elapsed_ns = result->elapsed_ns},
        .has_draws = result->bytes.trace != TRACE_NONE,
        .ignored = result->ignored,
        .is_ignored = r->session->options->run.filter.only.count == 0,
        .seen = signature_seen(&result->seen),
        .doubt = result->doubt,
        .limit = result->limit,
        .starts = result->found ? r->starts : 0,
        .same_starts = result->found ? r->alike : 0,
        .passes = result->statistics,
        .pass_count = result->statistics_count,
        .explanation = &result->explanation,
    };
    session_end_findings(r->session);
    return session_report(r->session, &whole, result->found);
}

int reduce_failure(session *s, seed_input from, const atomic_file *output) {
    static failure_reduction r;                     /* too large for small stacks */
    if (r.session != NULL) memset(&r, 0, sizeof r); /* --all reduces one after another */
    r.session = s;
    r.from = from;
    r.output = output;
    r.starts = r.alike = 1;
    run_first(&r);
    if (has_other_starts(&r)) run_other_starts(&r);
    pool_destroy(r.pool);
    const int status = report_failure(&r);
    if (status == EXIT_FOUND) session_warn_empty(s, &r.result.best);
    free(r.saved);
    if (r.result.found) {
        free(s->now->input.bytes);
        s->now->input.bytes = r.result.bytes.bytes;
        s->now->input.size = r.result.bytes.size;
        r.result.bytes.bytes = NULL;
        failure_keep(&s->now->input.known, &r.result.best);
    }
    failure_table_clear(&r.met);
    reduce_finish(&r.result);
    return status;
}
