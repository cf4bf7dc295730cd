/* Take out pieces between separators: lines, statements, fields, words. What separates them is
 * guessed; a guess that fits nothing costs nothing. */
#include "pass.h"

#include <string.h>

/* Whether a piece begins at `at`. */
static bool begins(const testcase *t, char separator, size_t at) {
    return at == 0 || t->draws[at - 1].rank == (uint8_t)separator;
}

/* The draw behind the piece, its separator included. */
static size_t piece_end(const testcase *t, char separator, size_t at) {
    while (at < t->count && t->draws[at].rank != (uint8_t)separator) at++;
    return at < t->count ? at + 1 : at;
}

/* a: the separator, of so many; b: the first draw of the piece. */
static bool find_piece(const testcase *t, const char *separators, size_t count, site *s) {
    if (t->has_trace) return false;
    if (s->c > 0) *s = (site){s->a, s->b + 1, 0};
    for (; s->a < count; *s = (site){s->a + 1, 0, 0}) {
        const char separator = separators[s->a];
        if (piece_end(t, separator, 0) == t->count) continue; /* all of it is one piece */
        while (s->b < t->count && !begins(t, separator, s->b)) s->b++;
        if (s->b < t->count) return true;
    }
    return false;
}

/* At most; to count them would take as long as to look at all that follows, at each of them. */
static uint64_t limit(const testcase *t, const site *s) { return t->count - s->b; }

static bool take_out(const testcase *t, char separator, const site *s, uint64_t by, patch *p) {
    size_t end = s->b;
    for (uint64_t i = 0; i < by; i++) {
        if (end == t->count) return false; /* there are not so many */
        end = piece_end(t, separator, end);
    }
    return patch_delete(p, s->b, end - s->b);
}

/* ---- Of anything ---- */

static const char any[] = "\n;,{ \t|/:.=&\0"; /* the end counts, too */

static bool find(const testcase *t, site *s) { return find_piece(t, any, sizeof any, s); }

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    return take_out(t, any[s->a], s, by, p);
}

const pass pass_pieces = {"pieces", true, STEP_MOST, find, limit, edit};

/* ---- Of texts: lines, and then what is smaller but more than a token ---- */

static bool find_line(const testcase *t, site *s) { return find_piece(t, "\n", 1, s); }

static bool edit_line(const testcase *t, const site *s, uint64_t by, patch *p) {
    return take_out(t, '\n', s, by, p);
}

const pass pass_lines = {"lines", true, STEP_RUN, find_line, limit, edit_line};

static const char clauses[] = ";,|&";

static bool find_clause(const testcase *t, site *s) {
    return find_piece(t, clauses, strlen(clauses), s);
}

static bool edit_clause(const testcase *t, const site *s, uint64_t by, patch *p) {
    return take_out(t, clauses[s->a], s, by, p);
}

const pass pass_clauses = {"clauses", true, STEP_MOST, find_clause, limit, edit_clause};
