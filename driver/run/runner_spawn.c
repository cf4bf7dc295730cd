#include "runner_spawn.h"

#include "candidate_set.h"
#include "child.h"
#include "clock.h"
#include "comparison.h"
#include "input_memfd.h"
#include "oom.h"
#include "output_site.h"
#include "report_tally.h"
#include "site_names.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMPARED_MAX = 8192 }; /* records of runs that are compared */

typedef struct runner_spawn {
    runner base;
    const run_config *config;
    const runner_watch *watch;
    input_memfd entropy;
    report_shm report; /* used if config->reports */
    char offer[REPORT_SHM_OFFER_MAX];
    proc_command command; /* the config's command with the offer in its environment */
    int null_fd;          /* destination of output that is not captured */
    oom_watch oom;
    proc_command terse; /* the same, for runs whose output is not shown */
    site_names names;
    run_result again; /* result of a run with twice the memory, which is not kept */
} runner_spawn;

/* The limits of a run, and what is wanted of it. */
typedef struct bounds {
    int64_t timeout_ns;
    uint64_t memory_max;
    bool capture; /* its output is kept */
    frng_leaks_wish leaks;
    bool is_counted; /* its statistics are reported */
    bool is_read;    /* sanitizers may take the time to name functions and lines */
    uint64_t wants;  /* FRNG_WANTS_... */
} bounds;

/* Write the run's input, and clear the report. Returns 0 or an errno. */
static int prepare(runner_spawn *s, seed_input t, const candidate_set *given,
                   const bounds *limits) {
    s->report.counts = limits->is_counted;
    if (s->config->reports) {
        report_shm_reset(&s->report, given != NULL || limits->wants != 0 ? 1 : 0);
        if (limits->is_counted && given == NULL) report_shm_want_rows(&s->report, 1);
        report_shm_want_leaks(&s->report, limits->leaks);
        report_shm_want(&s->report, limits->wants);
    }
    if (given == NULL) return input_memfd_expand(&s->entropy, &t);
    return input_memfd_copy(&s->entropy, t.size, candidate_set_bytes(given, (uint32_t)t.seed));
}

/* Copy the run's report. */
static void take_report(const runner_spawn *s, seed_input t, candidate_set *given, outcome *o,
                        run_result *result) {
    if (given != NULL) {
        given->passes[t.seed] = CANDIDATE_PASS_UNKNOWN;
        given->told = given->record_count = 0;
    }
    if (!s->config->reports) return;
    o->drawn = report_shm_drawn(&s->report, s->config->layout, t.size);
    if (s->config->site_rule == NULL) report_shm_copy_site(&s->report, result->site);
    if (given == NULL) return;
    given->passes[t.seed] = report_shm_pass(&s->report, 0, t.size);
    report_shm_copy_trace(&s->report, given);
}

/* Find the site of a failure in its output, unless an assertion reported it. What a hung run
 * printed says nothing of where it hangs. */
static void find_site(const runner_spawn *s, const outcome *o, run_result *result) {
    const regex_t *rule = s->config->site_rule;
    result->is_site_known = true;
    if (result->site[0] != '\0') return;
    if (o->verdict == VERDICT_FAIL || rule != NULL)
        output_site(&result->output, rule, result->site);
    if (result->site[0] == '\0' && rule != NULL && s->config->reports)
        report_shm_copy_site(&s->report, result->site);
}

/* Add the statistics of a run. */
static void count(const runner_spawn *s, seed_input t, const outcome *o, tally *sum) {
    const bool has_passed = o->verdict == VERDICT_PASS;
    const report_end end = {has_passed, !has_passed, o->drawn, t.size};
    if (o->verdict == VERDICT_ERROR) return;
    if (s->config->reports) {
        report_tally_add(&s->report, &end, sum);
        return;
    }
    sum->runs++;
    sum->failed += !has_passed;
    if (t.size > sum->size_max) sum->size_max = t.size;
}

