/* Passes that know where the names of a text are used.
 *
 * What a name stands for takes the place of its uses, or all of these lose the same bytes. What it
 * stands for is guessed, as in C: a value, a type, a member, or a structure with one use. Words are
 * found by walks over the text, so that these passes are for small ones. */
#include "bytes.h"
#include "outline.h"
#include "pass.h"
#include "patch.h"

#include <string.h>

/* ---- Words: the same bytes of a word everywhere ---- */

enum { WORDS_TEXT_MAX = 1 << 16, CUT_TAIL = 0, CUT_WAYS = 2 };

static size_t word_size(const testcase *t, size_t at) {
    size_t size = 0;
    while (at + size < t->count && text_is_word(text_byte(t, at + size))) size++;
    return size;
}

static bool begins_word(const testcase *t, size_t at) {
    return text_is_word(text_byte(t, at)) && (at == 0 || !text_is_word(text_byte(t, at - 1)));
}

/* Return the next place of the word that begins at `word`, from a place on, or t->count. */
static size_t find_word(const testcase *t, size_t word, size_t at) {
    while (at < t->count && !(begins_word(t, at) && text_same_name(t, word, at))) at++;
    return at;
}

/* True for the first of at least two equal words. */
static bool is_first_word(const testcase *t, size_t at) {
    return t->count <= WORDS_TEXT_MAX && begins_word(t, at) && find_word(t, at, 0) == at &&
           find_word(t, at, at + 1) < t->count;
}

static uint64_t words_limit(const testcase *t, const position *p) { return word_size(t, p->at); }

/* way: the end that is cut. */
static bool words_edit(const testcase *t, const position *p, patch *edits) {
    const size_t size = word_size(t, p->at);
    if (p->by > size) return false;
    for (size_t at = p->at; at < t->count; at = find_word(t, p->at, at + 1)) {
        const size_t first = p->way == CUT_TAIL ? at + size - (size_t)p->by : at;
        if (!patch_delete(edits, first, (size_t)p->by)) return false;
    }
    return true;
}

PASS(words, "words", COSTLY, VALUE, position_next_nearby, words_limit, words_edit,
     .nearby = {0, 0, CUT_WAYS, is_first_word, NULL})

/* ---- Inlining: what a name stands for takes the place of its uses, and its definition goes, alone
 * or with the brackets or the clause around it: a value; a type, of which the part behind the name
 * follows the word behind each use. Or a member leaves its structure, whose name goes with the sign
 * behind it; or all members take the place of the one declaration that has the structure ---- */

enum { INLINE_ITEM, INLINE_BRACKETS, INLINE_CLAUSE, INLINE_TYPE, INLINE_MEMBER, INLINE_MEMBERS };
enum { INLINE_WAYS = INLINE_MEMBERS + 1, INLINE_TEXT_MAX = 1 << 13 };

/* What goes; the name whose uses from a place on get another text, or lose the sign behind them;
 * what the sign behind the words behind them becomes; and a declaration that gets a text. */
typedef struct inlining {
    draw_row gone[2], text, tail, declaration, members;
    size_t name, from;
    bool is_structure;
} inlining;

static bool is_in(const draw_row *row, size_t at) { return at >= row->start && at < row->end; }

static size_t word_end(const testcase *t, size_t at) { return at + word_size(t, at); }

static size_t skip_if(const testcase *t, size_t at, uint8_t c) {
    const size_t next = text_skip_blanks(t, at);
    return next < t->count && text_byte(t, next) == c ? next + 1 : at;
}

static size_t blanks_before(const testcase *t, size_t at) {
    while (at > 0 && text_is_blank(text_byte(t, at - 1))) at--;
    return at;
}

static size_t clause_start(const testcase *t, size_t at) {
    while (at > 0 && memchr(";{}\n", text_byte(t, at - 1), 4) == NULL) at--;
    return text_skip_blanks(t, at);
}

/* Return the bracket around a place, or t->count. */
static size_t bracket_around(const testcase *t, size_t at) {
    size_t depth = 1;
    while (at > 0 && depth > 0) {
        const uint8_t c = text_byte(t, --at);
        depth = depth + text_is_closing(c) - text_is_opening(c);
    }
    return depth == 0 ? at : t->count;
}

/* Find the value of a name: behind an equals sign or a colon, or on the line of a directive. */
static bool find_value(const testcase *t, size_t at, draw_row *value) {
    const bool is_line = memchr("#%.", text_byte(t, clause_start(t, at)), 3) != NULL;
    size_t start = text_skip_blanks(t, word_end(t, at));
    const uint8_t sign = text_byte(t, start);
    const bool is_given = sign == '=' || sign == ':' || (is_line && sign == ',');
    if (!is_given && !is_line) return false;
    size_t end = is_line ? start : text_value_end(t, start);
    while (is_line && text_byte(t, end) != '\n') end++;
    start = text_skip_blanks(t, start + is_given + (sign == ':' && text_byte(t, start + 1) == '='));
    *value = (draw_row){start, blanks_before(t, end)};
    return value->end > start && text_byte(t, start) != '=';
}

static bool inline_value(const testcase *t, const position *p, inlining *in) {
    draw_row *gone = &in->gone[0];
    if (!find_value(t, p->at, &in->text)) return false;
    *gone = (draw_row){p->at, skip_if(t, in->text.end, ',')};
    if (p->way == INLINE_ITEM && gone->end == in->text.end) {
        gone->start = blanks_before(t, p->at) - 1;
        return p->at > 0 && text_byte(t, gone->start) == ',';
    }
    if (p->way == INLINE_ITEM) return true;
    const size_t open = bracket_around(t, p->at);
    if (p->way == INLINE_BRACKETS && open == t->count) return false;
    const size_t end = p->way == INLINE_CLAUSE ? in->text.end : text_closing(t, open) + 1;
    const uint8_t sign = text_byte(t, end) == '\n' ? '\n' : ';';
    gone->start = clause_start(t, p->way == INLINE_CLAUSE ? p->at : open);
    gone->end = skip_if(t, smaller(end, t->count), sign);
    return true;
}

