/* Take out chunks and end with a coin that falls the other way: where all have fallen one way, as in
 * a list that is as long as it may be, what is shorter has to draw one that says so. */
#include "chunk.h"
#include "pass.h"

enum { STEP_MAX = 4 };

/* The last coin, if all like it fell the same way; else t->count. */
static size_t last_coin(const testcase *t) {
    size_t last = t->count;
    while (last > 0 && !draw_is_choice(&t->draws[last - 1])) last--;
    if (last-- == 0) return t->count;
    for (size_t i = 0; i < last; i++) {
        const draw *d = &t->draws[i];
        if (draw_is_alike(d, &t->draws[last]) && d->rank != t->draws[last].rank) return t->count;
    }
    return last;
}

/* a: the first draw taken out; c + 1: the draws like it in what is taken. */
static bool find(const testcase *t, site *s) {
    if (last_coin(t) == t->count) return false;
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        if (s->c < STEP_MAX && chunk_count(t, s->a, s->c + 1) > 0) return true;
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t end = chunk_end(t, s->a, s->c + 1, by), last = last_coin(t);
    const uint64_t other = t->draws[last].rank == 0 ? draw_rank_max(&t->draws[last]) : 0;
    return patch_delete(p, s->a, end - s->a) && patch_insert(p, t->count, last, other);
}

const pass pass_end_early = {"end-early", false, STEP_ALL, find, pass_limit_one, edit};
