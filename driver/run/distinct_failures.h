/* distinct_failures.h: the best failure of each signature. */
#ifndef DISTINCT_FAILURES_H
#define DISTINCT_FAILURES_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { DISTINCT_FAILURES_MAX = 32 };

/* Empty if zeroed. */
typedef struct distinct_failures {
    size_t count;
    failure list[DISTINCT_FAILURES_MAX];
} distinct_failures;

/* Return the index of the failure that is like f (failure_is_alike); `count` if there is none. */
size_t distinct_failures_find(const distinct_failures *d, const failure *f);

/* Keep f at `i`, an index that distinct_failures_find returned. Return false if there is no room.
 * An engine with another order than distinct_failures_add calls find and put itself, and keeps its
 * other data of each failure in a parallel array. */
bool distinct_failures_put(distinct_failures *d, size_t i, const failure *f);

/* Keep f if it is the best of its signature: a failure that always failed before a flaky one, then
 * the smaller one. The same input replaces itself, with its latest reruns. Return false if f is not
 * kept. */
bool distinct_failures_add(distinct_failures *d, const failure *f);

/* Drop the failure that is like f, if there is one. */
void distinct_failures_remove(distinct_failures *d, const failure *f);

/* Drop the failure at `i`. */
void distinct_failures_drop(distinct_failures *d, size_t i);

void distinct_failures_finish(distinct_failures *d);

#endif
