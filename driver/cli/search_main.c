/* frng-search: options, system under test, findings, search, report; with --reduce, a reduction. */
#include "clock.h"
#include "frng.h"
#include "frng_expand.h"
#include "messages.h"
#include "reducing.h"
#include "search.h"
#include "search_options.h"
#include "tool_init.h"
#include "work.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Everything that one search of this process needs. */
typedef struct session {
    search_options options;
    work work;
    search_known *known; /* what was among the findings, the best first */
    size_t known_count;
    int64_t deadline_ns;
    search_result result;
    reducing reducing; /* for --reduce */
} session;

/* ---- What the search tells ---- */

static void take_failure(work *w, const event *e) {
    const bool is_best = e->kind == EVENT_BEST;
    work_keep(w, e->failure, NULL);
    if (work_is_crash(e->failure)) work_tell_cores(w);
    jsonl_write_failure(&w->jsonl, e->failure, is_best, &e->progress);
    if (work_is_news(w, is_best, e->progress.elapsed_ns)) {
        report_failure(e->failure, is_best, &e->progress);
    }
}

static void take_event(void *context, const event *e) {
    work *w = &((session *)context)->work;
    const bool is_quiet = w->options->quiet;
    switch (e->kind) {
    case EVENT_BEST:
    case EVENT_OTHER: take_failure(w, e); break;
    case EVENT_REPLAYED:
        if (!is_quiet) report_replayed(*e->input, e->fails);
        break;
    case EVENT_FLAKY:
        if (!is_quiet) report_flaky(e->failure);
        break;
    case EVENT_ISOLATION: work_tell_doubted(w, e->violation, e->input); break;
    case EVENT_REBUILT: work_look_at_program(w); break;
    case EVENT_PROGRESS:
        jsonl_write_size(&w->jsonl, &e->progress);
        if (!is_quiet) progress_line_show(&w->progress_line, &e->progress);
        break;
    case EVENT_PASS_DROPPED: break;
    }
}

/* ---- Before the search ---- */

/* One folder is for one program and its arguments; where its file lies does not matter. */
static bool is_same_subject(const session *s, const finding *f) {
    const subject *ours = &s->work.subject;
    size_t i = 0;
    if (f->sut == NULL || strcmp(basename(f->sut), basename(ours->sut)) != 0) return false;
    while (f->args[i] != NULL && ours->args[i] != NULL && strcmp(f->args[i], ours->args[i]) == 0) {
        i++;
    }
    return f->args[i] == NULL && ours->args[i] == NULL;
}

/* What its reruns said holds for the program that they were of. */
static search_known known_of(const finding *f, bool is_same_program) {
    search_known known = {.input = f->input};
    if (!is_same_program) return known;
    known.signature = f->signature;
    known.count = (rerun_count){f->reruns, f->repeated};
    if (f->site != NULL) snprintf(known.site, sizeof known.site, "%s", f->site);
    return known;
}

static void skip_finding(const char *folder, const char *name, const char *why) {
    message("%s/%s: skipped: %s", folder, name, why);
}

/* Add one finding to the known inputs, or say why not. */
static void add_known(session *s, const finding *f, bool *rebuilt) {
    const char *folder = s->options.work.findings, *digest = s->work.target.digest;
    char name[STORE_NAME_MAX];
    store_name(f, name);
    if (!is_same_subject(s, f)) {
        skip_finding(folder, name, "it is of another program or arguments");
    } else if (f->input.size > s->options.size_max) {
        message("%s: skipped: larger than --size-max %" PRIu64, name, s->options.size_max);
    } else {
        const bool has_digests = digest != NULL && f->sut_digest != NULL;
        const bool is_same = has_digests && strcmp(digest, f->sut_digest) == 0;
        *rebuilt = *rebuilt || (has_digests && !is_same);
        s->known[s->known_count++] = known_of(f, is_same);
    }
}

static bool load_findings(session *s) {
    const char *folder = s->options.work.findings;
    size_t count, reduced_count = 0;
    bool rebuilt = false;
    if (folder == NULL) return true;
    finding *list = store_load(s->work.store, skip_finding, &count);
    if (list == NULL) {
        message_error(errno, "%s: cannot be opened", folder);
        return false;
    }
    s->known = calloc(count + 1, sizeof *s->known);
    if (s->known == NULL) message_error(ENOMEM, "cannot hold the findings");
    for (size_t i = 0; i < count; i++) {
        if (list[i].bytes != NULL) {
            reduced_count++;
        } else if (s->known != NULL) {
            add_known(s, &list[i], &rebuilt);
        }
        finding_free(&list[i]);
    }
    free(list);
    if (rebuilt) {
        message("%s: the program has been rebuilt since; its findings are run again", folder);
    }
    if (reduced_count > 0 && !s->options.work.quiet) {
        message("%s: %zu finding%s bytes and no seed; use frng-replay or frng-reduce for those",
                folder, reduced_count, reduced_count == 1 ? " has" : "s have");
    }
    return s->known != NULL;
}

