/* other_failures.h: failures of other signatures than the reduction's, the simplest of each. */
#ifndef OTHER_FAILURES_H
#define OTHER_FAILURES_H

#include "engine.h"
#include "testcase.h"

typedef struct other_case {
    testcase testcase;
    bool is_pending; /* not rerun yet */
} other_case;

/* Empty when zeroed. */
typedef struct other_failures {
    distinct_failures failures;
    other_case cases[DISTINCT_FAILURES_MAX]; /* of these failures */
} other_failures;

/* Keep a copy of a failure if its signature is new or it is simpler than the one kept. */
void other_failures_add(other_failures *o, const failure *f, const testcase *t);

/* Return the index of a pending failure; failures.count if there is none. */
size_t other_failures_pending(const other_failures *o);

void other_failures_finish(other_failures *o);

#endif
