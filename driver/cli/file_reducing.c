#include "file_reducing.h"

#include "clock.h"
#include "file_task.h"
#include "frng.h"
#include "frng_expand.h"
#include "look.h"
#include "messages.h"
#include "reducing.h"
#include "resume.h"

#include <errno.h>
#include <stdlib.h>

/* A run may take so many times what the first one took, but no less, nor more. */
enum { TIMEOUT_TIMES = 10, TIMEOUT_MIN_S = 1 };

/* Looks that an earlier output gets to be interesting in. */
enum { LOOKS_MAX = 3 };

typedef struct session {
    file_task task;
    work *work;
    const reduce_options *options;
    int64_t deadline_ns; /* of all of it, looks included */
    look look;
    look_answer answer; /* of the last look: interesting when a reduction began */
    resume resume;
    const uint8_t *bytes; /* what it begins from */
    size_t size;
    unsigned missed; /* looks at that that were of no interest */
    uint64_t looks;  /* runs made before it, and the time they took */
    int64_t looks_ns;
    bool is_put;        /* the best is in the output */
    uint64_t told_size; /* bytes of the best that was told last; 0: none was */
    reduce_result result;
} session;

/* ---- Looking ---- */

static bool look_once(session *s, const uint8_t *bytes, size_t size) {
    s->answer = look_at(&s->look, s->work->containment, &s->task.predicate, bytes, size,
                        s->work->signals.signal_fd, s->deadline_ns);
    s->looks++;
    s->looks_ns += s->look.took_ns;
    return s->answer == LOOK_INTERESTING;
}

/* How long a run may take, now that one has been seen. */
static void choose_timeout(session *s) {
    if (s->options->work.run.timeout_ns != 0) return;
    int64_t timeout_ns = s->look.took_ns * TIMEOUT_TIMES;
    if (timeout_ns < TIMEOUT_MIN_S * CLOCK_NS_PER_S) timeout_ns = TIMEOUT_MIN_S * CLOCK_NS_PER_S;
    if (timeout_ns > FILE_TASK_TIMEOUT_S * CLOCK_NS_PER_S)
        timeout_ns = FILE_TASK_TIMEOUT_S * CLOCK_NS_PER_S;
    s->task.predicate.timeout_ns = timeout_ns - timeout_ns % CLOCK_NS_PER_MS; /* it is printed */
}

/* Go on from an earlier output, where that is simpler and still interesting. False when that cannot
 * be known. */
static bool take_up(session *s) {
    const input_source *best = &s->resume.best;
    const bool is_quiet = s->options->work.quiet;
    resume_read(&s->resume, &s->task.output, &s->task.key, s->task.file.bytes, s->task.file.size);
    if (best->bytes == NULL) return true;
    bool is_interesting = false;
    unsigned looks = 0;
    while (looks < LOOKS_MAX && !is_interesting) { /* it may be flaky */
        is_interesting = look_once(s, best->bytes, best->size);
        if (s->answer == LOOK_SPENT) break;
        if (s->answer != LOOK_INTERESTING && s->answer != LOOK_NOT) return false;
        looks++;
    }
    if (is_interesting) {
        s->missed = looks - 1;
        s->bytes = best->bytes;
        s->size = best->size;
        jsonl_write_file_resumed(&s->work->jsonl, s->task.output_path, s->size);
    }
    if (!is_quiet) file_report_resumed(s->task.output_path, best->size, is_interesting);
    s->answer = LOOK_INTERESTING; /* the file itself is */
    return true;
}

/* See that the file is interesting, and where to begin. */
static bool begin(session *s) {
    s->bytes = s->task.file.bytes;
    s->size = s->task.file.size;
    if (!look_once(s, s->bytes, s->size)) return false;
    choose_timeout(s);
    return take_up(s);
}

/* ---- What the reducer tells ---- */

static void put_best(session *s, const uint8_t *bytes, size_t size) {
    const int error = atomic_file_put(&s->task.output, bytes, size);
    s->is_put = error == 0;
    if (error != 0 && !s->work->output_failed) {
        message_error(error, "%s: cannot be written", s->task.output_path);
    }
    if (error != 0) s->work->output_failed = true;
}

static progress progress_now(const session *s, const progress *p) {
    progress now = *p;
    now.runs += s->looks;
    now.elapsed_ns += s->looks_ns;
    return now;
}

/* A line is for what has got smaller by a tenth; the status line has the rest. */
static bool is_news(session *s, const progress *p) {
    const bool is_much = s->told_size == 0 || p->size <= s->told_size - s->told_size / 10;
    if (!is_much && !s->options->work.verbose) return false;
    if (!work_is_news(s->work, true, p->elapsed_ns)) return false;
    s->told_size = p->size;
    return true;
}

