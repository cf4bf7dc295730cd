/* outline.h: where each draw of a test case stands in its canonical bytes, and the digest of all
 * before it: to know what a patch makes of them without doing it. */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "patch.h"

/* Before draw i; the last one is the end. */
typedef struct outline_mark {
    size_t at;
    uint64_t digest;
} outline_mark;

/* Zeroed it is of nothing. */
typedef struct outline {
    outline_mark *marks; /* owned */
} outline;

/* Of a test case, anew. False when out of memory. */
bool outline_make(outline *o, const testcase *t);
void outline_finish(outline *o);

/* The digest (rejected_cache.h) of what patch_apply would make of the test case. Takes a time that grows
 * with what is changed, and hardly with what stays. */
uint64_t outline_patched(const outline *o, const testcase *t, const patch *p);

#endif