static outcome run_bounded(runner_spawn *s, seed_input t, candidate_set *given, bounds limits,
                           run_result *result, uint64_t *resident_max) {
    const run_config *config = s->config;
    *resident_max = 0;
    runner_begin_step(s->watch, t.seed,
                      clock_after(limits.timeout_ns, runner_expansion_ns(t.size)));
    const int error = prepare(s, t, given, &limits);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    const child_order order = {
        .command = limits.is_read ? &s->command : &s->terse,
        .watch = s->watch,
        .timeout_ns = limits.timeout_ns,
        .memory_max = limits.memory_max,
        .mask = config->mask,
        .place = PROC_OWN_GROUP,
        .inherited = &s->report.fd,
        .inherited_count = config->reports ? 1 : 0,
        .stdin_folder_fd = s->entropy.folder_fd,
        .stdin_path = s->entropy.name,
        .is_piped = config->stdin_kind == RUN_STDIN_PIPE,
        .piped = s->entropy.bytes,
        .piped_size = t.size,
        .capture = limits.capture,
        .stdout_fd = s->null_fd,
        .stderr_fd = s->null_fd,
    };
    return child_run(&order, result, resident_max);
}

/* Judge a failure under a memory limit. It counts if it repeats with twice the memory, unless the
 * run uses up any amount of memory. */
static outcome judge_memory(runner_spawn *s, seed_input t, candidate_set *given, bounds limits,
                            outcome o, uint64_t held, run_result *result) {
    run_result *again = &s->again;
    uint64_t held_again;
    limits.memory_max = limits.memory_max > UINT64_MAX / 2 ? UINT64_MAX : limits.memory_max * 2;
    again->output.size = again->output.total = 0;
    again->cancelled = false;
    const outcome end = run_bounded(s, t, given, limits, again, &held_again);
    result->cancelled = again->cancelled;
    if (end.verdict == VERDICT_ERROR) return end;
    if (outcome_is_of_memory(&o, &end, s->config->memory_max, held, held_again,
                             proc_resident_max())) {
        o.verdict = VERDICT_MEMORY;
    }
    return o;
}

void runner_spawn_watch_kills(runner *base) { oom_watch_begin(&((runner_spawn *)base)->oom); }

outcome runner_spawn_judge_killed(runner *base, outcome o) {
    runner_spawn *s = (runner_spawn *)base;
    const bool is_killed =
        o.verdict == VERDICT_FAIL && WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGKILL;
    if (is_killed && oom_watch_look(&s->oom)) o.verdict = VERDICT_MEMORY;
    return o;
}

/* Make a run. If it passes and may leak, make it again in another process that checks for leaks. */
static outcome run_watched(runner_spawn *s, seed_input t, candidate_set *given, bounds limits,
                           run_result *result, uint64_t *held) {
    const outcome o = run_bounded(s, t, given, limits, result, held);
    result->leak = LEAK_NONE;
    if (!s->config->reports || result->cancelled || o.verdict == VERDICT_ERROR) return o;
    const uint64_t state = report_shm_leak_state(&s->report);
    if (state == FRNG_LEAK_AGAIN && outcome_failed(&o)) return outcome_of_status(0); /* passed */
    if (state != FRNG_LEAK_SUSPECT || o.verdict != VERDICT_PASS) return o;
    limits.leaks = FRNG_LEAKS_CHECK;
    result->output.size = result->output.total = 0;
    const outcome end = run_bounded(s, t, given, limits, result, held);
    if (result->cancelled || end.verdict == VERDICT_ERROR) return end;
    result->leak = runner_leak_of(&end, report_shm_leak_state(&s->report));
    return result->leak == LEAK_FOUND ? end : outcome_of_status(0);
}

/* Make a failed run again with symbols, for which there is time, and take what it shows. False if
 * that is nothing. */
static bool read_again(runner_spawn *s, seed_input t, candidate_set *given, bounds limits,
                       run_result *result) {
    const int64_t symbols_ns = INT64_C(10000) * CLOCK_NS_PER_MS;
    run_result *again = &s->again;
    uint64_t held;
    limits.is_read = true;
    limits.timeout_ns = clock_after(limits.timeout_ns, symbols_ns);
    if (result->leak == LEAK_FOUND) limits.leaks = FRNG_LEAKS_CHECK;
    again->output.size = again->output.total = 0;
    again->site[0] = '\0';
    again->cancelled = false;
    const outcome o = run_bounded(s, t, given, limits, again, &held);
    if (again->cancelled || o.verdict != VERDICT_FAIL) return false; /* perhaps it is flaky */
    result->output = again->output;
    find_site(s, &o, again);
    if (again->site[0] == '\0') return false;
    if (site_is_address(result->site) && site_names_find(&s->names, result->site) == NULL)
        site_names_add(&s->names, result->site, again->site);
    return true;
}

