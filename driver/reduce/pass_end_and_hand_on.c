/* End a list before its last item, and hand that item's number on to one that stays, or lower that:
 * a list that is as long as it may be has no end that could be drawn in the item's place. */
#include "chunk.h"
#include "pass.h"

/* Whether the choice at `at` led to the last item: nothing like it follows. */
static bool is_last(const testcase *t, size_t at) {
    const draw *d = &t->draws[at];
    return draw_is_choice(d) && d->rank > 0 && at + 1 < t->count && chunk_count(t, at, 1) == 0;
}

/* a: the choice; b: the number that stays; c: 0 to lower it, 1 to hand on. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        if (!is_last(t, s->a)) continue;
        for (; s->b < s->a; *s = (site){s->a, s->b + 1, 0}) {
            if (s->c < 2 && draw_is_number(&t->draws[s->b])) return true;
        }
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const draw *stays = &t->draws[s->b], *goes = &t->draws[s->a + 1];
    uint64_t rank;
    if (!patch_set(p, s->a, 0) || !patch_delete(p, s->a + 1, t->count - s->a - 1)) return false;
    if (s->c == 0) return stays->rank > 0 && patch_set(p, s->b, draw_rank_nearer(stays, by));
    return draw_is_alike(stays, goes) && draw_value(goes) > 0 &&
           draw_rank_of(stays, draw_value(goes) - by, &rank) && patch_set(p, s->b, rank);
}

const pass pass_end_and_hand_on = {"end-and-hand-on", false, STEP_ALL, find, pass_limit_one, edit};
