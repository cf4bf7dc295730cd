/* frng-replay: one input, in the foreground.
 *
 * The run has the terminal, so that it looks as the user's own call of the program. What its output
 * says is then unknown to us. So a run that fails is made once more, hidden, and its output is
 * read: for the site of the failure, which the verdict shows and --only asks for, and for the
 * message of the dynamic linker or of a test that refuses to run, which is no failure of it. With
 * --runs, or with events on standard output, all runs are hidden, and none is repeated.
 *
 * A trace needs the protocol: the target writes its draws to shared memory, which survives a crash.
 * The verdict is the exit status, as git bisect wants it: 125 where no run can be judged, 129 for
 * what is wrong in every build. Under --wrap there is no verdict, and the status is the wrapper's.
 */
#include "atomic_file.h"
#include "clock.h"
#include "confidence.h"
#include "events.h"
#include "explained.h"
#include "finding_table.h"
#include "frng.h"
#include "memory.h"
#include "messages.h"
#include "named_input.h"
#include "options.h"
#include "output_site.h"
#include "phrase.h"
#include "proc.h"
#include "program.h"
#include "report.h"
#include "runner.h"
#include "session.h"
#include "spawn.h"
#include "target.h"
#include "tool.h"
#include "trace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct replay {
    session *session;
    const tool_options *options;
    target_command *sut;
    const input_source *in;
    named_input named; /* the file that @@ names */
    events *sink;      /* without an output if there are no events */

    /* How the runs ended. */
    uint64_t passed, failed, other; /* other: with another signature than --only */
    uint64_t strayed;               /* those of `passed` that made other draws than the finding */
    uint64_t discarded;             /* those of `passed` that the test discarded */
    uint64_t unread;                /* those of `passed` that were seen not to read their input */
    char how[SITE_TEXT_MAX];        /* signature and site of the first failure that counts */
    char how_other[SITE_TEXT_MAX];  /* of the last one that does not */
    failure seen;                   /* of the last run, if it failed */

    /* What the lines of --json are made of. */
    failure given; /* size and seed of the input */
    found_input found;
    bool has_seed;
    uint64_t records; /* that the run reported; UINT64_MAX: it is not traced */
    int64_t start_ns; /* clock_now_ns */
} replay;

static output_scan *hidden_scan;
static bytes_tail hidden_output; /* of the last hidden run; stacks may be small */

static uint64_t run_count(const replay *s) { return s->passed + s->failed + s->other; }

/* Write the input to standard output. Returns the exit status. */
static int dump(const replay *s) {
    if (isatty(STDOUT_FILENO)) {
        message(
            "--dump writes bytes, which a terminal cannot show: use '--dump | xxd', or '> file'");
        return EXIT_USAGE;
    }
    const bool written =
        (s->in->size == 0 || fwrite(s->in->bytes, 1, s->in->size, stdout) == s->in->size) &&
        fflush(stdout) == 0;
    if (!written) message_error(errno, "standard output: cannot be written");
    return written ? EXIT_PASSED : EXIT_UNJUDGED;
}

/* ---- Events ---- */

static int64_t elapsed_ns(const replay *s) { return clock_now_ns() - s->start_ns; }

/* Take the input, as the command line or a finding names it. */
static void take_input(replay *s) {
    const input_options *from = &s->options->input;
    const bool is_finding = from->finding != NULL;
    const bool is_named = from->file != NULL && strcmp(from->file, "-") != 0;
    s->has_seed = is_finding ? s->in->finding.bytes == NULL : options_given(s->options, "seed");
    s->given.input = is_finding ? s->in->finding.of.input : from->seeded;
    s->given.input.size = s->in->size;
    s->found = (found_input){.failure = &s->given,
                             .bytes = s->has_seed ? NULL : s->in->bytes,
                             .saved = is_finding ? from->finding
                                      : is_named ? from->file
                                                 : NULL,
                             .is_finding = is_finding};
}

