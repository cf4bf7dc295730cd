/* accept.c: judges what was run, and keeps the best test case so far.
 *
 * A candidate that failed becomes the best if it is simpler and fails as the input does. Its run
 * may have shared a process with others; where the site matters and that run shows none, the
 * candidate is rerun alone, and only then judged.
 *
 * The best is the result once it failed again in a fresh process. A rerun may cost as much as
 * thousands of calls in process, so a best is confirmed after a count of calls, and three times at
 * the end. Where each run has a process of its own, it confirms itself. What is confirmed when
 * depends on counts alone; the clock only spaces the announcements, so that two reductions of one
 * input make the same calls.
 *
 * If a rerun passes, the failure is flaky. Then the first test case is rerun, to know the share of
 * its runs that fail, and the reduction returns to the last confirmed best, or to the first if that
 * one fails less often. From then on it is strict: each step is rerun as often as the first was,
 * before it becomes the best, and must fail as often. */
#include "bytes.h"
#include "clock.h"
#include "event.h"
#include "output_site.h"
#include "pool.h"
#include "rates.h"
#include "record_check.h"
#include "reduction.h"
#include "signature_filter.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum {
    CONFIRM_TRIES = 20,   /* limit of runs of the input until it first fails */
    ANNOUNCE_MS = 250,    /* least time between announcements of bests that need no rerun */
    ANNOUNCE_CALLS = 256, /* least calls between reruns of bests, and least share of */
    ANNOUNCE_SHARE = 8,   /* all calls (1 / N) */
    RECOUNTS = 3 /* limit of reruns to compare flaky test cases, times failure_reruns_due */
};

void reduction_stop_for_memory(reduction *r) { client_stop_broken(&r->client, ENOMEM); }

/* ---- Events ---- */

/* Return the bits that the ranks of the draws have together: 0 if each value is the simplest. */
static uint64_t count_rank_bits(const testcase *t) {
    uint64_t bits = 0;
    for (size_t i = 0; i < t->count; i++) {
        const uint64_t rank = t->draws[i].rank;
        if (rank > 0) bits += 64 - (unsigned)__builtin_clzll(rank);
    }
    return bits;
}

/* Return how far the reduction is, with the draws of a test case, or without any. */
static progress progress_of(const reduction *r, const testcase *t) {
    const size_t at = schedule_pass(&r->loop.now), count = r->loop.now.count;
    return (progress){.size = r->best.testcase.size,
                      .draws = t != NULL ? t->count : 0,
                      .rank_bits = t != NULL ? count_rank_bits(t) : 0,
                      .runs = r->client.runs,
                      .steps = r->result->successes,
                      .elapsed_ns = clock_now_ns() - r->start_ns,
                      .pass = count > 0 ? r->loop.now.passes[at]->name : NULL,
                      .pass_number = count > 0 ? (unsigned)r->loop.now.at + 1 : 0,
                      .pass_count = (unsigned)count};
}

void reduction_emit_progress(reduction *r) {
    event_emit(r->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(r, NULL)});
}

static void emit_step(reduction *r, const char *pass_name) {
    progress now = progress_of(r, &r->best.testcase);
    now.pass = pass_name;
    event_emit(r->sink, &(event){.kind = EVENT_STEP, .progress = now, .change = &r->change});
}

static void emit_failure(reduction *r, event_kind kind, const failure *f, const testcase *t) {
    event_emit(
        r->sink,
        &(event){.kind = kind, .progress = progress_of(r, t), .failure = f, .bytes = t->bytes});
}

