/* other_failures.h: failures that were met and not looked for, the smallest of each kind. */
#ifndef OTHER_FAILURES_H
#define OTHER_FAILURES_H

#include "failure.h"
#include "testcase.h"

enum { OTHER_FAILURES_MAX = 32 };

typedef struct other_failure {
    failure failure;
    testcase bytes;
    bool is_pending; /* it was not run again yet */
} other_failure;

/* Zeroed it is empty. */
typedef struct other_failures {
    size_t count;
    other_failure *list;
} other_failures;

/* Keep a copy of what is new or smaller. */
void other_failures_add(other_failures *o, const failure *f, const testcase *t);

/* Return a failure that was not run again yet, or NULL. */
other_failure *other_failures_pending(other_failures *o);

void other_failures_finish(other_failures *o);

#endif
