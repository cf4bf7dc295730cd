/* Move each value towards its simplest one. */
#include "pass.h"

/* a: the draw. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    while (s->a < t->count && t->draws[s->a].rank == 0) s->a++;
    return s->a < t->count;
}

static uint64_t limit(const testcase *t, const site *s) { return draw_distance(&t->draws[s->a]); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_set(p, s->a, draw_rank_nearer(&t->draws[s->a], by));
}

const pass pass_minimise = {"minimise", true, STEP_VALUE, find, limit, edit};