/* Begin the events of --json. Returns false after a message. */
static bool begin_events(replay *s) {
    session *whole = s->session;
    if (!session_open_events(whole)) return false;
    whole->now->setup.call = tool_call_make(s->options->argv);
    whole->now->setup.digest = s->sut->digest;
    whole->now->json.setup = &whole->now->setup;
    s->records = UINT64_MAX;
    s->start_ns = clock_now_ns();
    take_input(s);
    events_put(&whole->now->json, P_START,
               (events_scope){.found = s->found,
                              .has_seed = s->has_seed,
                              .input_bytes = s->in->bytes,
                              .progress = &(progress){.runs = s->options->runs}});
    return true;
}

static void put_run(replay *s, bool failed, bool counts) {
    if (run_count(s) > EVENTS_RUNS) return;
    events_put(s->sink, P_RUN,
               (events_scope){.number = run_count(s),
                              .counts = counts,
                              .found.failure = failed ? &s->seen : NULL,
                              .progress = &(progress){.elapsed_ns = elapsed_ns(s)}});
}

/* The pulse of a run: a sign of life each minute. */
static void show_life(void *context) {
    replay *s = context;
    char when[SUMMARY_UTC_MAX];
    const int64_t now_ns = elapsed_ns(s);
    if (now_ns < s->sink->alive_ns + EVENTS_ALIVE_MS * CLOCK_NS_PER_MS) return;
    s->sink->alive_ns = now_ns;
    events_put(s->sink, P_ALIVE,
               (events_scope){.when = tool_call_utc(when),
                              .progress = &(progress){.runs = run_count(s), .elapsed_ns = now_ns}});
}

/* ---- How runs end ---- */

/* True if a run that passes drew others than the finding. That of an earlier version may not say
 * which; but one that is reduced has no byte that its run did not draw. */
static bool draws_others(const replay *s, const report_shm *report) {
    const failure *f = &s->in->finding.of;
    const uint64_t drawn = report_shm_pass(report, 0, s->in->size).drawn;
    return report_shm_draws_others(report, f->draws, s->in->size) ||
           (f->draws.is_untold && report_shm_has_narrowed(report)) ||
           (f->draws.count == 0 && f->form == FORM_REDUCED && drawn != OUTCOME_DRAWN_UNKNOWN &&
            drawn < s->in->size);
}

/* Count a run with this report, which may be NULL. Returns false after a message if it could not be
 * made. */
static bool count_run(replay *s, const outcome *end, const report_shm *report) {
    const failure *f = &s->seen;
    if (end->verdict == VERDICT_ERROR) {
        if (!program_print_fault(s->sut->path, end, &hidden_output))
            message_error(end->error_number, "cannot start the run");
        return false;
    }
    if (!outcome_failed(end)) {
        s->passed++;
        s->discarded += report != NULL && report_shm_pass(report, 0, s->in->size).discarded;
        s->unread +=
            end->reading == READING_NONE && s->in->size > 0; /* an empty one cannot be read */
        s->strayed += report != NULL && draws_others(s, report);
    } else if (signature_filter_match(&s->options->run.filter, f->signature, f->site,
                                      f->is_site_known) == SIGNATURE_MATCHES) {
        if (s->failed++ == 0) site_format(f->signature, f->site, s->how);
    } else {
        s->other++;
        site_format(f->signature, f->site, s->how_other);
    }
    return true;
}

/* True if the output may tell that the program was never started, or came to a limit, as
 * outcome_of_end judges. */
static bool may_be_unstarted(const outcome *end) {
    const int status = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : 0;
    return status == 2 ||
           (end->reading != READING_SEEN && (status == 1 || status == 126 || status == 127));
}

/* Write the input to the file that @@ names. Returns false after a message. */
static bool write_named(replay *s) {
    const int error = named_input_write(&s->named, s->in->bytes, s->in->size);
    return error == 0 || message_error(error, "%s: cannot be written", s->session->work.path);
}

/* A program that passes without reading a file may have measured it, as wc does: what measures a
 * file reads a pipe. */
