/* passes_outline.c: the outline of a text, as levels of nested units, and the passes that delete,
 * unwrap and move them.
 *
 * An outline takes a text as lines by indentation, as brackets, or as tags, and walks the units of
 * one level. It reads on from where it is and keeps no tree, for a text changes with each success.
 * The passes try large rows of units of the outermost level first, and inner ones later: what goes
 * as a whole needs no cleaning up. */
#include "outline.h"

#include "pass.h"
#include "patch.h"

#include <string.h>

/* Return the index after the blanks at a place, and the first of a line if they end one. */
static size_t skip_to_line(const testcase *t, size_t at) {
    size_t end = text_skip_blanks(t, at), line = at;
    bool found = false;
    for (; end < t->count && text_byte(t, end) == '\n'; end = text_skip_blanks(t, line)) {
        line = end + 1;
        found = true;
    }
    return found ? line : end;
}

/* Return the index after the string in quotes that begins at a place, or the place if none does. A
 * string ends in its line. An escaped quote begins none: if it did, looking for the ends of all of
 * a line would take the square of its size. */
static size_t skip_string(const testcase *t, size_t at) {
    const uint8_t quote = text_byte(t, at);
    if ((quote != '"' && quote != '\'') || text_byte(t, at - 1) == '\\') return at;
    if (quote == '\'' && at > 0 && text_is_word(text_byte(t, at - 1)))
        return at; /* an apostrophe */
    for (size_t i = at + 1; i < t->count && text_byte(t, i) != '\n'; i++) {
        if (text_byte(t, i) == '\\') {
            i++;
        } else if (text_byte(t, i) == quote) {
            return i + 1;
        }
    }
    return at;
}

/* ---- Brackets ---- */

/* True if the list that begins at a place has a semicolon of its own. */
static bool has_clauses(const testcase *t, size_t at) {
    size_t depth = 0;
    while (at < t->count) {
        const size_t after = skip_string(t, at);
        const uint8_t c = text_byte(t, at);
        at = after > at ? after : at + 1;
        if (text_is_opening(c)) depth++;
        if (text_is_closing(c) && depth-- == 0) return false;
        if (c == ';' && depth == 0) return true;
    }
    return false;
}

static void begin_list(outline *o, const testcase *t) {
    o->start = o->at;
    o->comma = SIZE_MAX;
    o->has_clauses = has_clauses(t, o->at);
}

/* Emit what is between the open unit's start and `end`, and begin the next one at o->at. False if
 * it is blank. */
static bool emit(outline *o, const testcase *t, size_t end, unit *u) {
    size_t first = o->start;
    *u = (unit){o->start, end, o->comma, false};
    o->start = o->at;
    while (first < end && (text_is_blank(text_byte(t, first)) || text_byte(t, first) == '\n'))
        first++;
    return first < end;
}

/* True if a line's end is the end of a unit: the next line is not indented more than the unit's
 * first one, and does not go on with it. */
static bool ends_at_line(const outline *o, const testcase *t, size_t at) {
    size_t first = o->start, next = at + 1;
    while (first < at && text_byte(t, first) == '\n') first++;
    const size_t own = text_skip_blanks(t, first) - first;
    const size_t following = text_skip_blanks(t, next) - next;
    const uint8_t c = text_byte(t, next + following);
    return c == '\n' || (following <= own && c != '{' && !text_is_closing(c));
}

/* Take a sign at the depth of the level. True if it ends a unit. */
static bool take_sign(outline *o, const testcase *t, uint8_t c, unit *u) {
    const bool is_comma = c == ',' && !o->has_clauses && o->depth > 0;
    const bool is_line = c == '\n' && ends_at_line(o, t, o->at);
    const size_t sign = o->at++;
    if (!is_comma && c != ';' && !is_line) return false;
    o->at = skip_to_line(t, is_line ? sign : o->at);
    const bool is_unit = emit(o, t, o->at, u);
    if (is_unit || !is_line) o->comma = is_comma ? sign : SIZE_MAX;
    return is_unit;
}

/* Take the end of a list of this level. True if it ends a unit. */
static bool close_list(outline *o, const testcase *t, size_t end, unit *u) {
    while (end > o->start &&
           (text_is_blank(text_byte(t, end - 1)) || text_byte(t, end - 1) == '\n'))
        end--;
    const bool is_unit = emit(o, t, end, u);
    u->is_last = u->comma != SIZE_MAX;
    return is_unit;
}

