/* Take out what stands between brackets, the brackets with it, or the brackets alone. */
#include "pass.h"

#include <string.h>

/* Which of the pairs opens at `at`; its closing sign stands behind it there. NULL: none. */
static const char *opening(const testcase *t, const char *pairs, size_t at) {
    const uint64_t c = t->draws[at].rank;
    while (*pairs != '\0' && c != (uint8_t)*pairs) pairs += 2;
    return *pairs != '\0' ? pairs : NULL;
}

/* The draw that closes the bracket at `at`, or t->count. */
static size_t closing(const testcase *t, const char *pair, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i < t->count; i++) {
        if (t->draws[i].rank == (uint8_t)pair[0]) depth++;
        if (t->draws[i].rank == (uint8_t)pair[1] && --depth == 0) return i;
    }
    return t->count;
}

enum { TAKE_CONTENTS, TAKE_ALL, TAKE_BRACKETS, WAYS };

/* a: the opening bracket; c: what is taken. */
static bool find_pair(const testcase *t, const char *pairs, site *s) {
    if (t->has_trace) return false;
    for (; s->a < t->count; *s = (site){s->a + 1, 0, 0}) {
        const char *pair = s->c < WAYS ? opening(t, pairs, s->a) : NULL;
        if (pair != NULL && closing(t, pair, s->a) < t->count) return true;
    }
    return false;
}

static bool take_out(const testcase *t, const char *pairs, const site *s, patch *p) {
    const size_t end = closing(t, opening(t, pairs, s->a), s->a);
    switch (s->c) {
    case TAKE_CONTENTS: return end > s->a + 1 && patch_delete(p, s->a + 1, end - s->a - 1);
    case TAKE_ALL: return patch_delete(p, s->a, end - s->a + 1);
    default: return patch_delete(p, s->a, 1) && patch_delete(p, end, 1);
    }
}

static const char all[] = "(){}[]<>";

static bool find(const testcase *t, site *s) { return find_pair(t, all, s); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)by;
    return take_out(t, all, s, p);
}

const pass pass_brackets = {"brackets", true, STEP_ALL, find, pass_limit_one, edit};

/* The same for those that hold the most, in most languages. */
static const char braces[] = "{}";

static bool find_brace(const testcase *t, site *s) { return find_pair(t, braces, s); }

static bool edit_brace(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)by;
    return take_out(t, braces, s, p);
}

const pass pass_braces = {"braces", true, STEP_ALL, find_brace, pass_limit_one, edit_brace};
