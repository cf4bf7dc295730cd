/* Join a list to the one before it: its count goes, the other one's grows by as much, and a count
 * of lists before them may go down by one. */
#include "pass.h"

enum { OUTER_MAX = 4, ITEM_MAX = 4, REACH = 2048 };

/* Whether the draw at `count` counts the items between it and `next`. */
static bool spans(const testcase *t, size_t count, size_t next) {
    const uint64_t items = draw_value(&t->draws[count]), draws = next - count - 1;
    return items > 0 && draws % items == 0 && draws / items <= ITEM_MAX;
}

/* a: the count of the second list; b: that of the first; c: how far before it the count of lists
 * is, 0 for none. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        const draw *d = &t->draws[s->a];
        if (!draw_is_number(d)) continue;
        if (s->a > REACH && s->b < s->a - REACH) *s = (site){s->a, s->a - REACH, 0};
        for (; s->b < s->a; *s = (site){s->a, s->b + 1, 0}) {
            if (s->c > OUTER_MAX || s->c > s->b) continue;
            if (draw_is_alike(d, &t->draws[s->b]) && spans(t, s->b, s->a)) return true;
        }
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const draw *first = &t->draws[s->b], *second = &t->draws[s->a];
    uint64_t rank;
    if (!draw_rank_of(first, draw_value(first) + draw_value(second), &rank)) return false;
    if (!patch_delete(p, s->a, 1) || !patch_set(p, s->b, rank)) return false;
    if (s->c == 0) return true;
    const draw *outer = &t->draws[s->b - s->c];
    return outer->rank > 0 && patch_set(p, s->b - s->c, outer->rank - by);
}

const pass pass_merge_counts = {"merge-counts", false, STEP_ALL, find, pass_limit_one, edit};
