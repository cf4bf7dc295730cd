/* outline.h: what a text looks like: its signs, its brackets, and the units of its levels. */
#pragma once

#include "testcase.h"

/* ---- Signs of texts ---- */

/* Return a byte of a text, and the end of a line behind its end. Of a larger unit it is a sign of
 * ASCII or a part of a word. */
static inline uint8_t text_byte(const testcase *t, size_t at) {
    const uint64_t unit = at < t->count ? testcase_rank(t, at) : '\n';
    return unit <= UINT8_MAX ? (uint8_t)unit : UINT8_MAX;
}

static inline bool text_is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline bool text_is_space(uint8_t c) { return text_is_blank(c) || c == '\n'; }

static inline bool text_is_word(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c >= 0x80;
}

static inline bool text_is_opening(uint8_t c) { return c == '(' || c == '[' || c == '{'; }
static inline bool text_is_closing(uint8_t c) { return c == ')' || c == ']' || c == '}'; }

/* True if a text has a word at a place. */
bool text_has(const testcase *t, size_t at, const char *word);

/* True if a text has one of some words at a place; NULL ends them. */
bool text_has_one(const testcase *t, size_t at, const char *const *words);

/* Return the index of the first byte at a place or after it that is no blank. */
size_t text_skip_blanks(const testcase *t, size_t at);

/* Return the index after the line of a place. */
size_t text_line_end(const testcase *t, size_t at);

/* Return the end of the bytes in which the end of a bracket or a tag is searched. */
size_t text_reach(const testcase *t, size_t at);

/* Return the sign that closes a bracket, or 0 for what opens none. */
uint8_t text_closing_sign(uint8_t c);

/* Return the index of the sign that closes the bracket at a place, or t->count if none in reach. */
size_t text_closing(const testcase *t, size_t at);

/* Return the index after the string in quotes that begins at a place, or the place if none does. */
size_t text_skip_string(const testcase *t, size_t at);

/* Return the end of the value behind a sign, as in a list or a statement. A value behind a colon
 * ends before a block. */
size_t text_value_end(const testcase *t, size_t sign);

/* Return the index after a tag, which ends at the next one at the latest. */
size_t text_tag_end(const testcase *t, size_t at);

/* True at the first byte of a word, number or single sign. */
bool text_begins_token(const testcase *t, size_t at);

bool text_same_name(const testcase *t, size_t a, size_t b);

/* True if a line goes on with what the line before it began. */
bool text_is_continuation(const testcase *t, size_t at);

/* ---- Outlines ---- */

typedef enum outline_kind {
    OUTLINE_BRACKETS, /* what separators part, inside brackets; lines outside */
    OUTLINE_INDENTS,  /* a line and the lines indented more that follow; files and hunks of a patch,
                         which has no other brackets */
    OUTLINE_TAGS,     /* elements of XML and HTML */
    OUTLINE_TERMS,    /* tokens, strings, and brackets with all that is in them */
    OUTLINE_BODIES,   /* what is in braces, and in no inner ones that hold something */
    OUTLINE_BLANKS,   /* blanks but for one; those that separate no words; ends of lines in words */
    OUTLINE_FIELDS    /* the fields of each line; the level chooses their separator */
} outline_kind;

enum { OUTLINE_LEVELS = 12, OUTLINE_DEPTH_MAX = 64 };

typedef struct unit {
    size_t start, end;
    size_t comma; /* the separator before the unit, in the same list; SIZE_MAX: none */
    bool is_last; /* the last of a list that is separated by commas, and without one after it */
} unit;

/* A walk over the units of one level; level 0 is the outermost. */
typedef struct outline {
    outline_kind kind;
    size_t level, at;
    size_t depth;                    /* at `at` */
    size_t stack[OUTLINE_DEPTH_MAX]; /* indentations, or places of the names of open tags */
    size_t start, comma;             /* of the unit that is open */
    bool is_open;                    /* a unit of this level has begun */
    bool has_clauses;                /* the list has semicolons, so that commas separate no units */
    bool has_fields;                 /* semicolons separate the fields of lines */
    bool is_patch, is_in_hunk;
} outline;

outline outline_begin(const testcase *t, outline_kind kind, size_t level);

/* Find the next unit. False at the end. */
bool outline_next(outline *o, const testcase *t, unit *u);
