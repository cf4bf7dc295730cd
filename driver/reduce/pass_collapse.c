/* Set a choice to its simplest and take out what it led to: a subtree is a leaf, a list ends. */
#include "chunk.h"
#include "pass.h"

enum { CHOICE_CHUNKS = 3, REACH = 3, CHUNKS_MAX = 6 };

/* What follows a coin ends where another one like it is drawn: b = 0 takes out all but the last c,
 * b = 1 the first c + 1 of these chunks. */
static bool is_coin_site(const testcase *t, const site *s) {
    return s->b < 2 && s->c < CHOICE_CHUNKS && chunk_count(t, s->a, 1) > s->c &&
           !chunk_repeats(t, s->a);
}

/* What follows another choice begins b draws behind it, and ends before the (c + 1)st draw like
 * that which it begins with. */
static bool is_other_site(const testcase *t, const site *s) {
    const size_t first = s->a + 1 + s->b;
    return s->b < REACH && s->c < CHUNKS_MAX && first < t->count &&
           chunk_count(t, first, s->c + 1) > 0;
}

static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        const draw *d = &t->draws[s->a];
        if (d->rank == 0) continue;
        for (; s->b < REACH; *s = (site){s->a, s->b + 1, 0}) {
            if (draw_is_choice(d) ? is_coin_site(t, s) : is_other_site(t, s)) return true;
        }
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    size_t first = s->a + 1, end;
    if (!draw_is_choice(&t->draws[s->a])) {
        first += s->b;
        end = chunk_end(t, first, s->c + 1, by);
    } else {
        end = chunk_end(t, s->a, 1, s->b == 1 ? s->c + 1 : chunk_count(t, s->a, 1) - s->c);
    }
    return end > first && patch_set(p, s->a, 0) && patch_delete(p, first, end - first);
}

const pass pass_collapse = {"collapse", false, STEP_ALL, find, pass_limit_one, edit};