static bool next_in_brackets(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t after = skip_string(t, o->at);
        const uint8_t c = text_byte(t, o->at);
        if (after > o->at) {
            o->at = after;
        } else if (text_is_opening(c)) {
            o->at++;
            if (++o->depth == o->level) begin_list(o, t);
        } else if (text_is_closing(c) && o->depth > 0) {
            const size_t end = o->at++;
            if (o->depth-- == o->level && close_list(o, t, end, u)) return true;
        } else if (o->depth != o->level) {
            o->at++;
        } else if (take_sign(o, t, c, u)) {
            return true;
        }
    }
    return o->depth == o->level && close_list(o, t, t->count, u);
}

/* ---- Indentation ---- */

static bool is_continuation(const testcase *t, size_t at) {
    static const char *const words[] = {"do",    "done",   "fi",     "esac",  "end",    "then",
                                        "else",  "elif",   "elseif", "elsif", "except", "finally",
                                        "catch", "rescue", "ensure", "endif", NULL};
    const uint8_t c = text_byte(t, at);
    if (text_is_closing(c) || c == '{' || (c == '<' && text_byte(t, at + 1) == '/')) return true;
    if (memchr("cdefrt", c, 6) == NULL) return false; /* most lines, at once */
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t n = 0;
        while (words[i][n] != '\0' && text_byte(t, at + n) == (uint8_t)words[i][n]) n++;
        if (words[i][n] == '\0' && !text_is_word(text_byte(t, at + n))) return true;
    }
    return false;
}

/* Return the level of a line with an indentation, which becomes the innermost. */
static size_t indent_to(outline *o, size_t indent) {
    while (o->depth > 0 && o->stack[o->depth - 1] > indent) o->depth--;
    if (o->depth == 0 || o->stack[o->depth - 1] < indent) {
        if (o->depth < OUTLINE_DEPTH_MAX) o->stack[o->depth++] = indent;
    }
    return o->depth - 1;
}

static bool next_in_indents(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t start = o->at, text = text_skip_blanks(t, start);
        o->at = text_line_end(t, start);
        if (text_byte(t, text) == '\n') continue; /* an empty line belongs to what is before it */
        const size_t level = indent_to(o, text - start);
        if (level > o->level || (level == o->level && o->is_open && is_continuation(t, text)))
            continue;
        const bool was_open = o->is_open;
        *u = (unit){o->start, start, SIZE_MAX, false};
        o->is_open = level == o->level;
        o->start = start;
        if (was_open) return true;
    }
    *u = (unit){o->start, t->count, SIZE_MAX, false};
    const bool was_open = o->is_open;
    o->is_open = false;
    return was_open;
}

/* ---- Tags ---- */

bool outline_same_name(const testcase *t, size_t a, size_t b) {
    size_t n = 0;
    while (text_byte(t, a + n) == text_byte(t, b + n) && text_is_word(text_byte(t, a + n))) n++;
    return !text_is_word(text_byte(t, a + n)) && !text_is_word(text_byte(t, b + n));
}

/* Return the index after a tag, which ends at the next one at the latest. */
static size_t tag_end(const testcase *t, size_t at) {
    for (at++; at < t->count && text_byte(t, at) != '<';) {
        if (text_byte(t, at) == '>') return at + 1;
        const size_t after = skip_string(t, at);
        at = after > at ? after : at + 1;
    }
    return at < t->count ? at : t->count;
}

/* Close the innermost element of a name. False if none is open. */
static bool close_element(outline *o, const testcase *t, size_t name) {
    for (size_t i = o->depth; i > 0; i--) {
        if (outline_same_name(t, o->stack[i - 1], name)) {
            o->depth = i - 1;
            return true;
        }
    }
    return false;
}

static bool next_in_tags(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t start = o->at;
        const uint8_t sign = text_byte(t, start + 1);
        if (text_byte(t, start) != '<' || !(text_is_word(sign) || sign == '/')) {
            o->at++;
            continue;
        }
        o->at = tag_end(t, start);
        const bool is_alone = text_byte(t, o->at - 2) == '/';
        if (sign != '/' && o->depth == o->level) o->start = start;
        if (sign == '/' && !close_element(o, t, start + 2)) continue;
        if (sign != '/' && !is_alone && o->depth < OUTLINE_DEPTH_MAX) {
            o->stack[o->depth++] = start + 1;
        } else if (o->depth == o->level) {
            o->at = skip_to_line(t, o->at);
            *u = (unit){o->start, o->at, SIZE_MAX, false};
            return true;
        }
    }
    return false;
}

