/* frng-search: options, system under test, findings, search, report. */
#include "clock.h"
#include "diag.h"
#include "frng.h"
#include "jsonl.h"
#include "probe.h"
#include "progress.h"
#include "report.h"
#include "search.h"
#include "search_options.h"
#include "startup.h"
#include "store.h"
#include "sut.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    EXIT_PASSED = 0,
    EXIT_FOUND = 1,
    EXIT_ENVIRONMENT = 2,
    EXIT_INCONCLUSIVE = 3,
    EXIT_OUTPUT = 4
};

/* Everything that one search of this process needs. */
typedef struct session {
    search_options options;
    startup startup;
    sut sut;
    fast_config runs; /* how runs are made */
    subject subject;
    char *replay_options; /* of the subject */
    char *replay;         /* of the subject */
    store *store;         /* NULL without --findings */
    trial *known;         /* what was in it, the best first */
    size_t known_count;
    FILE *json_file; /* NULL without --json, or for standard output */
    jsonl jsonl;
    progress_line progress_line;
    int64_t told_ns;    /* of the search, when a best was told last; 0: never */
    bool output_failed; /* something could not be written: exit 4 */
    search_result result;
} session;

/* ---- What the search tells ---- */

static void keep_finding(session *s, const failure *f) {
    char when[32];
    const time_t now = time(NULL);
    struct tm utc;
    if (s->store == NULL) return;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    const finding kept = {
        .sut = s->subject.sut,
        .sut_digest = s->sut.digest,
        .args = (const char **)s->subject.args,
        .trial = f->trial,
        .identity = f->identity,
        .site = f->site[0] != '\0' ? f->site : NULL,
        .reruns = f->reruns,
        .repeated = f->repeated,
        .when = when,
    };
    const int error = store_save(s->store, &kept);
    if (error == 0) return;
    if (!s->output_failed) diag_finding_not_stored(s->options.findings, error);
    s->output_failed = true;
}

/* A best is soon beaten by the next; the last one is in the summary. */
static void tell_failure(session *s, const failure *f, bool is_best, const progress *p) {
    enum { PAUSE_MS = 1000 };
    const bool is_news =
        !is_best || s->told_ns == 0 || p->elapsed_ns >= s->told_ns + PAUSE_MS * CLOCK_NS_PER_MS;
    if (s->options.quiet || !(is_news || s->options.verbose)) return;
    report_failure(f, is_best, p);
    if (is_best) s->told_ns = p->elapsed_ns;
}

static void on_failure(void *context, const failure *f, bool is_best, const progress *p) {
    session *s = context;
    keep_finding(s, f);
    jsonl_write_failure(&s->jsonl, f, is_best, p);
    tell_failure(s, f, is_best, p);
}

static void on_replayed(void *context, trial t, bool fails) {
    const session *s = context;
    if (!s->options.quiet) report_replayed(t, fails);
}

static void on_flaky(void *context, const failure *f) {
    const session *s = context;
    if (!s->options.quiet) report_flaky(f);
}

static void on_doubted(void *context, run_doubt why, trial t) {
    session *s = context;
    if (!s->options.has_mode) s->jsonl.mode = run_mode_name(MODE_FORK);
    if (!s->options.quiet) report_doubted(why, t, !s->options.has_mode);
}

static void on_progress(void *context, const progress *p) {
    session *s = context;
    jsonl_write_size(&s->jsonl, p);
    if (!s->options.quiet) progress_line_show(&s->progress_line, p);
}

/* ---- Before the search ---- */

static bool open_json(session *s) {
    const char *name = s->options.json;
    if (name == NULL) return true;
    s->jsonl.out = stdout;
    if (strcmp(name, "-") == 0) return true;
    s->jsonl.out = s->json_file = fopen(name, "we");
    if (s->json_file == NULL) diag_cannot_open(name, errno);
    return s->json_file != NULL;
}

/* One folder is for one program and its arguments; where its file lies does not matter. */
static bool is_same_subject(const session *s, const finding *f) {
    size_t i = 0;
    if (f->sut == NULL || strcmp(basename(f->sut), basename(s->subject.sut)) != 0) return false;
    while (f->args[i] != NULL && s->subject.args[i] != NULL &&
           strcmp(f->args[i], s->subject.args[i]) == 0) {
        i++;
    }
    return f->args[i] == NULL && s->subject.args[i] == NULL;
}

/* Add one finding to the known trials, or say why not. */
static void add_known(session *s, const finding *f, bool *rebuilt) {
    char name[STORE_NAME_MAX];
    store_name(f, name);
    if (!is_same_subject(s, f)) {
        diag_finding_skipped(s->options.findings, name, "it is of another program or arguments");
    } else if (f->bytes != NULL) {
        diag_finding_skipped(s->options.findings, name, "it has bytes and no seed; replay it");
    } else if (f->trial.size > s->options.size_max) {
        diag_finding_too_large(name, s->options.size_max);
    } else {
        *rebuilt = *rebuilt || (s->sut.digest != NULL && f->sut_digest != NULL &&
                                strcmp(s->sut.digest, f->sut_digest) != 0);
        s->known[s->known_count++] = f->trial;
    }
}