static bool inline_type(const testcase *t, const position *p, inlining *in) {
    const size_t start = clause_start(t, p->at), end = word_end(t, p->at);
    size_t sign = end;
    while (text_byte(t, sign) != ';' && text_byte(t, sign) != '\n') sign++;
    if (start == p->at || text_byte(t, sign) != ';') return false;
    in->gone[0] = (draw_row){start, sign + 1};
    in->text.start = smaller(text_skip_blanks(t, word_end(t, start)), p->at);
    in->text.end = larger(blanks_before(t, p->at), in->text.start);
    if (sign > end) in->tail = (draw_row){end, sign + 1};
    return true;
}

/* Find the only declaration with the structure of a name, and the name that it declares. */
static bool find_declaration(const testcase *t, size_t at, bool has_word, inlining *in) {
    size_t use = at;
    do {
        use = find_word(t, at, use + 1);
    } while (is_in(&in->gone[0], use));
    in->name = word_end(t, use);
    while (text_is_blank(text_byte(t, in->name)) || text_byte(t, in->name) == '*') in->name++;
    const size_t other = find_word(t, at, use + 1); /* the two may have one name */
    if (other < t->count && other != in->name) return false;
    in->from = word_end(t, in->name);
    if (has_word) use = blanks_before(t, use);
    while (has_word && use > 0 && text_is_word(text_byte(t, use - 1))) use--;
    in->declaration = (draw_row){use, in->from};
    return in->from > in->name;
}

/* The brackets are before the name or behind it. */
static bool inline_structure(const testcase *t, const position *p, inlining *in) {
    const size_t before = blanks_before(t, p->at), end = word_end(t, p->at);
    const bool is_before = before > 0 && text_byte(t, before - 1) == '}';
    const size_t open = is_before ? bracket_around(t, before - 1) : text_skip_blanks(t, end);
    const size_t start = clause_start(t, is_before ? open : p->at), close = text_closing(t, open);
    if (text_byte(t, open) != '{' || close >= t->count) return false;
    in->is_structure = true;
    in->gone[0] = (draw_row){start, open + 1};
    in->gone[1] = (draw_row){close, is_before ? end : skip_if(t, close + 1, ';')};
    if (p->way == INLINE_MEMBER) return true;
    in->members = (draw_row){open + 1, close};
    while (in->members.end > open && memchr("; \n", text_byte(t, in->members.end - 1), 3) != NULL)
        in->members.end--;
    in->text.start = in->text.end = in->members.end;
    while (text_is_word(text_byte(t, in->text.start - 1))) in->text.start--;
    in->gone[0].end = skip_if(t, in->gone[1].end, ';');
    in->gone[1] = (draw_row){0};
    return find_declaration(t, p->at, !is_before, in);
}

/* Return the end of the operator for member access (., -> or ::) that begins at a place. If none
 * begins there, return the place itself. */
static size_t sign_end(const testcase *t, size_t at) {
    const uint8_t c = text_byte(t, at), next = text_byte(t, at + 1);
    return c == '.' ? at + 1 : (c == '-' && next == '>') || (c == ':' && next == ':') ? at + 2 : at;
}

/* A use of a structure without such a sign becomes its last member. */
static bool replace_uses(const testcase *t, const inlining *in, patch *edits) {
    size_t count = 0;
    const bool has_text = in->text.end > in->text.start, has_tail = in->tail.end > in->tail.start;
    for (size_t at = in->from; (at = find_word(t, in->name, at)) < t->count; at++) {
        if (is_in(&in->gone[0], at) || is_in(&in->gone[1], at)) continue;
        const size_t end = word_end(t, at), next = text_skip_blanks(t, end);
        const size_t after = in->is_structure ? sign_end(t, end) : end, last = word_end(t, next);
        const draw_row use = {at, has_text || in->is_structure ? after : next};
        const draw_row sign = {last, last + 1};
        if (in->is_structure && after == end && !has_text) return false;
        if (in->is_structure && after > end ? !patch_delete(edits, at, after - at)
                                            : !patch_copy(edits, use, in->text))
            return false;
        if (has_tail && (text_byte(t, last) != ';' || !patch_copy(edits, sign, in->tail)))
            return false;
        count++;
    }
    return count > 0;
}

static bool inline_edit(const testcase *t, const position *p, patch *edits) {
    inlining in = {.name = p->at, .from = p->at + 1};
    if (p->way <= INLINE_CLAUSE ? !inline_value(t, p, &in)
        : p->way == INLINE_TYPE ? !inline_type(t, p, &in)
                                : !inline_structure(t, p, &in))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const draw_row *gone = &in.gone[i];
        if (gone->end > gone->start && !patch_delete(edits, gone->start, gone->end - gone->start))
            return false;
    }
    const draw_row *to = &in.declaration;
    return (to->end == to->start || patch_copy(edits, *to, in.members)) &&
           replace_uses(t, &in, edits);
}

static bool is_inlined(const testcase *t, size_t at) {
    return t->count <= INLINE_TEXT_MAX && is_first_word(t, at);
}

PASS(inline, "inline", COSTLY, ALL, position_next_nearby, NULL, inline_edit,
     .nearby = {0, 0, INLINE_WAYS, is_inlined, NULL})
