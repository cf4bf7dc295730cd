/* future.h: a best test case, as it is or may come to be; report_shm by all that goes on from it.
 */
#ifndef FUTURE_H
#define FUTURE_H

#include "prefix_hashes.h"

typedef struct future {
    size_t owners;
    testcase bytes;
    prefix_hashes prefix_hashes; /* where is_outlined */
    bool is_outlined;
} future;

/* A copy of a test case, with one owner. NULL when out of memory. */
future *future_of(const testcase *t);

/* What edits make of a test case, with one owner. NULL when out of memory. */
future *future_patched(const testcase *t, const patch *edits);

/* One owner more; and less. NULL is allowed. */
future *future_share(future *f);
void future_release(future *f);

/* The digest of what edits make of it; 0 when out of memory. */
uint64_t future_digest(future *f, const patch *edits);

#endif