static bool open_findings(session *s) {
    size_t count;
    bool rebuilt = false;
    if (s->options.findings == NULL) return true;
    s->store = store_open(s->options.findings);
    finding *list = s->store != NULL ? store_load(s->store, diag_finding_skipped, &count) : NULL;
    if (list == NULL) {
        diag_cannot_open(s->options.findings, errno);
        return false;
    }
    s->known = calloc(count + 1, sizeof *s->known);
    for (size_t i = 0; i < count; i++) {
        if (s->known != NULL) add_known(s, &list[i], &rebuilt);
        finding_free(&list[i]);
    }
    free(list);
    if (rebuilt) diag_finding_rebuilt(s->options.findings);
    return s->known != NULL;
}

/* See what the program can do, and choose the fastest of it or what was asked for. */
static bool choose_mode(session *s) {
    const search_options *o = &s->options;
    s->runs = (fast_config){
        .spawn = {.command = sut_command(&s->sut),
                  .stdin_kind = o->run.stdin_kind,
                  .timeout_ns = o->run.timeout_ns,
                  .size_max = o->size_max,
                  .memory_max = o->run.memory_max,
                  .mask = s->startup.mask},
        .steady = o->has_mode,
    };
    /* A plain program is not started to be asked: it may hang, and its runs are counted. */
    const bool may_be_able = sut_names_protocol(&s->sut) || (o->has_mode && o->mode != MODE_SPAWN);
    const run_mode able = may_be_able ? probe_run(&s->runs.spawn, &s->runs.layout) : MODE_SPAWN;
    if (o->has_mode && o->mode > able) {
        diag_sut_no_protocol(o->rest.sut, run_mode_name(o->mode));
        return false;
    }
    /* Only a run that reads its stdin can come up short at a pipe. */
    const run_mode best = o->run.stdin_kind == SPAWN_STDIN_PIPE ? MODE_SPAWN : able;
    s->runs.mode = o->has_mode ? o->mode : best;
    s->runs.spawn.reports = able != MODE_SPAWN;
    s->runs.spawn.layout = s->runs.layout;
    s->jsonl.mode = run_mode_name(s->runs.mode);
    return true;
}

/* The path of another tool in the folder of this one; its bare name where ours had none. */
static char *beside(const char *tool, const char *other) {
    const char *slash = strrchr(tool, '/');
    char *path = NULL;
    const int folder_length = slash != NULL ? (int)(slash + 1 - tool) : 0;
    return asprintf(&path, "%.*s%s", folder_length, tool, other) < 0 ? NULL : path;
}

static bool prepare(session *s, const char *tool) {
    search_options *o = &s->options;
    if (!sut_resolve(&s->sut, o->rest.sut, o->rest.args, environ)) return false;
    s->replay_options = run_options_text(&o->run);
    s->replay = beside(tool, "frng-replay");
    s->subject = (subject){
        .sut = o->rest.sut,
        .args = (const char *const *)o->rest.args,
        .replay = s->replay != NULL ? s->replay : "frng-replay",
        .options = s->replay_options != NULL ? s->replay_options : "",
    };
    if (!o->has_rng_seed) randombytes_buf(&o->rng_seed, sizeof o->rng_seed);
    return choose_mode(s) && open_json(s) && open_findings(s);
}

static void tell_start(session *s) {
    const search_options *o = &s->options;
    const jsonl_start start = {
        .subject = &s->subject,
        .version = FRNG_VERSION,
        .strategy = o->strategy == WALK_CLASSIC ? "classic" : "auto",
        .attempts = o->attempts,
        .size_max = o->size_max,
        .rng_seed = o->rng_seed,
        .jobs = o->jobs,
    };
    jsonl_write_start(&s->jsonl, &start);
    if (o->verbose) {
        report_start(&s->subject, s->sut.digest, s->jsonl.mode, start.strategy, o->jobs,
                     o->rng_seed);
    }
}

/* ---- The search ---- */

static void search(session *s) {
    const search_options *o = &s->options;
    const int64_t now_ns = clock_now_ns();
    const bool has_budget = o->budget_ns != CLOCK_NEVER;
    const pool_config workers = {o->jobs, fast_create, &s->runs, s->startup.signal_fd};
    const search_config config = {
        .walk = {o->strategy, o->attempts, o->size_max, o->rng_seed, has_budget},
        .deadline_ns = has_budget ? clock_after(now_ns, o->budget_ns) : CLOCK_NEVER,
        .has_only = o->run.has_only,
        .only = o->run.only,
        .known = s->known,
        .known_count = s->known_count,
    };
    const observer told = {s, on_failure, on_replayed, on_flaky, on_doubted, on_progress};
    pool *p = pool_create(&workers);
    if (p == NULL) {
        s->result.end = SEARCH_BROKEN;
        s->result.error_number = errno;
        return;
    }
    search_run(&config, p, &told, &s->result);
    pool_destroy(p);
}

