#include "other_failures.h"

#include <stdlib.h>

void other_failures_add(other_failures *o, const failure *f, const testcase *t) {
    size_t i = 0;
    testcase copy;
    while (i < o->count && !failure_is_same(&o->list[i].failure, f)) i++;
    if (i == o->count) i = 0;
    while (i < o->count && !failure_is_alike(&o->list[i].failure, f)) i++;
    if (i == OTHER_FAILURES_MAX || (i < o->count && testcase_compare(t, &o->list[i].bytes) >= 0))
        return;
    if (o->list == NULL) o->list = calloc(OTHER_FAILURES_MAX, sizeof *o->list);
    if (o->list == NULL || !testcase_copy(&copy, t)) return;
    if (i == o->count) o->count++;
    testcase_finish(&o->list[i].bytes);
    o->list[i].bytes = copy;
    o->list[i].is_pending = true;
    failure_keep(&o->list[i].failure, f);
}

other_failure *other_failures_pending(other_failures *o) {
    for (size_t i = 0; i < o->count; i++) {
        if (o->list[i].is_pending) return &o->list[i];
    }
    return NULL;
}

void other_failures_finish(other_failures *o) {
    for (size_t i = 0; i < o->count; i++) {
        testcase_finish(&o->list[i].bytes);
        failure_drop(&o->list[i].failure);
    }
    free(o->list);
    *o = (other_failures){0};
}
