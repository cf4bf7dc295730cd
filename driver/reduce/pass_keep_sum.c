/* Lower one number and move a later one the other way: what looks at their sum sees no change. */
#include "pair.h"

static bool find(const testcase *t, site *s) { return pair_find(t, s, false); }

static uint64_t limit(const testcase *t, const site *s) { return draw_distance(&t->draws[s->a]); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const draw *a = &t->draws[s->a], *b = &t->draws[s->b];
    draw lowered = *a;
    uint64_t rank;
    lowered.rank = draw_rank_nearer(a, by);
    return draw_rank_of(b, draw_value(b) + draw_value(a) - draw_value(&lowered), &rank) &&
           patch_set(p, s->a, lowered.rank) && patch_set(p, s->b, rank);
}

const pass pass_keep_sum = {"keep-sum", false, STEP_PAIR, find, limit, edit};