/* Name the site of a failure if an address stands for it. The name is known, or comes from another
 * run, which a person may read in any case. */
static void name_site(runner_spawn *s, seed_input t, candidate_set *given, bounds limits,
                      run_purpose purpose, run_result *result) {
    const bool is_address = site_is_address(result->site);
    if (s->config->terse_envp == NULL || (!is_address && purpose != RUN_READ)) return;
    const char *known = is_address ? site_names_find(&s->names, result->site) : NULL;
    if ((known == NULL || purpose == RUN_READ) && read_again(s, t, given, limits, result)) {
        if (is_address || result->site[0] == '\0') strcpy(result->site, s->again.site);
    } else if (known != NULL) {
        strcpy(result->site, known);
    }
}

static outcome run_judged(runner *base, const batch *runs, uint32_t i, run_purpose purpose,
                          run_result *result) {
    runner_spawn *s = (runner_spawn *)base;
    const seed_input t = batch_input(runs, i);
    const run_config *config = s->config;
    const bool confirms = purpose == RUN_CONFIRM;
    const int64_t timeout_ns = config->timeout_ns;
    const bounds limits = {
        .timeout_ns = confirms ? clock_after(timeout_ns, timeout_ns) : timeout_ns,
        .memory_max = config->memory_max,
        .capture = runner_is_shown(purpose) || config->keeps_output,
        .leaks = purpose == RUN_TRY_UNWATCHED ? FRNG_LEAKS_IGNORE : FRNG_LEAKS_WATCH,
        .is_counted = result->tally != NULL,
    };
    uint64_t held;
    if (!runner_is_shown(purpose)) {
        oom_watch_begin(&s->oom);
    } else {
        oom_watch_look(&s->oom); /* ignore earlier kills */
    }
    result->program = file_stamp_of(s->command.path);
    outcome o = run_watched(s, t, runs->given, limits, result, &held);
    if (runner_is_shown(purpose)) { /* a confirmed failure needs an exact program */
        const file_stamp now = file_stamp_of(s->command.path);
        if (!file_stamp_equal(&now, &result->program)) result->program = (file_stamp){0, 0, 0, 0};
    }
    take_report(s, t, runs->given, &o, result);
    if (limits.capture && outcome_failed(&o)) find_site(s, &o, result);
    if (result->tally != NULL && !result->cancelled) count(s, t, &o, result->tally);
    if (limits.capture && o.verdict == VERDICT_FAIL && !result->cancelled)
        name_site(s, t, runs->given, limits, purpose, result);
    o = runner_spawn_judge_killed(base, o);
    if (confirms && config->memory_max > 0 && outcome_failed(&o) && !result->cancelled) {
        o = judge_memory(s, t, runs->given, limits, o, held, result);
    }
    return o;
}

/* Make a run. A shown one that was killed, perhaps by the kernel for want of memory, is made again:
 * the kernel may have killed another process at that time. */
static outcome run_once(runner *base, const batch *runs, uint32_t i, run_purpose purpose,
                        run_result *result) {
    enum { AGAIN_MAX = 3 };
    outcome o = run_judged(base, runs, i, purpose, result);
    for (int again = 0; again < AGAIN_MAX && runner_is_shown(purpose) && !result->cancelled &&
                        o.verdict == VERDICT_MEMORY && WTERMSIG(o.status) == SIGKILL;
         again++) {
        result->output.size = result->output.total = 0;
        result->site[0] = '\0';
        o = run_judged(base, runs, i, purpose, result);
    }
    return o;
}

static void runner_spawn_run(runner *base, const batch *runs, run_purpose purpose,
                             run_result *result) {
    runner_run_each(base, run_once, runs, purpose, result);
}

/* ---- Comparing two new processes ---- */

static bool has_states(const runner *base) {
    const runner_spawn *s = (const runner_spawn *)base;
    return s->config->reports && report_shm_has_states(&s->report);
}