static bool prepare(session *s, const char *tool) {
    search_options *o = &s->options;
    s->work.options = &o->work;
    if (!o->has_rng_seed) randombytes_buf(&o->rng_seed, sizeof o->rng_seed);
    return work_prepare(&s->work, tool, o->size_max) && load_findings(s);
}

static void tell_start(session *s) {
    const search_options *o = &s->options;
    work *w = &s->work;
    const jsonl_start start = {
        .subject = &w->subject,
        .version = FRNG_VERSION,
        .attempts = o->attempts,
        .size_max = o->size_max,
        .rng_seed = o->rng_seed,
        .jobs = o->work.jobs,
    };
    jsonl_write_start(&w->jsonl, &start);
    if (o->work.verbose) {
        report_start(&w->subject, w->target.digest, w->jsonl.mode, start.jobs, o->rng_seed);
        report_containment(w->jsonl.containment);
    }
}

/* ---- The search ---- */

/* A run that stopped its worker up to the end is set aside, as those before it were. */
static void end_workers(session *s, pool *p) {
    search_result *r = &s->result;
    seed_input stuck;
    if (pool_stop(p, &stuck)) {
        r->limited[CAUSE_WORKER]++;
        if (!r->found && !r->inconclusive) {
            r->inconclusive = true;
            r->best = (failure){.input = stuck, .cause = CAUSE_WORKER};
            r->best.signature = (signature){SIGNATURE_TIMEOUT, 0};
        }
    }
    pool_destroy(p);
}

static void search(session *s) {
    const search_options *o = &s->options;
    const pool_config workers = {.jobs = o->work.jobs,
                                 .create = runner_forkserver_create,
                                 .config = &s->work.runs,
                                 .containment = s->work.containment,
                                 .interrupt_fd = s->work.signals.signal_fd,
                                 .shortage = work_tell_shortage,
                                 .unkillable = work_tell_unkillable,
                                 .told = &s->work};
    const bool has_budget = o->work.budget_ns != CLOCK_NEVER;
    s->deadline_ns = work_deadline(&s->work);
    const search_config config = {
        .strategy = {o->attempts, o->size_max, o->rng_seed, has_budget},
        .deadline_ns = s->deadline_ns,
        .has_only = o->work.run.has_only,
        .only = o->work.run.only,
        .known = s->known,
        .known_count = s->known_count,
    };
    const event_sink sink = {take_event, s};
    tell_start(s);
    pool *p = pool_create(&workers);
    if (p == NULL) {
        s->result.end = END_BROKEN;
        s->result.error_number = errno;
        return;
    }
    search_run(&config, p, &sink, &s->result);
    end_workers(s, p);
    s->work.signal_number = tool_take_signal(&s->work.signals);
}

/* ---- After the search ---- */

static report_end end_of(const search_result *r) {
    if (r->found) return REPORT_FAILED;
    if (r->inconclusive) return REPORT_INCONCLUSIVE;
    return r->end == END_DONE || r->end == END_SPENT ? REPORT_PASSED : REPORT_STOPPED;
}

/* Returns whether it was told: where it is not wanted, it is once output has failed. */
static bool tell_summary(const session *s) {
    const search_result *r = &s->result;
    const report summary = {
        .subject = &s->work.subject,
        .end = end_of(r),
        .unfinished = r->end != END_DONE,
        .best = &r->best,
        .others = r->others.list,
        .other_count = r->others.count,
        .below = r->claim.below,
        .passed = r->claim.passed,
        .bound = r->claim.confidence_bound,
        .only = s->options.work.run.has_only ? &s->options.work.run.only : NULL,
        .rounds = r->claim.rounds,
        .sizes = r->claim.sizes,
        .size_max = s->options.size_max,
        .runs = r->runs,
        .reruns = r->reruns,
        .limited = {[CAUSE_TIMEOUT] = r->limited[CAUSE_TIMEOUT],
                    [CAUSE_MEMORY] = r->limited[CAUSE_MEMORY],
                    [CAUSE_WORKER] = r->limited[CAUSE_WORKER]},
        .elapsed_ns = r->elapsed_ns,
        .jobs = s->options.work.jobs,
        .rng_seed = s->options.rng_seed,
    };
    const bool is_usage = r->end == END_ENVIRONMENT && !r->found;
    if (is_usage || (s->options.work.quiet && !s->work.output_failed)) return false;
    report_summary(&summary);
    return true;
}

