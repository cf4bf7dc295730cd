#include "reduce.h"

#include "accept.h"
#include "bytes.h"
#include "clock.h"
#include "confirm.h"
#include "explain.h"
#include "pool.h"
#include "rates.h"
#include "reduction_state.h"
#include "shrink.h"
#include "summary.h"

#include <stdlib.h>
#include <string.h>

enum {
    FINAL_RERUNS = 3,              /* reruns of the result in fresh processes */
    GRACE_MS = 2000,               /* time to confirm the best when the budget is spent */
    CANDIDATE_SET_SPARE = 1 << 18, /* bytes beyond those of the test cases */
    RECORDS_MAX = 1 << 20
};

/* Twice the size, for an external pass appends its candidate to the best. */
uint64_t reduce_candidate_set_bytes(size_t size) {
    return 2 * (uint64_t)size + CANDIDATE_SET_SPARE;
}

/* Each draw takes a byte or more, and follows from one choice. */
uint64_t reduce_choices_bytes(size_t size) {
    return (FRNG_CHOICE_MAX + 1) * (uint64_t)size + CANDIDATE_SET_SPARE;
}

uint64_t reduce_candidate_set_records(size_t size) {
    const uint64_t wanted = 2 * (uint64_t)size + 1024; /* with room for notes */
    return smaller(wanted, RECORDS_MAX);
}

/* Show that the reduction lives; before the first pass only if a run takes long. */
static void on_idle(void *context) {
    enum { LONG_MS = 5000 };
    reduction *r = context;
    const bool is_long = clock_now_ns() >= r->start_ns + LONG_MS * CLOCK_NS_PER_MS;
    if (r->loop.schedule.count > 0 || is_long) confirm_emit_progress(r);
}

/* ---- The beginning and the end ---- */

/* Run the input up to CONFIRM_TRIES times, for it may be flaky. True if it fails as configured. */
static bool begin(reduction *r) {
    const reduce_config *c = r->config;
    const client_input start = client_bytes(c->bytes, c->size);
    for (unsigned i = 0; i < CONFIRM_TRIES && client_is_running(&r->client); i++) {
        batch runs;
        const run_result *run =
            client_run_alone(&r->client, &start, i > 0 ? RUN_SHOW : RUN_TRY, &runs);
        if (run == NULL) return false;
        r->result->seen = run->last;
        r->can_choose |= runs.candidates->can_choose;
        if (run->last.verdict == VERDICT_MEMORY) r->result->limit = CAUSE_MEMORY;
        if (run->last.verdict == VERDICT_STUCK) r->result->limit = CAUSE_WORKER;
        if (!outcome_failed(&run->last)) continue;
        const failure f = accept_failure(r, run, c->size);
        r->result->is_unwanted = !accept_counts(r, &f);
        if (r->result->is_unwanted) return false;
        failure_keep(&r->target, &f);
        r->loop.purpose = run->leak == LEAK_FOUND || c->any_failure ? RUN_TRY : RUN_TRY_UNWATCHED;
        failure_keep(&r->best.failure, &f);
        r->best.failure.reruns = i; /* earlier runs, none of which failed */
        r->confirmed.policy =
            i > 0 ? CONFIRM_EVERY_STEP : CONFIRM_LATER; /* confirm_first warns after measuring */
        const traced_run traced = accept_trace(runs.candidates, c->bytes, c->size, run->last.drawn);
        return accept_testcase(r, traced, &r->best.testcase);
    }
    return false;
}

/* Confirm the first best, which is the input, trimmed to the bytes that it drew. If that does not
 * fail, try all bytes. If those do not fail again either, the failure is flaky. */
static bool confirm_first(reduction *r) {
    failure f = r->best.failure;
    f.input.size = r->best.testcase.size;
    bool fails = confirm_repeats(r, &r->best.testcase, &f, 1);
    if (!fails && client_is_running(&r->client) && r->best.testcase.size < r->config->size) {
        testcase_finish(&r->best.testcase);
        f = r->best.failure;
        if (!testcase_init(&r->best.testcase, traced_run_of(r->config->bytes, r->config->size))) {
            reduction_stop_for_memory(r);
            return false;
        }
        fails = confirm_repeats(r, &r->best.testcase, &f, 1);
    }
    if (!client_is_running(&r->client)) return false;
    if (!fails || reduction_is_strict(r)) {
        if (f.cause != CAUSE_MEMORY) confirm_measure(r, &r->best.testcase, &f);
        r->result->limit = f.cause;
        r->confirmed.policy = CONFIRM_LATER;
        confirm_emit_flaky(r, &f);
    }
    if (f.repeated == 0) return false;
    failure_keep(&r->best.failure, &f);
    failure_keep(&r->target, &f); /* fresh processes show its site */
    r->result->is_unwanted = !accept_counts(r, &f);
    return !r->result->is_unwanted;
}

/* Make the input the first result and the first rung. */
static void keep_first(reduction *r) {
    const failure *f = &r->best.failure;
    testcase first;
    if (!testcase_copy(&first, &r->best.testcase)) {
        reduction_stop_for_memory(r);
        return;
    }
    r->best.state = BEST_ANNOUNCED; /* the user has it already */
    r->confirmed.is_first = true;
    r->confirmed.floor = rate_of(f->repeated, f->reruns).seen;
    confirm_keep_rung(r, &first, f);
    confirm_keep(r);
}

static void conclude(reduction *r) {
    reduce_result *result = r->result;
    result->bytes = r->confirmed.testcase;
    r->confirmed.testcase = (testcase){0};
    result->elapsed_ns = clock_now_ns() - r->start_ns;
    result->stop = r->client.stop;
    result->calls = r->client.runs;
}

