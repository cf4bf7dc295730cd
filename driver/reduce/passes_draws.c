/* passes_draws.c: passes that delete draws. Most delete a chunk and adjust a draw elsewhere. They
 * share an iterator, and differ in their sites and their edits. */
#include "pass.h"
#include "patch.h"

#include <assert.h>

/* ---- Chunks ---- */

/* Without a trace each byte is a chunk, even the last one. With a trace the last draw of a kind
 * begins no chunk: without all draws from there on, the target would only run out of entropy. */
uint64_t chunk_count(const testcase *t, size_t at, size_t step) {
    enum { LOOK_MAX = 1024 };
    uint64_t alike = 0;
    assert(at < t->count && step > 0);
    if (t->trace == TRACE_NONE) return (t->count - at) / step;
    for (size_t i = at + 1; i < t->count && alike < LOOK_MAX; i++) {
        alike += draw_is_alike(&t->draws[at], &t->draws[i]);
    }
    return alike / step;
}

size_t chunk_end(const testcase *t, size_t at, size_t step, uint64_t count) {
    uint64_t left = count * step;
    size_t i = at;
    if (t->trace == TRACE_NONE) return at + (size_t)left;
    while (left > 0) {
        i++;
        assert(i < t->count);
        left -= draw_is_alike(&t->draws[at], &t->draws[i]);
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

const pass pass_delete = {.name = "delete",
                          .is_aligned = true,
                          .cost = PASS_CHEAP,
                          .saves_bytes = true,
                          .how = STEP_MOST,
                          .next = position_next_nearby,
                          .limit = delete_limit,
                          .edit = delete_edit,
                          .nearby = {.ways = 4, .fits = is_chunk}};

/* ---- Keep the last rounds only, of those that begin at the first draw of a meaning: a loop may
 * fail without all that it did before ---- */

static bool is_first_of_meaning(const testcase *t, size_t at) {
    enum { FIRST_MAX = 16 };
    for (size_t i = 0; i < at; i++) {
        if (at >= FIRST_MAX || draw_is_of_kind(&t->draws[i], &t->draws[at])) return false;
    }
    return true;
}

/* Return the first of the last 2^way draws of the meaning of the one at `at`, or `at`. */
static size_t first_kept(const testcase *t, const position *p) {
    size_t left = (size_t)1 << p->way, i = t->count;
    while (i > p->at && left > 0) left -= draw_is_of_kind(&t->draws[p->at], &t->draws[--i]);
    return i;
}

static bool last_rounds_fit(const testcase *t, const position *p) {
    enum { DELETED_MIN = 32 };
    return !t->draws[p->at].goes_on && first_kept(t, p) >= p->at + DELETED_MIN;
}

static bool last_rounds_edit(const testcase *t, const position *p, patch *edits) {
    return delete_to(edits, p->at, first_kept(t, p));
}

const pass pass_last_rounds = {
    .name = "last-rounds",
    .cost = PASS_CHEAP,
    .saves_bytes = true,
    .how = STEP_ALL,
    .next = position_next_nearby,
    .edit = last_rounds_edit,
    .nearby = {.ways = 16, .is_anchor = is_first_of_meaning, .fits = last_rounds_fit}};

/* ---- Delete chunks, and lower by one the numbers elsewhere that are like a draw of the chunk:
 * indices into a list move when an earlier item goes, and so do lengths ---- */

static bool has_alike(const testcase *t, const draw *d, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        if (draw_is_alike(d, &t->draws[i])) return true;
    }
    return false;
}

static bool delete_and_lower_edit(const testcase *t, const position *p, patch *edits) {
    enum { REACH = 1024 };
    const size_t end = chunk_end(t, p->at, p->way + 1, p->by);
    const size_t first = p->at > REACH ? p->at - REACH : 0;
    const size_t last = t->count - end > REACH ? end + REACH : t->count;
    if (!delete_to(edits, p->at, end)) return false;
    for (size_t i = first; i < last && edits->count < PATCH_MAX; i++) {
        const draw *d = &t->draws[i];
        if ((i >= p->at && i < end) || d->rank == 0 || !draw_is_number(d)) continue;
        if (has_alike(t, d, p->at, end)) patch_set(edits, i, draw_rank_nearer(d, 1));
    }
    return edits->count > 1;
}

const pass pass_delete_and_lower = {.name = "delete-and-lower",
                                    .is_aligned = true,
                                    .how = STEP_ALL,
                                    .next = position_next_nearby,
                                    .edit = delete_and_lower_edit,
                                    .nearby = {.ways = 2, .fits = is_chunk}};

static bool is_length(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return d->rank > draw_rank_least(d) && !draw_is_choice(d) && !draw_is_real(d);
}

/* ---- Lower by one all numbers of a meaning that are equal, and delete a draw behind each: lists
 * whose lengths must be equal lose an item each ---- */

static bool is_equal_length(const draw *a, const draw *b) {
    return a->rank == b->rank && draw_is_of_kind(a, b);
}

static bool is_first_of_equal(const testcase *t, size_t at) {
    size_t equal = 0;
    if (!is_length(t, at) || !draw_is_number(&t->draws[at])) return false;
    for (size_t i = 0; i < at; i++) {
        if (is_equal_length(&t->draws[at], &t->draws[i])) return false;
    }
    for (size_t i = at; i < t->count && equal <= PATCH_MAX; i++) {
        equal += is_equal_length(&t->draws[at], &t->draws[i]);
    }
    return equal > 1 && equal <= PATCH_MAX / 2;
}

/* other: the draw that goes behind the first number. */
static bool equal_lengths_edit(const testcase *t, const position *p, patch *edits) {
    const draw *d = &t->draws[p->at];
    const size_t behind = p->other - p->at;
    for (size_t i = p->at; i < t->count; i++) {
        if (!is_equal_length(d, &t->draws[i])) continue;
        if (i + behind >= t->count || !patch_delete(edits, i + behind, 1)) return false;
        if (!patch_set(edits, i, draw_rank_nearer(d, p->by))) return false;
    }
    return true;
}

const pass pass_equal_lengths = {
    .name = "equal-lengths",
    .cost = PASS_LATE,
    .how = STEP_ALL,
    .next = position_next_nearby,
    .edit = equal_lengths_edit,
    .nearby = {.first = 1, .last = 8, .ways = 1, .is_anchor = is_first_of_equal}};

/* ---- Delete a chunk, and append the opposite coin, if all coins fell the same way: a list of the
 * maximal length has no coin that ends it, and a shorter list has to draw one ---- */

/* Return the last coin if all like it fell the same way, else t->count. */
static size_t last_coin(const testcase *t) {
    size_t last = t->count;
    while (last > 0 && !draw_is_choice(&t->draws[last - 1])) last--;
    if (last-- == 0) return t->count;
    for (size_t i = 0; i < last; i++) {
        const draw *d = &t->draws[i];
        if (draw_is_alike(d, &t->draws[last]) && d->rank != t->draws[last].rank) return t->count;
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

const pass pass_end_early = {.name = "end-early",
                             .cost = PASS_LATE,
                             .how = STEP_ALL,
                             .next = end_early_next,
                             .edit = end_early_edit,
                             .nearby = {.ways = 4, .fits = is_chunk}};

/* ---- Delete chunks that a number at `at` counts, and lower the number: data after a length
 * shrinks in no other way ---- */

/* other: the first item. */
static bool is_chunk_at_other(const testcase *t, const position *p) {
    return !t->draws[p->other].goes_on && chunk_count(t, p->other, p->way + 1) > 0;
}

static uint64_t lower_and_delete_limit(const testcase *t, const position *p) {
    const uint64_t chunks = chunk_count(t, p->other, p->way + 1);
    const uint64_t distance = draw_distance(&t->draws[p->at]);
    return chunks < distance ? chunks : distance;
}

static bool lower_and_delete_edit(const testcase *t, const position *p, patch *edits) {
    return patch_set(edits, p->at, draw_rank_nearer(&t->draws[p->at], p->by)) &&
           delete_to(edits, p->other, chunk_end(t, p->other, p->way + 1, p->by));
}

const pass pass_lower_and_delete = {
    .name = "lower-and-delete",
    .is_aligned = true,
    .cost = PASS_CHEAP,
    .how = STEP_MOST,
    .next = position_next_nearby,
    .limit = lower_and_delete_limit,
    .edit = lower_and_delete_edit,
    .nearby = {
        .first = 1, .last = 8, .ways = 3, .is_anchor = is_length, .fits = is_chunk_at_other}};

/* ---- Join a list to the list before it: delete its count, add that to the other list's count, and
 * optionally lower by one a count of lists before both ---- */

static bool is_number_at(const testcase *t, size_t at) { return draw_is_number(&t->draws[at]); }

/* at: the count of the second list; other: the count of the first list; way: the distance from
 * `other` back to the count of lists, 0 for none. */
static bool merge_counts_fits(const testcase *t, const position *p) {
    enum { ITEM_MAX = 4 };
    const draw *first = &t->draws[p->other];
    if (p->way > p->other || !draw_is_alike(first, &t->draws[p->at])) return false;
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

const pass pass_merge_counts = {.name = "merge-counts",
                                .how = STEP_ALL,
                                .next = position_next_nearby,
                                .edit = merge_counts_edit,
                                .nearby = {.first = -2048,
                                           .last = -1,
                                           .ways = 2,
                                           .is_anchor = is_number_at,
                                           .fits = merge_counts_fits}};

/* ---- Delete elements of several strings or lists at once, in which a draw before each element
 * says whether it exists (frng_string, frng_more) ---- */

enum { ELEMENT_MAX = 4, LISTS_REACH = 256, LISTS_WAYS = 2 };

/* True if an element begins at a draw. */
static bool goes_on(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return (d->kind == FRNG_LETTER || d->kind == FRNG_MORE) && draw_number(d, d->rank) > 0;
}

/* Return the end of the element that begins at a draw, or `at` if no list goes on there. */
static size_t element_end(const testcase *t, size_t at) {
    size_t end = at + 1;
    if (!goes_on(t, at)) return at;
    while (end < t->count && end - at <= ELEMENT_MAX &&
           !draw_is_alike(&t->draws[at], &t->draws[end]))
        end++;
    return end < t->count && end - at <= ELEMENT_MAX ? end : at;
}

static bool begins_list(const testcase *t, size_t at) {
    if (element_end(t, at) == at) return false;
    for (size_t i = at; i-- > 0 && at - i <= ELEMENT_MAX;) {
        if (draw_is_alike(&t->draws[i], &t->draws[at])) return !goes_on(t, i);
    }
    return true;
}

/* True if two short lists have the same elements from here on, up to their ends. */
static bool are_equal(const testcase *t, size_t a, size_t b) {
    const size_t end = t->count - b < LISTS_REACH ? t->count : b + LISTS_REACH;
    const draw *const anchor = &t->draws[a];
    for (; b < end; a++, b++) {
        const draw *x = &t->draws[a], *y = &t->draws[b];
        if (!draw_is_alike(x, y) || draw_number(x, x->rank) != draw_number(y, y->rank))
            return false;
        if (draw_is_alike(x, anchor) && !goes_on(t, a)) return true;
    }
    return false;
}

/* Return how many elements can go from both lists, at most `most`. Set *a and *b to their ends. */
static uint64_t common_elements(const testcase *t, size_t *a, size_t *b, uint64_t most) {
    const size_t second = *b;
    uint64_t count = 0;
    for (; count < most && *a < second; count++) {
        const size_t a_end = element_end(t, *a), b_end = element_end(t, *b);
        if (a_end == *a || b_end == *b || a_end > second) break;
        *a = a_end;
        *b = b_end;
    }
    return count;
}

/* at: an element of a list; other: a list behind it. way 0: all lists that are equal to the one at
 * `at` lose elements, if `other` is the first of them; way 1: these two. */
static bool lists_fit(const testcase *t, const position *p) {
    if (!draw_is_alike(&t->draws[p->at], &t->draws[p->other])) return false;
    return element_end(t, p->other) > p->other &&
           (p->way == 0 ? are_equal(t, p->at, p->other) : begins_list(t, p->other));
}

static bool is_element(const testcase *t, size_t at) { return element_end(t, at) > at; }

static uint64_t lists_limit(const testcase *t, const position *p) {
    size_t a = p->at, b = p->other;
    const uint64_t count = common_elements(t, &a, &b, t->count);
    return count > 0 ? count : 1;
}

static bool lists_edit(const testcase *t, const position *p, patch *edits) {
    size_t a = p->at, b = p->other;
    if (common_elements(t, &a, &b, p->by) < p->by) return false;
    if (!patch_delete(edits, p->at, a - p->at)) return false;
    if (p->way > 0) return patch_delete(edits, p->other, b - p->other);
    const size_t length = a - p->at;
    for (size_t i = p->other; i < t->count && edits->count < PATCH_MAX; i++) {
        if (are_equal(t, p->at, i) && patch_delete(edits, i, length)) i += length;
    }
    return edits->count > 1;
}

const pass pass_lists = {.name = "lists",
                         .cost = PASS_LATE,
                         .idle_share = 20,
                         .idle_min = 8,
                         .how = STEP_MOST,
                         .next = position_next_nearby,
                         .limit = lists_limit,
                         .edit = lists_edit,
                         .nearby = {.first = 1,
                                    .last = LISTS_REACH,
                                    .ways = LISTS_WAYS,
                                    .is_anchor = is_element,
                                    .fits = lists_fit}};
