#include "accept.h"

#include "confirm.h"
#include "engine.h"
#include "output_site.h"
#include "pool.h"
#include "record_check.h"
#include "reduction_state.h"
#include "signature_filter.h"

#include <string.h>

static void check_records(reduction *r, const traced_run *run) {
    if (r->distrusts) return;
    const size_t size = run->drawn < run->size ? (size_t)run->drawn : run->size;
    const wrong_record w = record_check(run->bytes, size, run->records, run->record_count);
    r->distrusts = w.error != RECORD_RIGHT;
    if (r->distrusts) event_emit(r->sink, &(event){.kind = EVENT_WRONG_RECORD, .wrong = &w});
}

traced_run accept_trace(const candidate_set *set, const uint8_t *bytes, size_t size,
                        uint64_t drawn) {
    return (traced_run){bytes, size, drawn, set->records, set->record_count};
}

bool accept_testcase(reduction *r, traced_run run, testcase *t) {
    check_records(r, &run);
    if (r->distrusts) run.record_count = 0;
    const bool ok = testcase_init(t, run);
    if (!ok) reduction_stop_for_memory(r);
    return ok;
}

failure accept_failure(reduction *r, const run_result *run, uint64_t size) {
    failure f;
    failure_of_run(&f, run, (seed_input){.size = size});
    f.output = &r->judged_output;
    *f.output = run->output;
    return f;
}

bool accept_counts(const reduction *r, const failure *f) {
    const signature_filter *filter = r->config->filter;
    return filter == NULL || signature_filter_match(filter, f->signature, f->site,
                                                    f->is_site_known) != SIGNATURE_DIFFERS;
}

