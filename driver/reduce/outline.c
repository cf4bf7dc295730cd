/* outline.c: the units of one level of a text whose format is guessed.
 *
 * An outline takes a text as lines by indentation, as brackets, as tags, as terms or as blanks, and
 * walks the units of one level. It reads on from where it is and keeps no tree, for a text changes
 * with each success. What closes a bracket or a tag is looked for in a limited reach only. */
#include "outline.h"

/* ---- Signs of texts ---- */

bool text_has(const testcase *t, size_t at, const char *word) {
    while (*word != '\0' && text_byte(t, at) == (uint8_t)*word) at++, word++;
    return *word == '\0';
}

bool text_has_one(const testcase *t, size_t at, const char *const *words) {
    while (*words != NULL && !text_has(t, at, *words)) words++;
    return *words != NULL;
}

size_t text_skip_blanks(const testcase *t, size_t at) {
    while (at < t->count && text_is_blank(text_byte(t, at))) at++;
    return at;
}

size_t text_line_end(const testcase *t, size_t at) {
    while (at < t->count && text_byte(t, at) != '\n') at++;
    return at < t->count ? at + 1 : at;
}

/* Bytes in which the end of a bracket or a tag is searched. If nothing closes, searching all of the
 * text for each would take the square of its size; and deletions bring ends nearer. */
enum { TEXT_REACH = 8192 };

size_t text_reach(const testcase *t, size_t at) {
    return t->count - at < TEXT_REACH ? t->count : at + TEXT_REACH;
}

uint8_t text_closing_sign(uint8_t c) {
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : c == '<' ? '>' : 0;
}

size_t text_closing(const testcase *t, size_t at) {
    const uint8_t open = text_byte(t, at), close = text_closing_sign(open);
    const size_t end = text_reach(t, at);
    size_t depth = 0;
    for (size_t i = at; i < end; i++) {
        const uint8_t c = text_byte(t, i);
        if (c == open) depth++;
        if (c == close && --depth == 0) return i;
    }
    return t->count;
}

bool text_begins_token(const testcase *t, size_t at) {
    const uint8_t c = text_byte(t, at);
    if (at == 0) return true;
    return !text_is_space(c) && !(text_is_word(c) && text_is_word(text_byte(t, at - 1)));
}

/* Return the index after the blanks at a place, and the first of a line if they end one. */
static size_t skip_to_line(const testcase *t, size_t at) {
    size_t end = text_skip_blanks(t, at), line = at;
    for (; end < t->count && text_byte(t, end) == '\n'; end = text_skip_blanks(t, line))
        line = end + 1;
    return line > at ? line : end;
}

static bool parts_fields(uint8_t c) { return memchr(",;\t|\n", c, 5) != NULL; }

/* A string ends in its line, but for a field of a table, between two of its separators. An escaped
 * quote begins none: if it did, looking for the ends of all of a line would take the square of its
 * size. */
size_t text_skip_string(const testcase *t, size_t at) {
    const uint8_t quote = text_byte(t, at);
    const bool is_field = quote == '"' && parts_fields(text_byte(t, at - 1));
    bool is_long = false;
    if ((quote != '"' && quote != '\'') || text_byte(t, at - 1) == '\\') return at;
    if (quote == '\'' && at > 0 && text_is_word(text_byte(t, at - 1)))
        return at; /* an apostrophe */
    for (size_t i = at + 1; i < t->count; i++) {
        const uint8_t c = text_byte(t, i);
        is_long |= c == '\n';
        if (is_long && (!is_field || i >= text_reach(t, at))) break;
        if (c == '\\')
            i++;
        else if (c == quote && (!is_long || parts_fields(text_byte(t, i + 1))))
            return i + 1;
    }
    return at;
}

size_t text_value_end(const testcase *t, size_t sign) {
    const size_t reach = text_reach(t, sign), start = text_skip_blanks(t, sign + 1);
    size_t end = start, depth = 0;
    for (size_t after; end < reach; end = larger(after, end + 1)) {
        const uint8_t c = text_byte(t, end);
        const bool is_block = c == '{' && end > start && text_byte(t, sign) == ':';
        if (depth == 0 && (is_block || text_is_closing(c) || memchr(",;\n", c, 3) != NULL)) break;
        depth = depth + text_is_opening(c) - text_is_closing(c);
        after = text_skip_string(t, end);
    }
    return end;
}

/* ---- Brackets ---- */

/* True if the list that begins at a place has a semicolon of its own. */
static bool has_clauses(const testcase *t, size_t at) {
    size_t depth = 0;
    while (at < t->count) {
        const size_t after = text_skip_string(t, at);
        const uint8_t c = text_byte(t, at);
        at = after > at ? after : at + 1;
        if (text_is_opening(c)) depth++;
        if (text_is_closing(c) && depth-- == 0) return false;
        if (c == ';' && depth == 0) return true;
    }
    return false;
}

