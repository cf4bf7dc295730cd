/* Take out large blocks of lines: halves, quarters, and so on down to a sixteenth. */
#include "pass.h"

enum { LEVELS = 4 };

/* The draw behind the line. */
static size_t line_end(const testcase *t, size_t at) {
    while (at < t->count && t->draws[at].rank != '\n') at++;
    return at < t->count ? at + 1 : at;
}

/* a: into two to the power of a + 1 blocks; b: where the block begins, where a line does. */
static bool find(const testcase *t, site *s) {
    if (t->has_trace) return false;
    for (; s->a < LEVELS; *s = (site){s->a + 1, 0, 0}) {
        const size_t size = t->count >> (s->a + 1);
        if (s->c > 0) *s = (site){s->a, line_end(t, s->b + size), 0};
        if (size > 0 && s->b < t->count && line_end(t, s->b) < t->count) return true;
    }
    return false;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    const size_t size = t->count >> (s->a + 1);
    const size_t end = line_end(t, s->b + size < t->count ? s->b + size : t->count);
    (void)by;
    return patch_delete(p, s->b, end - s->b);
}

const pass pass_blocks = {"blocks", true, STEP_ALL, find, pass_limit_one, edit};
