/* accept.c: judges what was run, and keeps the best test case so far.
 *
 * A candidate that failed becomes the best if it is simpler and fails as the input does. Its run
 * may have shared a process with others; where the site matters and that run shows none, the
 * candidate is rerun alone, and only then judged.
 *
 * The best is the result once it failed again in a fresh process. A rerun may cost as much as
 * thousands of calls in process, so a best is confirmed after a count of calls, and three times at
 * the end. Where each run has a process of its own, it confirms itself. What is confirmed and
 * announced when depends on counts alone, so that two reductions of one input do the same.
 *
 * If a rerun passes, the failure is flaky. Then the first test case is rerun, to know the share of
 * its runs that fail, and the reduction returns to the last confirmed best, or to the first if that
 * one fails less often. From then on it is strict: a step is rerun as often as the first was,
 * before it becomes the best, and must fail as often. While steps do, twice as many go before the
 * next reruns; if the last of them fails less often, the reduction returns to the result, and
 * reruns each again. */
#include "bytes.h"
#include "clock.h"
#include "confidence.h"
#include "event.h"
#include "output_site.h"
#include "pool.h"
#include "record_check.h"
#include "reduction.h"
#include "signature_filter.h"

#include <string.h>

enum {
    CONFIRM_TRIES = 20,  /* limit of runs of the input until it first fails */
    ANNOUNCE_CALLS = 8,  /* least calls between announcements of bests that need no rerun, */
    ANNOUNCE_SHARE = 32, /* and least share of all calls (1 / N) */
    CONFIRM_CALLS = 256, /* the same for reruns of bests */
    CONFIRM_SHARE = 8,
    RECOUNTS = 3,  /* limit of reruns to compare flaky test cases, times failure_reruns_due */
    TRUST_MAX = 32 /* limit of steps in a row of a flaky failure whose last one is rerun for all */
};

/* ---- Events ---- */

uint64_t reduction_rank_bits(const testcase *t) {
    uint64_t count = 0;
    for (size_t i = 0; i < t->count; i++) count += bits(testcase_rank(t, i));
    return count;
}

/* Return how far the reduction is, with the draws of a test case, or without any. */
static progress progress_of(const reduction *r, const testcase *t) {
    const size_t at = schedule_pass(&r->now), count = r->now.count;
    return (progress){.size = r->best.testcase.size,
                      .draws = t != NULL ? t->count : 0,
                      .rank_bits = t != NULL ? reduction_rank_bits(t) : 0,
                      .runs = r->client.runs,
                      .steps = r->result->successes,
                      .elapsed_ns = clock_now_ns() - r->client.start_ns,
                      .failures = r->config->met,
                      .pass = count > 0 ? r->now.passes[at]->name : NULL,
                      .pass_number = count > 0 ? (unsigned)r->now.at + 1 : 0,
                      .pass_count = (unsigned)count};
}

void reduction_emit_progress(reduction *r) {
    event_emit(r->sink, &(event){.kind = EVENT_PROGRESS, .progress = progress_of(r, NULL)});
}

static void emit_failure(reduction *r, event_kind kind, const failure *f, const uint8_t *bytes) {
    const testcase *best = kind == EVENT_BEST ? &r->result->bytes : NULL;
    event_emit(
        r->sink,
        &(event){.kind = kind, .progress = progress_of(r, best), .failure = f, .bytes = bytes});
}