/* Warn once that a failure is flaky. From now on each step has to repeat. */
static void become_strict(reduction *r, const failure *f) {
    if (!r->confirmed.is_strict) event_emit(r->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
    r->confirmed.is_strict = true;
}

static byte_change byte_change_of(const testcase *from, const testcase *to) {
    const size_t most = smaller(from->size, to->size);
    size_t head = 0, tail = 0;
    while (head < most && from->bytes[head] == to->bytes[head]) head++;
    while (tail < most - head &&
           from->bytes[from->size - tail - 1] == to->bytes[to->size - tail - 1])
        tail++;
    byte_change c = {head, from->size - head - tail, to->size - head - tail, {0}, {0}};
    memcpy(c.before, from->bytes + head, smaller(c.removed, sizeof c.before));
    memcpy(c.after, to->bytes + head, smaller(c.inserted, sizeof c.after));
    return c;
}

/* ---- Judging a run ---- */

bool accept_testcase(reduction *r, const candidate_set *set, const uint8_t *bytes, size_t size,
                     uint64_t drawn, testcase *t) {
    const size_t count = r->distrusts ? 0 : set->record_count;
    if (!testcase_init(t, (traced_run){bytes, size, drawn, set->records, count})) {
        reduction_stop_for_memory(r);
        return false;
    }
    if (t->has_wrong_record) {
        const wrong_record w = record_check(t->bytes, t->size, set->records, count);
        event_emit(r->sink, &(event){.kind = EVENT_WRONG_RECORD, .wrong = &w});
        r->distrusts = true;
    }
    return true;
}

/* Copy a test case over another one. False when out of memory. */
static bool set_case(reduction *r, testcase *to, const testcase *from) {
    testcase copy;
    const bool ok = testcase_copy(&copy, from);
    if (ok) {
        testcase_finish(to);
        *to = copy;
    } else {
        reduction_stop_for_memory(r);
    }
    return ok;
}

/* Return the failure that a run reported, of an input of `size` bytes. Its output lasts until the
 * next such call, or a rerun of it. */
static failure failure_of(reduction *r, const run_result *run, uint64_t size) {
    failure f;
    failure_of_run(&f, run, (seed_input){.size = size});
    f.output = &r->judged_output;
    *f.output = run->output;
    return f;
}

/* True if a failure counts (config->filter), as far as its site is known. */
static bool counts(const reduction *r, const failure *f) {
    const signature_filter *filter = r->config->filter;
    return filter == NULL || signature_filter_match(filter, f->signature, f->site,
                                                    f->is_site_known) != SIGNATURE_DIFFERS;
}

static bool is_ignored(const reduction *r, const failure *f) {
    const signature_filter *filter = r->config->filter;
    return filter != NULL && signature_filter_ignores(filter, f->signature, f->site);
}

static bool is_interesting(const reduction *r, const failure *f) {
    return r->config->any_failure ? counts(r, f) : failure_is_alike(f, &r->target);
}

/* True if the site of a failed run matters and is not known: it shared its process, which showed no
 * output. */
static bool hides_site(const reduction *r, const failure *f) {
    if (r->config->is_file) return false; /* a predicate gives no site */
    if (f->is_site_known || f->signature.kind == SIGNATURE_TIMEOUT) return false;
    if (r->config->any_failure)
        return r->config->filter != NULL && !signature_filter_is_empty(r->config->filter);
    return r->target.is_site_known && failure_is_alike(f, &r->target);
}

/* Rerun bytes in a fresh process, which shows their site. False if they do not fail there. */
static bool look(reduction *r, const uint8_t *bytes, size_t size, failure *f) {
    batch runs;
    const client_input input = client_bytes(bytes, size);
    r->has_looked = true;
    r->loop.flight.count = 0;
    pool_cancel(r->client.pool);
    const run_result *run = client_run_alone(&r->client, &input, RUN_CONFIRM, &runs);
    if (run == NULL || !outcome_failed(&run->last)) return false;
    *f = failure_of(r, run, size);
    f->reruns = f->repeated = 1;
    return true;
}

bool accept_is_alike(reduction *r, const run_result *run, const uint8_t *bytes, uint64_t size) {
    testcase t; /* a copy: what is looked at overwrites the set */
    if (!outcome_failed(&run->last)) return false;
    failure f = failure_of(r, run, size);
    if (!hides_site(r, &f)) return is_interesting(r, &f);
    if (!testcase_init(&t, traced_run_of(bytes, (size_t)size))) {
        reduction_stop_for_memory(r);
        return false;
    }
    const bool is_alike = look(r, t.bytes, t.size, &f) && is_interesting(r, &f);
    testcase_finish(&t);
    return is_alike;
}

/* ---- Other failures ---- */

/* Keep a copy of a failure if its signature is new or it is simpler than the one kept. */
static void keep_other(reduction *r, const failure *f, const testcase *t) {
    other_failures *o = &r->others;
    const size_t i = distinct_failures_find(&o->failures, f);
    if (is_ignored(r, f)) {
        r->result->ignored++;
        return;
    }
    if (i == DISTINCT_FAILURES_MAX) return;
    if (i < o->failures.count && testcase_compare(t, &o->cases[i]) >= 0) return;
    if (!set_case(r, &o->cases[i], t)) return;
    distinct_failures_put(&o->failures, i, f);
    o->is_pending[i] = true;
}

/* Rerun a failure of another signature, and announce it if it fails again as it did. */
static void confirm_other(reduction *r, failure *other, const testcase *t) {
    failure f;
    if (!look(r, t->bytes, t->size, &f) || !failure_is_alike(&f, other)) return;
    failure_keep(other, &f);
    if (!is_ignored(r, &f)) emit_failure(r, EVENT_OTHER, &f, t);
}

void confirm_others(reduction *r) {
    other_failures *o = &r->others;
    for (size_t i = 0; i < o->failures.count && client_is_running(&r->client); i++) {
        if (o->is_pending[i]) confirm_other(r, &o->failures.list[i], &o->cases[i]);
        o->is_pending[i] = false;
    }
}

/* ---- Rerunning ---- */

static reruns_job job_of(const reduction *r, const testcase *t, failure *f) {
    return (reruns_job){.input = client_bytes(t->bytes, t->size),
                        .failure = f,
                        .like = r->config->any_failure ? NULL : &r->target};
}

/* Rerun a test case `times` times in fresh processes, or until a rerun does not fail. True if all
 * failed. */
static bool repeats(reduction *r, const testcase *t, failure *f, unsigned times) {
    if (times == 0) return client_is_running(&r->client); /* batches may be in flight */
    const reruns_job job = job_of(r, t, f);
    return reruns_make(&r->client, &job, f->reruns + times, RERUNS_UNTIL_PASS);
}

/* Measure how often a test case fails, by failure_reruns_due reruns in all, or RECOUNTS times as
 * many if it is flaky. */
static void measure(reduction *r, const testcase *t, failure *f) {
    const reruns_job job = job_of(r, t, f);
    const unsigned due = failure_reruns_due(f);
    if (f->reruns < due) reruns_make(&r->client, &job, due, RERUNS_ALL);
    if (f->repeated > 0 && failure_is_flaky(f) && f->reruns < RECOUNTS * due)
        reruns_make(&r->client, &job, RECOUNTS * due, RERUNS_ALL);
}

static double share_of(const failure *f) { return rate_of(f->repeated, f->reruns).seen; }

/* Return the share of its runs that a step must fail in: all if the result always failed; else that
 * of the first test case or, if higher, the lower bound of the result's, for its own may be luck.
 */
static double share_wanted(const reduction *r) {
    const failure *best = &r->result->best;
    const double low = rate_of(best->repeated, best->reruns).low;
    if (!failure_is_flaky(best)) return 1;
    return low > r->confirmed.share ? low : r->confirmed.share;
}

/* True if a test case fails in a share of its runs. A share of 1 takes failure_reruns_due reruns
 * that all fail. A lower one takes twice as many, for with many candidates some reach it by luck,
 * and up to RECOUNTS times as many if it is below; it is rejected once it is lower with 97.5%
 * confidence. */
static bool reaches(reduction *r, const testcase *t, failure *f, double share) {
    const unsigned due = failure_reruns_due(f), enough = share < 1 ? 2 * due : due;
    while (client_is_running(&r->client) && f->reruns < RECOUNTS * due &&
           rate_of(f->repeated, f->reruns).high >= share) {
        if (f->reruns >= enough && share_of(f) >= share) break;
        repeats(r, t, f, 1);
    }
    return client_is_running(&r->client) && f->repeated > 0 &&
           rate_of(f->repeated, f->reruns).high >= share;
}

/* ---- The result ---- */

/* Make the best, which failed again, the result. */
static void keep(reduction *r) {
    if (!set_case(r, &r->confirmed.testcase, &r->best.testcase)) return;
    failure_keep(&r->result->best, &r->best.failure);
    r->result->found = true;
    if (!r->best.is_confirmed) r->confirmed.is_first = r->confirmed.is_announced = false;
    r->best.is_confirmed = true;
}

static void announce(reduction *r) {
    if (!r->confirmed.is_announced)
        emit_failure(r, EVENT_BEST, &r->result->best, &r->confirmed.testcase);
    r->confirmed.is_announced = true;
    r->confirmed.announced_ns = clock_now_ns();
}

void confirm_announce_now_and_then(reduction *r) {
    if (!r->confirmed.is_announced &&
        clock_now_ns() >= r->confirmed.announced_ns + ANNOUNCE_MS * CLOCK_NS_PER_MS)
        announce(r);
}

bool confirm_is_due(const reduction *r) {
    const uint64_t calls = r->client.runs - r->confirmed.calls;
    return !r->best.is_confirmed && calls >= ANNOUNCE_CALLS &&
           calls >= r->client.runs / ANNOUNCE_SHARE;
}

/* Return to the result, or to the first test case if the result fails less often. True if the best
 * was the result, and stays. */
static bool go_back(reduction *r) {
    confirmed_cases *c = &r->confirmed;
    failure *result = &r->result->best;
    const bool was_result = r->best.is_confirmed;
    if (c->is_first) failure_keep(&c->first_failure, result); /* its reruns */
    measure(r, &c->first, &c->first_failure);
    c->share = share_of(&c->first_failure);
    if (c->is_first) failure_keep(result, &c->first_failure);
    const bool stays = c->is_first || reaches(r, &c->testcase, result, c->share);
    if (!client_is_running(&r->client)) return false;
    if (stays && was_result) {
        failure_keep(&r->best.failure, result);
        return true;
    }
    if (!stays) {
        accept_bar(r, &c->testcase);
        failure_keep(result, &c->first_failure);
        if (!set_case(r, &c->testcase, &c->first)) return false;
        c->is_first = true;
        c->is_announced = false;
    }
    if (!set_case(r, &r->best.testcase, &c->testcase)) return false;
    failure_keep(&r->best.failure, result);
    r->best.is_confirmed = true;
    schedule_restart(&r->loop.now); /* it has taken results of another best */
    r->loop.ahead = r->loop.now;
    r->external.has_won = true;
    return false;
}

bool confirm_best(reduction *r, unsigned times) {
    failure *f = &r->best.failure;
    const unsigned due = times > f->reruns ? times - f->reruns : 0;
    const bool fails = repeats(r, &r->best.testcase, f, due);
    if (!client_is_running(&r->client)) return false;
    if (!fails) {
        become_strict(r, f);
        if (r->best.is_confirmed) {
            failure_keep(&r->result->best, f);
        } else { /* reject it for good: it may pass the test later by luck */
            accept_bar(r, &r->best.testcase);
        }
        if (!go_back(r)) return false;
    }
    r->confirmed.calls = r->client.runs;
    keep(r);
    announce(r);
    return true;
}

/* A best that always failed in fresh processes needs no further run, and gets none if the budget is
 * spent. One that passed there, before the budget ended, is rejected. */
void confirm_last(reduction *r) {
    const failure *f = &r->best.failure;
    if (!r->best.is_confirmed && f->reruns == 0 && client_is_running(&r->client))
        confirm_best(r, 1);
    if (!r->best.is_confirmed && f->reruns > 0 && !failure_is_flaky(f)) keep(r);
    announce(r);
}

/* ---- The beginning ---- */

/* Run the input until it fails. True if it fails as configured. */
static bool run_first(reduction *r) {
    const reduce_config *c = r->config;
    const client_input start = client_bytes(c->bytes, c->size);
    for (unsigned i = 0; i < CONFIRM_TRIES && client_is_running(&r->client); i++) {
        batch runs;
        const run_result *run =
            client_run_alone(&r->client, &start, i > 0 ? RUN_SHOW : RUN_TRY, &runs);
        if (run == NULL) return false;
        r->result->seen = run->last;
        r->can_choose |= runs.candidates->can_choose;
        if (run->last.verdict == VERDICT_STUCK) r->result->limit = CAUSE_WORKER;
        if (!outcome_failed(&run->last)) continue;
        const failure f = failure_of(r, run, c->size);
        r->result->is_unwanted = !counts(r, &f);
        if (r->result->is_unwanted) return false;
        failure_keep(&r->target, &f);
        r->loop.purpose = run->leak == LEAK_FOUND || c->any_failure ? RUN_TRY : RUN_TRY_UNWATCHED;
        failure_keep(&r->best.failure, &f);
        r->best.failure.reruns = i; /* earlier runs, none of which failed */
        return accept_testcase(r, runs.candidates, c->bytes, c->size, run->last.drawn,
                               &r->best.testcase);
    }
    return false;
}

/* Confirm the input, trimmed to the bytes that it drew. If that does not fail, try all bytes. If
 * those do not fail again either, the failure is flaky. */
static bool confirm_first(reduction *r) {
    testcase *t = &r->best.testcase;
    failure f = r->best.failure;
    bool is_flaky = f.reruns > 0;
    f.input.size = t->size;
    bool fails = repeats(r, t, &f, 1);
    if (!fails && client_is_running(&r->client) && t->size < r->config->size) {
        testcase_finish(t);
        f = r->best.failure;
        if (!testcase_init(t, traced_run_of(r->config->bytes, r->config->size))) {
            reduction_stop_for_memory(r);
            return false;
        }
        fails = repeats(r, t, &f, 1);
    }
    if (!client_is_running(&r->client)) return false;
    is_flaky |= !fails;
    if (is_flaky) {
        if (f.cause != CAUSE_MEMORY) measure(r, t, &f);
        r->result->limit = f.cause;
        become_strict(r, &f);
    }
    if (f.repeated == 0) return false;
    failure_keep(&r->best.failure, &f);
    failure_keep(&r->target, &f); /* fresh processes show its site */
    r->result->is_unwanted = !counts(r, &f);
    return !r->result->is_unwanted;
}

bool accept_first(reduction *r) {
    confirmed_cases *c = &r->confirmed;
    c->announced_ns = clock_now_ns();
    if (!run_first(r) || !confirm_first(r)) return false;
    r->best.is_confirmed = c->is_announced = true; /* the user has it already */
    if (!set_case(r, &c->first, &r->best.testcase)) return false;
    failure_keep(&c->first_failure, &r->best.failure);
    c->share = share_of(&r->best.failure);
    c->is_first = true;
    keep(r);
    return true;
}

bool accept_choices(reduction *r, const run_result *run, const candidate_set *set) {
    testcase *best = &r->best.testcase;
    const uint8_t *bytes = candidate_set_chosen(set);
    testcase next;
    if (!outcome_failed(&run->last)) return false;
    if (set->chosen_size != best->size || memcmp(bytes, best->bytes, best->size) != 0)
        return accept_try(r, &(tried_candidate){run, set, 0, SIZE_MAX, true}, NULL);
    if (!accept_testcase(r, set, bytes, best->size, best->size, &next)) return false;
    next.has_run_out = set->has_run_out;
    testcase_finish(best);
    *best = next;
    return true;
}

/* ---- Candidates ---- */

/* Make the test case of a candidate. Of choices, the bytes are those that they made. */
static bool make_tried(reduction *r, const tried_candidate *c, testcase *t) {
    const candidate_set *set = c->set;
    const size_t chosen = (size_t)set->chosen_size;
    if (set->form == CANDIDATE_BYTES)
        return accept_testcase(r, set, candidate_set_bytes(set, c->at),
                               (size_t)candidate_set_size(set, c->at), c->run->last.drawn, t);
    if (set->chosen_size == OUTCOME_DRAWN_UNKNOWN ||
        !accept_testcase(r, set, candidate_set_chosen(set), chosen, chosen, t))
        return false;
    t->has_run_out = set->has_run_out;
    return true;
}

/* True if a failed candidate is simpler than the best, made no more draws of choices than it may,
 * and is interesting. Then *next is its test case, which the caller owns, and *f its failure.
 * Failures of other signatures go to r->others. */
static bool is_better(reduction *r, const tried_candidate *c, testcase *next, failure *f) {
    if (!outcome_failed(&c->run->last)) return false; /* its memory was short */
    *f = failure_of(r, c->run, 0);
    if (!make_tried(r, c, next)) return false;
    f->input.size = next->size;
    const bool is_longer =
        c->set->form == CANDIDATE_CHOICES && next->count > c->draws_max && !r->distrusts;
    const bool is_simpler = testcase_compare(next, &r->best.testcase) < 0 && !is_longer;
    if (!is_simpler || !hides_site(r, f) || look(r, next->bytes, next->size, f)) {
        if (!is_interesting(r, f)) {
            keep_other(r, f, next);
        } else if (is_simpler) {
            return true;
        }
    }
    testcase_finish(next);
    return false;
}

/* Report the first success that may be another failure: neither has a site, and their outputs end
 * with other words. */
static void compare_output(reduction *r, const failure *f) {
    const failure *target = &r->target;
    const bool has_site = f->site[0] != '\0' || target->site[0] != '\0';
    if (r->has_warned_alike || r->config->any_failure || has_site || !f->is_site_known) return;
    if (f->output == NULL || target->output == NULL) return;
    if (f->signature.kind == SIGNATURE_TIMEOUT || output_ends_alike(f->output, target->output))
        return;
    r->has_warned_alike = true;
    event_emit(r->sink, &(event){.kind = EVENT_ALIKE, .failure = f});
}

/* Make a test case the best, which takes it over. */
static void take(reduction *r, const testcase *next, const failure *f, bool keeps_base) {
    r->change = byte_change_of(&r->best.testcase, next);
    if (next->size < r->best.testcase.size) r->result->calls_to_size = r->client.runs;
    testcase_finish(keeps_base ? &r->best.testcase : &r->base);
    if (!keeps_base) r->base = r->best.testcase;
    r->best.testcase = *next;
    failure_keep(&r->best.failure, f);
    r->best.is_confirmed = false;
    if (f->reruns > 0) keep(r);
}

bool accept_try(reduction *r, const tried_candidate *c, pass_statistics *s) {
    testcase next;
    failure f;
    const size_t size = r->best.testcase.size;
    if (!is_better(r, c, &next, &f)) return false;
    if (r->confirmed.is_strict) {
        r->loop.flight.count = 0;
        pool_cancel(r->client.pool);
        if (!reaches(r, &next, &f, share_wanted(r))) {
            testcase_finish(&next);
            return false;
        }
    } else if (f.reruns == 0 && r->config->is_fresh && f.signature.kind != SIGNATURE_TIMEOUT &&
               !r->config->has_memory_limit) {
        f.reruns = f.repeated = 1; /* its process was fresh, and no limit caused it */
    }
    compare_output(r, &f);
    take(r, &next, &f, c->keeps_base);
    if (s == NULL) return true; /* the first best, as choices */
    r->result->successes++;
    s->successes++;
    s->bytes += size - r->best.testcase.size;
    emit_step(r, s->name);
    return true;
}

void accept_bar(reduction *r, testcase *t) {
    static const patch none;
    uint64_t digest = digest_of(t->bytes, t->size);
    if (r->loop.form == CANDIDATE_CHOICES && !patch_digest(&none, t, r->loop.form, &digest))
        reduction_stop_for_memory(r);
    rejected_cache_add_digest(&r->rejected, digest);
}
