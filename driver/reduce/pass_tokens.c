/* Take out tokens of a text: words and numbers, or single signs, each with the blanks behind it. */
#include "pass.h"

static bool is_word(uint64_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c >= 0x80;
}

static bool is_blank(uint64_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool begins(const testcase *t, size_t at) {
    const uint64_t c = t->draws[at].rank;
    if (at == 0) return true;
    return !is_blank(c) && !(is_word(c) && is_word(t->draws[at - 1].rank));
}

static size_t token_end(const testcase *t, size_t at) {
    at++;
    while (at < t->count && !begins(t, at)) at++;
    return at;
}

/* a: the first draw of the token. */
static bool find(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    if (t->has_trace) return false;
    while (s->a < t->count && !begins(t, s->a)) s->a++;
    return s->a < t->count;
}

/* At most; see pass_pieces. */
static uint64_t limit(const testcase *t, const site *s) { return t->count - s->a; }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    size_t end = s->a;
    for (uint64_t i = 0; i < by; i++) {
        if (end == t->count) return false; /* there are not so many */
        end = token_end(t, end);
    }
    return patch_delete(p, s->a, end - s->a);
}

const pass pass_tokens = {"tokens", true, STEP_MOST, find, limit, edit};
