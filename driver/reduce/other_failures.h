/* other_failures.h: failures of other signatures than the reduction's, the simplest of each. */
#ifndef OTHER_FAILURES_H
#define OTHER_FAILURES_H

#include "failure.h"
#include "testcase.h"

enum { OTHER_FAILURES_MAX = 32 };

typedef struct other_failure {
    failure failure;
    testcase bytes;
    bool is_pending; /* not rerun yet */
} other_failure;

/* A list of failures; empty when zeroed. */
typedef struct other_failures {
    size_t count;
    other_failure *list;
} other_failures;

/* Keep a copy of a failure if its signature is new or it is simpler than the one kept. */
void other_failures_add(other_failures *o, const failure *f, const testcase *t);

/* Return a pending failure, or NULL. */
other_failure *other_failures_pending(other_failures *o);

void other_failures_finish(other_failures *o);

#endif
