/* What engines share above the pool.
 *
 * A client counts results, tells once what runs have shown of the target (that they need a process
 * each, that they differ, that it leaks), and stops for one reason, the first. After its deadline
 * it waits only until a first run has started: a program that cannot be started is an error,
 * however short the time. What had run for long at the end is named: it may hang.
 *
 * Reruns tell a failure from a flaky one. Each is made in a fresh process, with twice the limits
 * until one has failed: the first rerun decides what its signature and site are, since the run that
 * found it may have shared its process. The output of the last of several is made for people. */
#include "engine.h"

#include "candidate_set.h"
#include "clock.h"
#include "event.h"
#include "memory.h"
#include "pool.h"
#include "signature_filter.h"
#include "spawn.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

client_input client_seed(seed_input input) {
    return (client_input){.input = input, .bytes = seed_input_bytes(&input)};
}

client_input client_bytes(const uint8_t *bytes, size_t size) {
    assert(bytes != NULL || size == 0);
    return (client_input){.input = {.size = size},
                          .bytes = bytes != NULL ? bytes : (const uint8_t *)""};
}

void client_init(client *c, pool *p, const client_config *config) {
    assert(p != NULL);
    *c = (client){.pool = p, .config = *config, .runs_max = UINT64_MAX, .start_ns = clock_now_ns()};
}

bool client_is_running(const client *c) { return !c->is_stopped; }

uint64_t client_runs_left(const client *c, uint64_t under_way) {
    const uint64_t made = c->runs + under_way;
    return c->runs_max > made ? c->runs_max - made : 0;
}

void client_stop(client *c, run_end end) {
    if (!c->is_stopped) c->stop.end = end;
    c->is_stopped = true;
    pool_cancel(c->pool);
}

void client_stop_broken(client *c, int error_number) {
    if (!c->is_stopped) c->stop.error_number = error_number;
    client_stop(c, END_BROKEN);
}

void client_extend(client *c, int64_t end_ns) {
    if (!c->is_stopped || c->stop.end != END_SPENT) return;
    c->is_stopped = false;
    c->config.deadline_ns = end_ns;
    c->runs_max = UINT64_MAX;
}

/* Submit an input to the pool, which must have room. Explicit bytes are copied; a set that is free
 * again may hold them. */
static void submit(client *c, const client_input *in, run_purpose purpose) {
    assert(client_is_running(c) && pool_has_room(c->pool));
    const seed_input t = in->input;
    if (in->bytes == NULL) {
        const batch once = {
            .first_seed = t.seed, .count = 1, .size = t.size, .mix = expansion_of(t.style)};
        pool_submit(c->pool, &once, purpose);
        return;
    }
    candidate_set *set = pool_candidate_set(c->pool);
    assert(t.size <= set->bytes_max);
    set->count = 1;
    set->ends[0] = t.size;
    if (t.size > 0) memmove(set->bytes, in->bytes, t.size);
    pool_submit_candidate_set(c->pool, set, purpose);
}

static void emit_once(const client *c, bool *is_emitted, const event *e) {
    if (!*is_emitted && c->config.sink != NULL) event_emit(c->config.sink, e);
    *is_emitted = true;
}

/* Count a result and pass it to the hooks. If it is an error, or of another program than those
 * before, of which it says nothing, stop and return NULL. */
static const run_result *take(client *c, const batch *b, const run_result *r) {
    const seed_input last = batch_input(b, r->ran > 0 ? r->ran - 1 : 0);
    const candidate_set *set = b->candidates; /* an external pass may have made nothing to run */
    if (set == NULL || set->external_pass == NULL || set->answer == EXTERNAL_PASS_MADE)
        c->runs += r->ran;
    const bool is_of_run = r->violation != ISOLATION_NONE;
    if (is_of_run || r->end_failed)
        emit_once(c, &c->has_violation,
                  &(event){.kind = EVENT_ISOLATION,
                           .violation = is_of_run ? r->violation : ISOLATION_BATCH_END,
                           .input = is_of_run && b->candidates == NULL ? &r->doubted : NULL});
    if (r->differs)
        emit_once(c, &c->has_difference, &(event){.kind = EVENT_NONDETERMINISTIC, .input = &last});
    if (r->leak == LEAK_OF_START) emit_once(c, &c->has_start_leaks, &(event){.kind = EVENT_LEAKS});
    if (c->config.hooks.result != NULL) c->config.hooks.result(c->config.hooks.context, r);
    if (file_stamp_is_known(&r->program)) {
        if (!file_stamp_is_known(&c->program)) c->program = r->program;
        if (!file_stamp_equal(&c->program, &r->program)) client_stop(c, END_REBUILT);
    }
    if (c->is_stopped) return NULL; /* or by the hook */
    if (r->last.verdict != VERDICT_ERROR) return r;
    c->stop.error = r->last;
    static bytes_tail output; /* large, as stacks may be small */
    bytes_tail_copy(&output, &r->output);
    c->stop.output = &output;
    client_stop(c, END_ENVIRONMENT);
    return NULL;
}

