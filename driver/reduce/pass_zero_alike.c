/* Set all draws of one kind to their simplest values at once: what does not matter is out of the
 * way before anything else is looked at, and what is equal need be tried but once. */
#include "pass.h"

/* a: the first of them that is not at its simplest. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    for (; s->a < t->count; s->a++) {
        size_t i = 0;
        if (t->draws[s->a].rank == 0) continue;
        while (t->draws[i].rank == 0 || !draw_is_alike(&t->draws[i], &t->draws[s->a])) i++;
        if (i == s->a) return true;
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)by;
    return patch_set_alike(p, s->a, t->count - s->a, 0);
}

const pass pass_zero_alike = {"zero-alike", true, STEP_ALL, find, pass_limit_one, edit};
