#include "outline.h"

#include "text_signs.h"

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
    if (is_comma || c == ';') {
        const size_t sign = o->at;
        o->at = skip_to_line(t, o->at + 1);
        const bool is_unit = emit(o, t, o->at, u);
        o->comma = is_comma ? sign : SIZE_MAX;
        return is_unit;
    }
    if (c == '\n' && ends_at_line(o, t, o->at)) {
        o->at = skip_to_line(t, o->at);
        const bool is_unit = emit(o, t, o->at, u);
        if (is_unit) o->comma = SIZE_MAX;
        return is_unit;
    }
    o->at++;
    return false;
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

bool outline_continues(const testcase *t, size_t at) {
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
        if (level > o->level || (level == o->level && o->is_open && outline_continues(t, text)))
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

size_t outline_tag_end(const testcase *t, size_t at) {
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
        o->at = outline_tag_end(t, start);
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

size_t outline_count(const testcase *t, outline_kind kind, size_t level) {
    outline o = outline_begin(t, kind, level);
    size_t count = 0;
    for (unit u; outline_next(&o, t, &u);) count++;
    return count;
}
