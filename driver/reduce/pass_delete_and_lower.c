/* Take out a chunk and lower by one what is like its numbers elsewhere: places in a list move when
 * an item before them goes, and so do lengths. */
#include "chunk.h"
#include "pass.h"

enum { STEP_MAX = 2, REACH = 1024 };

/* a: the first draw of the chunk; c + 1: as in pass_delete. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        if (s->c < STEP_MAX && chunk_count(t, s->a, s->c + 1) > 0) return true;
    }
    return false;
}

/* Whether a number like this one is in from..to. */
static bool is_like_one(const testcase *t, const draw *d, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (draw_is_alike(d, &t->draws[i])) return true;
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t end = chunk_end(t, s->a, s->c + 1, by);
    const size_t first = s->a > REACH ? s->a - REACH : 0;
    const size_t last = t->count - end > REACH ? end + REACH : t->count;
    if (!patch_delete(p, s->a, end - s->a)) return false;
    for (size_t i = first; i < last && p->count < PATCH_MAX; i++) {
        const draw *d = &t->draws[i];
        if ((i >= s->a && i < end) || d->rank == 0 || !draw_is_number(d)) continue;
        if (is_like_one(t, d, s->a, end)) patch_set(p, i, draw_rank_nearer(d, 1));
    }
    return p->count > 1;
}

const pass pass_delete_and_lower = {"delete-and-lower", false, STEP_ALL, find,
                                    pass_limit_one,     edit};
