/* A session of frng-search or frng-reduce, before, during and after its run.
 *
 * Before the run it finds the target, chooses how its
 * workers are contained and in which mode the target runs, and opens the outputs, in this order:
 * what is wrong with the command line is said before a file is made. Only a target whose files name
 * the protocol is asked for its modes (a run of 0 bytes): a plain program may hang on that, and its
 * runs are counted.
 *
 * During the run each event passes through session_emit to the two sinks, lines or a screen and
 * JSON. Warnings that concern the machine and not a run are printed once, here. After the run come
 * the summary and the result line. An output that fails never stops a session: a message names it,
 * what is found is printed at the latest at the end, and the exit status is 4.
 *
 * The budget of --time begins with the first call of session_deadline, so that what the driver
 * does before costs users nothing. */
#include "session.h"

#include "clock.h"
#include "containment.h"
#include "fleet_report.h"
#include "guide.h"
#include "memory.h"
#include "messages.h"
#include "pool.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Before the run ---- */

/* Disable core files for this process and its future children: set RLIMIT_CORE to 1, which also
 * stops a piped core_pattern; or to 0, where the hard limit forbids 1. */
static void disable_cores(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max >= 1 ? 1 : 0;
    setrlimit(RLIMIT_CORE, &limit);
}

bool session_choose_containment(session *s) {
    const containment_choice wanted = s->options->containment;
    disable_cores();
    s->containment =
        wanted == CONTAINMENT_BY_SUBREAPER ? CONTAINMENT_SUBREAPER : containment_detect();
    s->now->setup.containment = containment_name(s->containment);
    if (s->options->tool == TOOL_REDUCE && session_looks_outside(s)) session_leave_namespace(s);
    if (wanted != CONTAINMENT_BY_NAMESPACE || s->containment != CONTAINMENT_SUBREAPER) return true;
    return message("pid namespaces are refused here; leave --containment at auto");
}

/* Note and explain that a target that was asked is run by spawn. `named` names the protocol. */
static void take_refusal(session *s, const char *named) {
    if (s->options->mode != MODE_AUTO) return;
    s->silent = named;
    if (s->options->verbose && !s->options->quiet)
        message("%s: mentions frng, but does not speak its protocol: run by spawn", named);
}

static void report_broken(int error_number) {
    if (error_number == ECHILD) {
        message("worker processes keep dying; is something killing them, memory short, or a call "
                "refused, as by a sandbox?");
    } else if (error_number == ETIME) {
        message("worker processes were stuck again and again, and had to be killed; does the "
                "program trace (ptrace) or freeze its parent process?");
    } else if (error_number != ENOTRECOVERABLE) { /* session_main reports the bug */
        message_error(error_number, "cannot run worker processes");
    }
}

static void end_pool(session *s) {
    pool_destroy(s->pool);
    s->pool = NULL;
}

/* Probe the target for its fastest mode: start it as a server, which stays for the search. A plain
 * program is not started for that: it may hang, and its runs are counted. */
static bool ask_program(session *s, probe_answer *able) {
    static run_result found; /* large */
    const tool_options *o = s->options;
    const bool is_asked_for = o->mode == MODE_FORK || o->mode == MODE_PERSISTENT;
    *able = (probe_answer){.mode = MODE_SPAWN};
    if (s->target.takes_file) return true;
    if (o->unconfirmed && o->mode == (int)MODE_PERSISTENT) { /* the caller knows */
        *able = (probe_answer){.mode = MODE_PERSISTENT, .layout.forks_none = true};
        return true;
    }
    const char *named = is_asked_for ? NULL : target_names_protocol(&s->target);
    if (!is_asked_for && named == NULL) return true;
    pool_config workers = session_pool(s, runner_server_create, &s->runs);
    const client_config once = {.deadline_ns = session_deadline(s)};
    const client_input empty = client_seed((seed_input){.size = 0});
    workers.starts_first = true;
    s->pool = pool_create(&workers);
    const run_stop stop = client_run_once(s->pool, &once, &empty, RUN_PROBE, &found);
    if (stop.end != END_DONE || o->tool != TOOL_SEARCH) end_pool(s);
    switch (stop.end) {
    case END_DONE:
        *able = found.able;
        if (able->mode == MODE_SPAWN) take_refusal(s, named);
        return true;
    case END_ENVIRONMENT:
        if (program_print_fault(s->target.path, &stop.error, stop.output)) return false;
        message_error(stop.error.error_number, "cannot ask the program what it can do");
        break;
    case END_BROKEN: report_broken(stop.error_number); break;
    case END_SPENT:
    case END_INTERRUPTED:
    case END_REBUILT:
    case END_PASSES: /* the budget ended, or a signal came, before any run */
        if (o->mode != MODE_AUTO) able->mode = (run_mode)o->mode;
        return true;
    }
    s->failed = true;
    return false;
}

