#include "reducing.h"

#include "clock.h"
#include "frng.h"
#include "messages.h"
#include "reduction.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keeping ---- */

static void output_failed(reducing *r, const char *path, int error) {
    if (!r->work->output_failed) message_error(error, "%s: cannot be written", path);
    r->work->output_failed = true;
}

/* The path of the finding that holds these bytes; NULL when out of memory. */
static char *finding_path(const reducing *r, const failure *f, const uint8_t *bytes) {
    char name[STORE_NAME_MAX], *path;
    const finding kept = {.input = f->input, .bytes = bytes};
    store_name(&kept, name);
    return asprintf(&path, "%s/%s", r->work->options->findings, name) < 0 ? NULL : path;
}

/* Put a best where it is to be: into the file of --output, and among the findings. */
static void keep_best(reducing *r, const failure *f, const uint8_t *bytes) {
    if (r->output != NULL && !r->output->is_stream) {
        const int error = atomic_file_put(r->output, bytes, f->input.size);
        if (error != 0) output_failed(r, r->output->path, error);
    }
    work_keep(r->work, f, bytes);
}

/* Remember an other failure for the summary: the smallest of its kind. */
static void keep_other(reducing *r, const failure *f, const uint8_t *bytes) {
    const bool is_kept = work_keep(r->work, f, bytes);
    const size_t size = f->input.size;
    size_t i = 0;
    while (i < r->other_count && !failure_is_alike(&r->others[i].failure, f)) i++;
    if (i == REDUCE_OTHER_MAX) return;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) return;
    if (size > 0) memcpy(copy, bytes, size);
    if (i == r->other_count) r->other_count++;
    free(r->others[i].bytes);
    free(r->others[i].saved);
    r->others[i] = (reducing_other){*f, copy, is_kept ? finding_path(r, f, bytes) : NULL};
}

/* ---- What the reducer tells ---- */

static void take_failure(reducing *r, const event *e) {
    const failure *f = e->failure;
    const bool is_best = e->kind == EVENT_BEST;
    const reduction_case told = {.failure = f, .bytes = e->bytes};
    if (is_best) {
        keep_best(r, f, e->bytes);
    } else {
        keep_other(r, f, e->bytes);
    }
    if (work_is_crash(f)) work_tell_cores(r->work);
    jsonl_write_reduced(&r->work->jsonl, &told, is_best, &e->progress);
    if (work_is_news(r->work, is_best, e->progress.elapsed_ns)) {
        reduction_tell(f, is_best, &e->progress);
    }
}

static void take_event(void *context, const event *e) {
    reducing *r = context;
    const bool is_quiet = r->work->options->quiet;
    switch (e->kind) {
    case EVENT_BEST:
    case EVENT_OTHER: take_failure(r, e); break;
    case EVENT_FLAKY:
        if (!is_quiet) reduction_tell_flaky(e->failure);
        break;
    case EVENT_ISOLATION: work_tell_doubted(r->work, e->violation, NULL); break;
    case EVENT_PROGRESS:
        if (!is_quiet) progress_line_show_reduction(&r->work->progress_line, &e->progress);
        break;
    case EVENT_PASS_DROPPED:
    case EVENT_REPLAYED:
    case EVENT_REBUILT: break;
    }
}

/* ---- The reduction ---- */

static void tell_start(const reducing *r) {
    work *w = r->work;
    const jsonl_reduction_start start = {&w->subject, FRNG_VERSION, r->size, w->options->jobs};
    jsonl_write_reduction_start(&w->jsonl, &start);
    if (w->options->verbose) {
        reduction_tell_start(&w->subject, w->target.digest, w->jsonl.mode, start.jobs, r->size);
        report_containment(w->jsonl.containment);
    }
}

