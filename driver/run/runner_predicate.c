#include "runner_predicate.h"

#include "child.h"
#include "clock.h"
#include "external_pass_run.h"
#include "input_memfd.h"
#include "scratch_dir.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Time limit for making or removing the files of one run: a predicate can leave very many. */
#define FILES_NS (60 * CLOCK_NS_PER_S)

typedef struct runner_predicate {
    runner base;
    const runner_predicate_config *config;
    const runner_watch *watch;
    scratch_dir place;
    input_memfd input; /* if the test case is on stdin */
    int null_fd;
} runner_predicate;

/* Return the description of a run. Confirmation gets twice the time, since the machine may be
 * busy. */
static child_order order_of(const runner_predicate *p, run_purpose purpose) {
    const runner_predicate_config *config = p->config;
    const int64_t timeout_ns = config->timeout_ns;
    return (child_order){
        .command = &config->command,
        .watch = p->watch,
        .timeout_ns = purpose == RUN_CONFIRM ? clock_after(timeout_ns, timeout_ns) : timeout_ns,
        .setup = {.memory_max = config->memory_max,
                  .mask = config->mask,
                  .place = PROC_OWN_GROUP,
                  .folder = p->place.folder,
                  .stdin_folder_fd = config->on_stdin ? p->input.folder_fd : AT_FDCWD,
                  .stdin_path = config->on_stdin ? p->input.name : "/dev/null",
                  .stdout_fd = p->null_fd,
                  .stderr_fd = p->null_fd},
        .capture = runner_is_shown(purpose),
    };
}

/* Convert a predicate's outcome: an interesting test case is a failure, and a predicate that hangs
 * or crashes rejects it. The status is kept. */
static outcome judge(outcome end) {
    switch (end.verdict) {
    case VERDICT_PASS: end.verdict = VERDICT_FAIL; break;
    case VERDICT_FAIL:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: end.verdict = VERDICT_PASS; break;
    case VERDICT_STUCK:
    case VERDICT_ERROR: break;
    }
    return end;
}

/* A request for one test case of a set: its judgement, or that the external pass makes it. */
typedef struct request {
    candidate_set *set;
    uint32_t i; /* of the test case that is judged, or that the external pass gets */
    bool makes;
    run_purpose purpose;
    run_result *result;
} request;

/* Run the predicate on the test case. */
static outcome ask(runner_predicate *p, const request *r) {
    const child_order order = order_of(p, r->purpose);
    if (p->config->on_stdin) {
        const int error = input_memfd_copy(&p->input, candidate_set_size(r->set, r->i),
                                           candidate_set_bytes(r->set, r->i));
        if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    }
    return judge(child_run(&order, r->result, NULL));
}

/* Run the external pass on the file in the folder, to make test case 1. */
static outcome make(runner_predicate *p, const request *r) {
    child_order order = order_of(p, RUN_TRY);
    order.timeout_ns = p->config->external_pass_timeout_ns;
    return external_pass_run(&p->place, r->set, &order, r->result);
}

/* Meet a request in its own folder. If the folder disappears before the program starts, blame the
 * folder, rather than a missing program. */
static outcome run_in_folder(runner_predicate *p, const request *r) {
    const bool has_file = !p->config->on_stdin || r->makes;
    const uint8_t *bytes = has_file ? candidate_set_bytes(r->set, r->i) : NULL;
    runner_begin_step(p->watch, r->i, FILES_NS);
    const int error = scratch_dir_open(&p->place, bytes, (size_t)candidate_set_size(r->set, r->i));
    outcome end = outcome_error(FAULT_FOLDER, error);
    if (error == 0) end = r->makes ? make(p, r) : ask(p, r);
    runner_go_on(p->watch, FILES_NS);
    if (end.verdict == VERDICT_ERROR && end.error_number == ENOENT &&
        scratch_dir_is_gone(&p->place)) {
        end.fault = FAULT_FOLDER;
    }
    scratch_dir_close(&p->place);
    return end;
}

/* As run_in_folder, with retries if the folder is removed: other workers' runs may remove it. */
static outcome run_persistently(runner_predicate *p, const request *r) {
    enum { TRIES = 3 };
    outcome end = run_in_folder(p, r);
    for (int k = 1; k < TRIES && end.fault == FAULT_FOLDER && !r->result->cancelled; k++) {
        end = run_in_folder(p, r);
    }
    return end;
}

static outcome run_once(runner *base, const batch *once, run_purpose purpose, run_result *result) {
    runner_predicate *p = (runner_predicate *)base;
    candidate_set *set = once->candidates;
    assert(set != NULL);
    request r = {set, (uint32_t)once->first_seed, set->external_pass != NULL, purpose, result};
    set->reported = set->record_count = 0;
    if (r.makes) {
        const outcome end = run_persistently(p, &r);
        if (end.verdict == VERDICT_ERROR || result->cancelled) return end;
        if (set->answer == EXTERNAL_PASS_MADE) set->answer = candidate_set_sift(set);
        if (set->answer != EXTERNAL_PASS_MADE) return end;
        r.i = 1;
        r.makes = false;
    }
    set->passes[r.i] = CANDIDATE_PASS_UNKNOWN;
    return run_persistently(p, &r);
}

static void runner_predicate_destroy(runner *base) {
    runner_predicate *p = (runner_predicate *)base;
    if (p->config->on_stdin) input_memfd_finish(&p->input);
    close(p->null_fd);
    if (p->watch->driver_died != NULL && p->watch->driver_died(p->watch->context)) {
        rmdir(p->config->root);
    }
    free(p);
}

static int open_all(runner_predicate *p) {
    const runner_predicate_config *config = p->config;
    int error = scratch_dir_init(&p->place, config->root, config->name, (mode_t)config->mode);
    if (error != 0) return error;
    p->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (p->null_fd < 0) return errno;
    if (config->on_stdin) error = input_memfd_init(&p->input, config->size_max);
    if (error != 0) close(p->null_fd);
    return error;
}

runner *runner_predicate_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_run_each, runner_predicate_destroy, run_once};
    runner_predicate *p = calloc(1, sizeof *p);
    *error_number = ENOMEM;
    if (p == NULL) return NULL;
    p->base.ops = &ops;
    p->config = config;
    p->watch = watch;
    *error_number = open_all(p);
    if (*error_number == 0) return &p->base;
    free(p);
    return NULL;
}
