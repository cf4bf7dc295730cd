#include "other_failures.h"

#include <assert.h>

void other_failures_add(other_failures *o, const failure *f, const testcase *t) {
    const size_t i = distinct_failures_find(&o->failures, f), count = o->failures.count;
    testcase copy;
    if (i == DISTINCT_FAILURES_MAX) return;
    if (i < count && testcase_compare(t, &o->cases[i].testcase) >= 0) return;
    if (!testcase_copy(&copy, t)) return;
    distinct_failures_put(&o->failures, i, f);
    testcase_finish(&o->cases[i].testcase);
    o->cases[i] = (other_case){copy, .is_pending = true};
    assert(i < o->failures.count);
}

size_t other_failures_pending(const other_failures *o) {
    size_t i = 0;
    while (i < o->failures.count && !o->cases[i].is_pending) i++;
    return i;
}

void other_failures_finish(other_failures *o) {
    for (size_t i = 0; i < o->failures.count; i++) testcase_finish(&o->cases[i].testcase);
    distinct_failures_finish(&o->failures);
}
