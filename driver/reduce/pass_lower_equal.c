/* Lower all draws of one value together: names that refer to each other, counts and what is
 * compared with them. */
#include "pass.h"

static bool is_open(const draw *d) { return draw_is_number(d) && d->rank > 0; }

static bool is_equal(const draw *a, const draw *b) {
    return is_open(a) && is_open(b) && draw_value(a) == draw_value(b);
}

/* a: the first of them; there is another. */
static bool is_first(const testcase *t, size_t at) {
    bool has_more = false;
    if (!is_open(&t->draws[at])) return false;
    for (size_t i = 0; i < at; i++) {
        if (is_equal(&t->draws[i], &t->draws[at])) return false;
    }
    for (size_t i = at + 1; i < t->count && !has_more; i++) {
        has_more = is_equal(&t->draws[i], &t->draws[at]);
    }
    return has_more;
}

static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    while (s->a < t->count && !is_first(t, s->a)) s->a++;
    return s->a < t->count;
}

static uint64_t limit(const testcase *t, const site *s) {
    uint64_t least = UINT64_MAX;
    for (size_t i = s->a; i < t->count; i++) {
        const uint64_t distance = draw_distance(&t->draws[i]);
        if (is_equal(&t->draws[s->a], &t->draws[i]) && distance < least) least = distance;
    }
    return least;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    for (size_t i = s->a; i < t->count && p->count < PATCH_MAX; i++) {
        if (!is_equal(&t->draws[s->a], &t->draws[i])) continue;
        patch_set(p, i, draw_rank_nearer(&t->draws[i], by));
    }
    return true;
}

const pass pass_lower_equal = {"lower-equal", false, STEP_PAIR, find, limit, edit};
