#include "best.h"

#include "confirm.h"

bool best_take(reducer *r, const run_result *run, const candidate_set *given, uint32_t i,
               bool keeps_base) {
    testcase next;
    if (!outcome_failed(&run->last)) return false; /* it had too little memory */
    failure f = oracle_failure(run, 0);
    if (!testcase_init(&next, candidate_set_bytes(given, i), candidate_set_size(given, i),
                       run->last.drawn, given->records, given->record_count)) {
        reducer_stop_for_memory(r);
        return false;
    }
    f.input.size = next.size;
    const bool is_interesting = oracle_is_interesting(&r->oracle, run);
    if (!is_interesting) others_add(&r->others, &f, &next);
    if (!is_interesting || testcase_compare(&next, &r->best) >= 0) {
        testcase_finish(&next);
        return false;
    }
    if (r->is_strict) {
        flights_clear(&r->flights); /* what is under way is cancelled by that */
        pool_cancel(r->oracle.pool);
        r->is_merging = false;
        if (!confirm_holds(r, &next, &f)) {
            testcase_finish(&next);
            return false;
        }
    } else if (r->config->is_fresh && f.signature.kind != SIGNATURE_TIMEOUT &&
               !r->config->has_memory_limit) {
        f.reruns = f.repeated = 1;
    }
    if (next.size < r->best.size) r->result->calls_to_size = r->result->calls;
    testcase *old = keeps_base ? &r->tried : &r->base;
    testcase_finish(old);
    *old = r->best;
    r->best = next;
    r->best_failure = f;
    r->is_told = r->is_settled = r->is_foreseen = false;
    if (r->is_strict) confirm_keep(r); /* it was counted */
    return true;
}

void best_remember(reducer *r, const candidate_set *given, uint32_t i) {
    const candidate_pass *told = &given->passes[i];
    const uint64_t size = candidate_set_size(given, i);
    rejected_cache_add(&r->rejected, candidate_set_bytes(given, i), size);
    if (told->drawn <= size && !told->ran_out) {
        rejected_cache_add_prefix(&r->rejected, candidate_set_bytes(given, i), told->drawn);
    }
}
