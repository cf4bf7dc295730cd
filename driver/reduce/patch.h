/* patch.h: what a candidate changes in a test case, draw by draw. */
#ifndef PATCH_H
#define PATCH_H

#include "testcase.h"

typedef enum change_kind {
    CHANGE_DELETE,
    CHANGE_SET,       /* all of these draws to `rank` */
    CHANGE_SET_ALIKE, /* those of them that are like the first */
    CHANGE_COPY,      /* in their place, `length` draws from `from` on */
    CHANGE_INSERT     /* before `first`, one like `from` with `rank` */
} change_kind;

/* To the draws first .. first + count - 1; count is 0 for CHANGE_INSERT alone. */
typedef struct change {
    size_t first, count;
    change_kind kind;
    uint64_t rank;
    size_t from, length;
} change;

/* Draws that a change puts in the place of those it touches, and draw i of them. */
size_t change_length(const change *c);
draw change_draw(const change *c, const testcase *base, size_t i);

enum { PATCH_MAX = 64 };

/* Changes in the order of their draws; no two touch the same one. */
typedef struct patch {
    size_t count;
    change changes[PATCH_MAX];
} patch;

static inline void patch_clear(patch *p) { p->count = 0; }

/* Add a change. False, and nothing is done, when it touches a draw that another one does, or there
 * is no room. */
bool patch_add(patch *p, change c);
bool patch_delete(patch *p, size_t first, size_t count);
bool patch_set(patch *p, size_t at, uint64_t rank);
bool patch_set_alike(patch *p, size_t first, size_t count, uint64_t rank);
bool patch_insert(patch *p, size_t first, size_t from, uint64_t rank);
bool patch_copy(patch *p, size_t first, size_t count, size_t from, size_t length);

/* Make the test case that the changes turn `base` into if the program still draws alike, with the
 * canonical bytes of every draw. *out is reused: zeroed, or made here before. False when out of
 * memory. */
bool patch_apply(const patch *p, const testcase *base, testcase *out);

/* True if applying the patch to `base` may give a simpler test case. Takes a time that does not
 * grow with the unchanged draws. */
bool patch_may_simplify(const patch *p, const testcase *base);

/* ---- The digest (rejected_cache.h) of a patched test case without making it ---- */

/* Canonical bytes before a draw, and their digest. */
typedef struct prefix_hash {
    size_t at;
    uint64_t digest;
} prefix_hash;

/* One for each draw, and one for the end. Zeroed: of no test case. */
typedef struct prefix_hashes {
    prefix_hash *marks; /* owned */
} prefix_hashes;

/* Make those of a test case; *o is reused. False when out of memory. */
bool prefix_hashes_make(prefix_hashes *o, const testcase *t);
void prefix_hashes_finish(prefix_hashes *o);

/* Return the digest of what patch_apply would make. Takes a time that grows with the changes, and
 * hardly with the rest. */
uint64_t prefix_hashes_patched(const prefix_hashes *o, const testcase *t, const patch *p);

#endif
