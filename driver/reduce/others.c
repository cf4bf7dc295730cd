#include "others.h"

#include <stdlib.h>

void others_add(others *o, const failure *f, const testcase *t) {
    size_t i = 0;
    testcase copy;
    while (i < o->count && !failure_is_alike(&o->list[i].failure, f)) i++;
    if (i == OTHERS_MAX || (i < o->count && testcase_compare(t, &o->list[i].bytes) >= 0)) return;
    if (o->list == NULL) o->list = calloc(OTHERS_MAX, sizeof *o->list);
    if (o->list == NULL || !testcase_copy(&copy, t)) return;
    if (i == o->count) o->count++;
    testcase_finish(&o->list[i].bytes);
    o->list[i] = (other){*f, copy, true};
}

other *others_pending(others *o) {
    for (size_t i = 0; i < o->count; i++) {
        if (o->list[i].is_pending) return &o->list[i];
    }
    return NULL;
}

void others_finish(others *o) {
    for (size_t i = 0; i < o->count; i++) testcase_finish(&o->list[i].bytes);
    free(o->list);
    *o = (others){0};
}