/* There is no other failure than a best: what is not interesting has passed. */
static void take_best(session *s, const event *e) {
    const progress now = progress_now(s, &e->progress);
    const reduction_case best = {.failure = e->failure, .bytes = e->bytes};
    if (!s->task.output.is_stream) put_best(s, e->bytes, e->failure->input.size);
    jsonl_write_file_best(&s->work->jsonl, &best, &now);
    if (is_news(s, &e->progress)) file_report_best(&now);
}

static void take_event(void *context, const event *e) {
    session *s = context;
    const progress now = progress_now(s, &e->progress);
    if (e->kind == EVENT_BEST) take_best(s, e);
    if (s->options->work.quiet) return;
    switch (e->kind) {
    case EVENT_PROGRESS: progress_line_show_reduction(&s->work->progress_line, &now); break;
    case EVENT_FLAKY: file_report_flaky(e->failure); break;
    case EVENT_PASS_DROPPED:
        file_report_set_aside(s->task.reducers.list[e->external_pass].name,
                              e->misdeed == MISDEED_BROKEN);
        break;
    case EVENT_BEST:
    case EVENT_OTHER:
    case EVENT_ISOLATION:
    case EVENT_REPLAYED:
    case EVENT_REBUILT: break;
    }
}

/* ---- The reduction ---- */

static void tell_start(const session *s) {
    const work_options *o = &s->options->work;
    const jsonl_file_start start = {.subject = &s->work->subject,
                                    .file = s->task.path,
                                    .output = s->task.output_path,
                                    .version = FRNG_VERSION,
                                    .size = s->task.file.size,
                                    .jobs = o->jobs};
    jsonl_write_file_start(&s->work->jsonl, &start);
    work_tell_cores(s->work); /* what is interesting is a crash, mostly */
    if (!o->verbose) return;
    file_report_start(&s->work->subject, s->task.path, s->task.file.size, o->jobs,
                      s->task.reducers.count);
    report_containment(s->work->jsonl.containment);
}

static void reduce(session *s) {
    const uint64_t calls_max = s->options->calls_max;
    pool_config workers = {.create = runner_predicate_create, .config = &s->task.predicate};
    reduce_config config = {
        .bytes = s->bytes,
        .size = s->size,
        .missed = s->missed,
        .is_file = true,
        .is_fresh = true,
        .calls_max = calls_max > s->looks ? calls_max - s->looks : 0,
        .deadline_ns = s->deadline_ns,
        .external_passes = s->task.reducers.list,
        .external_pass_count = s->task.reducers.count,
        .known = s->resume.known.digests,
        .known_count = s->resume.known.count,
    };
    const event_sink sink = {take_event, s};
    if (calls_max == UINT64_MAX) config.calls_max = UINT64_MAX;
    if (s->bytes != s->task.file.bytes) {
        config.origin = s->task.file.bytes;
        config.origin_size = s->task.file.size;
    }
    reducing_engine(s->work, &workers, &config, &sink, &s->result);
}

/* The look that said why there is nothing to reduce, as an end. */
static void end_at_look(session *s) {
    reduce_result *result = &s->result;
    result->elapsed_ns = 0;
    switch (s->answer) {
    case LOOK_INTERESTING:
    case LOOK_NOT: result->end = END_PASSES; break;
    case LOOK_SPENT: result->end = END_SPENT; break;
    case LOOK_INTERRUPTED:
        result->end = END_INTERRUPTED;
        s->work->signal_number = tool_take_signal(&s->work->signals);
        break;
    case LOOK_ENVIRONMENT:
        result->end = END_ENVIRONMENT;
        result->error = s->look.end;
        result->error_output = s->look.printed;
        break;
    case LOOK_BROKEN:
        result->end = END_BROKEN;
        result->error_number = s->look.error_number;
        break;
    }
}

static void run(session *s) {
    s->deadline_ns = work_deadline(s->work);
    tell_start(s);
    if (begin(s)) {
        reduce(s);
    } else {
        end_at_look(s);
    }
}

/* ---- After it ---- */

static bool has_begun(const session *s) { return s->answer == LOOK_INTERESTING; }

/* What it began from was seen to be interesting once: that is a result until it is refuted. */
static bool has_best(const session *s) {
    return s->result.found || (has_begun(s) && s->result.end != END_PASSES);
}

static const char *outcome_word(const session *s) {
    switch (s->result.end) {
    case END_ENVIRONMENT:
    case END_BROKEN: return "error";
    case END_INTERRUPTED: return "interrupted";
    case END_DONE:
    case END_SPENT:
    case END_PASSES: break;
    }
    if (has_best(s)) return "interesting";
    return has_begun(s) || s->answer == LOOK_SPENT ? "inconclusive" : "uninteresting";
}

/* What is known is worth keeping as long as there is more to do. */
static void keep_known(session *s) {
    const reduce_result *r = &s->result;
    if (r->end == END_DONE) resume_forget(&s->task.output);
    if (r->end == END_DONE || r->end == END_PASSES || s->work->target.digest == NULL) return;
    const int error = resume_keep(&s->task.output, &s->task.key, r->known, r->known_count);
    if (error != 0) {
        message("%s.known: cannot be written: %s; going on later will repeat some runs",
                s->task.output_path, strerror(error));
    }
}

