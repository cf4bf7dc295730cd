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

static int compare(const void *a, const void *b) {
    const failure *x = &((const search_answer *)a)->best, *y = &((const search_answer *)b)->best;
    if (failure_is_of_flaky(x) != failure_is_of_flaky(y)) return failure_is_of_flaky(x) ? 1 : -1;
    return seed_input_less(x->input, y->input) ? -1 : seed_input_less(y->input, x->input) ? 1 : 0;
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