bool reducing_engine(work *w, pool_config *workers, reduce_config *config, const event_sink *sink,
                     reduce_result *result) {
    workers->jobs = config->jobs = w->options->jobs;
    workers->containment = w->containment;
    workers->interrupt_fd = w->signals.signal_fd;
    workers->shortage = work_tell_shortage;
    workers->unkillable = work_tell_unkillable;
    workers->told = w;
    workers->candidate_set_bytes = reduce_candidate_set_bytes(reduce_size_max(config));
    w->told_ns = 0;
    w->progress_line = (progress_line){0};
    pool *p = pool_create(workers);
    if (p == NULL) {
        result->end = END_BROKEN;
        result->error_number = errno;
        return false;
    }
    reduce_run(config, p, sink, result);
    pool_destroy(p);
    w->signal_number = tool_take_signal(&w->signals);
    return true;
}

void reducing_run(reducing *r) {
    work *w = r->work;
    runner_forkserver_config runs = w->runs;
    runs.spawn.size_max = r->size;
    runs.spawn.given_bytes = reduce_candidate_set_bytes(r->size);
    runs.spawn.records_max = reduce_candidate_set_records(r->size);
    pool_config workers = {.create = runner_forkserver_create,
                           .config = &runs,
                           .candidate_set_records = runs.spawn.records_max};
    reduce_config config = {.bytes = r->bytes,
                            .size = r->size,
                            .has_only = r->has_only,
                            .only = r->only,
                            .any_failure = r->any_failure,
                            .is_fresh = runs.mode == MODE_SPAWN,
                            .has_memory_limit = runs.spawn.memory_max > 0,
                            .calls_max = r->calls_max,
                            .deadline_ns = r->deadline_ns};
    const event_sink sink = {take_event, r};
    tell_start(r);
    reducing_engine(w, &workers, &config, &sink, &r->result);
}

/* ---- After it ---- */

/* A result that is neither in a file nor short goes into a new one: nothing is lost. */
static void save_unasked(reducing *r) {
    const char *name = strrchr(r->work->subject.sut, '/');
    char *wanted;
    name = name != NULL ? name + 1 : r->work->subject.sut;
    if (asprintf(&wanted, "%s.reduced", name) < 0) {
        output_failed(r, name, ENOMEM);
        return;
    }
    const int error =
        atomic_file_write_new(wanted, r->result.bytes.bytes, r->result.bytes.size, &r->saved);
    if (error != 0) {
        output_failed(r, wanted, error);
        free(r->saved);
        r->saved = NULL;
    }
    free(wanted);
}

/* Whether the result became a finding. */
static bool save_result(reducing *r) {
    const failure *f = &r->result.best;
    const uint8_t *bytes = r->result.bytes.bytes;
    const bool is_kept = work_keep(r->work, f, bytes);
    if (r->output != NULL) {
        const int error = atomic_file_put(r->output, bytes, f->input.size);
        if (error != 0) output_failed(r, r->output->path, error);
        if (error == 0) r->saved = strdup(r->output->path);
        if (error == 0) return false;
    }
    if (is_kept) {
        r->saved = finding_path(r, f, bytes);
        return true;
    }
    if (f->input.size > REDUCTION_SHORT_MAX) save_unasked(r);
    return false;
}

static reduction_end end_of(const reducing *r) {
    const reduce_result *result = &r->result;
    if (result->found) return REDUCTION_FAILED;
    if (result->end != END_PASSES) return REDUCTION_STOPPED;
    const verdict seen = result->seen.verdict;
    if (seen == VERDICT_MEMORY || seen == VERDICT_STUCK) return REDUCTION_INCONCLUSIVE;
    if (!outcome_failed(&result->seen)) return REDUCTION_PASSED;
    const bool is_asked =
        !r->has_only || signature_equal(outcome_signature(&result->seen), r->only);
    return is_asked ? REDUCTION_INCONCLUSIVE : REDUCTION_DIFFERENT;
}

