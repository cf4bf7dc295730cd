/* passes_delete.c: passes that delete draws. Most delete a chunk and adjust a draw elsewhere. They
 * share an iterator, and differ in their sites and their edits. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

#include <assert.h>

/* ---- Chunks: draws whose deletion moves a draw that is alike into the place of their first: items
 * of a list, rounds of a loop ---- */

/* Count the consecutive chunks from draw `at` on. Each has `step` draws like the one at `at`;
 * distant chunks are not counted. Without a trace each byte is a chunk, even the last one. With a
 * trace the last draw of a kind begins no chunk: without all draws from there on, the target would
 * only run out of entropy. */
static uint64_t chunk_count(const testcase *t, size_t at, size_t step) {
    enum { LOOK_MAX = 1024 };
    uint64_t alike = 0;
    assert(at < t->count && step > 0);
    if (t->trace == TRACE_NONE) return (t->count - at) / step;
    for (size_t i = at + 1; i < t->count && alike < LOOK_MAX; i++) {
        alike += same_type(&t->draws[at], &t->draws[i]);
    }
    return alike / step;
}

/* Return the index of the draw after `count` chunks; count is 1..chunk_count. */
static size_t chunk_end(const testcase *t, size_t at, size_t step, uint64_t count) {
    uint64_t left = count * step;
    size_t i = at;
    if (t->trace == TRACE_NONE) return at + (size_t)left;
    while (left > 0) {
        i++;
        assert(i < t->count);
        left -= same_type(&t->draws[at], &t->draws[i]);
    }
    return i;
}

/* True if a step begins within the draws after `at` and before `end`. */
static bool has_step_within(const testcase *t, size_t at, size_t end) {
    for (size_t i = at + 1; i < end && t->step_count > 0; i++) {
        if (t->draws[i].begins_step) return true;
    }
    return false;
}

/* True if there is a chunk at a position: way + 1 draws like its first, and what follows each.
 * Where the target has steps, chunks of several parts stay within one: steps go as a whole. */
static bool is_chunk(const testcase *t, const position *p) {
    if (t->draws[p->at].goes_on || chunk_count(t, p->at, p->way + 1) == 0) return false;
    return p->way == 0 || !has_step_within(t, p->at, chunk_end(t, p->at, p->way + 1, 1));
}

static bool delete_to(patch *edits, size_t first, size_t end) {
    return end > first && patch_delete(edits, first, end - first);
}

/* ---- Delete chunks: items of lists, rounds of loops ---- */

static uint64_t delete_limit(const testcase *t, const position *p) {
    return chunk_count(t, p->at, p->way + 1);
}

static bool delete_edit(const testcase *t, const position *p, patch *edits) {
    return delete_to(edits, p->at, chunk_end(t, p->at, p->way + 1, p->by));
}

PASS(delete, "delete", CHEAP, MOST, position_next_nearby, delete_limit, delete_edit,
     .is_aligned = true, .saves_bytes = true, .nearby = {0, 0, 4, NULL, is_chunk})

/* ---- Keep the last rounds only, of those that begin at the first draw of a meaning: a loop may
 * fail without all that it did before ---- */

static bool is_first_of_meaning(const testcase *t, size_t at) {
    enum { FIRST_MAX = 16 };
    return at < FIRST_MAX && !has_alike(t, at, 0, at, same_range);
}

/* Return the first of the last 2^way draws of the meaning of the one at `at`, or `at`. */
static size_t first_kept(const testcase *t, const position *p) {
    size_t left = (size_t)1 << p->way, i = t->count;
    while (i > p->at && left > 0) left -= same_range(&t->draws[p->at], &t->draws[--i]);
    return i;
}

static bool last_rounds_edit(const testcase *t, const position *p, patch *edits) {
    enum { DELETED_MIN = 32 };
    const size_t end = first_kept(t, p);
    return !t->draws[p->at].goes_on && end >= p->at + DELETED_MIN && delete_to(edits, p->at, end);
}

PASS(last_rounds, "last-rounds", CHEAP, ALL, position_next_nearby, NULL, last_rounds_edit,
     .saves_bytes = true, .nearby = {0, 0, 16, is_first_of_meaning, NULL})

/* ---- Delete chunks, and lower by one the numbers elsewhere that are like a draw of the chunk:
 * indices into a list move when an earlier item goes, and so do lengths ---- */

static bool delete_and_lower_edit(const testcase *t, const position *p, patch *edits) {
    enum { REACH = 1024 };
    const size_t end = chunk_end(t, p->at, p->way + 1, p->by);
    const size_t first = p->at > REACH ? p->at - REACH : 0;
    const size_t last = t->count - end > REACH ? end + REACH : t->count;
    if (!delete_to(edits, p->at, end)) return false;
    for (size_t i = first; i < last && edits->count < PATCH_MAX; i++) {
        const draw *d = &t->draws[i];
        if ((i >= p->at && i < end) || d->rank == 0 || !draw_is_number(d)) continue;
        if (has_alike(t, i, p->at, end, same_type)) patch_set(edits, i, draw_rank_nearer(d, 1));
    }
    return edits->count > 1;
}