static void doubt_reading(replay *s, const foreground_run *run, outcome *end) {
    static bytes_tail ignored;
    foreground_run again = *run;
    if (end->verdict != VERDICT_PASS || end->reading != READING_NONE || s->unread > 0 ||
        s->in->size == 0 || s->session->signal_number != 0)
        return;
    again.hidden_ends = &ignored;
    again.scan = NULL;
    again.report = NULL;
    again.how.is_piped = true;
    named_input_write(&s->named, s->in->bytes, s->in->size);
    const outcome piped = foreground_run_once(&again, &s->session->signal_number);
    if (piped.reading != READING_NONE) end->reading = piped.reading;
}

/* Make a run once more. Its report is another one where the run's has the trace, or looks for
 * leaks: a test without any takes its arguments in another way. */
static outcome repeat_hidden(replay *s, foreground_run *again) {
    report_shm own;
    const bool is_kept = s->options->trace || target_prints_reports(s->sut);
    const bool has_own = is_kept && again->report != NULL && report_shm_init(&own, 0, 0, 0) == 0;
    if (is_kept) again->report = has_own ? &own : NULL;
    const outcome end = foreground_run_once(again, &s->session->signal_number);
    if (has_own) report_shm_finish(&own);
    again->report = NULL;
    return end;
}

/* Add the shape of the message, which only the report has, to a site that was found in the output;
 * if --only, --ignore or the finding distinguishes shapes. */
static void add_shape(const replay *s, const report_shm *report, char site[SITE_MAX]) {
    char told[SITE_MAX];
    const char *known = s->in->finding.of.site;
    if (signature_filter_is_empty(&s->options->run.filter) &&
        known[site_shapeless_length(known)] == '\0')
        return;
    report_shm_copy_site(report, told);
    const size_t length = site_shapeless_length(told);
    if (strlen(site) == length && strncmp(site, told, length) == 0) strcpy(site, told);
}

/* Learn from the output of a failed run where it failed, or that it could not be loaded. If the
 * output went to the terminal, make the run once more, hidden. A hang, or with --quiet any failure
 * of a program that was started, is repeated only if --only or --ignore need its site. */
static void look_into(replay *s, const foreground_run *run, outcome *end) {
    const run_options *o = &s->options->run;
    failure *f = &s->seen;
    foreground_run again = *run;
    outcome repeated = *end;
    if (!outcome_failed(end)) return;
    *f = (failure){.signature = outcome_signature(end), .output = run->hidden_ends};
    f->is_site_known = end->is_oom;
    if (end->is_oom) strcpy(f->site, SITE_OOM);
    if (s->session->signal_number != 0 || end->is_oom) return;
    if (run->hidden_ends == NULL) {
        const signature_match match = signature_filter_match(&o->filter, f->signature, "", false);
        const bool is_told = !s->options->quiet || may_be_unstarted(end);
        if ((end->verdict != VERDICT_FAIL || !is_told) && match != SIGNATURE_MATCH_UNKNOWN) return;
        again.hidden_ends = &hidden_output;
        if (!write_named(s)) return;
        repeated = repeat_hidden(s, &again);
    }
    if (outcome_is_unstarted(&repeated)) *end = repeated;
    if (!outcome_failed_alike(&repeated, end)) return;
    f->is_site_known = true;
    const bool is_wanted = end->verdict == VERDICT_FAIL || o->rule.text != NULL;
    if (is_wanted && hidden_scan != NULL) output_scan_end(hidden_scan, f->site);
    if (run->report != NULL && f->site[0] == '\0') report_shm_copy_site(run->report, f->site);
    if (run->report != NULL && f->site[0] == '\0' && WIFSIGNALED(end->status))
        report_shm_copy_crash(run->report, s->sut->path, f->site);
    if (run->report != NULL) add_shape(s, run->report, f->site);
}

/* Make a run. If `own` (may be NULL) is its report, clear that, and look for leaks as a search does
 * where a leak would be printed. */
