/* Lower two numbers by the same amount: what looks at their difference sees no change. */
#include "pair.h"

static bool find(const testcase *t, site *s) { return pair_find(t, s, true); }

static uint64_t limit(const testcase *t, const site *s) {
    const uint64_t a = draw_distance(&t->draws[s->a]), b = draw_distance(&t->draws[s->b]);
    return a < b ? a : b;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_set(p, s->a, draw_rank_nearer(&t->draws[s->a], by)) &&
           patch_set(p, s->b, draw_rank_nearer(&t->draws[s->b], by));
}

const pass pass_lower_difference = {"lower-difference", false, STEP_PAIR, find, limit, edit};
