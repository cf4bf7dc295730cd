#include "confirm.h"

#include "accept.h"
#include "clock.h"
#include "engine.h"
#include "rates.h"
#include "reduction_state.h"
#include "signature_filter.h"

#include <assert.h>

enum {
    ANNOUNCE_MS = 250,    /* least time between announcements of bests that need no rerun */
    ANNOUNCE_CALLS = 256, /* least calls between announcements of others, and least share of */
    ANNOUNCE_SHARE = 8,   /* all calls (1 / N): a rerun may cost as much as thousands of calls */
    RECOUNTS = 3 /* limit of reruns to compare flaky test cases, times failure_reruns_due */
};

/* ---- Events ---- */

static progress progress_of(const reduction *r) {
    const size_t at = schedule_pass(&r->loop.schedule), count = r->loop.schedule.count;
    return (progress){.size = r->best.testcase.size,
                      .runs = r->client.runs,
                      .steps = r->result->successes,
                      .elapsed_ns = clock_now_ns() - r->start_ns,
                      .pass = count > 0 ? r->loop.schedule.passes[at]->name : NULL,
                      .pass_number = count > 0 ? (unsigned)r->loop.schedule.at + 1 : 0,
                      .pass_count = (unsigned)count};
}

void confirm_emit_progress(reduction *r) {
    event_emit(r->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(r)});
}

void confirm_emit_step(reduction *r, const char *name) {
    progress now = progress_of(r);
    now.pass = name;
    now.draws = r->best.testcase.count;
    now.rank_bits = testcase_rank_bits(&r->best.testcase);
    event_emit(r->sink, &(event){.kind = EVENT_STEP,
                                 .progress = now,
                                 .change = &r->change.bytes,
                                 .draw_change = &r->change.draws});
}

void confirm_announce(reduction *r, const failure *f, const testcase *t, bool is_best) {
    progress now = progress_of(r);
    now.draws = t->count;
    now.rank_bits = testcase_rank_bits(t);
    event_emit(r->sink, &(event){.kind = is_best ? EVENT_BEST : EVENT_OTHER,
                                 .progress = now,
                                 .failure = f,
                                 .bytes = t->bytes});
}

/* ---- Rerunning ---- */

static reruns_job job_of(const reduction *r, const testcase *t, failure *f) {
    return (reruns_job){.input = client_bytes(t->bytes, t->size),
                        .failure = f,
                        .like = r->config->any_failure ? NULL : &r->target};
}

bool confirm_repeats(reduction *r, const testcase *t, failure *f, unsigned times) {
    if (times == 0) return client_is_running(&r->client); /* batches may be in flight */
    const reruns_job job = job_of(r, t, f);
    return reruns_make(&r->client, &job, f->reruns + times, RERUNS_UNTIL_PASS);
}

void confirm_count(reduction *r, const testcase *t, failure *f, unsigned times) {
    const reruns_job job = job_of(r, t, f);
    if (f->reruns < times) reruns_make(&r->client, &job, times, RERUNS_ALL);
}

