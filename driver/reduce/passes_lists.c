/* passes_lists.c: a pass over strings and lists in which a draw before each element says whether it
 * exists (frng_string, frng_more). */
#include "pass.h"

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
