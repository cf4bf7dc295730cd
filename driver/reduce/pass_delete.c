/* Take out chunks, each of one to four draws like its first: items of lists, rounds of loops. */
#include "chunk.h"
#include "pass.h"

enum { STEP_MAX = 4 };

/* a: the first draw; c + 1: the draws like it in a chunk. */
static bool find(const testcase *t, site *s) {
    for (; s->a < t->count; s->a++, s->c = 0) {
        if (s->c < STEP_MAX && chunk_count(t, s->a, s->c + 1) > 0) return true;
    }
    return false;
}

static uint64_t limit(const testcase *t, const site *s) { return chunk_count(t, s->a, s->c + 1); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return patch_delete(p, s->a, chunk_end(t, s->a, s->c + 1, by) - s->a);
}

const pass pass_delete = {"delete", true, STEP_MOST, find, limit, edit};