static outcome run_watched(replay *s, const foreground_run *run, report_shm *own) {
    int *stopped_by = &s->session->signal_number;
    if (own == NULL) return foreground_run_once(run, stopped_by);
    report_shm_reset(own, 1);
    own->report->wants = FRNG_WANTS_DISCARDS | FRNG_WANTS_CRASH;
    if (target_prints_reports(s->sut)) own->report->leaks = FRNG_LEAKS_WATCH;
    const outcome o = foreground_run_once(run, stopped_by);
    const uint64_t state = own->report->leak_state;
    if (state == FRNG_LEAK_AGAIN && outcome_failed(&o)) return outcome_of_status(0); /* passed */
    if (state != FRNG_LEAK_SUSPECT || o.verdict != VERDICT_PASS || *stopped_by != 0) return o;
    if (!s->options->quiet) message("passed, and may leak: running it again with a leak check");
    report_shm_reset(own, 1);
    own->report->leaks = FRNG_LEAKS_CHECK;
    const outcome end = foreground_run_once(run, stopped_by);
    if (end.verdict == VERDICT_ERROR || *stopped_by != 0) return end;
    const leak_finding found = runner_leak_of(&end, own->report->leak_state);
    return found == LEAK_FOUND ? end : outcome_of_status(0);
}

static bool run_all(replay *s, const foreground_run *run, report_shm *own) {
    const int *stopped_by = &s->session->signal_number;
    orphans_adopt();
    for (uint64_t i = 0; i < s->options->runs && *stopped_by == 0; i++) {
        if (!write_named(s)) return false;
        outcome end = run_watched(s, run, own);
        look_into(s, run, &end);
        doubt_reading(s, run, &end);
        orphans_sweep(); /* processes that the run left anywhere */
        const pid_t given_up = orphans_take_given_up();
        if (given_up != 0) tool_given_up(given_up);
        const uint64_t counted = s->failed;
        if (!count_run(s, &end, run->report)) return false;
        if (*stopped_by == 0) put_run(s, outcome_failed(&end), s->failed > counted);
    }
    return true;
}

/* The target, with all but its input. */
static foreground_run usual_run(const replay *s) {
    return (foreground_run){.command = target_proc(s->sut),
                            .how = {.timeout_ns = s->options->run.limits.timeout_ns,
                                    .setup = {.stdin_fd = -1,
                                              .memory_max = s->options->run.limits.memory_max,
                                              .mask = s->session->signals.mask}},
                            .signal_fd = s->session->signals.signal_fd};
}

/* ---- Under another program: a debugger, valgrind, strace ---- */

/* A command that runs the target, and a private file with the entropy for it. */
typedef struct wrapping {
    char *words; /* the first strings of argv point into this */
    char *path;  /* of the wrapper */
    char **argv;
    char **named; /* arguments of the target with the file in place of @@; or NULL */
    char *file;   /* path of the entropy's file */
    int file_fd;  /* open file, or -1 */
    char *input;  /* "FRNG_INPUT=...", of a target that may read it; or NULL */
} wrapping;

/* Make argv: the words of the command, the target and its arguments. Tell a target that may read
 * FRNG_INPUT of the file. */
static void make_command(wrapping *w, replay *s) {
    const char *line = s->options->wrap;
    const size_t sut_count = text_count(s->sut->argv);
    size_t count = 0;
    bool ok = true;
    if (target_names_protocol(s->sut) != NULL) {
        w->input = memory_text("FRNG_INPUT=%s", w->file);
        s->sut->env.list[text_count(s->sut->env.list)] = w->input;
    }
    if (s->sut->takes_file) w->named = named_argv(s->sut->argv, w->file);
    char *const *argv = w->named != NULL ? w->named : s->sut->argv;
    w->words = memory_text("%s", line);
    w->argv = memory_zeroed(strlen(line) + sut_count + 2, sizeof *w->argv);
    char *rest = w->words;
    for (char *word; (word = words_next(&rest, &ok)) != NULL;) w->argv[count++] = word;
    assert(ok && count > 0);
    w->argv[count++] = s->sut->path; /* a path, since debuggers do not search PATH */
    memcpy(w->argv + count, argv + 1, sut_count * sizeof *w->argv);
}