/* A run that took more than half of the time may hang. */
static void stop_spent(client *c) {
    const int64_t most_ns = c->runs > 0 ? (clock_now_ns() - c->start_ns) / 2 : INT64_MAX;
    c->stop.cut_ns = pool_slow_run(c->pool, most_ns, &c->stop.cut);
    client_stop(c, END_SPENT);
}

/* True while the first run has not started, as far as is known. A program that cannot be started
 * shows that late, because a build may be replacing it. */
static bool awaits_start(const client *c, int64_t now_ns) {
    const int64_t wait_ns = 2 * CHILD_REBUILD_MS * CLOCK_NS_PER_MS;
    seed_input slow;
    return c->runs == 0 && now_ns < clock_after(c->config.deadline_ns, wait_ns) &&
           pool_slow_run(c->pool, INT64_MAX, &slow) == 0;
}

void client_look_at_clock(client *c) {
    if (client_is_running(c) && c->runs > 0 && clock_now_ns() >= c->config.deadline_ns)
        stop_spent(c);
}

const run_result *client_wait(client *c, batch *b) {
    const run_result *result;
    const int64_t now_ns = clock_now_ns();
    const int64_t idle_ns = clock_after(now_ns, CLIENT_IDLE_MS * CLOCK_NS_PER_MS);
    const int64_t deadline_ns = c->config.deadline_ns;
    const bool is_late = now_ns >= deadline_ns;
    const client_hooks *hooks = &c->config.hooks;
    if (memory_is_short()) client_stop_broken(c, ENOMEM);
    if (!client_is_running(c)) return NULL;
    if (c->runs >= c->runs_max || (is_late && !awaits_start(c, now_ns))) {
        stop_spent(c);
        return NULL;
    }
    const int64_t until_ns = is_late || idle_ns < deadline_ns ? idle_ns : deadline_ns;
    switch (pool_wait(c->pool, until_ns, b, &result)) {
    case POOL_RESULT:
        if (!is_late || result->last.verdict == VERDICT_ERROR) return take(c, b, result);
        stop_spent(c);
        break;
    case POOL_IDLE:
        if (is_late && clock_now_ns() < until_ns) stop_spent(c); /* nothing is under way */
        if (hooks->idle != NULL) hooks->idle(hooks->context);
        break;
    case POOL_INTERRUPTED: client_stop(c, END_INTERRUPTED); break;
    case POOL_BROKEN: client_stop_broken(c, errno); break;
    }
    return NULL;
}

const run_result *client_run_alone(client *c, const client_input *in, run_purpose purpose,
                                   batch *b) {
    const run_result *r = NULL;
    bool is_submitted = false;
    while (r == NULL && client_is_running(c)) {
        if (!is_submitted && pool_has_room(c->pool)) {
            submit(c, in, purpose);
            is_submitted = true;
        }
        r = client_wait(c, b);
    }
    return r;
}

run_stop client_run_once(pool *p, const client_config *config, const client_input *in,
                         run_purpose purpose, run_result *result) {
    client c;
    batch b;
    if (p == NULL) return (run_stop){.end = END_BROKEN, .error_number = errno};
    client_init(&c, p, config);
    const run_result *r = client_run_alone(&c, in, purpose, &b);
    if (r != NULL) {
        *result = *r;
    } else {
        memset(result, 0, sizeof *result);
        result->last = c.stop.error;
        if (c.stop.output != NULL) bytes_tail_copy(&result->output, c.stop.output);
    }
    return c.stop;
}

void client_end_processes(client *c, unsigned workers) {
    static const batch none = {.count = 1};
    unsigned asked = 0; /* each worker gets one */
    batch b;
    for (; asked < workers && client_is_running(c) && pool_has_room(c->pool); asked++)
        pool_submit(c->pool, &none, RUN_END);
    while (asked > 0 && client_is_running(c)) asked -= client_wait(c, &b) != NULL;
}

/* ---- Reruns ---- */

void failure_of_run(failure *f, const run_result *r, seed_input input) {
    memset(f, 0, sizeof *f);
    f->input = input;
    f->signature = outcome_signature(&r->last);
    f->is_site_known = r->is_site_known;
    f->program = r->program;
    f->draws = r->draws;
    memcpy(f->site, r->site, sizeof f->site);
}