/* ---- After the search ---- */

static report_end end_of(const search_result *r) {
    if (r->found) return REPORT_FAILED;
    if (r->inconclusive) return REPORT_INCONCLUSIVE;
    return r->end == SEARCH_DONE || r->end == SEARCH_SPENT ? REPORT_PASSED : REPORT_STOPPED;
}

static void tell_summary(const session *s) {
    const search_result *r = &s->result;
    const report summary = {
        .subject = &s->subject,
        .end = end_of(r),
        .unfinished = r->end != SEARCH_DONE,
        .best = &r->best,
        .others = r->others,
        .other_count = r->other_count,
        .below = r->claim.below,
        .passed = r->claim.passed,
        .bound = r->claim.bound,
        .rounds = r->claim.rounds,
        .size_max = s->options.size_max,
        .runs = r->runs,
        .reruns = r->reruns,
        .elapsed_ns = r->elapsed_ns,
        .jobs = s->options.jobs,
        .rng_seed = s->options.rng_seed,
    };
    const bool is_usage = r->end == SEARCH_ENVIRONMENT && !r->found;
    if (is_usage) return;
    if (!s->options.quiet || s->output_failed) report_summary(&summary);
}

static void tell_error(const session *s) {
    const search_result *r = &s->result;
    if (r->end == SEARCH_BROKEN) {
        if (r->error_number == ECHILD) {
            diag_workers_died();
        } else {
            diag_system("cannot run worker processes", r->error_number);
        }
    }
    if (r->end != SEARCH_ENVIRONMENT) return;
    switch (r->error.fault) {
    case FAULT_EXEC: diag_sut_cannot_start(s->sut.path, r->error.error_number); break;
    case FAULT_LINKER: diag_sut_cannot_load(s->sut.path, &r->error_output); break;
    case FAULT_NONE:
    case FAULT_SYSTEM: diag_system("cannot start a run", r->error.error_number); break;
    }
}

static void tell_result(session *s) {
    const search_result *r = &s->result;
    const progress p = {r->best.trial.size, r->runs, r->reruns, r->elapsed_ns, NULL};
    const bool broken = r->end == SEARCH_ENVIRONMENT || r->end == SEARCH_BROKEN;
    const char *how = broken                         ? "error"
                      : r->end == SEARCH_INTERRUPTED ? "interrupted"
                      : r->found                     ? "fail"
                      : r->inconclusive              ? "inconclusive"
                                                     : "pass";
    char line[64];
    if (r->found && s->options.json != NULL && strcmp(s->options.json, "-") == 0) {
        jsonl_write_done(&s->jsonl, how, &r->best, &p);
    } else if (r->found) {
        report_result_line(r->best.trial, line, sizeof line);
        s->output_failed |= !startup_print(line);
        jsonl_write_done(&s->jsonl, how, &r->best, &p);
    } else {
        jsonl_write_done(&s->jsonl, how, r->inconclusive ? &r->best : NULL, &p);
    }
    if (jsonl_finish(&s->jsonl)) return;
    diag_cannot_write(s->options.json, errno);
    s->output_failed = true;
}

static int exit_status(const session *s) {
    const search_result *r = &s->result;
    const bool system_failed = r->end == SEARCH_ENVIRONMENT && r->error.fault == FAULT_SYSTEM;
    if (s->output_failed || r->end == SEARCH_BROKEN || system_failed) return EXIT_OUTPUT;
    if (r->end == SEARCH_ENVIRONMENT) return EXIT_ENVIRONMENT;
    if (r->found) return EXIT_FOUND;
    return r->inconclusive ? EXIT_INCONCLUSIVE : EXIT_PASSED;
}

static void finish(session *s) {
    store_close(s->store);
    sut_finish(&s->sut);
    free(s->replay_options);
    free(s->replay);
    free(s->known);
    if (s->json_file != NULL) fclose(s->json_file);
}

int main(int argc, char **argv) {
    static session s; /* zeroed, and too large for a stack */
    if (!startup_init(&s.startup, "frng-search")) return EXIT_ENVIRONMENT;
    switch (search_options_parse(argc, argv, &s.options)) {
    case OPTIONS_HELP: return startup_print(search_options_help) ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_VERSION:
        return startup_print("frng-search " FRNG_VERSION "\n") ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_WRONG: return EXIT_ENVIRONMENT;
    case OPTIONS_RUN: break;
    }
    int status = EXIT_ENVIRONMENT, signal_number = 0;
    proc_no_cores();
    if (prepare(&s, argv[0])) {
        tell_start(&s);
        search(&s);
        signal_number = startup_take_signal(&s.startup);
        tell_error(&s);
        tell_summary(&s);
        tell_result(&s);
        status = exit_status(&s);
    }
    finish(&s);
    if (signal_number != 0) startup_die_of(signal_number);
    return status;
}
