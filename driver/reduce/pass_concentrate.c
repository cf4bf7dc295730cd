/* Lower a count, take out one of its items, and let one beside it be as high as it can: fewer items
 * that weigh as much. */
#include "chunk.h"
#include "pass.h"

enum { REACH = 8, WAYS = 2 };

/* a: the count; a + 1 + b: the item taken out; c: 0 to raise the one before, 1 the one behind. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        const draw *d = &t->draws[s->a];
        if (!draw_is_number(d) || d->rank < 2) continue;
        for (; s->b < REACH && s->b < d->rank; *s = (site){s->a, s->b + 1, 0}) {
            if (s->c < WAYS && s->a + 1 + s->b < t->count) return true;
        }
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t gone = s->a + 1 + s->b, raised = s->c == 0 ? gone - 1 : gone + 1;
    if (raised == s->a || raised >= t->count) return false;
    const draw *d = &t->draws[raised];
    return draw_is_alike(d, &t->draws[gone]) &&
           patch_set(p, s->a, draw_rank_nearer(&t->draws[s->a], by)) && patch_delete(p, gone, 1) &&
           patch_set(p, raised, draw_rank_max(d));
}

const pass pass_concentrate = {"concentrate", false, STEP_ALL, find, pass_limit_one, edit};
