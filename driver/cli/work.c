#include "work.h"

#include "clock.h"
#include "headroom.h"
#include "messages.h"
#include "probe.h"
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Before it ---- */

bool work_choose_containment(work *w) {
    const work_options *o = w->options;
    const bool is_asked =
        o->containment.is_forced && o->containment.containment == CONTAINMENT_SUBREAPER;
    w->containment = is_asked ? CONTAINMENT_SUBREAPER : containment_detect();
    w->jsonl.containment = containment_name(w->containment);
    if (is_asked || !o->containment.is_forced || w->containment != CONTAINMENT_SUBREAPER)
        return true;
    message("pid namespaces are refused here; leave --containment at auto");
    return false;
}

/* See what the program can do, and choose the fastest of it or what was asked for. */
static bool choose_mode(work *w, uint64_t size_max) {
    const work_options *o = w->options;
    w->runs = (runner_forkserver_config){
        .spawn = {.command = target_command_proc(&w->target),
                  .stdin_kind = o->run.stdin_kind,
                  .timeout_ns = o->run.timeout_ns,
                  .size_max = size_max,
                  .memory_max = o->run.memory_max,
                  .mask = w->signals.mask},
        .steady = o->mode.is_forced,
    };
    if (o->run.memory_max > 0 && !headroom_check(&w->target, w->containment, &w->runs.spawn,
                                                 w->signals.signal_fd, work_deadline(w))) {
        return false;
    }
    /* A plain program is not started to be asked: it may hang, and its runs are counted. */
    const bool may_be_able = target_command_names_protocol(&w->target) ||
                             (o->mode.is_forced && o->mode.mode != MODE_SPAWN);
    run_mode able = MODE_SPAWN;
    const int error = may_be_able ? probe_run(w->containment, &w->runs.spawn, w->signals.signal_fd,
                                              work_deadline(w), &able, &w->runs.layout)
                                  : 0;
    if (error == ECANCELED) { /* the time is over, or a signal has come, before any run */
        if (o->mode.is_forced) able = o->mode.mode;
    } else if (error != 0) {
        message_error(error, "cannot ask the program what it can do");
        w->output_failed = true;
        return false;
    }
    if (o->mode.is_forced && o->mode.mode > able) {
        message("%s: cannot be run with --mode %s: it includes no frng_main.h; say --mode spawn",
                w->subject.sut, run_mode_name(o->mode.mode));
        return false;
    }
    /* Only a run that reads its stdin can come up short at a pipe. */
    const run_mode best = o->run.stdin_kind == RUN_STDIN_PIPE ? MODE_SPAWN : able;
    w->runs.mode = o->mode.is_forced ? o->mode.mode : best;
    w->runs.spawn.reports = able != MODE_SPAWN;
    w->runs.spawn.layout = w->runs.layout;
    w->jsonl.mode = run_mode_name(w->runs.mode);
    return true;
}

bool work_open_events(work *w) {
    const char *name = w->options->json;
    if (name == NULL) return true;
    w->jsonl.out = stdout;
    if (strcmp(name, "-") == 0) return true;
    sigset_t held;
    tool_let_through(&held); /* it may be a pipe that is not read from yet */
    w->jsonl.out = w->json_file = fopen(name, "we");
    tool_hold_back(&held);
    if (w->json_file == NULL) message_error(errno, "%s: cannot be opened", name);
    return w->json_file != NULL;
}

static bool open_store(work *w) {
    if (w->options->findings == NULL) return true;
    w->store = store_open(w->options->findings);
    if (w->store == NULL) message_error(errno, "%s: cannot be opened", w->options->findings);
    return w->store != NULL;
}

/* The path of another tool in the folder of this one; its bare name where ours had none. */
static char *beside(const char *tool, const char *other) {
    const char *slash = strrchr(tool, '/');
    char *path = NULL;
    const int folder_length = slash != NULL ? (int)(slash + 1 - tool) : 0;
    return asprintf(&path, "%.*s%s", folder_length, tool, other) < 0 ? NULL : path;
}