/* ---- Fields of a line ---- */

static bool next_in_fields(outline *o, const testcase *t, unit *u) {
    static const char separators[] = {',', '\t', ';', '|', ':', ' '};
    if (o->level >= sizeof separators || o->at >= t->count) return false;
    const size_t start = o->at, comma = o->comma;
    while (o->at < t->count && text_byte(t, o->at) != '\n') {
        const size_t after = skip_string(t, o->at);
        if (after > o->at) {
            o->at = after;
        } else if (text_byte(t, o->at++) == (uint8_t)separators[o->level]) {
            o->comma = o->at - 1;
            *u = (unit){start, o->at, comma, false};
            return true;
        }
    }
    *u = (unit){start, o->at, comma, comma != SIZE_MAX};
    o->comma = SIZE_MAX;
    o->at++;
    return true;
}

/* ---- All ---- */

outline outline_begin(const testcase *t, outline_kind kind, size_t level) {
    outline o = {.kind = kind, .level = level, .comma = SIZE_MAX};
    if (kind == OUTLINE_BRACKETS && level == 0) begin_list(&o, t);
    return o;
}

bool outline_next(outline *o, const testcase *t, unit *u) {
    switch (o->kind) {
    case OUTLINE_BRACKETS: return next_in_brackets(o, t, u);
    case OUTLINE_INDENTS: return next_in_indents(o, t, u);
    case OUTLINE_TAGS: return next_in_tags(o, t, u);
    case OUTLINE_FIELDS: return next_in_fields(o, t, u);
    }
    return false;
}

bool unit_delete(const unit *row, patch *edits) {
    const size_t start = row->is_last && row->comma != SIZE_MAX ? row->comma : row->start;
    return row->end == start || patch_delete(edits, start, row->end - start);
}

/* ---- Units: a row of units of one level ---- */

enum { CHUNKS = 32, SWEEPS = 2, NESTED_KINDS = 3 };

/* The most rows of a level that each sweep tries, as binary logarithms. */
static const unsigned rows_max[SWEEPS] = {4, 9};

/* The first sweep over all levels tries large rows alone. The second one goes down to single units,
 * but not in levels of many: each row is found by a walk over the text, and `lines` and others
 * get there too.
 * way: the sweep, the level, the outline and the binary logarithm of the units in a row; at: the
 * units after the row; other: the units of the level in a text of `count` bytes. */
typedef struct row {
    outline_kind kind;
    size_t sweep, level, chunk;
} row;

static row row_of(const position *p) {
    const size_t number = p->way / CHUNKS;
    return (row){.kind = (outline_kind)(number % NESTED_KINDS),
                 .level = number / NESTED_KINDS % OUTLINE_LEVELS,
                 .sweep = number / NESTED_KINDS / OUTLINE_LEVELS,
                 .chunk = CHUNKS - 1 - p->way % CHUNKS};
}

/* True for a row that is too small for its sweep. */
static bool is_fine(const position *p) {
    const row r = row_of(p);
    return (p->other >> r.chunk) >> rows_max[r.sweep] > 0;
}

static size_t units_of(const testcase *t, const position *p) {
    const row r = row_of(p);
    outline o = outline_begin(t, r.kind, r.level);
    size_t count = 0;
    for (unit u; outline_next(&o, t, &u);) count++;
    return count;
}

/* Leave the chunks that are larger than all units. */
static void skip_large(position *p, size_t units) {
    while (row_of(p).chunk > 0 && (size_t)1 << (row_of(p).chunk - 1) >= units) p->way++;
}

static bool units_next(const testcase *t, position *p) {
    size_t units = p->is_visited && p->count == t->count ? p->other : units_of(t, p);
    if (p->is_visited && p->other == units) p->at += (size_t)1 << row_of(p).chunk;
    p->is_visited = true;
    for (; row_of(p).sweep < SWEEPS; p->way++, p->at = 0) {
        if (p->way % CHUNKS == 0) {
            units = units_of(t, p);
            skip_large(p, units);
        }
        p->other = units;
        p->count = t->count;
        if (p->at < units && !is_fine(p)) return true;
    }
    return false;
}

