#include "runner_spawn.h"

#include "candidate_set.h"
#include "child.h"
#include "clock.h"
#include "comparison.h"
#include "input_memfd.h"
#include "oom.h"
#include "output_site.h"
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
    frng_leaks_request leaks;
    bool is_counted; /* its statistics are reported */
    bool is_read;    /* sanitizers may take the time to name functions and lines */
    uint64_t wants;  /* FRNG_WANTS_... */
} bounds;

/* One run of an input. */
typedef struct attempt {
    runner_spawn *s;
    seed_input input;
    candidate_set *candidates; /* NULL: the input is a seed's; else its seed is an index here */
    run_purpose purpose;
    bounds limits;
    run_result *result;
    uint64_t resident_max; /* peak memory of its process, in bytes; 0: it was not started */
} attempt;

/* Return the same attempt again, with a result that is not kept. */
static attempt repeat(const attempt *a) {
    attempt again = *a;
    again.result = &a->s->again;
    again.result->output.size = again.result->output.total = 0;
    again.result->site[0] = '\0';
    again.result->cancelled = false;
    return again;
}

/* Write the run's input, and clear the report. Returns 0 or an errno. */
static int prepare(const attempt *a) {
    runner_spawn *s = a->s;
    const bool is_seed = a->candidates == NULL;
    s->report.counts = a->limits.is_counted;
    if (s->config->reports) {
        report_shm_reset(&s->report, !is_seed || a->limits.wants != 0 ? 1 : 0);
        if (a->limits.is_counted && is_seed) report_shm_request_rows(&s->report, 1);
        report_shm_request_leaks(&s->report, a->limits.leaks);
        report_shm_request(&s->report, a->limits.wants);
    }
    if (is_seed) return input_memfd_expand(&s->entropy, &a->input);
    return input_memfd_copy(&s->entropy, a->input.size,
                            candidate_set_bytes(a->candidates, (uint32_t)a->input.seed));
}