/* True if the first two lines have as many semicolons, and none at their ends. */
static bool has_fields(const testcase *t) {
    size_t counts[2] = {0}, at = 0;
    for (size_t line = 0; line < 2; line++, at++) {
        for (; at < t->count && text_byte(t, at) != '\n'; at++)
            counts[line] += text_byte(t, at) == ';';
        if (text_byte(t, at - 1) == ';') return false;
    }
    return counts[0] > 0 && counts[0] == counts[1];
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
    while (first < end && text_is_space(text_byte(t, first))) first++;
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
    const bool goes_on = text_is_closing(c) || (c == '{' && text_byte(t, first + own) != '{');
    return c == '\n' || (following <= own && !goes_on);
}

/* Take a sign at the depth of the level. True if it ends a unit. */
static bool take_sign(outline *o, const testcase *t, uint8_t c, unit *u) {
    const bool is_comma = c == ',' && !o->has_clauses && o->depth > 0;
    const bool is_line = c == '\n' && ends_at_line(o, t, o->at);
    const size_t sign = o->at++;
    if (!is_comma && (c != ';' || (o->has_fields && o->depth == 0)) && !is_line) return false;
    o->at = skip_to_line(t, is_line ? sign : o->at);
    const bool is_unit = emit(o, t, o->at, u);
    if (is_unit || !is_line) o->comma = is_comma ? sign : SIZE_MAX;
    return is_unit;
}

/* Take the end of a list of this level. True if it ends a unit. */
static bool close_list(outline *o, const testcase *t, size_t end, unit *u) {
    while (end > o->start && text_is_space(text_byte(t, end - 1))) end--;
    const bool is_unit = emit(o, t, end, u);
    u->is_last = u->comma != SIZE_MAX;
    return is_unit;
}