static uint64_t digest_of_text(const char *text, size_t length) {
    uint64_t digest = 0;
    for (size_t i = 0; i < length; i++) digest = digest_more(digest, (uint8_t)text[i]);
    return digest;
}

/* Leave the shape out of a site whose place has shapes enough. */
static void limit_shapes(client *c, failure *f) {
    shapes_seen *s = &c->shapes;
    const size_t length = site_shapeless_length(f->site);
    const uint64_t place = digest_of_text(f->site, length),
                   site = digest_of_text(f->site, strlen(f->site));
    size_t of_place = 0;
    if (f->site[length] == '\0') return;
    if (!c->config.tells_shapes) {
        f->site[length] = '\0';
        return;
    }
    if (c->config.filter != NULL &&
        signature_filter_match(c->config.filter, f->signature, f->site, true) == SIGNATURE_DIFFERS)
        return;
    for (size_t i = 0; i < s->count; i++) {
        if (s->list[i].site == site) return;
        of_place += s->list[i].place == place;
    }
    const bool is_full = of_place >= SHAPES_MAX || s->count == sizeof s->list / sizeof s->list[0];
    if (is_full) f->site[length] = '\0';
    if (is_full && of_place == SHAPES_MAX && c->config.sink != NULL)
        event_emit(c->config.sink, &(event){.kind = EVENT_SHAPES, .failure = f});
    if (s->count < sizeof s->list / sizeof s->list[0] && of_place <= SHAPES_MAX) {
        s->list[s->count].place = place;
        s->list[s->count++].site = is_full ? 0 : site; /* told */
    }
}

void client_failure(client *c, failure *f, const run_result *r, seed_input input) {
    failure_of_run(f, r, input);
    limit_shapes(c, f);
}

/* Take the site of a rerun. The first one that failed is certain; later ones add what it lacks. */
static void take_site(failure *f, const failure *seen, bool is_first) {
    const bool lacks = f->site[0] == '\0' || (site_is_address(f->site) && seen->site[0] != '\0');
    if (!(is_first && seen->is_site_known) && !lacks) return;
    memcpy(f->site, seen->site, sizeof f->site);
    f->is_site_known |= seen->is_site_known;
}

/* Add a rerun to the counts. A run that stopped its worker is neither a pass nor a failure. */
static void add(client *c, const reruns_job *what, const run_result *r) {
    failure *f = what->failure;
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    f->reruns++;
    const failure_cause cause = outcome_cause(f->signature, f->site, &r->last);
    const bool is_kept = f->cause == CAUSE_OOM || (f->repeated > 0 && !is_stuck);
    if (cause == CAUSE_OOM || !is_kept) f->cause = cause; /* memory lacks beside other runs */
    if (!outcome_failed(&r->last)) return;
    failure seen;
    client_failure(c, &seen, r, f->input);
    if (what->like != NULL && !failure_is_alike(&seen, what->like)) return;
    /* The first run may have shared its process: only the signature of a rerun is certain. */
    take_site(f, &seen, f->repeated == 0);
    if (f->repeated == 0 || f->draws.count == 0) f->draws = seen.draws;
    if (f->repeated++ == 0) f->signature = seen.signature;
    f->program = seen.program;
    if (f->output != NULL) bytes_tail_copy(f->output, &r->output);
}

static bool is_last(unsigned number, unsigned count) { return count > 1 && number + 1 == count; }

bool reruns_make(client *c, const reruns_job *what, unsigned count, reruns_until until) {
    failure *f = what->failure;
    const unsigned passes_before = f->reruns - f->repeated;
    unsigned submitted = f->reruns;
    bool has_passed = false;
    batch b;
    assert(f->repeated <= f->reruns);
    while (client_is_running(c) && !pool_is_idle(c->pool))
        client_wait(c, &b); /* may be its cause */
    while (f->reruns < count && client_is_running(c) &&
           !(has_passed && until == RERUNS_UNTIL_PASS)) {
        for (; submitted < count && pool_has_room(c->pool); submitted++) {
            if (what->is_alone && f->reruns < submitted) break;
            if (is_last(submitted, count) && f->reruns < submitted)
                break; /* whether it fails is unknown */
            submit(c, &what->input,
                   f->repeated == 0            ? RUN_CONFIRM
                   : is_last(submitted, count) ? RUN_READ /* a person may read its output */
                                               : RUN_SHOW);
        }
        const run_result *r = client_wait(c, &b);
        if (r != NULL) {
            add(c, what, r);
            c->reruns++;
        }
        has_passed = f->reruns - f->repeated > passes_before;
    }
    pool_cancel(c->pool);
    return client_is_running(c) && !has_passed;
}