static const char *outcome_word(const reducing *r, reduction_end end) {
    switch (r->result.end) {
    case END_ENVIRONMENT:
    case END_BROKEN: return "error";
    case END_INTERRUPTED: return "interrupted";
    case END_DONE:
    case END_SPENT:
    case END_PASSES: break;
    }
    switch (end) {
    case REDUCTION_FAILED: return "fail";
    case REDUCTION_PASSED:
    case REDUCTION_DIFFERENT: return "pass";
    case REDUCTION_INCONCLUSIVE:
    case REDUCTION_STOPPED: break;
    }
    return "inconclusive";
}

static int exit_status(const reducing *r) {
    switch (end_of(r)) {
    case REDUCTION_FAILED: return EXIT_FOUND;
    case REDUCTION_PASSED:
    case REDUCTION_DIFFERENT: return EXIT_PASSED;
    case REDUCTION_INCONCLUSIVE:
    case REDUCTION_STOPPED: break;
    }
    return EXIT_INCONCLUSIVE;
}

/* Returns whether it was told: where it is not wanted, it is once output has failed. */
static bool tell_summary(const reducing *r, const reduction *told) {
    const work *w = r->work;
    const bool is_usage = r->result.end == END_ENVIRONMENT && !r->result.found;
    if (is_usage || (w->options->quiet && !w->output_failed)) return false;
    reduction_tell_end(told, w->options->verbose);
    return true;
}

/* The result line, the summary, the last event. Returns the exit status. */
static int tell_all(reducing *r, const work_error *error, const reduction *told) {
    work *w = r->work;
    const bool is_told = tell_summary(r, told);
    if (told->end == REDUCTION_FAILED && !work_has_events_on_stdout(w)) {
        char *line = reduction_result_line(&told->best);
        if (line == NULL) message_error(ENOMEM, "standard output: cannot be written");
        w->output_failed |= line == NULL || !tool_print(line);
        free(line);
    }
    jsonl_write_reduction_done(&w->jsonl, outcome_word(r, told->end), told);
    const int status = work_exit_status(w, error, exit_status(r));
    if (!is_told) tell_summary(r, told); /* now that output has failed, perhaps */
    return status;
}

static signature seen_of(const outcome *seen) {
    if (seen->verdict == VERDICT_MEMORY) return signature_of_status(seen->status);
    if (seen->verdict == VERDICT_STUCK) return (signature){SIGNATURE_TIMEOUT, 0};
    return outcome_failed(seen) ? outcome_signature(seen) : (signature){0};
}

/* Returns the exit status. */
static int tell_end(reducing *r, const work_error *error) {
    const reduce_result *result = &r->result;
    reduction_case others[REDUCE_OTHER_MAX];
    const bool is_finding = result->found && save_result(r);
    for (size_t i = 0; i < r->other_count; i++) {
        const reducing_other *o = &r->others[i];
        others[i] = (reduction_case){&o->failure, o->bytes, o->saved, true};
    }
    const reduction told = {
        .subject = &r->work->subject,
        .end = end_of(r),
        .unfinished = result->end != END_DONE,
        .tells_draws = result->bytes.has_trace,
        .seen = seen_of(&result->seen),
        .limit = result->limit,
        .size = r->size,
        .best = {&result->best, result->bytes.bytes, r->saved, is_finding},
        .others = others,
        .other_count = r->other_count,
        .passes = result->statistics,
        .pass_count = result->statistics_count,
        .progress = {.size = result->bytes.size,
                     .runs = result->calls,
                     .steps = result->successes,
                     .elapsed_ns = result->elapsed_ns},
        .jobs = r->work->options->jobs,
    };
    return tell_all(r, error, &told);
}

int reducing_report(reducing *r) {
    const work_error error = {.is_broken = r->result.end == END_BROKEN,
                              .is_environment = r->result.end == END_ENVIRONMENT,
                              .error_number = r->result.error_number,
                              .error = &r->result.error,
                              .output = &r->result.error_output};
    work_tell_error(r->work, &error);
    return tell_end(r, &error);
}

void reducing_finish(reducing *r) {
    for (size_t i = 0; i < r->other_count; i++) {
        free(r->others[i].bytes);
        free(r->others[i].saved);
    }
    free(r->saved);
    reduce_finish(&r->result);
}