static bool next_in_brackets(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t after = text_skip_string(t, o->at);
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

bool text_is_continuation(const testcase *t, size_t at) {
    static const char *const words[] = {"begin",  "do",      "done",   "fi",    "esac",   "then",
                                        "else",   "elif",    "elseif", "elsif", "except", "catch",
                                        "rescue", "finally", "ensure", NULL};
    const uint8_t c = text_byte(t, at);
    if (text_is_closing(c) || c == '{' || (c == '<' && text_byte(t, at + 1) == '/')) return true;
    if (memchr("bcdefrtE", c, 8) == NULL) return false; /* most lines, at once */
    /* `end`, `endif` or `END-IF` */
    if ((c | ' ') == 'e' && (text_byte(t, at + 1) | ' ') == 'n' &&
        (text_byte(t, at + 2) | ' ') == 'd')
        return true;
    for (size_t i = 0; words[i] != NULL; i++) {
        if (text_has(t, at, words[i]) && !text_is_word(text_byte(t, at + strlen(words[i]))))
            return true;
    }
    return false;
}

/* Return the level of a line of a patch: 0 begins a file, 1 a hunk. */
static size_t level_in_patch(outline *o, const testcase *t, size_t line) {
    const bool is_hunk = text_has(t, line, "@@ -");
    const bool is_file =
        text_has(t, line, "diff ") ||
        (o->is_in_hunk && text_has(t, line, "--- ") && text_has(t, text_line_end(t, line), "+++ "));
    o->is_in_hunk = !is_file && (o->is_in_hunk || is_hunk);
    return is_file ? 0 : is_hunk ? 1 : 2;
}

static bool is_patch(const testcase *t) {
    const size_t end = text_reach(t, 0);
    size_t line = 0;
    while (line < end && !text_has(t, line, "@@ -")) line = text_line_end(t, line);
    return line < end;
}

/* Return the level of a line with an indentation, which becomes the innermost. */
static size_t indent_to(outline *o, size_t indent) {
    while (o->depth > 0 && o->stack[o->depth - 1] > indent) o->depth--;
    const bool is_inner = o->depth == 0 || o->stack[o->depth - 1] < indent;
    if (is_inner && o->depth < OUTLINE_DEPTH_MAX) o->stack[o->depth++] = indent;
    return o->depth - 1;
}

static bool next_in_indents(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t start = o->at, text = text_skip_blanks(t, start);
        o->at = text_line_end(t, start);
        if (text_byte(t, text) == '\n') continue; /* an empty line belongs to what is before it */
        const size_t level = indent_to(o, o->is_patch ? level_in_patch(o, t, start) : text - start);
        if (level > o->level || (level == o->level && o->is_open && text_is_continuation(t, text)))
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

bool text_same_name(const testcase *t, size_t a, size_t b) {
    size_t n = 0;
    while (text_byte(t, a + n) == text_byte(t, b + n) && text_is_word(text_byte(t, a + n))) n++;
    return !text_is_word(text_byte(t, a + n)) && !text_is_word(text_byte(t, b + n));
}

size_t text_tag_end(const testcase *t, size_t at) {
    for (at++; at < t->count && text_byte(t, at) != '<';) {
        if (text_byte(t, at) == '>') return at + 1;
        const size_t after = text_skip_string(t, at);
        at = after > at ? after : at + 1;
    }
    return at < t->count ? at : t->count;
}

/* Close the innermost element of a name. False if none is open. */
static bool close_element(outline *o, const testcase *t, size_t name) {
    for (size_t i = o->depth; i > 0; i--) {
        if (text_same_name(t, o->stack[i - 1], name)) {
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
        o->at = text_tag_end(t, start);
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

/* ---- Bodies ---- */

static bool next_in_bodies(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t after = text_skip_string(t, o->at), sign = o->at;
        const uint8_t c = text_byte(t, sign);
        o->at = after > sign ? after : sign + 1;
        if (c == '{' && o->depth < OUTLINE_DEPTH_MAX) o->stack[o->depth++] = sign + 1;
        if (c != '}' || o->depth == 0) continue;
        *u = (unit){o->stack[--o->depth], sign, SIZE_MAX, false};
        while (u->start < sign && text_is_space(text_byte(t, u->start))) u->start++;
        if (u->start == sign) continue;
        o->depth = 0; /* what is around it has an inner one */
        return true;
    }
    return false;
}

/* ---- Terms, blanks and fields ---- */

/* Go behind the token or string at a place. */
static size_t skip_token(const testcase *t, size_t at) {
    const size_t after = text_skip_string(t, at);
    if (after > at) return after;
    do {
        at++;
    } while (at < t->count && text_is_word(text_byte(t, at)) && text_is_word(text_byte(t, at - 1)));
    return at;
}

static bool next_in_terms(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t start = o->at;
        const uint8_t c = text_byte(t, start);
        const bool opens = text_is_opening(c), closes = text_is_closing(c) && o->depth > 0;
        o->at = text_is_space(c) ? start + 1 : skip_token(t, start);
        if (o->depth == o->level) o->start = start;
        o->depth = o->depth + opens - closes;
        if (text_is_space(c) || opens || o->depth != o->level) continue;
        o->at = text_skip_blanks(t, o->at);
        *u = (unit){o->start, o->at, SIZE_MAX, false};
        return true;
    }
    return false;
}

static bool next_in_blanks(outline *o, const testcase *t, unit *u) {
    while (o->at < t->count) {
        const size_t start = o->at;
        size_t end = start, line = SIZE_MAX;
        for (; end < t->count && text_is_space(text_byte(t, end)); end++) {
            if (line == SIZE_MAX && text_byte(t, end) == '\n') line = end;
        }
        o->at = end + 1;
        const bool parts =
            start > 0 && text_is_word(text_byte(t, start - 1)) && text_is_word(text_byte(t, end));
        const size_t first = o->level > 0 ? start : line != SIZE_MAX ? line + 1 : start + 1;
        *u = (unit){first, end, SIZE_MAX, false};
        if (first < end && (o->level == 0 || (o->level == 1 ? !parts : parts && line < end)))
            return true;
    }
    return false;
}

static bool next_in_fields(outline *o, const testcase *t, unit *u) {
    static const char separators[] = {',', '\t', ';', '|', ':', ' '};
    if (o->level >= sizeof separators || o->at >= t->count) return false;
    const size_t start = o->at, comma = o->comma;
    while (o->at < t->count && text_byte(t, o->at) != '\n') {
        const size_t after = text_skip_string(t, o->at);
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

outline outline_begin(const testcase *t, outline_kind kind, size_t level) {
    outline o = {.kind = kind, .level = level, .comma = SIZE_MAX, .is_in_hunk = true};
    o.is_patch = kind <= OUTLINE_INDENTS && is_patch(t);
    o.has_fields = kind == OUTLINE_BRACKETS && level == 0 && has_fields(t);
    if (o.is_patch && kind == OUTLINE_BRACKETS) o.at = t->count;
    if (kind == OUTLINE_BRACKETS && level == 0) begin_list(&o, t);
    return o;
}

bool outline_next(outline *o, const testcase *t, unit *u) {
    static bool (*const next_in[])(outline * o, const testcase *t, unit *u) = {
        next_in_brackets, next_in_indents, next_in_tags,  next_in_terms,
        next_in_bodies,   next_in_blanks,  next_in_fields}; /* as outline_kind */
    return next_in[o->kind](o, t, u);
}