/* Copy the run's report. */
static void take_report(const attempt *a, outcome *o) {
    const runner_spawn *s = a->s;
    candidate_set *set = a->candidates;
    if (set != NULL) {
        set->passes[a->input.seed] = CANDIDATE_PASS_UNKNOWN;
        set->reported = set->record_count = 0;
    }
    if (!s->config->reports) return;
    o->drawn = report_shm_drawn(&s->report, s->config->layout, a->input.size);
    if (s->config->site_rule == NULL) report_shm_copy_site(&s->report, a->result->site);
    if (set == NULL) return;
    set->passes[a->input.seed] = report_shm_pass(&s->report, 0, a->input.size);
    report_shm_copy_trace(&s->report, set);
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
static void count(const attempt *a, const outcome *o, tally *sum) {
    const bool has_passed = o->verdict == VERDICT_PASS;
    const report_end end = {has_passed, !has_passed, o->drawn, a->input.size};
    if (o->verdict == VERDICT_ERROR) return;
    if (a->s->config->reports) {
        report_tally_add(&a->s->report, &end, sum);
        return;
    }
    sum->runs++;
    sum->failed += !has_passed;
    if (a->input.size > sum->size_max) sum->size_max = a->input.size;
}

static outcome run_bounded(attempt *a) {
    runner_spawn *s = a->s;
    const run_config *config = s->config;
    a->resident_max = 0;
    runner_begin_step(s->watch, a->input.seed,
                      clock_after(a->limits.timeout_ns, runner_expansion_ns(a->input.size)));
    const int error = prepare(a);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    const child_order order = {
        .command = a->limits.is_read ? &s->command : &s->terse,
        .watch = s->watch,
        .timeout_ns = a->limits.timeout_ns,
        .setup = {.memory_max = a->limits.memory_max,
                  .mask = config->mask,
                  .place = PROC_OWN_GROUP,
                  .inherited = &s->report.fd,
                  .inherited_count = config->reports ? 1 : 0,
                  .stdin_folder_fd = s->entropy.folder_fd,
                  .stdin_path = s->entropy.name,
                  .stdout_fd = s->null_fd,
                  .stderr_fd = s->null_fd},
        .is_piped = config->stdin_kind == RUN_STDIN_PIPE,
        .piped = s->entropy.bytes,
        .piped_size = a->input.size,
        .capture = a->limits.capture,
    };
    return child_run(&order, a->result, &a->resident_max);
}

/* Judge a failure under a memory limit. It counts if it repeats with twice the memory, unless the
 * run uses up any amount of memory. */
static outcome judge_memory(const attempt *a, outcome o) {
    attempt again = repeat(a);
    const uint64_t memory_max = a->limits.memory_max;
    again.limits.memory_max = memory_max > UINT64_MAX / 2 ? UINT64_MAX : memory_max * 2;
    const outcome end = run_bounded(&again);
    a->result->cancelled = again.result->cancelled;
    if (end.verdict == VERDICT_ERROR) return end;
    const measured_run first = {o, a->resident_max}, second = {end, again.resident_max};
    if (outcome_is_of_memory(&first, &second, a->s->config->memory_max, proc_resident_max()))
        o.verdict = VERDICT_MEMORY;
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
static outcome run_watched(attempt *a) {
    const report_shm *report = &a->s->report;
    run_result *result = a->result;
    const outcome o = run_bounded(a);
    result->leak = LEAK_NONE;
    if (!a->s->config->reports || result->cancelled || o.verdict == VERDICT_ERROR) return o;
    const uint64_t state = report_shm_leak_state(report);
    if (state == FRNG_LEAK_AGAIN && outcome_failed(&o)) return outcome_of_status(0); /* passed */
    if (state != FRNG_LEAK_SUSPECT || o.verdict != VERDICT_PASS) return o;
    attempt check = *a;
    check.limits.leaks = FRNG_LEAKS_CHECK;
    result->output.size = result->output.total = 0;
    const outcome end = run_bounded(&check);
    a->resident_max = check.resident_max;
    if (result->cancelled || end.verdict == VERDICT_ERROR) return end;
    result->leak = runner_leak_of(&end, report_shm_leak_state(report));
    return result->leak == LEAK_FOUND ? end : outcome_of_status(0);
}

/* Make a failed run again with symbols, for which there is time, and take what it shows. False if
 * that is nothing. */
static bool read_again(const attempt *a) {
    const int64_t symbols_ns = INT64_C(10000) * CLOCK_NS_PER_MS;
    runner_spawn *s = a->s;
    attempt again = repeat(a);
    again.limits.is_read = true;
    again.limits.timeout_ns = clock_after(a->limits.timeout_ns, symbols_ns);
    if (a->result->leak == LEAK_FOUND) again.limits.leaks = FRNG_LEAKS_CHECK;
    const outcome o = run_bounded(&again);
    if (again.result->cancelled || o.verdict != VERDICT_FAIL) return false; /* perhaps flaky */
    a->result->output = again.result->output;
    find_site(s, &o, again.result);
    if (again.result->site[0] == '\0') return false;
    if (site_is_address(a->result->site) && site_names_find(&s->names, a->result->site) == NULL)
        site_names_add(&s->names, a->result->site, again.result->site);
    return true;
}

/* Name the site of a failure if an address stands for it. The name is known, or comes from another
 * run, which a person may read in any case. */
static void name_site(const attempt *a) {
    runner_spawn *s = a->s;
    char *site = a->result->site;
    const bool is_address = site_is_address(site), is_read = a->purpose == RUN_READ;
    if (s->config->terse_envp == NULL || (!is_address && !is_read)) return;
    const char *known = is_address ? site_names_find(&s->names, site) : NULL;
    if ((known == NULL || is_read) && read_again(a)) {
        if (is_address || site[0] == '\0') strcpy(site, s->again.site);
    } else if (known != NULL) {
        strcpy(site, known);
    }
}

/* Return the limits of a run. Confirmation gets twice the time. */
static bounds bounds_of(const runner_spawn *s, run_purpose purpose, const run_result *result) {
    const int64_t timeout_ns = s->config->timeout_ns;
    return (bounds){
        .timeout_ns = purpose == RUN_CONFIRM ? clock_after(timeout_ns, timeout_ns) : timeout_ns,
        .memory_max = s->config->memory_max,
        .capture = runner_is_shown(purpose) || s->config->keeps_output,
        .leaks = purpose == RUN_TRY_UNWATCHED ? FRNG_LEAKS_IGNORE : FRNG_LEAKS_WATCH,
        .is_counted = result->tally != NULL,
    };
}

/* Make a run, and set the program that it ran. A confirmed failure needs an exact one. */
static outcome run_program(attempt *a) {
    const char *path = a->s->command.path;
    a->result->program = file_stamp_of(path);
    const outcome o = run_watched(a);
    if (runner_is_shown(a->purpose)) {
        const file_stamp now = file_stamp_of(path);
        if (!file_stamp_equal(&now, &a->result->program))
            a->result->program = (file_stamp){0, 0, 0, 0};
    }
    return o;
}

static outcome run_judged(attempt *a) {
    runner_spawn *s = a->s;
    run_result *result = a->result;
    if (!runner_is_shown(a->purpose)) {
        oom_watch_begin(&s->oom);
    } else {
        oom_watch_look(&s->oom); /* ignore earlier kills */
    }
    outcome o = run_program(a);
    take_report(a, &o);
    if (a->limits.capture && outcome_failed(&o)) find_site(s, &o, result);
    if (result->tally != NULL && !result->cancelled) count(a, &o, result->tally);
    if (a->limits.capture && o.verdict == VERDICT_FAIL && !result->cancelled) name_site(a);
    o = runner_spawn_judge_killed(&s->base, o);
    const bool confirms = a->purpose == RUN_CONFIRM && s->config->memory_max > 0;
    if (confirms && outcome_failed(&o) && !result->cancelled) o = judge_memory(a, o);
    return o;
}

/* Make a run. A shown one that was killed, perhaps by the kernel for want of memory, is made again:
 * the kernel may have killed another process at that time. */
static outcome run_once(runner *base, const batch *once, run_purpose purpose, run_result *result) {
    enum { AGAIN_MAX = 3 };
    runner_spawn *s = (runner_spawn *)base;
    attempt a = {.s = s,
                 .input = batch_input(once, 0),
                 .candidates = once->candidates,
                 .purpose = purpose,
                 .limits = bounds_of(s, purpose, result),
                 .result = result};
    outcome o = run_judged(&a);
    for (int again = 0; again < AGAIN_MAX && runner_is_shown(purpose) && !result->cancelled &&
                        o.verdict == VERDICT_MEMORY && WTERMSIG(o.status) == SIGKILL;
         again++) {
        result->output.size = result->output.total = 0;
        result->site[0] = '\0';
        o = run_judged(&a);
    }
    return o;
}

/* ---- Comparing two new processes ---- */

bool runner_spawn_has_states(const runner *base) {
    const runner_spawn *s = (const runner_spawn *)base;
    return s->config->reports && report_shm_has_states(&s->report);
}

/* Make a run, and copy its report. False if it says nothing. */
static bool report_run(runner_spawn *s, seed_input t, uint64_t wants, reported_run *run) {
    attempt a = {.s = s, .input = t, .result = &s->again};
    a.limits = (bounds){.timeout_ns = s->config->timeout_ns,
                        .memory_max = s->config->memory_max,
                        .leaks = FRNG_LEAKS_IGNORE,
                        .wants = wants};
    s->again.cancelled = false;
    run->end = run_bounded(&a);
    if (s->again.cancelled) return false;
    if (run->end.verdict != VERDICT_PASS && run->end.verdict != VERDICT_FAIL) return false;
    run->digest = s->report.report->digest;
    run->drawn = report_shm_drawn(&s->report, s->config->layout, t.size);
    run->reported = report_shm_traced(&s->report);
    run->count = run->reported < COMPARED_MAX ? run->reported : COMPARED_MAX;
    run->records = calloc(run->count + 1, sizeof *run->records);
    for (uint64_t i = 0; run->records != NULL && i < run->count; i++)
        run->records[i] = report_shm_record(&s->report, i);
    return run->records != NULL;
}

void runner_spawn_compare(runner *base, seed_input t, run_difference *d) {
    runner_spawn *s = (runner_spawn *)base;
    const uint64_t wants = FRNG_WANTS_SAYS | FRNG_WANTS_STATES;
    reported_run a = {.records = NULL}, b = {.records = NULL};
    *d = (run_difference){.kind = DIFFERENCE_NONE, .input = t};
    if (s->config->reports && report_run(s, t, wants, &a) &&
        report_run(s, t, wants | FRNG_WANTS_OTHER_MEMORY, &b))
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
    const uint64_t candidates = s->config->candidate_bytes;
    const uint64_t size_max = candidates > s->config->size_max ? candidates : s->config->size_max;
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
    static const runner_ops ops = {runner_run_each, runner_spawn_destroy, run_once};
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
