/* Lower one draw by a step and set a later one to its simplest value: choices that pay for each
 * other. */
#include "pass.h"

enum { REACH = 6 };

/* a: the draw to lower; b: the draw to zero. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a, s->b + 1, 0};
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        if (t->draws[s->a].rank == 0) continue;
        if (s->b <= s->a) s->b = s->a + 1;
        for (; s->b < t->count && s->b <= s->a + REACH; s->b++) {
            const draw *d = &t->draws[s->b];
            if (d->rank > 0 && !draw_is_alike(&t->draws[s->a], d)) return true;
        }
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_set(p, s->a, t->draws[s->a].rank - by) && patch_set(p, s->b, 0);
}

const pass pass_lower_both = {"lower-both", false, STEP_ALL, find, pass_limit_one, edit};