bool work_prepare(work *w, const char *tool, uint64_t size_max) {
    const work_options *o = w->options;
    if (!target_command_find(&w->target, o->rest.sut, o->rest.args, environ)) return false;
    w->replay_options = run_options_text(&o->run);
    w->replay = beside(tool, "frng-replay");
    w->subject = (subject){
        .sut = o->rest.sut,
        .args = (const char *const *)o->rest.args,
        .replay = w->replay != NULL ? w->replay : "frng-replay",
        .options = w->replay_options != NULL ? w->replay_options : "",
    };
    if (o->json != NULL && !work_spares_program(w, o->json)) return false;
    if (!work_choose_containment(w)) return false;
    return choose_mode(w, size_max) && work_open_events(w) && open_store(w);
}

bool work_spares_program(const work *w, const char *path) {
    struct stat ours, theirs;
    if (stat(w->target.path, &ours) != 0 || stat(path, &theirs) != 0) return true;
    if (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino) return true;
    message("%s: is %s itself, and would be overwritten; give another --output, or --json", path,
            w->target.path);
    return false;
}

void work_finish(work *w) {
    store_close(w->store);
    target_command_finish(&w->target);
    free(w->replay_options);
    free(w->replay);
    if (w->json_file != NULL) fclose(w->json_file);
}

int64_t work_deadline(work *w) {
    if (w->deadline_ns == 0) w->deadline_ns = clock_after(clock_now_ns(), w->options->budget_ns);
    return w->deadline_ns;
}

/* ---- While it lasts ---- */

void work_look_at_program(work *w) {
    if (!target_command_update(&w->target)) return;
    message("%s: has been rebuilt or replaced; the new one is run from now on, and "
            "earlier passes do not count",
            w->target.path);
}

/* The digest of the program that failed; NULL where it is gone, or nobody knows. */
static const char *digest_of(work *w, const file_stamp *failed) {
    if (!file_stamp_is_known(failed)) return NULL;
    if (!file_stamp_equal(failed, &w->target.mark)) work_look_at_program(w);
    return file_stamp_equal(failed, &w->target.mark) ? w->target.digest : NULL;
}

bool work_keep(work *w, const failure *f, const uint8_t *bytes) {
    char when[32];
    const time_t now = time(NULL);
    struct tm utc;
    if (w->store == NULL) return false;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    const finding kept = {
        .sut = w->subject.sut,
        .sut_digest = digest_of(w, &f->program),
        .args = (const char **)w->subject.args,
        .input = f->input,
        .bytes = bytes,
        .signature = f->signature,
        .site = f->site[0] != '\0' ? f->site : NULL,
        .reruns = f->reruns,
        .repeated = f->repeated,
        .when = when,
    };
    const int error = store_save(w->store, &kept);
    if (error == 0) return true;
    if (!w->output_failed) {
        message("%s: the finding could not be stored: %s; it is printed below",
                w->options->findings, strerror(error));
    }
    w->output_failed = true;
    return false;
}

bool work_is_news(work *w, bool is_best, int64_t elapsed_ns) {
    enum { PAUSE_MS = 1000 };
    const bool is_due =
        !is_best || w->told_ns == 0 || elapsed_ns >= w->told_ns + PAUSE_MS * CLOCK_NS_PER_MS;
    if (w->options->quiet || !(is_due || w->options->verbose)) return false;
    if (is_best) w->told_ns = elapsed_ns;
    return true;
}

static const char *shortage_name(int error_number) {
    return error_number == ENOMEM    ? "memory"
           : error_number == ENFILE  ? "descriptors"
           : error_number == ENOBUFS ? "buffers"
                                     : "processes";
}

void work_tell_shortage(void *context, int error_number, int64_t waited_ns) {
    enum { LONG_MS = 1000 };
    work *w = context;
    const bool is_long = waited_ns >= LONG_MS * CLOCK_NS_PER_MS;
    if (w->shortage_told || w->options->quiet || !(is_long || w->options->verbose)) return;
    w->shortage_told = true;
    message("the system is short of %s: waiting for it (%s)", shortage_name(error_number),
            strerror(error_number));
}

