/* The lists of a result are made once, from the table of failures. */
#include "search_state.h"

#include <stdlib.h>

strategy_draws search_result_draws(const tally *t) {
    if (t == NULL) return (strategy_draws){.sum = STRATEGY_DRAWN_UNKNOWN};
    return (strategy_draws){.most = tally_most_used(t),
                            .sum = tally_sum_drawn(t),
                            .ran_out = t->ran_out,
                            .discarded = t->discarded,
                            .discarded_styled = t->discarded_styled};
}

/* Add a failure to a list, with the reruns of all that are like it. */
static found_input *add(search_result *r, found_list *to, failure *f) {
    f->alike = failure_table_evidence(&r->failures, f);
    to->list[to->count] = (found_input){.failure = f, .bytes = seed_input_bytes(&f->input)};
    return &to->list[to->count++];
}

void search_result_list_others(search_result *r) {
    failure_table *t = &r->failures;
    for (size_t i = t->count; i > 0; i--) {
        if (t->rows[i - 1].state == FAILURE_SURE) failure_table_keep(t, &t->rows[i - 1]);
    }
    const failure_row *answer = r->found ? failure_table_like(t, &r->best) : NULL;
    for (size_t i = 0; i < t->count; i++) {
        failure_row *e = &t->rows[i];
        if (e->is_best && e != answer && e->failure.repeated > 0)
            add(r, &r->told.others, &e->failure);
    }
    failure_row *flaky = failure_table_smallest(t, FAILURE_FLAKY);
    if (r->found && flaky != NULL && failure_is_alike(&flaky->failure, &r->best) &&
        flaky->failure.input.size < r->best.input.size)
        add(r, &r->told.others, &flaky->failure);
}

void search_result_list_starts(search_result *r) {
    const failure_table *t = &r->failures;
    for (size_t i = 0; i < t->count && r->start_count < SEARCH_STARTS_MAX; i++) {
        const failure *f = &t->rows[i].failure;
        const bool is_start = t->rows[i].state == FAILURE_SURE && f->input.style != SEED_GIVEN &&
                              failure_is_alike(f, &r->best) &&
                              !seed_input_equal(f->input, r->best.input);
        if (is_start) r->starts[r->start_count++] = f->input;
    }
}

/* True if a list has a failure that is like this one. */
static bool lists(const found_list *all, const failure *f) {
    size_t i = 0;
    while (i < all->count && !failure_is_alike(all->list[i].failure, f)) i++;
    return i < all->count;
}

void search_result_list_once(search_result *r) {
    summary *told = &r->told;
    for (size_t i = 0; i < r->failures.count && told->once.count < DISTINCT_FAILURES_MAX; i++) {
        const failure_row *e = &r->failures.rows[i];
        failure *f = &r->failures.rows[i].failure;
        const bool is_told = failure_is_alike(f, &r->best) || lists(&told->once, f) ||
                             lists(&told->others, f) || lists(&told->each, f);
        if (e->state == FAILURE_ONCE && f->reruns > 0 && f->cause == CAUSE_NONE && !is_told)
            add(r, &told->once, f);
    }
}

static int compare(const void *a, const void *b) {
    const failure *x = ((const found_input *)a)->failure, *y = ((const found_input *)b)->failure;
    return failure_is_better(x, y) ? -1 : failure_is_better(y, x) ? 1 : 0;
}

void search_result_list_each(search_result *r) {
    found_list *all = &r->told.each;
    for (size_t i = 0; i < r->failures.count; i++) {
        failure_row *e = &r->failures.rows[i];
        if (e->answer > 0) add(r, all, &e->failure)->claim = &r->failures.claims[e->answer - 1];
    }
    qsort(all->list, all->count, sizeof all->list[0], compare);
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
    failure_table_clear(&r->failures);
}

bool search_is_no_news(const search_config *c, failure_table *known, const failure *f) {
    const failure *best = failure_table_best(known);
    const failure_row *like = f->alike.reruns > 0 ? failure_table_like(known, f) : NULL;
    const bool is_each = c->goal == SEARCH_EACH;
    if (f->input.size > c->strategy.size_max) return true;
    if (!is_each && (best == NULL || seed_input_less(f->input, best->input))) return false;
    return like != NULL ? !failure_is_better(f, &like->failure) : !is_each;
}