/* Let sanitizers name functions and lines only where a person reads them. */
static void choose_environment(session *s) {
    target_command *sut = &s->target;
    if (!target_prints_reports(sut)) return;
    environment_make_terse(&sut->env);
    if (!s->options->verbose || s->options->quiet) return;
    message(sut->env.terse != NULL
                ? "adds " SANITIZER_OPTION " to the options of sanitizers, but not for output that "
                  "is shown"
                : "leaves the options of sanitizers as they are: they set symbolize");
}

static bool refuse_mode(const session *s, const probe_answer *able) {
    const char *why =
        able->layout.forks_none
            ? able->mode == MODE_PERSISTENT
                  ? "it makes its runs in its own process; say --mode persistent or spawn"
                  : "it makes its runs in its own process; say --mode spawn"
        : able->mode == MODE_FORK ? "it makes no batches; say --mode fork"
                                  : "it does not speak the protocol; say --mode spawn";
    return message("%s: cannot be run with --mode %s: %s", s->target.subject.sut,
                   run_mode_name((run_mode)s->options->mode), why);
}

static bool choose_mode(session *s, uint64_t size_max) {
    const tool_options *o = s->options;
    const bool is_forced = o->mode != MODE_AUTO;
    probe_answer able;
    s->runs = (run_config){
        .command = target_proc(&s->target),
        .terse_envp = s->target.env.terse,
        .limits = o->run.limits,
        .size_max = size_max,
        .site_rule = o->run.rule.compiled,
        .mask = s->signals.mask,
        .is_steady = is_forced,
        .is_unconfirmed = o->unconfirmed,
    };
    if (o->tool == TOOL_SEARCH && o->guide == GUIDE_AUTO) s->runs.guide_room = GUIDE_SET_RECORDS;
    if (o->tool == TOOL_SEARCH && (o->guide == GUIDE_AUTO || o->findings != NULL))
        s->runs.candidate_bytes = GUIDE_SET_BYTES; /* for failures that have no seed, too */
    if (!ask_program(s, &able)) return false;
    const bool is_lone_fork = o->mode == MODE_FORK && able.layout.forks_none;
    if (is_forced && (o->mode > able.mode || is_lone_fork)) return refuse_mode(s, &able);
    /* Only a run that reads its stdin can get short reads from a pipe. */
    const run_mode best = o->run.limits.stdin_kind == RUN_STDIN_PIPE ? MODE_SPAWN : able.mode;
    s->runs.mode = is_forced ? (run_mode)o->mode : best;
    s->runs.reports = able.mode != MODE_SPAWN;
    s->runs.layout = able.layout;
    s->now->setup.mode = run_mode_name(s->runs.mode);
    return true;
}

/* True if a file may end in the middle of a line: it does, or it cannot be read. */
static bool ends_in_line(const char *name, int fd) {
    struct stat status;
    uint64_t size;
    char last = '\0';
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return false;
    const int readable = regular_open(AT_FDCWD, name, 0, &size);
    if (readable < 0) return true;
    if (size > 0) regular_read(readable, size - 1, &last, 1);
    close(readable);
    return size > 0 && last != '\n';
}

bool session_open_events(session *s) {
    const char *name = s->options->json;
    int fd = STDOUT_FILENO;
    sigset_t held;
    if (name == NULL) return true;
    if (strcmp(name, "-") != 0) {
        tool_let_through(&held); /* a pipe may have no reader yet */
        fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
        tool_hold_back(&held);
    }
    if (fd < 0) return message_error(errno, "%s: cannot be opened", name);
    if (fd != STDOUT_FILENO && ends_in_line(name, fd)) stream_write_all(fd, "\n", 1);
    s->now->json.out = fd;
    return true;
}

bool session_prints_events(const session *s) { return s->now->json.out == STDOUT_FILENO; }

bool session_end_events(const session *s) {
    const int error = s->now->json.error;
    if (error != 0 && (error != EPIPE || !session_prints_events(s)))
        message_error(error, "%s: cannot be written", s->options->json);
    return error == 0;
}

static bool open_store(session *s) {
    const char *folder = s->options->findings;
    if (folder == NULL) return true;
    const int error = store_make(folder);
    if (error == 0) s->keeper = keeper_create(folder);
    return error == 0 || message_error(error, "%s: cannot be opened", folder);
}

