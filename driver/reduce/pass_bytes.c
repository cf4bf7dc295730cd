/* Take out bytes, of a test case that tells no draws: runs as long as the last one was. */
#include "pass.h"

/* a: the first byte. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    return !t->has_trace && s->a < t->count;
}

static uint64_t limit(const testcase *t, const site *s) { return t->count - s->a; }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)t;
    return patch_delete(p, s->a, by);
}

const pass pass_bytes = {"bytes", true, STEP_RUN, find, limit, edit};
