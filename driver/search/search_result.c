/* The lists of a result are made once, from the list of failures (found_list). */
#include "search_result.h"

#include <stdlib.h>

void search_result_list_others(search_result *r, found_list *l) {
    for (size_t i = l->count; i > 0; i--) {
        if (l->list[i - 1].state == FOUND_SURE)
            distinct_failures_add(&r->others, &l->list[i - 1].failure);
    }
    if (!r->found) return;
    distinct_failures_remove(&r->others, &r->best);
    const found *flaky = found_list_smallest(l, FOUND_FLAKY);
    if (flaky != NULL && failure_is_alike(&flaky->failure, &r->best) &&
        flaky->failure.input.size < r->best.input.size)
        distinct_failures_put(&r->others, r->others.count, &flaky->failure);
}

void search_result_list_rivals(search_result *r, const found_list *l) {
    for (size_t i = 0; i < l->count && r->rival_count < SEARCH_RIVALS_MAX; i++) {
        const failure *f = &l->list[i].failure;
        const bool is_rival = l->list[i].state == FOUND_SURE && f->input.style != SEED_GIVEN &&
                              failure_is_alike(f, &r->best) &&
                              !seed_input_equal(f->input, r->best.input);
        if (is_rival) r->rivals[r->rival_count++] = f->input;
    }
}

void search_result_trim_once(search_result *r) {
    distinct_failures_remove(&r->once, &r->best);
    for (size_t i = 0; i < r->others.count; i++)
        distinct_failures_remove(&r->once, &r->others.list[i]);
    for (size_t i = 0; i < r->each.count; i++)
        distinct_failures_remove(&r->once, &r->each.list[i].best);
}

search_answer *search_answers_find(search_answers *each, const failure *f) {
    for (size_t i = 0; i < each->count; i++) {
        if (failure_is_same(&each->list[i].best, f)) return &each->list[i];
    }
    return NULL;
}

const search_answer *search_answers_put(search_answers *each, const failure *f,
                                        const strategy_claim *claim) {
    search_answer *at = search_answers_find(each, f);
    if (at == NULL) {
        if (each->count == DISTINCT_FAILURES_MAX) return NULL;
        at = &each->list[each->count++];
        *at = (search_answer){.claim = *claim};
    } else if (f->input.size >= at->best.input.size &&
               !(seed_input_equal(f->input, at->best.input) &&
                 claim->run.bound < at->claim.run.bound)) {
        return at;
    }
    at->claim = *claim;
    failure_keep(&at->best, f);
    return at;
}

static int compare(const void *a, const void *b) {
    const failure *x = &((const search_answer *)a)->best, *y = &((const search_answer *)b)->best;
    return failure_is_better(x, y) ? -1 : failure_is_better(y, x) ? 1 : 0;
}

void search_result_sort(search_answers *each) {
    qsort(each->list, each->count, sizeof each->list[0], compare);
}

void search_result_hung(search_result *r, seed_input input, failure_cause cause) {
    if (r->found || (r->inconclusive && r->best.cause != CAUSE_BUDGET)) return;
    r->inconclusive = true;
    failure_drop(&r->best);
    r->best = (failure){
        .input = input, .signature = {SIGNATURE_TIMEOUT, 0}, .cause = cause, .output = NULL};
}

void search_finish(search_result *r) {
    failure_drop(&r->best);
    for (size_t i = 0; i < 2; i++) failure_drop(&r->alike[i]);
    while (r->each.count > 0) failure_drop(&r->each.list[--r->each.count].best);
    distinct_failures_finish(&r->others);
    distinct_failures_finish(&r->once);
}