static bool is_interesting(const reduction *r, const failure *f) {
    return r->config->any_failure ? accept_counts(r, f) : failure_is_alike(f, &r->target);
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

/* Rerun a candidate in a fresh process, to see its site. Return false if it does not fail there. */
static bool look(reduction *r, const testcase *t, failure *f) {
    batch runs;
    const client_input input = client_bytes(t->bytes, t->size);
    r->has_looked = true;
    inflight_clear(&r->loop.window);
    pool_cancel(r->client.pool);
    const run_result *run = client_run_alone(&r->client, &input, RUN_CONFIRM, &runs);
    if (run == NULL || !outcome_failed(&run->last)) return false;
    *f = accept_failure(r, run, t->size);
    f->reruns = f->repeated = 1;
    return true;
}

bool accept_is_alike(reduction *r, const run_result *run, const uint8_t *bytes, uint64_t size) {
    testcase t;
    if (!outcome_failed(&run->last)) return false;
    failure f = accept_failure(r, run, size);
    if (!hides_site(r, &f)) return is_interesting(r, &f);
    if (!testcase_init(&t, traced_run_of(bytes, (size_t)size))) {
        reduction_stop_for_memory(r);
        return false;
    }
    const bool is_alike = look(r, &t, &f) && is_interesting(r, &f);
    testcase_finish(&t);
    return is_alike;
}

static void keep_other(reduction *r, const failure *f, const testcase *t) {
    const signature_filter *filter = r->config->filter;
    if (filter != NULL && signature_filter_ignores(filter, f->signature, f->site)) {
        r->result->ignored++;
    } else {
        other_failures_add(&r->others, f, t);
    }
}

/* Return the run of a candidate. Of choices, the bytes are those that they made. */
static traced_run trace_of(const tried_candidate *c) {
    const candidate_set *set = c->set;
    const uint64_t chosen = set->chosen_size, size = candidate_set_size(set, c->at);
    if (set->form == CANDIDATE_CHOICES)
        return accept_trace(set, candidate_set_chosen(set), (size_t)chosen, chosen);
    return accept_trace(set, candidate_set_bytes(set, c->at), (size_t)size, c->run->last.drawn);
}

/* True if a failed candidate is simpler than the best, made no more draws of choices than it may,
 * and is interesting. Then *next is its test case, which the caller owns, and *f its failure.
 * Failures of other signatures go to r->others. */
static bool is_better(reduction *r, const tried_candidate *c, testcase *next, failure *f) {
    const candidate_set *set = c->set;
    const bool is_chosen = set->form == CANDIDATE_CHOICES;
    if (!outcome_failed(&c->run->last)) return false; /* its memory was short */
    *f = accept_failure(r, c->run, 0);
    if (is_chosen && set->chosen_size == OUTCOME_DRAWN_UNKNOWN) return false;
    if (!accept_testcase(r, trace_of(c), next)) return false;
    f->input.size = next->size;
    next->has_run_out = is_chosen && set->has_run_out;
    const bool is_longer = is_chosen && next->count > c->draws_max && !r->distrusts;
    const bool is_simpler = testcase_compare(next, &r->best.testcase) < 0 && !is_longer;
    if (!is_simpler || !hides_site(r, f) || look(r, next, f)) {
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

/* True if a failed run is its own confirmation: its process was fresh, and no limit caused it. */
static bool confirms_itself(const reduction *r, const failure *f) {
    return r->config->is_fresh && f->signature.kind != SIGNATURE_TIMEOUT &&
           !r->config->has_memory_limit;
}

/* Make a test case the best, which takes it over. */
static void take(reduction *r, const testcase *next, const failure *f, bool keeps_base) {
    r->change = step_change_of(&r->best.testcase, next);
    if (next->size < r->best.testcase.size) r->result->calls_to_size = r->client.runs;
    if (keeps_base) {
        testcase_finish(&r->best.testcase);
        prefix_hashes_finish(&r->best.hashes);
    } else {
        testcase_finish(&r->base.testcase);
        prefix_hashes_finish(&r->base.hashes);
        r->base = (base_case){r->best.testcase, r->best.hashes};
        r->best.hashes = (prefix_hashes){0};
    }
    r->best.testcase = *next;
    failure_keep(&r->best.failure, f);
    r->best.state = BEST_UNCONFIRMED;
}

bool accept_try(reduction *r, const tried_candidate *c) {
    testcase next;
    failure f;
    if (!is_better(r, c, &next, &f)) return false;
    if (reduction_is_strict(r)) {
        inflight_clear(&r->loop.window);
        pool_cancel(r->client.pool);
        if (!confirm_holds(r, &next, &f)) {
            testcase_finish(&next);
            return false;
        }
    } else if (f.reruns == 0 && confirms_itself(r, &f)) {
        f.reruns = f.repeated = 1;
    }
    compare_output(r, &f);
    take(r, &next, &f, c->keeps_base);
    if (reduction_is_strict(r)) confirm_keep(r); /* confirm_holds has rerun it */
    return true;
}

void accept_reject(reduction *r, const candidate_set *set, uint32_t i) {
    const candidate_pass *run = &set->passes[i];
    const uint64_t size = candidate_set_size(set, i);
    rejected_cache_add(&r->rejected, candidate_set_bytes(set, i), size);
    if (run->drawn <= size && !run->ran_out) {
        rejected_cache_add_prefix(&r->rejected, candidate_set_bytes(set, i), run->drawn);
    }
}

bool accept_start(reduction *r, const run_result *run, const candidate_set *set) {
    testcase *best = &r->best.testcase;
    const uint8_t *bytes = candidate_set_chosen(set);
    testcase next;
    if (!outcome_failed(&run->last)) return false;
    if (set->chosen_size != best->size || memcmp(bytes, best->bytes, best->size) != 0)
        return accept_try(r, &(tried_candidate){run, set, 0, SIZE_MAX, true});
    if (!accept_testcase(r, accept_trace(set, bytes, best->size, best->size), &next)) return false;
    next.has_run_out = set->has_run_out;
    testcase_finish(best);
    prefix_hashes_finish(&r->best.hashes);
    *best = next;
    return true;
}

void accept_bar(reduction *r, const testcase *t) {
    if (r->loop.form == CANDIDATE_BYTES) {
        rejected_cache_add(&r->rejected, t->bytes, t->size);
    } else if (choices_make(t, &r->loop.encoded)) {
        rejected_cache_add(&r->rejected, r->loop.encoded.bytes, r->loop.encoded.size);
    } else {
        reduction_stop_for_memory(r);
    }
}