/* Write the input to a file in the folder for runs, and open it. Prints errors. */
static bool make_file(wrapping *w, const replay *s) {
    work_folder *work = &s->session->work;
    if (!tool_open_work(work)) return false;
    w->file = memory_text("%s/entropy", work->path);
    int error = fchmod(work->lock_fd, S_IRWXU) != 0 ? errno : 0; /* of root, too */
    if (error == 0)
        error = atomic_file_write_new(AT_FDCWD, w->file, s->in->bytes, s->in->size, NULL);
    if (error == 0) error = named_links(work->lock_fd, path_base(w->file), s->sut->argv);
    if (error == 0) w->file_fd = open(w->file, O_RDONLY | O_CLOEXEC);
    if (error == 0 && w->file_fd < 0) error = errno;
    return error == 0 || message_error(error, "%s: cannot be written", work->path);
}

static bool prepare_wrapping(wrapping *w, replay *s) {
    if (!make_file(w, s)) return false;
    make_command(w, s);
    return (w->path = program_find(w->argv[0])) != NULL;
}

/* Run the target under the wrapper. There is no verdict: the end of a wrapper may not be that of
 * the target. Returns the exit status, which is the wrapper's as a shell has it. */
static int run_wrapped(replay *s) {
    int status = EXIT_UNJUDGED;
    static wrapping w = {.file_fd = -1}; /* what it owns lives to the end */
    if (prepare_wrapping(&w, s)) {
        foreground_run run = usual_run(s);
        run.command = (proc_command){w.path, w.argv, s->sut->env.list};
        /* Standard input stays the terminal if the target has its input elsewhere, or for a
         * debugger. */
        const char *name = path_base(w.path);
        const bool is_debugger = strstr(name, "gdb") != NULL || strstr(name, "lldb") != NULL;
        const bool is_elsewhere = target_reads_frng_input(s->sut) || s->sut->takes_file;
        run.how.setup.stdin_fd = is_debugger || is_elsewhere ? -1 : w.file_fd;
        if (!options_given(s->options, "timeout")) run.how.timeout_ns = CLOCK_NEVER;
        if (!s->options->quiet)
            fprintf(message_stream(),
                    s->sut->takes_file ? "entropy is in %s\n"
                    : w.input != NULL  ? "entropy is in FRNG_INPUT=%s\n"
                                       : "entropy is in a file; in a debugger: run < %s\n",
                    w.file);
        orphans_adopt();
        const outcome end = foreground_run_once(&run, &s->session->signal_number);
        orphans_sweep(); /* processes that it left anywhere */
        status = WIFSIGNALED(end.status) ? 128 + WTERMSIG(end.status) : WEXITSTATUS(end.status);
        if (end.verdict == VERDICT_ERROR) {
            message_error(end.error_number, "%s: cannot be run", w.path);
            status = EXIT_UNJUDGED;
        }
    }
    if (w.file_fd >= 0) close(w.file_fd);
    return status;
}

/* ---- One run after the other ---- */

/* Say which record the bytes of the run contradict. The verdict stays. */
static void check_records(replay *s, const trace *t) {
    const wrong_record w = record_check(t->entropy, t->size, t->records, t->count);
    if (w.error == RECORD_RIGHT) return;
    events_put(s->sink, R_WRONG, (events_scope){.wrong = &w});
    fflush(stdout); /* the trace comes first */
    if (!s->options->quiet) message("%s: is reduced as bytes", explained_wrong(&w));
}

static void show_trace(replay *s, const trace *t) {
    s->records = t->reported;
    events_put_trace(s->sink, t);
    if (!session_prints_events(s->session)) trace_print(stdout, t, &s->in->finding.remarks);
    check_records(s, t);
}

