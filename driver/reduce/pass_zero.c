/* Set stretches of draws to their simplest values. */
#include "pass.h"

/* a: the first draw. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    while (s->a < t->count && t->draws[s->a].rank == 0) s->a++;
    return s->a < t->count;
}

static uint64_t limit(const testcase *t, const site *s) { return t->count - s->a; }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)t;
    return patch_add(p, (change){.first = s->a, .count = by, .kind = CHANGE_SET, .rank = 0});
}

const pass pass_zero = {"zero", true, STEP_MOST, find, limit, edit};