/* Make a run, and copy its report. False if it says nothing. */
static bool report_run(runner_spawn *s, seed_input t, uint64_t wants, reported_run *run) {
    const bounds limits = {.timeout_ns = s->config->timeout_ns,
                           .memory_max = s->config->memory_max,
                           .leaks = FRNG_LEAKS_IGNORE,
                           .wants = wants};
    uint64_t held;
    s->again.cancelled = false;
    run->end = run_bounded(s, t, NULL, limits, &s->again, &held);
    if (s->again.cancelled) return false;
    if (run->end.verdict != VERDICT_PASS && run->end.verdict != VERDICT_FAIL) return false;
    run->digest = s->report.report->digest;
    run->drawn = report_shm_drawn(&s->report, s->config->layout, t.size);
    run->told = report_shm_traced(&s->report);
    run->count = run->told < COMPARED_MAX ? run->told : COMPARED_MAX;
    run->records = calloc(run->count + 1, sizeof *run->records);
    for (uint64_t i = 0; run->records != NULL && i < run->count; i++)
        run->records[i] = report_shm_record(&s->report, i);
    return run->records != NULL;
}

static void compare(runner *base, const batch *once, run_difference *d) {
    runner_spawn *s = (runner_spawn *)base;
    const uint64_t wants = FRNG_WANTS_SAYS | FRNG_WANTS_STATES;
    reported_run a = {.records = NULL}, b = {.records = NULL};
    assert(once->count == 1 && once->given == NULL && s->config->reports);
    *d = (run_difference){.kind = DIFFERENCE_NONE, .input = batch_input(once, 0)};
    if (report_run(s, d->input, wants, &a) &&
        report_run(s, d->input, wants | FRNG_WANTS_OTHER_MEMORY, &b))
        comparison_find(&a, &b, d);
    free(a.records);
    free(b.records);
}

static void free_environments(runner_spawn *s) {
    free((void *)(uintptr_t)s->command.envp);
    free((void *)(uintptr_t)s->terse.envp);
}

static void runner_spawn_destroy(runner *base) {
    runner_spawn *s = (runner_spawn *)base;
    if (s->config->reports) {
        report_shm_finish(&s->report);
        free_environments(s);
    }
    input_memfd_finish(&s->entropy);
    close(s->null_fd);
    free(s);
}

/* Create the report, and an environment that offers it. Returns 0 or an errno. */
static int open_report(runner_spawn *s) {
    s->command = s->terse = s->config->command;
    if (s->config->terse_envp != NULL) s->terse.envp = s->config->terse_envp;
    if (!s->config->reports) return 0;
    const uint64_t records = s->config->records_max;
    const int error = report_shm_init(&s->report, records > COMPARED_MAX ? records : COMPARED_MAX);
    if (error != 0) return error;
    report_shm_offer(&s->report, -1, -1, s->offer);
    s->command.envp = report_shm_environment(s->command.envp, s->offer);
    s->terse.envp = report_shm_environment(s->terse.envp, s->offer);
    if (s->command.envp != NULL && s->terse.envp != NULL) return 0;
    free_environments(s);
    report_shm_finish(&s->report);
    return ENOMEM;
}

static int open_all(runner_spawn *s) {
    int error = open_report(s);
    if (error != 0) return error;
    const uint64_t given = s->config->given_bytes;
    const uint64_t size_max = given > s->config->size_max ? given : s->config->size_max;
    s->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    error = s->null_fd < 0 ? errno : input_memfd_init(&s->entropy, size_max);
    if (error == 0) return 0;
    if (s->null_fd >= 0) close(s->null_fd);
    if (!s->config->reports) return error;
    report_shm_finish(&s->report);
    free_environments(s);
    return error;
}

runner *runner_spawn_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_spawn_run, runner_spawn_destroy, has_states, compare};
    runner_spawn *s = calloc(1, sizeof *s);
    *error_number = ENOMEM;
    if (s == NULL) return NULL;
    s->base.ops = &ops;
    s->config = config;
    s->watch = watch;
    oom_watch_init(&s->oom, OOM_VMSTAT);
    *error_number = open_all(s);
    if (*error_number == 0) return &s->base;
    free(s);
    return NULL;
}
