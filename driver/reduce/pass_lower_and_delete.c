/* Lower a count and take out as many of its items: data behind a length shrinks in no other way. */
#include "chunk.h"
#include "pass.h"

enum { STEP_MAX = 3, REACH = 16 };

/* a: the count; a + 1 + b: the first item taken out; c + 1: as in pass_delete. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        const draw *d = &t->draws[s->a];
        if (d->rank == 0 || draw_is_choice(d)) continue;
        for (; s->b < REACH && s->a + 1 + s->b < t->count; s->b++, s->c = 0) {
            if (s->c < STEP_MAX && chunk_count(t, s->a + 1 + s->b, s->c + 1) > 0) return true;
        }
    }
    return false;
}

static uint64_t limit(const testcase *t, const site *s) {
    const uint64_t chunks = chunk_count(t, s->a + 1 + s->b, s->c + 1);
    const uint64_t distance = draw_distance(&t->draws[s->a]);
    return chunks < distance ? chunks : distance;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t at = s->a + 1 + s->b;
    return patch_set(p, s->a, draw_rank_nearer(&t->draws[s->a], by)) &&
           patch_delete(p, at, chunk_end(t, at, s->c + 1, by) - at);
}

const pass pass_lower_and_delete = {"lower-and-delete", true, STEP_MOST, find, limit, edit};
