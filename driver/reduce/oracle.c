#include "oracle.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { TICK_MS = 100 };

void oracle_init(oracle *o, const reduce_config *config, pool *p, const event_sink *sink,
                 reduce_result *result) {
    *o = (oracle){.config = config,
                  .sink = sink,
                  .pool = p,
                  .result = result,
                  .start_ns = clock_now_ns(),
                  .deadline_ns = config->deadline_ns,
                  .calls_max = config->calls_max};
}

void oracle_stop(oracle *o, run_end end) {
    if (!o->stopped) o->result->end = end;
    o->stopped = true;
    pool_cancel(o->pool);
}

void oracle_grant(oracle *o, int64_t time_ns) {
    if (!o->stopped || o->result->end != END_SPENT) return;
    o->stopped = false;
    o->deadline_ns = clock_after(clock_now_ns(), time_ns);
    o->calls_max = UINT64_MAX;
}

void oracle_aim(oracle *o, const failure *f) { o->target = *f; }

static void stop_for_error(oracle *o, const run_result *r) {
    o->result->error = r->last;
    o->result->error_output = r->output;
    oracle_stop(o, END_ENVIRONMENT);
}

static void tell_doubt(oracle *o, const run_result *r) {
    if (r->violation == ISOLATION_NONE || o->doubt_told) return;
    o->doubt_told = true;
    event_emit(o->sink, &(event){.kind = EVENT_ISOLATION, .violation = r->violation});
}

/* True if test cases were run: an external pass may have made none that was worth that. */
static bool is_judged(const candidate_set *given) {
    return given->external_pass == NULL || given->answer == EXTERNAL_PASS_MADE;
}

const run_result *oracle_wait(oracle *o, const candidate_set **given) {
    const run_result *result;
    batch runs;
    const int64_t now_ns = clock_now_ns();
    const int64_t tick_ns = clock_after(now_ns, TICK_MS * CLOCK_NS_PER_MS);
    if (o->stopped) return NULL;
    if (now_ns >= o->deadline_ns || o->result->calls >= o->calls_max) {
        oracle_stop(o, END_SPENT);
        return NULL;
    }
    switch (
        pool_wait(o->pool, tick_ns < o->deadline_ns ? tick_ns : o->deadline_ns, &runs, &result)) {
    case POOL_RESULT:
        tell_doubt(o, result);
        if (is_judged(runs.given)) o->result->calls += result->ran;
        *given = runs.given;
        if (result->last.verdict != VERDICT_ERROR) return result;
        stop_for_error(o, result);
        break;
    case POOL_IDLE: break;
    case POOL_INTERRUPTED: oracle_stop(o, END_INTERRUPTED); break;
    case POOL_BROKEN:
        o->result->error_number = errno;
        oracle_stop(o, END_BROKEN);
        break;
    }
    return NULL;
}

const run_result *oracle_run_alone(oracle *o, const uint8_t *bytes, size_t size,
                                   run_purpose purpose, const candidate_set **given) {
    const run_result *r = NULL;
    bool submitted = false;
    while (r == NULL && !o->stopped) {
        if (!submitted && pool_has_room(o->pool)) {
            candidate_set *p = pool_candidate_set(o->pool);
            assert(size <= p->bytes_max);
            p->count = 1;
            p->ends[0] = size;
            if (size > 0) memcpy(p->bytes, bytes, size);
            pool_submit_candidate_set(o->pool, p, purpose);
            submitted = true;
        }
        r = oracle_wait(o, given);
    }
    return r;
}

failure oracle_failure(const run_result *r, uint64_t size) {
    failure f = {.input = {size, 0},
                 .signature = outcome_signature(&r->last),
                 .output = r->output,
                 .program = r->program};
    memcpy(f.site, r->site, sizeof f.site);
    return f;
}

bool oracle_is_interesting(const oracle *o, const run_result *r) {
    if (!outcome_failed(&r->last)) return false;
    if (o->config->any_failure) return true;
    failure f = {.signature = outcome_signature(&r->last)}; /* its output may be large */
    memcpy(f.site, r->site, sizeof f.site);
    return failure_is_alike(&f, &o->target);
}
