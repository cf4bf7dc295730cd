/* patch.h: the changes that make a candidate from a test case, draw by draw. */
#pragma once

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

enum { PATCH_MAX = 2048, PATCH_FEW = 256 }; /* FEW: for passes that look at many draws */

/* Changes in the order of their draws; no two touch the same draw. */
typedef struct patch {
    size_t count;
    bool runs_out; /* choices end behind the last draw, and do not go on with the simplest ones */
    change changes[PATCH_MAX];
} patch;

static inline void patch_clear(patch *p) {
    p->count = 0;
    p->runs_out = false;
}

/* Add a change. Return false and do nothing if it touches the same draw as another change, or if
 * there is no room. */
bool patch_add(patch *p, change c);
bool patch_delete(patch *p, size_t first, size_t count);
bool patch_set(patch *p, size_t at, uint64_t rank);
bool patch_insert(patch *p, size_t first, size_t from, uint64_t rank);

/* The draws from `start` to before `end`. */
typedef struct draw_row {
    size_t start, end;
} draw_row;

/* Add a change that puts copies of the draws of one row in the place of another. */
bool patch_copy(patch *p, draw_row place, draw_row from);

/* Move all changes to a later place: they are of the part of a test case that begins there. */
void patch_move(patch *p, size_t by);

/* Make the test case that results from `base` if the target still makes the same kinds of draws,
 * with the canonical bytes of every draw. *out must be zeroed or made by an earlier call, whose
 * memory is reused. */
void patch_apply(const patch *p, const testcase *base, testcase *out);

/* The same of a test case of units: the size, and the bytes. */
size_t patch_size(const patch *p, const testcase *base);
void patch_write(const patch *p, const testcase *base, uint8_t *bytes);

/* True if what is moved to a place has the meaning of what was there. */
bool patch_keeps_meaning(const patch *p, const testcase *base);

/* ---- Choices (frng_choices.h), for targets that write the bytes of their draws themselves: an
 * edit of one draw then leaves all others what they are, whatever bounds they get ---- */

/* Write a draw with another rank as the target gets it. Return the count of bytes. As choices the
 * largest rank stays the largest under other bounds, unless it is to be exact: where a size grows,
 * so does what used all of it. */
unsigned draw_write(const draw *d, candidate_form form, uint64_t rank, bool is_exact,
                    uint8_t bytes[FRNG_CHOICE_MAX]);

/* Write the choice that ends the entropy. Return the count of bytes. */
unsigned choices_write_end(uint8_t bytes[FRNG_CHOICE_MAX]);

/* Write a test case as the target gets it. Return the count of bytes: of choices, at most
 * FRNG_CHOICE_MAX for each draw and one more. */
size_t testcase_write(const testcase *t, candidate_form form, uint8_t *bytes);

/* Return the digest (digest.h) of what testcase_write makes of the test case that patch_apply
 * would make, without making it. The time grows with the changes, and hardly with the rest, but for
 * the first patch of a test case. */
uint64_t patch_digest(const patch *p, testcase *base, candidate_form form);