static bool units_edit(const testcase *t, const position *p, patch *edits) {
    const row r = row_of(p);
    const size_t chunk = (size_t)1 << r.chunk;
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, first = end > chunk ? end - chunk : 0;
    outline o = outline_begin(t, r.kind, r.level);
    unit u, gone = {0, 0, SIZE_MAX, false};
    for (size_t i = 0; i < end && outline_next(&o, t, &u); i++) {
        if (i < first) continue;
        if (u.start != gone.end || gone.end == gone.start) {
            if (!unit_delete(&gone, edits)) return false;
            gone = (unit){u.start, u.start, u.comma, false};
        }
        gone.end = u.end;
        gone.is_last = u.is_last;
    }
    return unit_delete(&gone, edits) && edits->count > 0;
}

PASS(units, "units", CHEAP, ALL, units_next, NULL, units_edit)

/* ---- Hoisting: brackets inside brackets of their kind take the place of those ---- */

/* at: the outer bracket; other: the inner one. */
static bool hoist_next(const testcase *t, position *p) {
    if (p->is_visited && p->other < t->count && text_is_opening(text_byte(t, p->other)))
        p->other = text_closing(t, p->other);
    p->is_visited = true;
    for (; p->at < t->count; p->at++, p->other = 0) {
        if (!text_is_opening(text_byte(t, p->at))) continue;
        const size_t end = text_closing(t, p->at);
        if (p->other <= p->at) p->other = p->at + 1;
        if (end == t->count) continue;
        while (p->other < end && text_byte(t, p->other) != text_byte(t, p->at)) p->other++;
        if (p->other < end) return true;
    }
    return false;
}

static bool hoist_edit(const testcase *t, const position *p, patch *edits) {
    if (p->other >= t->count) return false;
    const size_t end = text_closing(t, p->at), inner = text_closing(t, p->other);
    return inner < end && end < t->count && patch_delete(edits, p->at, p->other - p->at) &&
           patch_delete(edits, inner + 1, end - inner);
}

PASS(hoist, "hoist", CHEAP, ALL, hoist_next, NULL, hoist_edit, .saves_bytes = true)

/* ---- Levels: what is inside the deepest nest takes the place of levels around it, however many
 * there are and however far off their ends ---- */

enum { NEST_BRACKETS, NEST_TAGS, NEST_WAYS };
enum { LEVELS_MIN = 8 }; /* `hoist` and external passes are as fast in flatter texts */

/* A place of a text, and how many levels it is in. */
typedef struct nest {
    size_t at, depth;
} nest;

/* Return the index after the sign at a place, which may open or close a level. */
static size_t pass_sign(const testcase *t, size_t way, nest *n) {
    const uint8_t c = text_byte(t, n->at), next = text_byte(t, n->at + 1);
    if (way == NEST_BRACKETS) {
        n->depth += text_is_opening(c);
        n->depth -= text_is_closing(c) && n->depth > 0;
        return n->at + 1;
    }
    if (c != '<' || !(next == '/' || text_is_word(next))) return n->at + 1;
    const size_t end = tag_end(t, n->at);
    if (next == '/') {
        n->depth -= n->depth > 0;
    } else if (text_byte(t, end - 2) != '/') {
        n->depth++;
    }
    return end;
}

/* The first of the deepest places, and how many of the levels around it never close. */
typedef struct deepest_nest {
    nest inmost;
    size_t open;
} deepest_nest;

static deepest_nest find_deepest(const testcase *t, size_t way) {
    nest n = {0};
    deepest_nest d = {0};
    while (n.at < t->count) {
        n.at = pass_sign(t, way, &n);
        if (n.depth > d.inmost.depth) d = (deepest_nest){n, n.depth};
        if (n.depth < d.open) d.open = n.depth;
    }
    return d;
}

/* at: the outermost level that goes; other: the levels of the deepest nest in a text of `count`
 * bytes. */
static bool levels_next(const testcase *t, position *p) {
    if (p->is_visited && p->count == t->count) p->at++;
    for (; p->way < NEST_WAYS; p->way++, p->at = 0, p->is_visited = false) {
        if (!p->is_visited || p->count != t->count) {
            const deepest_nest d = find_deepest(t, p->way);
            if (p->at < d.open) p->at = d.open;
            p->other = d.inmost.depth;
        }
        p->is_visited = true;
        p->count = t->count;
        if (p->other >= LEVELS_MIN && p->at + 1 < p->other) return true;
    }
    return false;
}

static uint64_t levels_limit(const testcase *t, const position *p) {
    (void)t;
    return p->other - p->at - 1;
}