static work_error error_of(const session *s) {
    const search_result *r = &s->result;
    return (work_error){.is_broken = r->end == END_BROKEN,
                        .is_environment = r->end == END_ENVIRONMENT,
                        .error_number = r->error_number,
                        .error = &r->error,
                        .output = &r->error_output};
}

static void tell_result(session *s) {
    const search_result *r = &s->result;
    const progress p = {.size = r->best.input.size,
                        .runs = r->runs,
                        .reruns = r->reruns,
                        .elapsed_ns = r->elapsed_ns};
    const bool broken = r->end == END_ENVIRONMENT || r->end == END_BROKEN;
    const char *how = broken                      ? "error"
                      : r->end == END_INTERRUPTED ? "interrupted"
                      : r->found                  ? "fail"
                      : r->inconclusive           ? "inconclusive"
                                                  : "pass";
    char line[64];
    if (r->found && !work_has_events_on_stdout(&s->work)) {
        report_result_line(r->best.input, line, sizeof line);
        s->work.output_failed |= !tool_print(line);
    }
    jsonl_write_done(&s->work.jsonl, how, r->found || r->inconclusive ? &r->best : NULL, &p);
}

/* Tell how the search ended. Returns the exit status. */
static int report_search(session *s) {
    const search_result *r = &s->result;
    const work_error error = error_of(s);
    work_tell_error(&s->work, &error);
    const bool is_told = tell_summary(s);
    tell_result(s);
    const int otherwise = r->found ? EXIT_FOUND : r->inconclusive ? EXIT_INCONCLUSIVE : EXIT_PASSED;
    const int status = work_exit_status(&s->work, &error, otherwise);
    if (is_told && r->found) work_tell_empty(&s->work, r->best.input.size);
    if (!is_told) tell_summary(s); /* now that output has failed, perhaps */
    return status;
}

/* ---- The reduction of what was found ---- */

static bool is_to_be_reduced(const session *s, int status) {
    const bool is_late = s->result.end == END_SPENT;
    const uint64_t size = s->result.best.input.size;
    if (!s->options.reduce || status != EXIT_FOUND || s->work.signal_number != 0) return false;
    if (is_late && !s->options.work.quiet) message("not reduced: the time is spent");
    if (size > REDUCING_SIZE_MAX) message("not reduced: it is too large");
    return !is_late && size <= REDUCING_SIZE_MAX;
}

/* Returns the exit status. */
static int reduce(session *s) {
    const run_options *run = &s->options.work.run;
    const seed_input t = s->result.best.input;
    reducing *r = &s->reducing;
    uint8_t *bytes = malloc(t.size > 0 ? t.size : 1);
    if (bytes == NULL) {
        message_error(ENOMEM, "cannot hold the entropy");
        return EXIT_OUTPUT;
    }
    frng_expand(t.seed, bytes, t.size);
    *r = (reducing){.work = &s->work,
                    .bytes = bytes,
                    .size = t.size,
                    .has_only = run->has_only,
                    .only = run->only,
                    .calls_max = UINT64_MAX,
                    .deadline_ns = s->deadline_ns};
    reducing_run(r);
    const int status = reducing_report(r);
    reducing_finish(r);
    free(bytes);
    return status == EXIT_PASSED || status == EXIT_INCONCLUSIVE ? EXIT_FOUND : status;
}

static void finish(session *s) {
    work_finish(&s->work);
    free(s->known);
}

int main(int argc, char **argv) {
    static session s; /* zeroed, and too large for a stack */
    if (!tool_init(&s.work.signals, "frng-search")) return EXIT_ENVIRONMENT;
    switch (search_options_parse(argc, argv, &s.options)) {
    case OPTIONS_HELP: return options_print_help(&search_options_table) ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_VERSION:
        return tool_print("frng-search " FRNG_VERSION "\n") ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_WRONG: return EXIT_ENVIRONMENT;
    case OPTIONS_RUN: break;
    }
    int status = EXIT_ENVIRONMENT;
    s.work.has_no_cores = proc_no_cores();
    if (prepare(&s, argv[0])) {
        search(&s);
        status = report_search(&s);
        if (is_to_be_reduced(&s, status)) status = reduce(&s);
    } else if (s.work.output_failed) {
        status = EXIT_OUTPUT;
    }
    finish(&s);
    if (s.work.signal_number != 0) tool_die_of(s.work.signal_number);
    return status;
}
