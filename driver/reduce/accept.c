#include "accept.h"

#include "confirm.h"

#include <string.h>

failure accept_failure(const run_result *run, uint64_t size) {
    failure f = {.input = {size, 0},
                 .signature = outcome_signature(&run->last),
                 .is_site_known = run->is_site_known,
                 .output = run->output,
                 .program = run->program};
    memcpy(f.site, run->site, sizeof f.site);
    return f;
}

bool accept_is_interesting(const reduction *r, const run_result *run) {
    if (!outcome_failed(&run->last)) return false;
    const failure *target = &r->target;
    return r->config->any_failure ||
           (signature_equal(outcome_signature(&run->last), target->signature) &&
            site_may_equal(run->site, run->is_site_known, target->site, target->is_site_known));
}

/* True if a failed candidate is simpler than the best and interesting. Then *next is its test case,
 * which the caller owns, and *f its failure. Failures of other signatures go to r->others. */
static bool is_better(reduction *r, const run_result *run, const candidate_set *set, uint32_t i,
                      testcase *next, failure *f) {
    if (!outcome_failed(&run->last)) return false; /* its memory was short */
    *f = accept_failure(run, 0);
    if (!testcase_init(next, candidate_set_bytes(set, i), candidate_set_size(set, i),
                       run->last.drawn, set->records, set->record_count)) {
        reduction_stop_for_memory(r);
        return false;
    }
    f->input.size = next->size;
    const bool is_interesting = accept_is_interesting(r, run);
    if (!is_interesting) other_failures_add(&r->others, f, next);
    if (is_interesting && testcase_compare(next, &r->best.testcase) < 0) return true;
    testcase_finish(next);
    return false;
}

/* True if a failed run is its own confirmation: its process was fresh, and no limit caused it. */
static bool confirms_itself(const reduction *r, const failure *f) {
    return r->config->is_fresh && f->signature.kind != SIGNATURE_TIMEOUT &&
           !r->config->has_memory_limit;
}

/* Make a test case the best, which takes it over. */
static void take(reduction *r, const testcase *next, const failure *f, bool keeps_base) {
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
    r->best.failure = *f;
    r->best.state = BEST_UNCONFIRMED;
}

bool accept_try(reduction *r, const run_result *run, const candidate_set *set, uint32_t i,
                bool keeps_base) {
    testcase next;
    failure f;
    if (!is_better(r, run, set, i, &next, &f)) return false;
    if (reduction_is_strict(r)) {
        inflight_clear(&r->loop.window);
        pool_cancel(r->client.pool);
        if (!confirm_holds(r, &next, &f)) {
            testcase_finish(&next);
            return false;
        }
    } else if (confirms_itself(r, &f)) {
        f.reruns = f.repeated = 1;
    }
    take(r, &next, &f, keeps_base);
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
