#include "spawn.h"

#include "child.h"
#include "entropy.h"
#include "parcel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct spawn_runner {
    runner base;
    const spawn_config *config;
    const runner_watch *watch;
    entropy_file entropy;
    shared report; /* where config->reports */
    char offer[SHARED_OFFER_MAX];
    proc_command command; /* the config's, with the offer in its environment */
    pid_t spared;
    int null_fd; /* where output goes that nobody asked for */
} spawn_runner;

/* Write what a run reads. Returns 0 or an errno. */
static int prepare(spawn_runner *s, trial t, const parcel *given) {
    if (s->config->reports) shared_reset(&s->report, given != NULL ? 1 : 0);
    if (given == NULL) return entropy_expand(&s->entropy, t.size, t.seed);
    return entropy_copy(&s->entropy, t.size, parcel_bytes(given, (uint32_t)t.seed));
}

/* Keep what a run told. */
static void take_report(const spawn_runner *s, trial t, parcel *given, outcome *o,
                        run_result *result) {
    if (given != NULL) {
        given->passes[t.seed] = PARCEL_PASS_UNKNOWN;
        given->told = given->record_count = 0;
    }
    if (!s->config->reports) return;
    o->drawn = shared_drawn(&s->report, s->config->layout, t.size);
    shared_copy_site(&s->report, result->site);
    if (given == NULL) return;
    given->passes[t.seed] = shared_pass(&s->report, 0, t.size);
    shared_copy_trace(&s->report, given);
}

static outcome run_once(runner *base, const ticket *runs, uint32_t i, bool capture,
                        run_result *result) {
    spawn_runner *s = (spawn_runner *)base;
    const trial t = ticket_trial(runs, i);
    parcel *given = runs->given;
    const spawn_config *config = s->config;
    const int error = prepare(s, t, given);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    const child_order order = {
        .command = &s->command,
        .watch = s->watch,
        .timeout_ns = config->timeout_ns,
        .memory_max = config->memory_max,
        .mask = config->mask,
        .inherited = &s->report.fd,
        .inherited_count = config->reports ? 1 : 0,
        .stdin_folder_fd = s->entropy.folder_fd,
        .stdin_path = s->entropy.name,
        .is_piped = config->stdin_kind == SPAWN_STDIN_PIPE,
        .piped = s->entropy.bytes,
        .piped_size = t.size,
        .capture = capture,
        .stdout_fd = s->null_fd,
        .stderr_fd = s->null_fd,
        .spared = s->spared,
    };
    result->program = file_mark_of(s->command.path);
    outcome o = child_run(&order, result);
    if (capture) { /* it confirms a failure: know for sure which program has failed */
        const file_mark now = file_mark_of(s->command.path);
        if (!file_mark_equal(&now, &result->program)) result->program = (file_mark){0, 0, 0, 0};
    }
    take_report(s, t, given, &o, result);
    return o;
}

static void spawn_run(runner *base, const ticket *runs, bool capture, run_result *result) {
    const spawn_runner *s = (const spawn_runner *)base;
    runner_run_each(base, run_once, s->watch, runs, capture, result);
}

void spawn_spare(runner *base, pid_t pid) { ((spawn_runner *)base)->spared = pid; }

static void spawn_destroy(runner *base) {
    spawn_runner *s = (spawn_runner *)base;
    if (s->config->reports) {
        shared_finish(&s->report);
        free((void *)(uintptr_t)s->command.envp);
    }
    entropy_finish(&s->entropy);
    close(s->null_fd);
    free(s);
}

/* Memory for what the runs tell, and an environment that offers it. Returns 0 or an errno. */
static int open_report(spawn_runner *s) {
    s->command = s->config->command;
    if (!s->config->reports) return 0;
    const int error = shared_init(&s->report, s->config->records_max);
    if (error != 0) return error;
    shared_offer(&s->report, -1, -1, s->offer);
    s->command.envp = shared_environment(s->config->command.envp, s->offer);
    if (s->command.envp != NULL) return 0;
    shared_finish(&s->report);
    return ENOMEM;
}

static int open_all(spawn_runner *s) {
    int error = open_report(s);
    if (error != 0) return error;
    const uint64_t given = s->config->given_bytes;
    const uint64_t size_max = given > s->config->size_max ? given : s->config->size_max;
    s->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    error = s->null_fd < 0 ? errno : entropy_init(&s->entropy, size_max);
    if (error == 0) return 0;
    if (s->null_fd >= 0) close(s->null_fd);
    if (!s->config->reports) return error;
    shared_finish(&s->report);
    free((void *)(uintptr_t)s->command.envp);
    return error;
}

runner *spawn_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {spawn_run, spawn_destroy};
    spawn_runner *s = calloc(1, sizeof *s);
    *error_number = ENOMEM;
    if (s == NULL) return NULL;
    s->base.ops = &ops;
    s->config = config;
    s->watch = watch;
    proc_tick(); /* for the deadlines of runs */
    *error_number = open_all(s);
    if (*error_number == 0) return &s->base;
    free(s);
    return NULL;
}
