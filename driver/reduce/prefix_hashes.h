/* prefix_hashes.h: where each draw of a test case stands in its canonical bytes, and the digest of
 * all before it: to know what a patch makes of them without doing it. */
#ifndef PREFIX_HASHES_H
#define PREFIX_HASHES_H

#include "patch.h"

/* Before draw i; the last one is the end. */
typedef struct prefix_hash {
    size_t at;
    uint64_t digest;
} prefix_hash;

/* Zeroed it is of nothing. */
typedef struct prefix_hashes {
    prefix_hash *marks; /* owned */
} prefix_hashes;

/* Of a test case, anew. False when out of memory. */
bool prefix_hashes_make(prefix_hashes *o, const testcase *t);
void prefix_hashes_finish(prefix_hashes *o);

/* The digest (rejected_cache.h) of what patch_apply would make of the test case. Takes a time that
 * grows with what is changed, and hardly with what stays. */
uint64_t prefix_hashes_patched(const prefix_hashes *o, const testcase *t, const patch *p);

#endif
