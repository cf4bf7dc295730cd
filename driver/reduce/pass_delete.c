/* Take out units, each of one to four draws like its first: items of lists, rounds of loops. */
#include "pass.h"
#include "unit.h"

enum { STEP_MAX = 4 };

/* a: the first draw; c + 1: the draws like it in a unit. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; s->a++, s->c = 0) {
        if (s->c < STEP_MAX && unit_count(t, s->a, s->c + 1) > 0) return true;
    }
    return false;
}

static uint64_t limit(const testcase *t, const site *s) { return unit_count(t, s->a, s->c + 1); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_delete(p, s->a, unit_end(t, s->a, s->c + 1, by) - s->a);
}

const pass pass_delete = {"delete", true, AMOUNT_MOST, find, limit, edit};