/* Warn once that a failure is flaky. From now on each step has to repeat. */
static void become_strict(reduction *r, const failure *f) {
    if (!r->is_strict) event_emit(r->sink, &(event){.kind = EVENT_FLAKY, .failure = f});
    r->is_strict = true;
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

/* Find the bytes of a set's last run; of choices, those that they made. False if it has none. */
static bool find_bytes(const run_result *run, const candidate_set *set, client_input *in) {
    const uint32_t at = set->external_pass != NULL ? 1 : run->ran - 1;
    if (set->form == CANDIDATE_BYTES) {
        *in = client_bytes(candidate_set_bytes(set, at), (size_t)candidate_set_size(set, at));
    } else if (set->chosen_size != OUTCOME_DRAWN_UNKNOWN) {
        *in = client_bytes(candidate_set_chosen(set), (size_t)set->chosen_size);
    } else {
        return false;
    }
    return true;
}

/* Make a test case of bytes of a run. A large file has no draws, for each takes 48 bytes, nor has a
 * text of larger units, which are those of the best once there is one. */
static void init_case(reduction *r, testcase *t, client_input in, const frng_trace_record *records,
                      size_t record_count) {
    enum { DRAWS_MAX = 1 << 18 };
    const size_t size = (size_t)in.input.size;
    const reduce_config *config = r->config;
    bool is_big = r->best.testcase.is_big;
    uint8_t width = r->best.testcase.width;
    if (width == 0 && config->is_file) width = text_unit_width(in.bytes, size, &is_big);
    if (!config->is_file || (width == 1 && size <= DRAWS_MAX)) {
        testcase_init(t, in.bytes, size, records, record_count);
        return;
    }
    const bool is_first = size == config->size && memcmp(in.bytes, config->bytes, size) == 0;
    *t = testcase_of_units(is_first ? config->bytes : in.bytes, size, width, is_big);
    if (!is_first) testcase_own(t);
}

bool accept_testcase(reduction *r, const run_result *run, const candidate_set *set, testcase *t) {
    const bool is_chosen = set->form == CANDIDATE_CHOICES;
    const size_t count = r->distrusts ? 0 : set->record_count;
    client_input in;
    if (!find_bytes(run, set, &in)) return false;
    if (!is_chosen) in.input.size = smaller(in.input.size, run->last.drawn); /* or unknown */
    init_case(r, t, in, set->records, count);
    t->has_run_out = is_chosen && set->has_run_out;
    if (t->has_wrong_record) {
        const wrong_record w = record_check(t->bytes, t->size, set->records, count);
        event_emit(r->sink, &(event){.kind = EVENT_WRONG_RECORD, .wrong = &w});
        r->distrusts = true;
    }
    return true;
}

/* Copy a test case over another one. */
static void set_case(testcase *to, const testcase *from) {
    testcase copy;
    testcase_copy(&copy, from);
    testcase_finish(to);
    *to = copy;
}

/* Return the failure that a run reported, of an input of `size` bytes. Its output lasts until the
 * next such call, or a rerun of it. */
static failure failure_of(reduction *r, const run_result *run, uint64_t size) {
    failure f;
    client_failure(&r->client, &f, run, (seed_input){.size = size});
    f.output = &r->judged_output;
    bytes_tail_copy(f.output, &run->output);
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

/* True if the site of a failed run matters and is not known, as its process was shared. */
static bool hides_site(const reduction *r, const failure *f) {
    if (r->config->is_file) return false; /* a predicate gives no site */
    if (f->is_site_known || f->signature.kind == SIGNATURE_TIMEOUT) return false;
    if (r->config->any_failure)
        return r->config->filter != NULL && !signature_filter_is_empty(r->config->filter);
    return r->target.is_site_known && failure_is_alike(f, &r->target);
}

/* Drop all that is in flight, for reruns. */
static void cancel(reduction *r) {
    r->has_cancelled = true;
    r->flying = 0;
    pool_cancel(r->client.pool);
}

/* Rerun bytes, perhaps of a run, in a fresh process, which shows their site. False if they pass. */
static bool look(reduction *r, client_input in, failure *f) {
    batch runs;
    cancel(r);
    const run_result *run = client_run_alone(&r->client, &in, RUN_CONFIRM, &runs);
    if (run == NULL || !outcome_failed(&run->last)) return false;
    *f = failure_of(r, run, in.input.size);
    f->reruns = f->repeated = 1;
    return true;
}

bool accept_is_alike(reduction *r, const run_result *run, const candidate_set *set) {
    client_input in;
    if (!outcome_failed(&run->last) || !find_bytes(run, set, &in)) return false;
    failure f = failure_of(r, run, in.input.size);
    return (!hides_site(r, &f) || look(r, in, &f)) && is_interesting(r, &f);
}

/* ---- Other failures ---- */

static void keep_other(reduction *r, const failure *f, const testcase *t) {
    if (is_ignored(r, f)) {
        r->result->ignored++;
    } else if (r->config->met != NULL) {
        failure_table_meet(r->config->met, f, t->bytes);
    }
}

/* Rerun a failure of another signature, and announce it if it fails again as it did. */
static void confirm_other(reduction *r, failure_row *other) {
    failure f;
    other->state = FAILURE_ONCE;
    other->is_best = false;
    if (!look(r, client_bytes(other->bytes, other->failure.input.size), &f) ||
        !failure_is_alike(&f, &other->failure) || is_ignored(r, &f))
        return;
    failure_keep(&other->failure, &f);
    other->state = FAILURE_OTHER;
    if (failure_table_keep(r->config->met, other)) emit_failure(r, EVENT_OTHER, &f, other->bytes);
}

void confirm_others(reduction *r) {
    failure_table *met = r->config->met;
    if (met == NULL || r->config->is_unconfirmed) return;
    for (size_t i = 0; i < met->count && client_is_running(&r->client); i++) {
        if (met->rows[i].state == FAILURE_MET) confirm_other(r, &met->rows[i]);
    }
}

/* ---- Rerunning ---- */

/* Rerun a test case in fresh processes until it has `count` reruns. True if all of them failed. */
static bool rerun(reduction *r, const testcase *t, failure *f, unsigned count, reruns_until until) {
    const reruns_job job = {.input = client_bytes(t->bytes, t->size),
                            .failure = f,
                            .like = r->config->any_failure ? NULL : &r->target};
    return reruns_make(&r->client, &job, count, until);
}

/* Rerun a test case once more. True if it fails. */
static bool repeats(reduction *r, const testcase *t, failure *f) {
    return rerun(r, t, f, f->reruns + 1, RERUNS_UNTIL_PASS);
}

/* Measure how often a test case fails, by failure_reruns_due reruns in all, or RECOUNTS times as
 * many if it is flaky. */
static void measure(reduction *r, const testcase *t, failure *f) {
    const unsigned due = failure_reruns_due(f);
    rerun(r, t, f, due, RERUNS_ALL);
    if (f->repeated > 0 && failure_is_flaky(f)) rerun(r, t, f, RECOUNTS * due, RERUNS_ALL);
}

static double share_of(const failure *f) { return rate_of(f->repeated, f->reruns).seen; }

/* Return the share of its runs that a step must fail in: all if the result always failed; else that
 * of the first test case or, if higher, the lower bound of the result's, for its own may be luck.
 */
static double share_wanted(const reduction *r) {
    const failure *best = &r->result->best;
    const double low = rate_of(best->repeated, best->reruns).low;
    if (!failure_is_flaky(best)) return 1;
    return low > r->share ? low : r->share;
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
        repeats(r, t, f);
    }
    return client_is_running(&r->client) && f->repeated > 0 &&
           rate_of(f->repeated, f->reruns).high >= share;
}

/* ---- The result ---- */

/* Make a case that failed again the result. */
static void keep(reduction *r, const failed_case *c) {
    set_case(&r->result->bytes, &c->testcase);
    failure_keep(&r->result->best, &c->failure);
    r->result->found = true;
}

/* Make the best, which failed again, the result. */
static void keep_best(reduction *r) {
    keep(r, &r->best);
    if (!r->is_confirmed) r->is_first = r->is_announced = false;
    r->is_confirmed = true;
}

static void announce(reduction *r) {
    if (!r->is_announced) emit_failure(r, EVENT_BEST, &r->result->best, r->result->bytes.bytes);
    r->is_announced = true;
    r->announced = r->client.runs;
}

void confirm_announce_now_and_then(reduction *r) {
    const uint64_t calls = r->client.runs - r->announced;
    const bool is_due = calls >= ANNOUNCE_CALLS && calls >= r->client.runs / ANNOUNCE_SHARE;
    if (is_due && !r->is_announced) announce(r);
}

bool confirm_is_due(const reduction *r) {
    const uint64_t calls = r->client.runs - r->confirmed;
    if (r->is_strict && r->taken >= r->trust && !r->is_confirmed) return true;
    return !r->is_confirmed && calls >= CONFIRM_CALLS && calls >= r->client.runs / CONFIRM_SHARE;
}

/* Let all passes try again: they have taken results of another best. */
static void begin_again(reduction *r) {
    schedule_restart(&r->now);
    r->ahead = r->now;
    r->external.has_won = true;
}

/* Return to the result, or to the first test case if the result fails less often. True if the best
 * was the result, and stays. */
static bool go_back(reduction *r) {
    failure *result = &r->result->best, *first = &r->first.failure;
    const bool was_result = r->is_confirmed;
    if (r->is_first) failure_keep(first, result); /* its reruns */
    measure(r, &r->first.testcase, first);
    r->share = share_of(first);
    if (r->is_first) failure_keep(result, first);
    const bool stays = r->is_first || reaches(r, &r->result->bytes, result, r->share);
    if (!client_is_running(&r->client)) return false;
    if (!stays) {
        accept_bar(r, &r->result->bytes);
        keep(r, &r->first);
        r->is_first = true;
        r->is_announced = false;
    }
    failure_keep(&r->best.failure, result);
    if (stays && was_result) return true;
    set_case(&r->best.testcase, &r->result->bytes);
    r->is_confirmed = true;
    begin_again(r);
    return false;
}

/* Return from a best that has failed only where other runs had been to the one before it. That it
 * passes is no flakiness. */
static bool leave_warm(reduction *r) {
    accept_bar(r, &r->best.testcase);
    r->is_cold = true;
    r->is_warm = false;
    failure_keep(&r->best.failure, &r->result->best);
    set_case(&r->best.testcase, &r->result->bytes);
    r->is_confirmed = true;
    begin_again(r);
    return false;
}

bool confirm_best(reduction *r, unsigned times) {
    failure *f = &r->best.failure;
    const bool is_taken = r->is_strict && !r->is_confirmed;
    const bool fails =
        is_taken ? reaches(r, &r->best.testcase, f, share_wanted(r))
                 : f->reruns >= times || rerun(r, &r->best.testcase, f, times, RERUNS_UNTIL_PASS);
    if (is_taken) r->trust = fails ? (unsigned)smaller(2 * r->trust, TRUST_MAX) : 0;
    r->taken = 0;
    if (!client_is_running(&r->client)) return false;
    if (!fails && r->is_warm && !r->is_confirmed && f->repeated == 0) return leave_warm(r);
    if (!fails) {
        become_strict(r, f);
        if (r->is_confirmed) {
            failure_keep(&r->result->best, f);
        } else { /* reject it for good: it may pass the test later by luck */
            accept_bar(r, &r->best.testcase);
        }
        if (!go_back(r)) return false;
    }
    r->confirmed = r->client.runs;
    keep_best(r);
    announce(r);
    return true;
}

/* If time is left for it, the best of a reduction that was cut gets as many reruns as that of a
 * whole one. A best that has passed in one is rejected. */
void confirm_last(reduction *r, unsigned times) {
    const failure *f = &r->best.failure;
    const bool has_passed = !r->is_confirmed && failure_is_flaky(f);
    if (!has_passed && client_is_running(&r->client)) confirm_best(r, times);
    if (f->reruns > 0 && !failure_is_flaky(f)) keep_best(r);
    announce(r);
}

/* ---- The beginning ---- */

run_doubt reduce_doubt(const run_result *run, const candidate_set *set, draws_seen kept) {
    const bool is_silent = set->reported == 0 && set->passes[0].drawn == OUTCOME_DRAWN_UNKNOWN;
    if (run->last.verdict != VERDICT_PASS) return DOUBT_NONE;
    if (kept.count > 0 && !is_silent &&
        records_draw_others(set->records, set->record_count, set->reported, kept))
        return DOUBT_DRAWS;
    if (kept.is_untold && run->has_narrowed) return DOUBT_DRAWS;
    return run->last.reading == READING_NONE && set->ends[0] > 0 ? DOUBT_UNREAD : DOUBT_NONE;
}

/* Run the input until it fails. True if it fails as configured. */
static bool run_first(reduction *r) {
    const reduce_config *c = r->config;
    const client_input start = client_bytes(c->bytes, c->size);
    bool is_alone = false; /* it fails at the end of its process */
    for (unsigned i = 0; i < CONFIRM_TRIES && client_is_running(&r->client); i++) {
        batch runs;
        const run_result *run =
            client_run_alone(&r->client, &start, i > 0 ? RUN_SHOW : RUN_TRY, &runs);
        if (run == NULL) return false;
        is_alone |= run->end_failed;
        r->result->seen = run->last;
        r->can_choose |= runs.candidates->can_choose;
        if (run->last.verdict == VERDICT_STUCK) r->result->limit = CAUSE_WORKER;
        r->result->doubt = reduce_doubt(run, runs.candidates, c->kept);
        if (!outcome_failed(&run->last)) continue;
        const failure f = failure_of(r, run, c->size);
        r->result->is_unwanted = !counts(r, &f);
        if (r->result->is_unwanted) return false;
        failure_keep(&r->target, &f);
        r->purpose = is_alone                                    ? RUN_TRY_ALONE
                     : run->leak == LEAK_FOUND || c->any_failure ? RUN_TRY
                                                                 : RUN_TRY_UNWATCHED;
        failure_keep(&r->best.failure, &f);
        r->best.failure.reruns = i - is_alone; /* earlier runs, none of which failed */
        return accept_testcase(r, run, runs.candidates, &r->best.testcase);
    }
    return false;
}

/* True if the first run shows the failure that the caller knows, and knows to be reliable. */
static bool is_known(const reduction *r, const failure *f) {
    const failure *known = r->config->known;
    return known != NULL && known->reruns > 0 && !failure_is_of_flaky(known) && f->reruns == 0 &&
           r->best.testcase.size == r->config->size && failure_is_alike(known, f) &&
           file_stamp_equal(&known->program, &f->program);
}

/* True if this is another start, which needs no rerun: its answer is rerun. */
static bool is_way(const reduction *r, const failure *f) {
    const reduce_config *c = r->config;
    return c->other_answer != NULL && !c->has_memory_limit && f->reruns == 0 && f->is_site_known &&
           f->signature.kind != SIGNATURE_TIMEOUT;
}

/* Confirm the input, trimmed to the bytes that it drew. If that does not fail, try all bytes. If
 * those do not fail again either, the failure is flaky. */
static bool confirm_first(reduction *r) {
    testcase *t = &r->best.testcase;
    failure f = is_known(r, &r->best.failure) ? *r->config->known : r->best.failure;
    bool is_flaky = f.reruns > f.repeated;
    f.input = (seed_input){.size = t->size};
    if (r->config->is_unconfirmed) f.reruns = f.repeated = 1;
    const bool is_believed = f.repeated > 0 || is_way(r, &f);
    bool fails = is_believed || repeats(r, t, &f);
    if (!fails && client_is_running(&r->client) && t->size < r->config->size) {
        accept_bar(r, t);
        testcase_finish(t);
        f = r->best.failure;
        init_case(r, t, client_bytes(r->config->bytes, r->config->size), NULL, 0);
        fails = repeats(r, t, &f);
    }
    if (!client_is_running(&r->client)) return false;
    is_flaky |= !fails;
    if (is_flaky) {
        if (!failure_lacks_memory(&f)) measure(r, t, &f);
        r->result->limit = f.cause;
        become_strict(r, &f);
    }
    if (f.repeated == 0 && !is_believed) return false;
    failure_keep(&r->best.failure, &f);
    failure_keep(&r->target, &f); /* fresh processes show its site */
    r->result->is_unwanted = !counts(r, &f);
    return !r->result->is_unwanted;
}

bool accept_first(reduction *r) {
    if (!run_first(r) || !confirm_first(r)) return false;
    r->is_confirmed = r->is_first = true;
    r->is_announced = !r->config->is_new;
    r->share = share_of(&r->best.failure);
    failure_keep(&r->first.failure, &r->best.failure);
    set_case(&r->first.testcase, &r->best.testcase);
    keep(r, &r->best);
    return true;
}

/* ---- Candidates ---- */

/* Return the digest of a test case as it is sent. */
static uint64_t digest_as_sent(reduction *r, testcase *t) {
    static const patch none;
    return r->form == CANDIDATE_CHOICES ? patch_digest(&none, t, r->form)
                                        : digest_of(t->bytes, t->size);
}

void accept_bar(reduction *r, testcase *t) {
    rejected_cache_add_digest(&r->rejected, digest_as_sent(r, t));
}

/* True if a failed candidate is simpler than the best, made no more draws of choices than it may,
 * is interesting, and has not passed before. Then *next is its test case, which the caller owns,
 * and *f its failure. Failures of other signatures are kept, too. */
static bool is_better(reduction *r, const run_result *run, const candidate_set *set,
                      size_t draws_max, testcase *next, failure *f) {
    if (!outcome_failed(&run->last)) return false; /* its memory was short */
    *f = failure_of(r, run, 0);
    if (!accept_testcase(r, run, set, next)) return false;
    f->input.size = next->size;
    const bool is_longer =
        set->form == CANDIDATE_CHOICES && next->count > draws_max && !r->distrusts;
    const bool has_passed = rejected_cache_has_digest(&r->rejected, digest_as_sent(r, next));
    const bool is_simpler =
        testcase_compare(next, &r->best.testcase) < 0 && !is_longer && !has_passed;
    if (!is_simpler || !hides_site(r, f) || look(r, client_bytes(next->bytes, next->size), f)) {
        if (!is_interesting(r, f)) {
            keep_other(r, f, next);
        } else if (is_simpler) {
            return true;
        }
    }
    accept_bar(r, next);
    testcase_finish(next);
    return false;
}

/* Report the first success that may be another failure: without a site, and with other words. */
static void compare_output(reduction *r, const failure *f) {
    const failure *target = &r->target;
    const bool has_site = f->site[0] != '\0' || target->site[0] != '\0';
    if (r->has_warned_alike || r->config->any_failure || has_site || !f->is_site_known) return;
    if (f->output == NULL || target->output == NULL) return;
    if (f->signature.kind == SIGNATURE_TIMEOUT ||
        output_messages_alike(f->output, target->output, ""))
        return;
    r->has_warned_alike = true;
    event_emit(r->sink, &(event){.kind = EVENT_ALIKE, .failure = f});
}

/* True if a failure needs no rerun: its process was fresh, and no limit caused it, or only the
 * answer gets one. */
static bool confirms_itself(const reduction *r) {
    const reduce_config *c = r->config;
    return c->is_unconfirmed || (c->is_fresh && !c->has_memory_limit);
}

/* Make a test case the best, which takes it over. */
static void take(reduction *r, testcase *next, const failure *f, bool keeps_base) {
    testcase_keep_marks(next, &r->best.testcase);
    r->change = byte_change_of(&r->best.testcase, next);
    if (next->size < r->best.testcase.size) r->result->calls_to_size = r->client.runs;
    testcase_finish(keeps_base ? &r->best.testcase : &r->base);
    if (!keeps_base) r->base = r->best.testcase;
    r->best.testcase = *next;
    failure_keep(&r->best.failure, f);
    r->is_confirmed = false;
    if (f->reruns > 0) keep_best(r);
}

bool accept_try(reduction *r, const run_result *run, const candidate_set *set, size_t draws_max,
                bool keeps_base, pass_statistics *s) {
    testcase next;
    failure f;
    const size_t size = r->best.testcase.size;
    if (!is_better(r, run, set, draws_max, &next, &f)) return false;
    if (r->is_strict && r->trust > 0) {
        r->taken++;
    } else if (r->is_strict) {
        cancel(r);
        if (!reaches(r, &next, &f, share_wanted(r))) {
            accept_bar(r, &next);
            testcase_finish(&next);
            return false;
        }
        r->trust = 1;
    } else if (f.reruns == 0 && confirms_itself(r) && f.signature.kind != SIGNATURE_TIMEOUT) {
        f.reruns = f.repeated = 1;
    }
    compare_output(r, &f);
    take(r, &next, &f, keeps_base);
    r->is_warm = run->is_warm;
    if (s == NULL) return true; /* the first best, as choices */
    r->result->successes++;
    s->successes++;
    s->bytes += size - r->best.testcase.size;
    progress now = progress_of(r, &r->best.testcase);
    now.pass = s->name;
    event_emit(r->sink, &(event){.kind = EVENT_STEP, .progress = now, .change = &r->change});
    return true;
}