/* Return the value of a variable; NULL if it is empty or not set. */
static const char *value_of(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* True if the locale, such as de_DE.UTF-8, has UTF-8. It may be one that this machine lacks, of a
 * user on another one. */
static bool is_utf8(void) {
    const char *locale = value_of("LC_ALL");
    if (locale == NULL) locale = value_of("LC_CTYPE");
    if (locale == NULL) locale = value_of("LANG");
    const char *charset = locale != NULL ? strchr(locale, '.') : NULL;
    return charset != NULL &&
           (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
}

static bool choose_display(screen_style *style, const tool_options *o) {
    *style = (screen_style){
        .kind = o->ui, .is_utf8 = is_utf8(), .is_coloured = value_of("NO_COLOR") == NULL};
    if (o->ui == SCREEN_AUTO && o->verbose) style->kind = SCREEN_LINE;
    if (o->ui != SCREEN_FULL || message_is_terminal()) return true;
    return message("--ui screen: standard error is not a terminal that can show it");
}

bool session_begin(session *s, const tool_options *options) {
    s->options = options;
    s->now->json.utc = tool_call_utc;
    s->now->text.is_quiet = options->quiet;
    s->now->text.is_verbose = options->verbose;
    s->now->setup = (run_setup){.subject = &s->target.subject,
                                .version = FRNG_VERSION,
                                .jobs = (unsigned)options->jobs,
                                .limits = options->run.limits,
                                .budget_ns = options->budget_ns,
                                .calls_max = UINT64_MAX};
    return choose_display(&s->now->text.screen.style, options);
}

/* ---- The target ---- */

/* Take the target and its arguments from the finding where the command line has none. */
static bool complete_target(const finding *f, operands *rest) {
    if (rest->sut == NULL) rest->sut = (char *)f->sut;
    if (rest->args[0] == NULL && f->args != NULL) rest->args = (char **)f->args;
    if (rest->sut == NULL) message_usage("which program? The finding names none");
    return rest->sut != NULL;
}

/* Print a note if the finding is of another target, or of another build. */
static void compare_target(const finding *f, const char *name, const target_command *t) {
    const bool has_digests = f->sut_digest != NULL && t->digest != NULL;
    if (has_digests && strcmp(f->sut_digest, t->digest) == 0) return;
    if (f->sut != NULL && strcmp(f->sut, t->subject.sut) != 0) {
        message("%s: note: was found in %s, and this runs %s", name, f->sut, t->subject.sut);
    } else if (has_digests) {
        message("%s: note: was found in another build of %s", name, t->subject.sut);
    }
}

bool session_find_target(session *s, tool_options *o) {
    const finding *f = &s->now->input.finding;
    if (!complete_target(f, &o->rest) || !session_begin(s, o) ||
        !options_find_target(o, &s->target))
        return false;
    if (o->input.finding != NULL && !o->quiet) compare_target(f, o->input.finding, &s->target);
    return true;
}

bool session_prepare(session *s, tool_options *o, uint64_t size_max) {
    if (!session_find_target(s, o) || !session_choose_containment(s)) return false;
    choose_environment(s);
    work_folder_open(&s->work, tool_temp_folder()); /* else TMPDIR of runs is that of the tool */
    return choose_mode(s, size_max) && session_open_events(s) && open_store(s);
}

static void finish_parts(session *s) {
    end_pool(s);
    tool_close_work(&s->work);
    keeper_destroy(s->keeper);
    target_finish(&s->target);
    input_source_finish(&s->now->input);
    if (s->now->json.out != 0 && !session_prints_events(s)) close(s->now->json.out);
}

static session only = {.now = &only.first}; /* too large for a small stack */

static void close_work(void) { tool_close_work(&only.work); }

int session_main(tool_kind tool, int argc, char **argv, int (*run)(session *s, tool_options *o)) {
    static tool_options o; /* what it owns lives to the end */
    int status;
    if (!options_begin(tool, argc, argv, &only.signals, &o, &status)) return status;
    bug_before_end(close_work);
    status = run(&only, &o);
    finish_parts(&only);
    status = bug_report(status);
    if (only.signal_number != 0) tool_die_of(only.signal_number);
    return status;
}

int64_t session_deadline(session *s) {
    if (s->now->deadline_ns == 0) {
        s->now->deadline_ns = clock_after(clock_now_ns(), s->options->budget_ns);
        s->now->last_ns = clock_after(s->now->deadline_ns, CLIENT_GRACE_MS * CLOCK_NS_PER_MS);
    }
    return s->now->deadline_ns;
}

/* ---- Findings: what is kept, and one line when that fails or works again ---- */

static const char *reason_of(int error) {
    return error == EEXIST ? "a finding of another program or other arguments has its name"
                           : strerror(error);
}

/* Print what has changed since the last message: findings stay in memory, or all are stored. */
static void print_change(session *s, int error) {
    const char *folder = s->options->findings;
    const bool was_well = s->keeper_error == 0;
    if (error == 0 && keeper_count(s->keeper).waiting > 0) return;
    s->keeper_error = error;
    if (error != 0 && was_well) {
        message("%s: findings cannot be stored: %s; they stay in memory, and are tried again",
                folder, reason_of(error));
    } else if (error == 0 && !was_well) {
        message("%s: all findings are stored again", folder);
    }
}

/* Return the digest of the build that failed; NULL if that build is replaced or unknown. */
static const char *build_of(session *s, const file_stamp *failed) {
    target_command *ours = &s->target;
    if (!file_stamp_is_known(failed)) return NULL;
    if (!file_stamp_equal(failed, &ours->mark)) target_update(ours);
    return file_stamp_equal(failed, &ours->mark) ? ours->digest : NULL;
}

static void complete_draft(finding *draft, session *s, const failure *f,
                           char when[SUMMARY_UTC_MAX]) {
    draft->sut = s->target.subject.sut;
    draft->sut_digest = build_of(s, &f->program);
    draft->args = (const char **)s->target.subject.args;
    const failure_form form = draft->of.form;
    draft->of = *f;
    if (draft->bytes == NULL) draft->bytes = seed_input_bytes(&f->input);
    draft->of.form = form == FORM_SEED && draft->bytes != NULL ? FORM_BYTES : form;
    draft->when = tool_call_utc(when);
}

bool session_save(session *s, const failure *f, finding draft) {
    char when[SUMMARY_UTC_MAX];
    keeper *k = s->keeper;
    if (k == NULL) return false;
    complete_draft(&draft, s, f, when);
    const int error = keeper_save(k, &draft);
    print_change(s, error);
    return error == 0;
}

char *session_set_aside(session *s, const failure *f) {
    static char output[BYTES_TAIL_TEXT_MAX]; /* stacks may be small */
    char when[SUMMARY_UTC_MAX], name[STORE_NAME_MAX], *path = NULL;
    finding kept = {.output = output};
    if (s->keeper == NULL) return NULL;
    complete_draft(&kept, s, f, when);
    bytes_tail_text(f->output, output);
    if (store_set_aside(s->options->findings, &kept, name))
        path = memory_text("%s/" STORE_UNCONFIRMED "/%s", s->options->findings, name);
    return path;
}

char *session_finding_path(const session *s, const failure *f, const uint8_t *bytes) {
    char name[STORE_NAME_MAX], *path;
    const finding wanted = {.of = *f, .bytes = bytes};
    if (s->keeper == NULL) return NULL;
    keeper_file(s->keeper, &wanted, name);
    path = memory_text("%s/%s", s->options->findings, name);
    if (access(path, F_OK) == 0) return path;
    free(path);
    return NULL;
}

void session_conclude(session *s, const failure *f, finding draft) {
    char when[SUMMARY_UTC_MAX];
    keeper *k = s->keeper;
    if (k == NULL) return;
    complete_draft(&draft, s, f, when);
    keeper_conclude(k, &draft);
}

void session_retry(session *s, const file_stamp *seen) {
    keeper *k = s->keeper;
    if (k != NULL) print_change(s, keeper_retry(k, seen));
}

void session_end_findings(session *s) {
    if (s->keeper == NULL) return;
    const char *folder = s->options->findings;
    const int error = keeper_finish(s->keeper);
    if (error != 0) {
        message("%s: the finding could not be stored: %s; it is printed below", folder,
                reason_of(error));
        s->keeper_error = error;
        s->failed = true;
    } else if (keeper_count(s->keeper).is_gone) {
        message("%s: is gone at the end, and the findings that were stored there with it", folder);
    } else {
        print_change(s, 0);
    }
}

/* ---- During the run ---- */

static void warn_unkillable(void *context, pid_t pid) {
    session *s = context;
    if (s->warned_of_unkillable || s->options->quiet) return;
    s->warned_of_unkillable = true;
    tool_given_up(pid);
}

pool_config session_pool(session *s, runner_factory create, const void *config) {
    return (pool_config){.jobs = (unsigned)s->options->jobs,
                         .create = create,
                         .config = config,
                         .config_size = config == &s->runs ? sizeof s->runs : 0,
                         .candidate_set_bytes = s->runs.candidate_bytes,
                         .candidate_set_log = s->runs.guide_room,
                         .counts = s->options->tool == TOOL_SEARCH,
                         .containment = s->containment,
                         .work = &s->work,
                         .interrupt_fd = s->signals.signal_fd,
                         .on_unkillable = warn_unkillable,
                         .context = s};
}

pool *session_open_pool(session *s) {
    const pool_config workers = session_pool(s, runner_server_create, &s->runs);
    pool *p = s->pool != NULL ? s->pool : pool_create(&workers);
    s->pool = NULL;
    const int error = p != NULL ? pool_go_on(p) : errno;
    if (error == 0) return p;
    pool_destroy(p);
    errno = error;
    return NULL;
}

bool session_looks_outside(const session *s) {
    return s->containment == CONTAINMENT_USER && s->options->containment == CONTAINMENT_AUTO &&
           !s->options->unconfirmed;
}

void session_leave_namespace(session *s) {
    s->containment = CONTAINMENT_SUBREAPER;
    s->now->setup.containment = containment_name(s->containment);
}

void session_start(session *s) {
    s->now->setup.digest = s->target.digest; /* the target may have been rebuilt */
    s->now->setup.call = tool_call_make(s->options->argv);
    session_emit(s, &(event){.kind = EVENT_STARTED, .setup = &s->now->setup});
}

void session_emit(session *s, const event *e) {
    event passed = *e;
    if (e->kind == EVENT_ISOLATION && s->options->mode == MODE_AUTO) {
        passed.mode = run_mode_name(runner_server_lone_mode(&s->runs));
        s->now->setup.mode = passed.mode;
    }
    if (e->kind == EVENT_OUTSIDE) {
        session_leave_namespace(s);
        if (!s->options->quiet)
            message("%s is due to the user namespace of the jobs: outside of it the run ends "
                    "otherwise; goes on as with --containment subreaper",
                    site_format(e->failure->signature, e->failure->site, SITE_TEXT));
    }
    events_take(&s->now->json, &passed);
    text_sink_take(&s->now->text, &passed);
}

void session_take_end(session *s, const run_stop *stop) {
    if (stop->end == END_REBUILT)
        message("%s: has been rebuilt or replaced; run it again", s->target.path);
    if (s->signal_number == 0) s->signal_number = tool_take_signal(&s->signals);
}

void session_output_failed(session *s, const char *path, int error) {
    if (!s->failed) message_error(error, "%s: cannot be written", path);
    s->failed = true;
}

/* ---- After the run ---- */

static void report_environment(const session *s, const summary *r) {
    const outcome *error = &r->stop.error;
    if (program_print_fault(s->target.path, error, r->stop.output)) return;
    if (error->fault != FAULT_FOLDER) {
        message_error(error->error_number, "cannot start a run");
    } else if (error->error_number == ENOENT) {
        message("%s: the folder that runs work in is gone; make sure that no run removes "
                "it or a folder above it",
                r->folder);
    } else {
        message_error(error->error_number, "%s: no run can work in this folder", r->folder);
    }
}

static void print_result(session *s, const summary *r) {
    if (session_prints_events(s)) return; /* they take its place */
    char *line = text_summary_result(r);
    s->failed |= !tool_print(line);
    free(line);
}

int session_report(session *s, const summary *r, bool has_result) {
    text_sink *text = &s->now->text;
    const event finished = {.kind = EVENT_FINISHED, .summary = r};
    if (r->stop.end == END_BROKEN) report_broken(r->stop.error_number);
    if (r->stop.end == END_ENVIRONMENT) report_environment(s, r);
    text->is_quiet &= !s->failed; /* the summary may be all that is left */
    text_sink_take(text, &finished);
    if (has_result) print_result(s, r);
    events_take(&s->now->json, &finished);
    s->failed |= !session_end_events(s);
    if (text->is_quiet && s->failed) {
        text->is_quiet = false;
        text_sink_take(text, &finished);
    }
    return summary_exit_status(r, s->failed);
}

void session_warn_empty(const session *s, const failure *best) {
    const run_target *target = &s->target.subject;
    if (best->input.size > 0 || s->options->quiet) return;
    const signature usage = {SIGNATURE_EXIT,
                             2}; /* by custom, of a program that was called wrongly */
    if (best->site[0] == '\0' && target->args[0] == NULL)
        message("%s: fails on empty input: does it need arguments? They follow '--'", target->sut);
    else if (best->site[0] == '\0' && signature_equal(best->signature, usage))
        message("%s: fails on empty input: are its arguments right? A wrong one often ends with 2",
                target->sut);
    if (s->options->run.limits.memory_max > 0)
        message("%s: fails on empty input: does it need more --memory?", target->sut);
}
