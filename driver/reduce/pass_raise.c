/* Lower one number while a later one is as high as it can be: products, bounds, capacities. */
#include "pair.h"

static bool find(const testcase *t, site *s) { return pair_find(t, s, false); }

static uint64_t limit(const testcase *t, const site *s) { return draw_distance(&t->draws[s->a]); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const uint64_t max = draw_rank_max(&t->draws[s->b]);
    return t->draws[s->b].rank < max && patch_set(p, s->a, draw_rank_nearer(&t->draws[s->a], by)) &&
           patch_set(p, s->b, max);
}

const pass pass_raise = {"raise", false, STEP_PAIR, find, limit, edit};
