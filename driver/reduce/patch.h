/* patch.h: the changes that make a candidate from a test case, draw by draw. */
#ifndef PATCH_H
#define PATCH_H

#include "candidate_set.h"
#include "frng_choices.h"
#include "testcase.h"

typedef enum change_kind {
    CHANGE_DELETE,    /* delete the draws */
    CHANGE_SET,       /* set all the draws to `rank` */
    CHANGE_SET_ALIKE, /* set those that are like the first to `rank` */
    CHANGE_COPY,      /* replace the draws by `length` draws from `from` on */
    CHANGE_INSERT     /* insert a draw like `from`, with `rank`, before `first` */
} change_kind;

/* A change of the draws first .. first + count - 1; count is 0 only for CHANGE_INSERT. */
typedef struct change {
    size_t first, count;
    change_kind kind;
    uint64_t rank;
    size_t from, length;
} change;

enum { PATCH_MAX = 256 };

/* Changes in the order of their draws; no two touch the same draw. */
typedef struct patch {
    size_t count;
    change changes[PATCH_MAX];
} patch;

static inline void patch_clear(patch *p) { p->count = 0; }

/* Add a change. Return false and do nothing if it touches the same draw as another change, or if
 * there is no room. */
bool patch_add(patch *p, change c);
bool patch_delete(patch *p, size_t first, size_t count);
bool patch_set(patch *p, size_t at, uint64_t rank);
bool patch_set_alike(patch *p, size_t first, size_t count, uint64_t rank);
bool patch_insert(patch *p, size_t first, size_t from, uint64_t rank);

/* The draws from `start` to before `end`. */
typedef struct draw_row {
    size_t start, end;
} draw_row;

/* Add a change that puts copies of the draws of one row in the place of another. */
bool patch_copy(patch *p, draw_row place, draw_row from);

/* Make the test case that results from `base` if the target still makes the same kinds of draws,
 * with the canonical bytes of every draw. *out must be zeroed or made by an earlier call, whose
 * memory is reused. False when out of memory. */
bool patch_apply(const patch *p, const testcase *base, testcase *out);

/* True if applying the patch to `base` may make a simpler test case. Its time does not grow with
 * the number of unchanged draws. */
bool patch_may_simplify(const patch *p, const testcase *base);

/* True if what is moved to a place has the meaning of what was there. */
bool patch_keeps_meaning(const patch *p, const testcase *base);

/* ---- Choices (frng_choices.h), for targets that write the bytes of their draws themselves: an
 * edit of one draw then leaves all others what they are, whatever bounds they get ---- */

/* A buffer for a candidate as its target gets it. */
typedef struct encoded_bytes {
    uint8_t *bytes; /* owned */
    size_t size, capacity;
} encoded_bytes;

/* Write a draw with another rank as the target gets it; the largest rank does not grow with its
 * bounds. Return the count of bytes. */
unsigned choices_write_exact(candidate_form form, const draw *d, uint64_t rank,
                             uint8_t bytes[FRNG_CHOICE_MAX]);

/* Write the choice that ends the entropy. Return the count of bytes. */
unsigned choices_write_end(uint8_t bytes[FRNG_CHOICE_MAX]);

/* Make the choices of a test case in *out, whose memory is reused. False when out of memory. */
bool choices_make(const testcase *t, encoded_bytes *out);
void choices_finish(encoded_bytes *out);

/* ---- The digest (window.h) of a patched test case as a target gets it, without making
 * the test case ---- */

/* The number of bytes before a draw, and their digest. */
typedef struct prefix_hash {
    size_t at;
    uint64_t digest;
} prefix_hash;

/* A prefix hash for each draw and one for the end; none when zeroed. */
typedef struct prefix_hashes {
    candidate_form form; /* of the test cases; set before they are made */
    prefix_hash *marks;  /* owned */
} prefix_hashes;

/* Make the prefix hashes of a test case, in o->form; the memory of *o is reused. False when out of
 * memory. */
bool prefix_hashes_make(prefix_hashes *o, const testcase *t);
void prefix_hashes_finish(prefix_hashes *o);

/* Return the digest of the test case that patch_apply would make. Its time grows with the changes,
 * and hardly with the rest. */
uint64_t prefix_hashes_patched(const prefix_hashes *o, const testcase *t, const patch *p);

#endif