static bool levels_edit(const testcase *t, const position *p, patch *edits) {
    const nest inmost = find_deepest(t, p->way).inmost;
    const size_t outer = p->at, inner = p->at + (size_t)p->by;
    size_t outer_start = 0, inner_start = 0, inner_end = 0, outer_end = 0;
    if (inner >= inmost.depth) return false;
    for (nest n = {0}; n.at < inmost.at;) {
        const size_t start = n.at, depth = n.depth;
        n.at = pass_sign(t, p->way, &n);
        if (n.depth == depth + 1 && depth == outer) outer_start = start;
        if (n.depth == depth + 1 && depth == inner) inner_start = start;
    }
    for (nest n = inmost; n.at < t->count && outer_end == 0;) {
        n.at = pass_sign(t, p->way, &n);
        if (n.depth == inner && inner_end == 0) inner_end = n.at;
        if (n.depth == outer) outer_end = n.at;
    }
    if (inner_end == 0 || outer_end == 0) return false; /* another text, in which they stay open */
    return patch_delete(edits, outer_start, inner_start - outer_start) &&
           (outer_end == inner_end || patch_delete(edits, inner_end, outer_end - inner_end));
}

PASS(levels, "levels", CHEAP, RUN, levels_next, levels_limit, levels_edit)

/* ---- Unwrapping: the tags of an element go, or the lines around an indented block ---- */

enum { UNWRAP_TAGS, UNWRAP_INDENTS, UNWRAP_WAYS };

/* Return the index of the tag that closes the element at a place, or t->count if none in reach.
 * Elements of one name that are many levels deep, or never close, are for `levels`. */
static size_t closing_tag(const testcase *t, size_t at) {
    const size_t last = text_reach(t, at);
    size_t depth = 0;
    if (text_byte(t, tag_end(t, at) - 2) == '/') return t->count;
    for (size_t i = at; i < last; i++) {
        const bool closes = text_byte(t, i + 1) == '/';
        if (text_byte(t, i) != '<' || !outline_same_name(t, i + 1 + closes, at + 1)) continue;
        if (closes && --depth == 0) return i;
        if (closes || text_byte(t, tag_end(t, i) - 2) == '/') continue;
        if (++depth > OUTLINE_DEPTH_MAX) break;
    }
    return t->count;
}

/* Return how far the line at a place is indented, or SIZE_MAX if it is empty. */
static size_t indent_of(const testcase *t, size_t line) {
    const size_t text = text_skip_blanks(t, line);
    return text_byte(t, text) == '\n' ? SIZE_MAX : text - line;
}

static bool begins_block(const testcase *t, size_t line) {
    const size_t next = text_line_end(t, line);
    const size_t indent = indent_of(t, line), inner = indent_of(t, next);
    return next < t->count && indent != SIZE_MAX && inner != SIZE_MAX && inner > indent;
}

/* at: the tag or the line; way: what is unwrapped. */
static bool unwrap_fits(const testcase *t, const position *p) {
    const bool is_tag = text_byte(t, p->at) == '<' && text_is_word(text_byte(t, p->at + 1));
    const bool is_line = p->at == 0 || text_byte(t, p->at - 1) == '\n';
    if (p->way == UNWRAP_TAGS) return is_tag && closing_tag(t, p->at) < t->count;
    return is_line && begins_block(t, p->at);
}

/* Delete the lines of a block that are indented as its first one, and indent the others less. */
static bool unwrap_block(const testcase *t, size_t at, patch *edits) {
    const size_t indent = indent_of(t, at);
    size_t line = text_line_end(t, at), inner = indent_of(t, line);
    if (!begins_block(t, at) || !patch_delete(edits, at, line - at)) return false;
    for (size_t end; line < t->count; line = end) {
        const size_t own = indent_of(t, line), less = inner - indent;
        end = text_line_end(t, line);
        if (own == SIZE_MAX) continue;
        if (own < indent || (own == indent && !is_continuation(t, line + own))) break;
        const size_t count = own == indent ? end - line : own < less ? own : less;
        if (count > 0 && !patch_delete(edits, line, count)) return false;
    }
    return true;
}

static bool unwrap_edit(const testcase *t, const position *p, patch *edits) {
    if (p->way == UNWRAP_INDENTS) return unwrap_block(t, p->at, edits);
    const size_t close = closing_tag(t, p->at);
    return close < t->count && patch_delete(edits, p->at, tag_end(t, p->at) - p->at) &&
           patch_delete(edits, close, tag_end(t, close) - close);
}

PASS(unwrap, "unwrap", CHEAP, ALL, position_next_of_way, NULL, unwrap_edit, .saves_bytes = true,
     .nearby = {0, 0, UNWRAP_WAYS, NULL, unwrap_fits})