/* Run once, and print the draws to standard output, for a pass as for a failure. */
static bool run_traced(replay *s, foreground_run *run) {
    enum { RECORDS_MAX = 1 << 20 };
    report_shm heard;
    const uint64_t more = 16 * (s->in->size < RECORDS_MAX ? s->in->size : RECORDS_MAX);
    const uint64_t room = more < RECORDS_MAX - 65536 ? more + 65536 : RECORDS_MAX;
    const int error = report_shm_init(&heard, room, 0, 0);
    if (error != 0) return message_error(error, "cannot hold the trace");
    run->report = &heard;
    heard.report->wants = FRNG_WANTS_SAYS | FRNG_WANTS_DISCARDS | FRNG_WANTS_CRASH;
    const bool ok = run_all(s, run, NULL);
    const uint64_t reported = heard.report->traced;
    const uint64_t count = reported < room ? reported : room;
    frng_trace_record *records = memory_zeroed(count + 1, sizeof *records);
    for (uint64_t i = 0; i < count; i++) records[i] = report_shm_record(&heard, i);
    records_settle(records, count);
    if (ok)
        show_trace(s, &(trace){records, count, reported, s->in->bytes, s->in->size,
                               !s->options->verbose && s->in->finding.remarks.count == 0});
    if (ok && reported == 0 && target_names_protocol(s->sut) == NULL)
        message("%s: reports no draws: it does not speak the protocol", s->sut->path);
    free(records);
    report_shm_finish(&heard);
    return ok && tool_print("");
}

/* Run without a trace. A test in a test runner needs a report, or it would search by itself; one
 * with sanitizers is looked at for leaks. */
static bool run_plain(replay *s, foreground_run *run) {
    enum { RECORDS = 16 * FRNG_DRAWS_KEPT }; /* with notes and steps */
    report_shm report;
    const bool reports = target_names_protocol(s->sut) != NULL;
    const uint64_t room = s->in->finding.of.draws.count > 0 ? RECORDS : 0;
    if (!reports || report_shm_init(&report, room, 0, 0) != 0) return run_all(s, run, NULL);
    run->report = &report;
    const bool ok = run_all(s, run, &report);
    report_shm_finish(&report);
    return ok;
}

/* Run with a file in place of each @@, in a folder for that. */
static bool run_named(replay *s, foreground_run *run) {
    job_folder job;
    work_folder *work = &s->session->work;
    named_input *named = &s->named;
    if (s->sut->takes_file) work_folder_open(work, tool_temp_folder());
    job_folder_open(&job, work, 0);
    named_input_open(named, &job, s->sut->argv);
    if (named->argv != NULL) run->command.argv = named->argv;
    run->how.file = named_input_watch(named);
    const bool ok = s->options->trace ? run_traced(s, run) : run_plain(s, run);
    named_input_close(named);
    job_folder_close(&job, work, false);
    return ok;
}

static bool make_runs(replay *s) {
    input_memfd e;
    foreground_run run = usual_run(s);
    run.scan = hidden_scan = output_scan_create();
    run.rule = s->options->run.rule.compiled;
    if (s->options->runs > 1 || session_prints_events(s->session)) run.hidden_ends = &hidden_output;
    if (s->sink->out != 0) run.how.pulse = (child_pulse){show_life, s};
    int error = input_memfd_init(&e, s->in->size);
    if (error == 0) error = input_memfd_copy(&e, s->in->size, s->in->bytes);
    if (error != 0) return message_error(error, "cannot hold the entropy");
    run.how.input = &e;
    run.how.is_piped = s->options->run.limits.stdin_kind == RUN_STDIN_PIPE;
    run.how.piped = s->in->bytes;
    run.how.piped_size = s->in->size;
    const bool ok = run_named(s, &run);
    input_memfd_finish(&e);
    return ok;
}

