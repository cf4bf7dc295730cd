#include "verify.h"

#include "clock.h"

#include <string.h>

enum {
    ANNOUNCE_MS = 250 /* between bests that are verified, stored and told */
};

/* ---- Telling ---- */

static reduce_progress progress_of(const reducer *r) {
    const size_t at = plan_pass(&r->plan);
    return (reduce_progress){.size = r->best.size,
                             .calls = r->result->calls,
                             .successes = r->result->successes,
                             .elapsed_ns = clock_now_ns() - r->oracle.start_ns,
                             .pass = r->plan.count > 0 ? r->plan.passes[at]->name : NULL};
}

void verify_tell_progress(reducer *r) {
    const reduce_progress p = progress_of(r);
    if (r->observer->progress != NULL) r->observer->progress(r->observer->context, &p);
}

void verify_announce(reducer *r, const failure *f, const testcase *t, bool is_best) {
    const reduce_progress p = progress_of(r);
    if (r->observer->failure == NULL) return;
    r->observer->failure(r->observer->context, f, t->bytes, is_best, &p);
}

/* ---- Verifying ---- */

bool verify_repeats(reducer *r, const testcase *t, failure *f, unsigned times) {
    for (unsigned i = 0; i < times && !r->oracle.stopped; i++) {
        const parcel *given;
        const run_purpose purpose = f->repeated > 0 ? RUN_SHOW : RUN_CONFIRM;
        const run_result *run = oracle_run_alone(&r->oracle, t->bytes, t->size, purpose, &given);
        if (run == NULL) return false;
        f->reruns++;
        if (f->repeated == 0) f->limit = outcome_limit(f->identity, &run->last);
        if (!oracle_is_interesting(&r->oracle, run)) return false;
        f->repeated++;
        f->output = run->output;
        f->program = run->program;
        if (run->site[0] != '\0') memcpy(f->site, run->site, sizeof f->site);
    }
    return !r->oracle.stopped;
}

void verify_count(reducer *r, const testcase *t, failure *f, unsigned times) {
    while (f->reruns < times && !r->oracle.stopped) verify_repeats(r, t, f, 1);
}

/* From now on successes have to repeat. */
void verify_tell_flaky(reducer *r, const failure *f) {
    if (!r->is_strict && r->observer->flaky != NULL) {
        r->observer->flaky(r->observer->context, f);
    }
    r->is_strict = true;
}

/* The best does not fail every time: go back to what did, and believe less from now on. */
static void go_back(reducer *r) {
    testcase_finish(&r->best);
    if (!testcase_copy(&r->best, &r->verified)) reducer_stop_for_memory(r);
    r->best_failure = r->result->best;
    r->is_told = r->is_settled = true;
    plan_reset(&r->plan);
    r->is_foreseen = false;
    merges_finish(&r->merges);
    for (size_t i = 0; i < r->config->generator_count; i++) r->guests[i].is_spent = false;
}

void verify_keep(reducer *r) {
    testcase kept;
    if (!testcase_copy(&kept, &r->best)) {
        reducer_stop_for_memory(r);
        return;
    }
    testcase_finish(&r->verified);
    r->verified = kept;
    r->result->best = r->best_failure;
    r->result->found = r->is_settled = true;
}

bool verify_best(reducer *r, unsigned times) {
    failure *f = &r->best_failure;
    const unsigned due = times > f->reruns ? times - f->reruns : 0;
    const bool fails = verify_repeats(r, &r->best, f, due);
    if (r->oracle.stopped) return false;
    if (!fails) verify_tell_flaky(r, f);
    if (!fails && !r->is_settled) {
        go_back(r);
        return false;
    }
    if (!fails) verify_count(r, &r->best, f, VERIFY_TRIES); /* there is nothing to go back to */
    verify_keep(r);
    if (!r->is_told) verify_announce(r, &r->result->best, &r->verified, true);
    r->is_told = true;
    r->told_ns = clock_now_ns();
    return true;
}

bool verify_is_due(const reducer *r) {
    return !r->is_told && clock_now_ns() >= r->told_ns + ANNOUNCE_MS * CLOCK_NS_PER_MS;
}

void verify_others(reducer *r) {
    other *o;
    while (!r->oracle.stopped && (o = others_pending(&r->others)) != NULL) {
        const parcel *given;
        const run_result *run =
            oracle_run_alone(&r->oracle, o->bytes.bytes, o->bytes.size, RUN_CONFIRM, &given);
        o->is_pending = false;
        if (run == NULL || !outcome_failed(&run->last)) continue;
        failure f = oracle_failure(run, o->bytes.size);
        f.reruns = f.repeated = 1;
        if (failure_is_alike(&f, &o->failure)) verify_announce(r, &f, &o->bytes, false);
    }
}
