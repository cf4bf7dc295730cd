/* Let a choice go the other way and take out what it led to: `absent` may well be the rare case. Or
 * let a number be as high as it can and take out one beside it. */
#include "chunk.h"
#include "pass.h"

enum { REACH = 8, CHUNKS_MAX = 6 };

/* a: the draw to raise; b: the first draw taken out; c + 1: draws like it in what is taken. */
static bool is_site(const testcase *t, const site *s) {
    const draw *d = &t->draws[s->a];
    const size_t chunks = draw_is_choice(d) ? CHUNKS_MAX : 2;
    const bool is_near = s->b + REACH > s->a && s->b <= s->a + REACH && s->b != s->a;
    if (!is_near || s->c >= chunks || (draw_is_choice(d) && s->b != s->a + 1)) return false;
    if (chunk_count(t, s->b, s->c + 1) == 0) return false;
    return s->b > s->a || chunk_end(t, s->b, s->c + 1, 1) <= s->a;
}

static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        const draw *d = &t->draws[s->a];
        if (!(draw_is_number(d) || draw_is_choice(d)) || d->rank == draw_rank_max(d)) continue;
        if (chunk_repeats(t, s->a)) continue;
        if (s->b + REACH < s->a) *s = (site){s->a, s->a - REACH, 0};
        for (; s->b < t->count && s->b <= s->a + REACH; *s = (site){s->a, s->b + 1, 0}) {
            for (; s->c < CHUNKS_MAX; s->c++) {
                if (is_site(t, s)) return true;
            }
        }
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_set(p, s->a, draw_rank_max(&t->draws[s->a])) &&
           patch_delete(p, s->b, chunk_end(t, s->b, s->c + 1, by) - s->b);
}

const pass pass_raise_and_delete = {"raise-and-delete", false, STEP_ALL, find,
                                    pass_limit_one,     edit};