/* Warn once that a failure is flaky. From now on each success has to repeat. */
void confirm_emit_flaky(reduction *r, const failure *f) {
    if (!reduction_is_strict(r)) event_emit(r->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
    r->confirmed.policy = CONFIRM_EVERY_STEP;
}

/* ---- Comparing ---- */

static double share_of(const failure *f) { return rate_of(f->repeated, f->reruns).seen; }

/* True if a test case fails less often than a share of its runs, beyond what luck explains. */
static bool is_worse(const failure *f, double share) {
    return rate_of(f->repeated, f->reruns).high < share;
}

/* Rerun a test case until it is known whether it fails in a share of its runs. A share of 1 needs
 * failure_reruns_due reruns. A lower share needs twice as many, for with many candidates some reach
 * it by luck. A test case that is below its share gets up to RECOUNTS times as many. */
static bool reaches(reduction *r, const testcase *t, failure *f, double share) {
    const unsigned due = failure_reruns_due(f), enough = share < 1 ? 2 * due : due;
    while (client_is_running(&r->client) && f->reruns < RECOUNTS * due && !is_worse(f, share)) {
        if (f->reruns >= enough && share_of(f) >= share) break;
        confirm_repeats(r, t, f, 1);
    }
    return client_is_running(&r->client) && f->repeated > 0 && !is_worse(f, share);
}

void confirm_measure(reduction *r, const testcase *t, failure *f) {
    const unsigned due = failure_reruns_due(f);
    confirm_count(r, t, f, due);
    if (f->repeated > 0 && failure_is_flaky(f)) confirm_count(r, t, f, RECOUNTS * due);
}

/* Return the share of its runs that a step must fail in: 1 if the result always failed; else that
 * of the first rung or, if higher, the lower bound of the result's, for its own may owe to luck. */
static double share_wanted(const reduction *r) {
    const failure *best = &r->result->best;
    const double low = rate_of(best->repeated, best->reruns).low;
    if (!failure_is_flaky(best)) return 1;
    return low > r->confirmed.floor ? low : r->confirmed.floor;
}

/* Rerun a result that always failed, perhaps by luck. Return false, and do nothing, if the result
 * is flaky, has enough reruns, or if `f`, which is compared with it, fails too seldom in any
 * case. */
static bool doubts_result(reduction *r, const failure *f) {
    failure *best = &r->result->best;
    const unsigned most = RECOUNTS * failure_reruns_due(best);
    if (failure_is_flaky(best) || best->reruns >= most) return false;
    if (!r->confirmed.is_first && is_worse(f, r->confirmed.floor)) return false;
    confirm_count(r, &r->confirmed.testcase, best, most);
    failure_keep(&r->best.failure, best);
    if (r->confirmed.is_first) r->confirmed.floor = share_of(best);
    return client_is_running(&r->client);
}

bool confirm_holds(reduction *r, const testcase *t, failure *f) {
    do {
        if (reaches(r, t, f, share_wanted(r))) return true;
    } while (client_is_running(&r->client) && doubts_result(r, f));
    return false;
}

/* ---- Going back ---- */

/* Restart the schedule, which has taken results of another best. */
static void begin_anew(reduction *r) {
    schedule_restart(&r->loop.schedule);
    r->loop.ahead = r->loop.schedule;
    r->external.has_won = true;
}

/* Copy a test case over another one. False when out of memory. */
static bool set_case(reduction *r, testcase *to, const testcase *from) {
    testcase copy;
    if (!testcase_copy(&copy, from)) {
        reduction_stop_for_memory(r);
        return false;
    }
    testcase_finish(to);
    *to = copy;
    return true;
}

/* Return the last rung that fails as often as the first one, or NULL once the client stops. Reject
 * the rungs after it for good. */
static const rung *last_that_reaches(reduction *r) {
    for (size_t i = r->confirmed.rung_count - 1; i > 0; i--) {
        rung *back = &r->confirmed.rungs[i];
        if (reaches(r, &back->bytes, &back->failure, r->confirmed.floor)) return back;
        if (!client_is_running(&r->client)) return NULL;
        accept_bar(r, &back->bytes);
    }
    return !client_is_running(&r->client) ? NULL : &r->confirmed.rungs[0];
}

/* Make a rung the result again. */
static void return_to(reduction *r, const rung *back) {
    if (!set_case(r, &r->confirmed.testcase, &back->bytes)) return;
    failure_keep(&r->result->best, &back->failure);
    if (r->best.state == BEST_ANNOUNCED) r->best.state = BEST_CONFIRMED;
}

/* Once a test case was flaky, check the result, which has few reruns and may be flaky, too. Go back
 * to the last of the rungs and the result that fails as often as the first rung. True if the best
 * stays the same. */
static bool go_back(reduction *r) {
    rung *first = &r->confirmed.rungs[0];
    if (r->confirmed.is_first) failure_keep(&first->failure, &r->result->best); /* its reruns */
    confirm_measure(r, &first->bytes, &first->failure);
    r->confirmed.floor = share_of(&first->failure);
    if (r->confirmed.is_first) failure_keep(&r->result->best, &first->failure);
    if (!r->confirmed.is_first &&
        !reaches(r, &r->confirmed.testcase, &r->result->best, r->confirmed.floor)) {
        const rung *back = last_that_reaches(r);
        if (back == NULL) return false;
        accept_bar(r, &r->confirmed.testcase);
        return_to(r, back);
        r->confirmed.is_first = back == first;
    } else if (r->best.state != BEST_UNCONFIRMED) {
        failure_keep(&r->best.failure, &r->result->best);
        return true;
    } else {
        r->best.state = BEST_ANNOUNCED; /* the result becomes the best again */
    }
    if (!client_is_running(&r->client) || !set_case(r, &r->best.testcase, &r->confirmed.testcase))
        return false;
    prefix_hashes_finish(&r->best.hashes);
    failure_keep(&r->best.failure, &r->result->best);
    if (r->best.state == BEST_UNCONFIRMED) r->best.state = BEST_CONFIRMED;
    begin_anew(r);
    return false;
}

void confirm_keep_rung(reduction *r, testcase *bytes, const failure *f) {
    assert(r->confirmed.rung_count < RUNGS_MAX);
    rung *top = &r->confirmed.rungs[r->confirmed.rung_count++];
    top->bytes = *bytes;
    failure_keep(&top->failure, f);
    *bytes = (testcase){0};
}

void confirm_keep(reduction *r) {
    const size_t top = r->confirmed.rung_count;
    const bool is_new = r->best.state == BEST_UNCONFIRMED;
    if (is_new && !reduction_is_strict(r) && top < RUNGS_MAX &&
        r->confirmed.testcase.size <= r->confirmed.rungs[top - 1].bytes.size / 2) {
        confirm_keep_rung(r, &r->confirmed.testcase, &r->result->best);
    }
    if (!set_case(r, &r->confirmed.testcase, &r->best.testcase)) return;
    r->confirmed.is_first = r->confirmed.is_first && !is_new;
    failure_keep(&r->result->best, &r->best.failure);
    r->result->found = true;
    if (is_new) r->best.state = BEST_CONFIRMED;
}

bool confirm_best(reduction *r, unsigned times) {
    failure *f = &r->best.failure;
    const unsigned due = times > f->reruns ? times - f->reruns : 0;
    const bool fails = confirm_repeats(r, &r->best.testcase, f, due);
    if (!client_is_running(&r->client)) return false;
    if (!fails) {
        confirm_emit_flaky(r, f);
        if (r->best.state != BEST_UNCONFIRMED) {
            failure_keep(&r->result->best, f);
        } else { /* reject it for good: it may pass the test later by luck */
            accept_bar(r, &r->best.testcase);
        }
        if (!go_back(r)) return false;
    }
    confirm_keep(r);
    confirm_announce_best(r);
    return true;
}

void confirm_announce_best(reduction *r) {
    if (r->best.state == BEST_CONFIRMED) {
        confirm_announce(r, &r->result->best, &r->confirmed.testcase, true);
        r->best.state = BEST_ANNOUNCED;
    }
    r->confirmed.announced_ns = clock_now_ns();
    r->confirmed.announced_calls = r->client.runs;
}

/* The clock decides only where it changes no call. */
bool confirm_is_due(const reduction *r) {
    const uint64_t calls = r->client.runs - r->confirmed.announced_calls;
    if (r->best.state == BEST_ANNOUNCED) return false;
    if (r->best.failure.reruns > 0)
        return clock_now_ns() >= r->confirmed.announced_ns + ANNOUNCE_MS * CLOCK_NS_PER_MS;
    return calls >= ANNOUNCE_CALLS && calls >= r->client.runs / ANNOUNCE_SHARE;
}

/* Rerun a failure of another signature, and announce it if it fails again as it did. */
static void confirm_other(reduction *r, failure *other, const testcase *t) {
    batch runs;
    const client_input input = client_bytes(t->bytes, t->size);
    const signature_filter *filter = r->config->filter;
    const run_result *run = client_run_alone(&r->client, &input, RUN_CONFIRM, &runs);
    if (run == NULL || !outcome_failed(&run->last)) return;
    failure f = accept_failure(r, run, t->size);
    f.reruns = f.repeated = 1;
    if (!failure_is_alike(&f, other)) return;
    failure_keep(other, &f);
    if (filter == NULL || !signature_filter_ignores(filter, f.signature, f.site))
        confirm_announce(r, &f, t, false);
}

void confirm_others(reduction *r) {
    other_failures *o = &r->others;
    size_t i;
    while (client_is_running(&r->client) && (i = other_failures_pending(o)) < o->failures.count) {
        o->cases[i].is_pending = false;
        confirm_other(r, &o->failures.list[i], &o->cases[i].testcase);
    }
}
