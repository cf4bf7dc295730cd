/* passes_walk.c: a last resort. Below a fixpoint of all other passes, changes by chance of a few
 * draws near each other find what no rule finds. A try is the same in each run of a reduction. */
#include "pass.h"

enum { TRIES = 1500, REACH = 12, OTHERS_MAX = 3, STEP_MAX = 4, DELETED_MAX = 4 };

static bool walk_next(const testcase *t, position *p) {
    position_leave(p, &p->way);
    return t->count > 0 && p->way < TRIES;
}

/* Return a number below `count` (SplitMix64). */
static uint64_t dice(uint64_t *state, uint64_t count) {
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % count;
}

static uint64_t lower_rank(const draw *d, uint64_t *state) {
    const uint64_t step = 1 + dice(state, STEP_MAX);
    if (dice(state, 2) == 0) return dice(state, d->rank);
    return d->rank > step ? d->rank - step : 0;
}

static uint64_t any_rank(const draw *d, uint64_t *state) {
    const uint64_t step = 1 + dice(state, STEP_MAX);
    switch (dice(state, 4)) {
    case 0: return d->rank > step ? d->rank - step : 0;
    case 1: return dice(state, 2 * STEP_MAX);
    case 2: return dice(state, 4) == 0 ? draw_rank_max(d) : d->rank;
    default: return d->rank < UINT64_MAX - step ? d->rank + step : d->rank;
    }
}

/* Add changes of a few draws from `from` on. */
static void change_some(const testcase *t, size_t from, uint64_t *state, patch *edits) {
    for (uint64_t left = 1 + dice(state, OTHERS_MAX); left > 0; left--) {
        const size_t i = from + (size_t)dice(state, REACH);
        if (i < t->count) patch_set(edits, i, any_rank(&t->draws[i], state));
    }
}

static bool walk_edit(const testcase *t, const position *p, patch *edits) {
    uint64_t state = p->way + p->by;
    const size_t at = (size_t)dice(&state, t->count);
    const draw *d = &t->draws[at];
    if (dice(&state, 3) == 0) {
        const size_t left = t->count - at, length = 1 + (size_t)dice(&state, DELETED_MAX);
        patch_delete(edits, at, length < left ? length : left);
        change_some(t, at > REACH / 2 ? at - REACH / 2 : 0, &state, edits);
    } else {
        if (d->rank == 0) return false;
        patch_set(edits, at, lower_rank(d, &state));
        change_some(t, at + 1, &state, edits);
    }
    return true;
}

const pass pass_walk = {
    .name = "walk", .cost = PASS_LAST, .how = STEP_ALL, .next = walk_next, .edit = walk_edit};