static void print_result(session *s, uint64_t size) {
    if (!s->is_put || work_has_events_on_stdout(s->work)) return;
    char *line = file_report_result_line(size, s->task.output_path);
    if (line == NULL) message_error(ENOMEM, "standard output: cannot be written");
    s->work->output_failed |= line == NULL || !tool_print(line);
    free(line);
}

/* The summary, the result line, the last event. */
static void tell_all(session *s, const reduction_case *best) {
    const reduce_result *r = &s->result;
    const work_options *o = &s->options->work;
    const file_report told = {
        .subject = &s->work->subject,
        .file = s->task.path,
        .name = s->options->on_stdin ? NULL : s->task.predicate.name,
        .output = s->task.output_path,
        .end = has_best(s) ? FILE_REDUCED : FILE_INCONCLUSIVE,
        .unfinished = r->end != END_DONE,
        .size = s->task.file.size,
        .best = *best,
        .passes = r->statistics,
        .pass_count = r->statistics_count,
        .reducers = r->external_passes,
        .reducer_count = r->external_passes != NULL ? r->external_pass_count : 0,
        .progress = {.size = best->failure != NULL ? best->failure->input.size : 0,
                     .runs = r->calls + s->looks,
                     .steps = r->successes,
                     .elapsed_ns = r->elapsed_ns + s->looks_ns},
        .calls_to_size = r->calls_to_size + s->looks,
        .jobs = o->jobs,
        .timeout_ns = s->task.predicate.timeout_ns,
    };
    const bool is_told = has_begun(s) && (!o->quiet || s->work->output_failed);
    if (is_told) file_report_end(&told, o->verbose);
    if (has_best(s)) print_result(s, best->failure->input.size);
    jsonl_write_file_done(&s->work->jsonl, outcome_word(s), &told);
    const bool has_failed = s->work->output_failed || !jsonl_finish(&s->work->jsonl);
    if (has_begun(s) && !is_told && has_failed) file_report_end(&told, o->verbose);
}

static void tell_end(session *s) {
    const reduce_result *r = &s->result;
    const failure first = {.input = {s->size, 0}};
    reduction_case best = {NULL, NULL, NULL, false};
    if (has_best(s)) {
        best.failure = r->found ? &r->best : &first;
        best.bytes = r->found ? r->bytes.bytes : s->bytes;
        put_best(s, best.bytes, best.failure->input.size);
    }
    tell_all(s, &best);
}

/* A predicate to which nothing is as good as the file is asked about bytes that are no file. */
static void doubt_predicate(session *s) {
    enum { NOISE_SIZE = 256, NOISE_SEED = 1 };
    uint8_t noise[NOISE_SIZE];
    const reduce_result *r = &s->result;
    const uint64_t size = r->found ? r->best.input.size : s->size;
    if (!has_best(s) || r->end != END_DONE || size > 0 || s->options->work.quiet) return;
    frng_expand(NOISE_SEED, noise, sizeof noise);
    if (look_once(s, noise, sizeof noise)) {
        message("%s: exits with 0 for an empty file, and for random bytes: does it check anything?",
                s->work->subject.sut);
    }
}

static int report_all(session *s) {
    const reduce_result *r = &s->result;
    const work_error error = {.is_broken = r->end == END_BROKEN,
                              .is_environment = r->end == END_ENVIRONMENT,
                              .error_number = r->error_number,
                              .error = &r->error,
                              .output = &r->error_output,
                              .folder = s->task.root};
    const look *l = &s->look;
    if (s->answer == LOOK_NOT) {
        file_report_not_interesting(s->task.path, l->end.status, l->is_late,
                                    s->task.predicate.timeout_ns, &l->printed);
    }
    if (s->answer == LOOK_SPENT && !s->options->work.quiet) {
        message("%s: not reduced: the predicate had not answered once when --time was over",
                s->task.path);
    }
    work_tell_error(s->work, &error);
    if (has_begun(s)) keep_known(s);
    tell_end(s);
    const bool is_open = has_begun(s) || s->answer == LOOK_SPENT;
    const int status = is_open ? EXIT_INCONCLUSIVE : EXIT_ENVIRONMENT;
    const int otherwise = has_best(s) ? EXIT_PASSED : status;
    doubt_predicate(s);
    return work_exit_status(s->work, &error, otherwise);
}

static void finish(session *s) {
    reduce_finish(&s->result);
    resume_finish(&s->resume);
    file_task_finish(&s->task);
    work_finish(s->work);
}

int file_reduce(work *w, const reduce_options *o) {
    static session s; /* too large for a stack */
    int status = EXIT_ENVIRONMENT;
    s = (session){.work = w, .options = o};
    if (file_task_prepare(&s.task, w, o)) {
        run(&s);
        status = report_all(&s);
    }
    finish(&s);
    return status;
}