static void name_statistics(reduce_result *result, const schedule *p) {
    for (size_t i = 0; i < p->count; i++) result->statistics[i].name = p->passes[i]->name;
    result->statistics_count = p->count;
}

/* Confirm and announce the best at the end. A best that always failed in fresh processes needs no
 * further run, and gets none if the budget is spent. */
static void confirm_last(reduction *r) {
    const failure *f = &r->best.failure;
    if (r->best.state == BEST_UNCONFIRMED && client_is_running(&r->client)) confirm_best(r, 1);
    const bool always_failed = f->repeated == f->reruns;
    if (r->best.state == BEST_UNCONFIRMED && !client_is_running(&r->client) && always_failed)
        confirm_keep(r);
    confirm_announce_best(r);
}

static void choose_passes(reduction *r) {
    const pass *const *list = r->config->passes;
    if (list == NULL) list = passes_for(&r->best.testcase, r->config->is_file);
    size_t count = 0;
    for (; *list != NULL; list++) {
        const bool is_wanted = r->config->passes != NULL || r->config->effort == EFFORT_HIGH;
        if ((*list)->cost == PASS_LAST && !is_wanted) continue;
        r->loop.passes[count++] = *list;
    }
    r->loop.passes[count] = NULL;
}

/* Try all candidates: our own passes first, and the external ones each time when those rest. */
static void shrink(reduction *r) {
    do {
        shrink_by_schedule(r);
    } while (client_is_running(&r->client) && r->config->external_pass_count > 0 &&
             shrink_by_external(r));
}

static void reduce_all(reduction *r) {
    schedule first;
    r->confirmed.announced_ns = clock_now_ns();
    if (!begin(r) || !confirm_first(r)) {
        if (client_is_running(&r->client)) client_stop(&r->client, END_PASSES);
        return;
    }
    keep_first(r);
    choose_passes(r);
    if (r->can_choose && r->best.testcase.trace == TRACE_WHOLE && client_is_running(&r->client))
        shrink_try_choices(r);
    schedule_init(&first, r->loop.passes);
    first.is_thorough = r->config->passes != NULL || r->config->effort == EFFORT_HIGH;
    name_statistics(r->result, &first);
    shrink_from(r, &first);
    do {
        shrink(r);
    } while (client_is_running(&r->client) && !confirm_best(r, FINAL_RERUNS));
    client_extend(&r->client, GRACE_MS * CLOCK_NS_PER_MS);
    if (r->best.state != BEST_ANNOUNCED &&
        (client_is_running(&r->client) || r->best.failure.reruns > 0))
        confirm_last(r);
}

/* Return the longest prefix that is worth remembering. Choices are longer than their bytes. */
static size_t prefix_max(const reduce_config *c) {
    enum { CHOICES_MORE = 1 << 20 };
    if (c->is_file) return c->size;
    return c->size < CHOICES_MORE / 2 ? 3 * c->size : c->size + CHOICES_MORE;
}

static bool allocate(reduction *r, pool *p) {
    const reduce_config *config = r->config;
    const size_t candidate_sets = config->jobs > 1 ? 2 * (size_t)config->jobs : 1;
    r->result->external_passes =
        calloc(config->external_pass_count + 1, sizeof *r->result->external_passes);
    if (r->result->external_passes == NULL) return false;
    r->result->external_pass_count = config->external_pass_count;
    for (size_t i = 0; i < config->external_pass_count; i++) {
        r->result->external_passes[i].name = config->external_passes[i].name;
    }
    if (!rejected_cache_init(&r->rejected, prefix_max(config)) ||
        !inflight_init(&r->loop.window, candidate_sets) ||
        (r->external.members =
             calloc(config->external_pass_count + 1, sizeof *r->external.members)) == NULL) {
        return false;
    }
    if (config->external_pass_count > 0) r->rejected.table = pool_candidate_set(p)->rejected;
    return true;
}

static void release(reduction *r) {
    testcase_finish(&r->best.testcase);
    testcase_finish(&r->base.testcase);
    testcase_finish(&r->confirmed.testcase);
    testcase_finish(&r->loop.tried);
    choices_finish(&r->loop.encoded);
    failure_drop(&r->best.failure);
    failure_drop(&r->target);
    for (size_t i = 0; i < r->confirmed.rung_count; i++) {
        testcase_finish(&r->confirmed.rungs[i].bytes);
        failure_drop(&r->confirmed.rungs[i].failure);
    }
    other_failures_finish(&r->others);
    inflight_finish(&r->loop.window);
    prefix_hashes_finish(&r->best.hashes);
    prefix_hashes_finish(&r->base.hashes);
    rejected_cache_finish(&r->rejected);
    free(r->external.members);
    free(r);
}

void reduce_run(const reduce_config *config, pool *p, const event_sink *sink,
                reduce_result *result) {
    reduction *r = calloc(1, sizeof *r);
    memset(result, 0, sizeof *result);
    run_stop_broken(&result->stop, ENOMEM);
    if (r == NULL) return;
    r->config = config;
    r->sink = sink;
    r->result = result;
    if (allocate(r, p)) {
        const client_hooks hooks = {r, NULL, on_idle};
        client_init(&r->client, p, &(client_config){config->deadline_ns, sink, hooks});
        r->client.runs_max = config->calls_max;
        r->start_ns = clock_now_ns();
        reduce_all(r);
        conclude(r);
        explain_result(r);
    }
    release(r);
}

void reduce_finish(reduce_result *result) {
    testcase_finish(&result->bytes);
    failure_drop(&result->best);
    explanation_finish(&result->explanation);
    free(result->external_passes);
}