PASS(delete_and_lower, "delete-and-lower", COSTLY, ALL, position_next_nearby, NULL,
     delete_and_lower_edit, .is_aligned = true, .nearby = {0, 0, 2, NULL, is_chunk})

static bool is_length(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return d->rank > draw_rank_least(d) && !draw_is_choice(d) && !draw_is_real(d);
}

/* ---- Lower by one all numbers of a meaning that are equal, and delete a draw behind each: lists
 * whose lengths must be equal lose an item each ---- */

static bool is_first_of_equal(const testcase *t, size_t at) {
    if (!is_length(t, at) || !draw_is_number(&t->draws[at])) return false;
    if (has_alike(t, at, 0, at, same_value)) return false;
    const size_t equal = count_alike(t, at, at, t->count, same_value);
    return equal > 1 && equal <= PATCH_MAX / 2;
}

/* other: the draw that goes behind the first number. */
static bool equal_lengths_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    const size_t behind = p->other - p->at;
    for (size_t i = p->at; i < t->count; i++) {
        if (!same_value(d, &t->draws[i])) continue;
        if (i + behind >= t->count || !patch_delete(edits, i + behind, 1)) return false;
        if (!patch_set(edits, i, draw_rank_nearer(d, p->by))) return false;
    }
    return true;
}

PASS(equal_lengths, "equal-lengths", LATE, ALL, position_next_nearby, NULL, equal_lengths_edit,
     .nearby = {1, 8, 1, is_first_of_equal, NULL})

/* ---- Delete a chunk, and append the opposite coin, if all coins fell the same way: a list of the
 * maximal length has no coin that ends it, and a shorter list has to draw one ---- */

/* Return the last coin if all like it fell the same way, else t->count. */
static size_t last_coin(const testcase *t) {
    size_t last = t->count;
    while (last > 0 && !draw_is_choice(&t->draws[last - 1])) last--;
    if (last-- == 0) return t->count;
    for (size_t i = 0; i < last; i++) {
        const draw *d = &t->draws[i];
        if (same_type(d, &t->draws[last]) && d->rank != t->draws[last].rank) return t->count;
    }
    return last;
}

static bool end_early_next(const testcase *t, position *p) {
    return last_coin(t) < t->count && position_next_nearby(t, p);
}

static bool end_early_edit(const testcase *t, const position *p, patch *edits) {
    const size_t last = last_coin(t);
    const uint64_t opposite = t->draws[last].rank == 0 ? draw_rank_max(&t->draws[last]) : 0;
    return delete_to(edits, p->at, chunk_end(t, p->at, p->way + 1, p->by)) &&
           patch_insert(edits, t->count, last, opposite);
}

PASS(end_early, "end-early", LATE, ALL, end_early_next, NULL, end_early_edit,
     .nearby = {0, 0, 4, NULL, is_chunk})

/* ---- Delete chunks that a number at `at` counts, and lower the number: data after a length
 * shrinks in no other way ---- */

/* other: the first item. */
static uint64_t lower_and_delete_limit(const testcase *t, const position *p) {
    const uint64_t chunks = chunk_count(t, p->other, p->way + 1);
    const uint64_t distance = draw_distance(&t->draws[p->at]);
    return t->draws[p->other].goes_on ? 0 : smaller(chunks, distance);
}

static bool lower_and_delete_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set(edits, p->at, draw_rank_nearer(&t->draws[p->at], p->by)) &&
           delete_to(edits, p->other, chunk_end(t, p->other, p->way + 1, p->by));
}

PASS(lower_and_delete, "lower-and-delete", CHEAP, MOST, position_next_nearby,
     lower_and_delete_limit, lower_and_delete_edit, .is_aligned = true,
     .nearby = {1, 8, 3, is_length, NULL})

/* ---- Join a list to the list before it: delete its count, add that to the other list's count, and
 * optionally lower by one a count of lists before both ---- */

static bool is_number_at(const testcase *t, size_t at) { return draw_is_number(&t->draws[at]); }

/* at: the count of the second list; other: the count of the first list; way: the distance from
 * `other` back to the count of lists, 0 for none. */
static bool merge_counts_fits(const testcase *t, const position *p) {
    enum { ITEM_MAX = 4 };
    const draw *first = &t->draws[p->other];
    if (p->way > p->other || !same_type(first, &t->draws[p->at])) return false;
    const uint64_t items = draw_value(first), draws = p->at - p->other - 1;
    return items > 0 && draws % items == 0 && draws / items <= ITEM_MAX;
}

static bool merge_counts_edit(const testcase *t, const position *p, patch *edits) {
    const draw *first = &t->draws[p->other], *second = &t->draws[p->at];
    uint64_t rank;
    if (!draw_rank_of(first, draw_value(first) + draw_value(second), &rank)) return false;
    if (!patch_delete(edits, p->at, 1) || !patch_set(edits, p->other, rank)) return false;
    if (p->way == 0) return true;
    const draw *outer = &t->draws[p->other - p->way];
    return outer->rank > 0 && patch_set(edits, p->other - p->way, outer->rank - p->by);
}

PASS(merge_counts, "merge-counts", COSTLY, ALL, position_next_nearby, NULL, merge_counts_edit,
     .nearby = {-2048, -1, 2, is_number_at, merge_counts_fits})
