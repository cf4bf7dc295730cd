/* outline.h: the nested units of a text, as its brackets, its indentation or its tags show them:
 * functions, statements, elements of a list, blocks, elements of a document. A guess that does not
 * fit the format costs time only. */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "patch.h"

/* ---- Signs of texts ---- */

/* Return a byte of a text, and the end of a line behind its end. */
static inline uint8_t text_byte(const testcase *t, size_t at) {
    return at < t->count ? (uint8_t)t->draws[at].rank : '\n';
}

static inline bool text_is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

static inline bool text_is_word(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c >= 0x80;
}

static inline bool text_is_opening(uint8_t c) { return c == '(' || c == '[' || c == '{'; }
static inline bool text_is_closing(uint8_t c) { return c == ')' || c == ']' || c == '}'; }

/* Return the index of the first byte at a place or after it that is no blank. */
static inline size_t text_skip_blanks(const testcase *t, size_t at) {
    while (at < t->count && text_is_blank(text_byte(t, at))) at++;
    return at;
}

/* Return the index after the line of a place. */
static inline size_t text_line_end(const testcase *t, size_t at) {
    while (at < t->count && text_byte(t, at) != '\n') at++;
    return at < t->count ? at + 1 : at;
}

/* Bytes in which the end of a bracket or a tag is searched. If nothing closes, searching all of the
 * text for each would take the square of its size; and deletions bring ends nearer. */
enum { TEXT_REACH = 8192 };

/* Return the end of the bytes that are searched from a place on. */
static inline size_t text_reach(const testcase *t, size_t at) {
    return t->count - at < TEXT_REACH ? t->count : at + TEXT_REACH;
}

/* Return the sign that closes a bracket, or 0 for what opens none. */
static inline uint8_t text_closing_sign(uint8_t c) {
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : c == '<' ? '>' : 0;
}

/* Return the index of the sign that closes the bracket at a place, or t->count if none in reach. */
static inline size_t text_closing(const testcase *t, size_t at) {
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

/* True at the first byte of a word, number or single sign. */
static inline bool text_begins_token(const testcase *t, size_t at) {
    const uint8_t c = text_byte(t, at);
    if (at == 0) return true;
    return !text_is_blank(c) && c != '\n' &&
           !(text_is_word(c) && text_is_word(text_byte(t, at - 1)));
}

/* ---- Outlines ---- */

typedef enum outline_kind {
    OUTLINE_INDENTS,  /* a line and the lines indented more that follow */
    OUTLINE_BRACKETS, /* what separators part, inside brackets; lines outside */
    OUTLINE_TAGS,     /* elements of XML and HTML */
    OUTLINE_FIELDS    /* the fields of each line; the level chooses their separator */
} outline_kind;

enum { OUTLINE_LEVELS = 12, OUTLINE_DEPTH_MAX = 64 };

typedef struct unit {
    size_t start, end;
    size_t comma; /* the separator before the unit, in the same list; SIZE_MAX: none */
    bool is_last; /* the last of a list that is separated by commas, and without one after it */
} unit;

/* Delete a row of units, given as one: the last ones with the separator before them. */
bool unit_delete(const unit *row, patch *edits);

/* A walk over the units of one level; level 0 is the outermost. */
typedef struct outline {
    outline_kind kind;
    size_t level, at;
    size_t depth;                    /* at `at` */
    size_t stack[OUTLINE_DEPTH_MAX]; /* indentations, or places of the names of open tags */
    size_t start, comma;             /* of the unit that is open */
    bool is_open;                    /* a unit of this level has begun */
    bool has_clauses;                /* the list has semicolons, so that commas separate no units */
} outline;

outline outline_begin(const testcase *t, outline_kind kind, size_t level);

/* Find the next unit. False at the end. */
bool outline_next(outline *o, const testcase *t, unit *u);

/* True if the same word is at two places. */
bool outline_same_name(const testcase *t, size_t a, size_t b);

#endif