/* Print the verdict. Returns the exit status. */
static int report_verdict(const replay *s) {
    const uint64_t failed = s->failed + s->other, runs = run_count(s);
    FILE *out = message_stream();
    const bool is_unread = runs > 0 && s->unread == runs;
    const bool is_judged = s->failed > 0 || (s->other + s->strayed == 0 && !is_unread);
    const int status = s->failed > 0 ? EXIT_FOUND : is_judged ? EXIT_PASSED : EXIT_UNJUDGED;
    if (s->options->quiet) return status;
    if (is_unread) {
        fprintf(out, "cannot judge: passes%s%s", runs == 1 ? "" : " each time",
                phrase_doubts[DOUBT_UNREAD]);
    } else if (failed == 0 && s->strayed > 0) {
        fprintf(out, "cannot judge: passes%s", phrase_doubts[DOUBT_DRAWS]);
    } else if (status == EXIT_PASSED) {
        fputs(s->discarded == 0 ? "passes" : "discarded: the test assumes what does not hold", out);
        fputs(runs == 1 ? "" : " each time", out);
    } else if (status == EXIT_FOUND) {
        fprintf(out, "fails with %s", s->how);
    } else {
        const bool has_only = s->options->run.filter.only.count > 0;
        fprintf(out, "cannot judge: fails with %s, %s", s->how_other,
                has_only ? "not as --only asks" : "which --ignore names");
    }
    if (runs > 1 && !is_unread)
        fprintf(out, " (fails in %s of %s runs: %s)", COUNT(failed), COUNT(runs),
                rate_format(rate_of(failed, runs), RATE_TEXT));
    fputs("\n", out);
    return status;
}

/* Write the last event. Returns the exit status: that of the verdict, unless events cannot be
 * written. */
static int end_events(replay *s, bool was_run, int status) {
    const uint64_t failed = s->failed + s->other;
    const char *how = s->failed > 0 ? s->how : s->how_other;
    const char *word = !was_run                         ? "error"
                       : s->session->signal_number != 0 ? "interrupted"
                       : status == EXIT_PASSED          ? "pass"
                       : status == EXIT_FOUND           ? "fail"
                                                        : "inconclusive";
    events_put(s->sink, P_DONE,
               (events_scope){.word = word,
                              .how = how[0] != '\0' ? how : NULL,
                              .passed = s->passed - s->discarded,
                              .failed = s->failed,
                              .other = s->other,
                              .found = s->found,
                              .seen = {.reruns = run_count(s), .repeated = failed},
                              .records = s->records,
                              .progress = &(progress){.discarded = s->discarded,
                                                      .elapsed_ns = elapsed_ns(s)}});
    return session_end_events(s->session) ? status : EXIT_UNJUDGED;
}

/* Read the input, and replay or dump it. Returns the exit status. */
static int replay_all(replay *s, tool_options *o) {
    if (!input_source_read(&s->session->now->input, &o->input, INPUT_SIZE_MAX))
        return EXIT_USAGE; /* true of every build: git bisect should stop */
    if (o->dump) return dump(s);
    if (!session_find_target(s->session, o)) return EXIT_UNJUDGED;
    if (o->wrap != NULL) return run_wrapped(s);
    if (o->json != NULL && !begin_events(s)) return EXIT_UNJUDGED;
    const bool was_run = make_runs(s);
    const bool is_judged = was_run && s->session->signal_number == 0;
    return end_events(s, was_run, is_judged ? report_verdict(s) : EXIT_UNJUDGED);
}

static int replay_or_list(session *s, tool_options *o) {
    static replay r;
    if (o->list != NULL)
        return finding_list_print(o->list, o->argv[0], &o->run.filter, o->quiet) ? EXIT_PASSED
                                                                                 : EXIT_USAGE;
    r = (replay){
        .session = s, .options = o, .sut = &s->target, .in = &s->now->input, .sink = &s->now->json};
    return replay_all(&r, o);
}

int main(int argc, char **argv) { return session_main(TOOL_REPLAY, argc, argv, replay_or_list); }
