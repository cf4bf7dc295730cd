/* others.h: failures that were met and not looked for, the smallest of each kind. */
#ifndef OTHERS_H
#define OTHERS_H

#include "failure.h"
#include "testcase.h"

enum { OTHERS_MAX = 32 };

typedef struct other {
    failure failure;
    testcase bytes;
    bool is_pending; /* it was not run again yet */
} other;

/* Zeroed it is empty. */
typedef struct others {
    size_t count;
    other *list;
} others;

/* Keep a copy of what is new or smaller. */
void others_add(others *o, const failure *f, const testcase *t);

/* Return a failure that was not run again yet, or NULL. */
other *others_pending(others *o);

void others_finish(others *o);

#endif
