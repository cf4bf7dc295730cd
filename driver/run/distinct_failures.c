#include "distinct_failures.h"

#include <assert.h>
#include <string.h>

size_t distinct_failures_find(const distinct_failures *d, const failure *f) {
    assert(d->count <= DISTINCT_FAILURES_MAX);
    for (size_t i = 0; i < d->count; i++) {
        if (failure_is_same(&d->list[i], f)) return i;
    }
    size_t i = 0;
    while (i < d->count && !failure_is_alike(&d->list[i], f)) i++;
    return i;
}

bool distinct_failures_put(distinct_failures *d, size_t i, const failure *f) {
    assert(i <= d->count);
    if (i == DISTINCT_FAILURES_MAX) return false;
    if (i == d->count) d->list[d->count++] = (failure){0};
    failure_keep(&d->list[i], f);
    return true;
}

bool distinct_failures_add(distinct_failures *d, const failure *f) {
    const size_t i = distinct_failures_find(d, f);
    if (i < d->count && !seed_input_equal(f->input, d->list[i].input) &&
        !failure_is_better(f, &d->list[i])) {
        return false;
    }
    return distinct_failures_put(d, i, f);
}

void distinct_failures_remove(distinct_failures *d, const failure *f) {
    const size_t i = distinct_failures_find(d, f);
    if (i < d->count) distinct_failures_drop(d, i);
}

void distinct_failures_drop(distinct_failures *d, size_t i) {
    assert(i < d->count);
    failure_drop(&d->list[i]);
    d->count--;
    memmove(&d->list[i], &d->list[i + 1], (d->count - i) * sizeof d->list[0]);
}

void distinct_failures_finish(distinct_failures *d) {
    while (d->count > 0) distinct_failures_drop(d, d->count - 1);
}
