/* Give signed values the next simpler one, which has the other sign. */
#include "pass.h"

#include "frng.h"

/* a: the draw. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    while (s->a < t->count && (t->draws[s->a].kind != FRNG_INT || t->draws[s->a].rank < 2)) {
        s->a++;
    }
    return s->a < t->count;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_set(p, s->a, t->draws[s->a].rank - by);
}

const pass pass_flip = {"flip", true, STEP_ALL, find, pass_limit_one, edit};
