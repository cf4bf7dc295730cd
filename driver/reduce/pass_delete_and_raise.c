/* Take out a chunk and raise two neighbours by a step: a shorter test case may need other values
 * than the simplest. */
#include "chunk.h"
#include "pass.h"

enum { STEP_MAX = 2, REACH = 8 };

/* a: the first draw of the chunk; b: the first of the two to raise; c + 1: as in pass_delete. */
/* Whether the draw is like the one before it that could be raised instead. */
static bool is_in_row(const testcase *t, size_t at) {
    size_t i = at;
    while (i > 0 && !draw_is_alike(&t->draws[i - 1], &t->draws[at])) i--;
    return i > 0 && chunk_repeats(t, i - 1);
}

static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        if (s->b + REACH < s->a) *s = (site){s->a, s->a - REACH, 0};
        for (; s->b < t->count && s->b <= s->a + REACH; *s = (site){s->a, s->b + 1, 0}) {
            if (!draw_is_number(&t->draws[s->b]) || chunk_count(t, s->b, 1) == 0) continue;
            if (s->b > 0 && is_in_row(t, s->b)) continue;
            if (s->c < STEP_MAX && chunk_count(t, s->a, s->c + 1) > 0) return true;
        }
    }
    return false;
}

static bool raise(const testcase *t, size_t at, patch *p) {
    const draw *d = &t->draws[at];
    return d->rank < draw_rank_max(d) && patch_set(p, at, d->rank + 1);
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t end = chunk_end(t, s->a, s->c + 1, by);
    const size_t next = chunk_end(t, s->b, 1, 1);
    return next < t->count && patch_delete(p, s->a, end - s->a) && raise(t, s->b, p) &&
           raise(t, next, p);
}

const pass pass_delete_and_raise = {"delete-and-raise", false, STEP_ALL, find,
                                    pass_limit_one,     edit};
