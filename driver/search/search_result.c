/* The lists of a result are made once, from the table of failures. */
#include "search_result.h"

#include <stdlib.h>

strategy_draws search_result_draws(const tally *t) {
    if (t == NULL) return (strategy_draws){.sum = STRATEGY_DRAWN_UNKNOWN};
    return (strategy_draws){.most = tally_most_used(t),
                            .sum = tally_sum_drawn(t),
                            .ran_out = t->ran_out,
                            .discarded = t->discarded,
                            .discarded_styled = t->discarded_styled};
}

static found_input found_of(const failure *f) {
    return (found_input){.failure = f, .bytes = seed_input_bytes(&f->input)};
}

static void add_other(search_result *r, failure_row *e) {
    e->failure.alike = failure_table_evidence(&r->failures, &e->failure);
    r->others[r->told.other_count++] = found_of(&e->failure);
}

void search_result_list_others(search_result *r) {
    failure_table *t = &r->failures;
    for (size_t i = t->count; i > 0; i--) {
        if (t->rows[i - 1].state == FAILURE_SURE) failure_table_keep(t, &t->rows[i - 1]);
    }
    const failure_row *answer = r->found ? failure_table_like(t, &r->best) : NULL;
    for (size_t i = 0; i < t->count; i++) {
        failure_row *e = &t->rows[i];
        if (e->is_best && e != answer && e->failure.repeated > 0) add_other(r, e);
    }
    failure_row *flaky = failure_table_smallest(t, FAILURE_FLAKY);
    if (r->found && flaky != NULL && failure_is_alike(&flaky->failure, &r->best) &&
        flaky->failure.input.size < r->best.input.size)
        add_other(r, flaky);
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
static bool lists(const found_input *list, size_t count, const failure *f) {
    size_t i = 0;
    while (i < count && !failure_is_alike(list[i].failure, f)) i++;
    return i < count;
}

void search_result_list_once(search_result *r) {
    for (size_t i = 0; i < r->failures.count && r->told.once_count < DISTINCT_FAILURES_MAX; i++) {
        const failure_row *e = &r->failures.rows[i];
        const failure *f = &e->failure;
        const bool is_told =
            failure_is_alike(f, &r->best) || lists(r->once, r->told.once_count, f) ||
            lists(r->others, r->told.other_count, f) || lists(r->each, r->told.each_count, f);
        if (e->state == FAILURE_ONCE && f->reruns > 0 && f->cause == CAUSE_NONE && !is_told)
            r->once[r->told.once_count++] = found_of(f);
    }
}

static int compare(const void *a, const void *b) {
    const failure *x = ((const found_input *)a)->failure, *y = ((const found_input *)b)->failure;
    return failure_is_better(x, y) ? -1 : failure_is_better(y, x) ? 1 : 0;
}

void search_result_list_each(search_result *r) {
    for (size_t i = 0; i < r->failures.count; i++) {
        failure_row *e = &r->failures.rows[i];
        if (e->answer == 0) continue;
        e->failure.alike = failure_table_evidence(&r->failures, &e->failure);
        found_input *to = &r->each[r->told.each_count++];
        *to = found_of(&e->failure);
        to->claim = &r->failures.claims[e->answer - 1];
    }
    qsort(r->each, r->told.each_count, sizeof r->each[0], compare);
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
    const failure_row *row = failure_table_like(known, f);
    const failure *like = row != NULL ? &row->failure : NULL;
    const bool is_sure = f->alike.reruns > 0 && f->alike.repeated == f->alike.reruns;
    if (f->input.size > c->strategy.size_max) return true;
    if (c->goal == SEARCH_EACH) {
        return is_sure && like != NULL && failure_is_same(like, f) && !failure_is_flaky(like) &&
               like->input.size <= f->input.size;
    }
    if (best == NULL || seed_input_less(f->input, best->input)) return false;
    return f->alike.reruns == 0 || like == NULL || !seed_input_less(f->input, like->input);
}