void work_tell_unkillable(void *context, pid_t pid) {
    work *w = context;
    if (w->unkillable_told || w->options->quiet) return;
    w->unkillable_told = true;
    message("process %d, which a run left behind, cannot be killed; it is left alone", (int)pid);
}

void work_tell_doubted(work *w, isolation_violation why, const seed_input *t) {
    if (!w->options->mode.is_forced) w->jsonl.mode = run_mode_name(MODE_FORK);
    if (!w->options->quiet) report_doubted(why, t, !w->options->mode.is_forced);
}

bool work_is_crash(const failure *f) {
    static const int dumping[] = {SIGABRT, SIGBUS, SIGFPE,  SIGILL,  SIGQUIT,
                                  SIGSEGV, SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};
    if (f->signature.kind != SIGNATURE_SIGNAL) return false;
    for (size_t i = 0; i < sizeof dumping / sizeof dumping[0]; i++) {
        if (f->signature.value == dumping[i]) return true;
    }
    return false;
}

void work_tell_cores(work *w) {
    char program[PATH_MAX];
    if (w->has_no_cores || w->options->quiet) return;
    w->has_no_cores = true; /* it need not be looked at again */
    if (!proc_core_pipe(PROC_CORE_PATTERN, program, sizeof program)) return;
    message("crashes are slow here: the kernel pipes each to %s, and the hard limit on core files "
            "keeps %s from preventing that; raise it (ulimit -Hc), or change "
            "/proc/sys/kernel/core_pattern",
            program, message_program());
}

/* ---- After it ---- */

static void tell_work_folder(const char *path, int error_number) {
    if (error_number == ENOENT) {
        message("%s: the folder that runs work in is gone; make sure that no run removes "
                "it or a folder above it",
                path);
    } else {
        message_error(error_number, "%s: no run can work in this folder", path);
    }
}

void work_tell_error(const work *w, const work_error *e) {
    if (e->is_broken && e->error_number == ECHILD) {
        message("worker processes keep dying; is something killing them, or memory short?");
    } else if (e->is_broken && e->error_number == ETIME) {
        message("worker processes were stuck most of the time, and had to be killed; does the "
                "program trace (ptrace) or freeze its parent process?");
    } else if (e->is_broken) {
        message_error(e->error_number, "cannot run worker processes");
    }
    if (!e->is_environment) return;
    switch (e->error->fault) {
    case FAULT_EXEC: program_cannot_start(w->target.path, e->error->error_number); break;
    case FAULT_LINKER: program_cannot_load(w->target.path, e->output); break;
    case FAULT_FOLDER: tell_work_folder(e->folder, e->error->error_number); break;
    case FAULT_END: program_run_not_ended(e->error->error_number); break;
    case FAULT_NONE:
    case FAULT_SYSTEM: message_error(e->error->error_number, "cannot start a run"); break;
    }
}

void work_tell_empty(const work *w, uint64_t size) {
    const bool has_args = w->subject.args[0] != NULL;
    if (size > 0 || has_args || w->options->quiet) return;
    message("%s: fails on empty input: does it need arguments? They follow '--'", w->subject.sut);
}

bool work_has_events_on_stdout(const work *w) { return w->jsonl.out == stdout; }

int work_exit_status(work *w, const work_error *e, int otherwise) {
    const bool system_failed =
        e->is_environment && e->error->fault != FAULT_EXEC && e->error->fault != FAULT_LINKER;
    if (!jsonl_finish(&w->jsonl)) {
        message_error(errno, "%s: cannot be written", w->options->json);
        w->output_failed = true;
    }
    if (w->output_failed || e->is_broken || system_failed) return EXIT_OUTPUT;
    return e->is_environment ? EXIT_ENVIRONMENT : otherwise;
}
