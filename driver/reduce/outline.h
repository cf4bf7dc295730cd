/* outline.h: the nested units of a text, as its brackets, its indentation or its tags show them:
 * functions, statements, elements of a list, blocks, elements of a document. A guess that does not
 * fit the format costs time only. */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "testcase.h"

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

/* True for a line, from its first word on, that goes on with the unit before it at the same
 * indentation: what closes a block, or begins its next part. */
bool outline_continues(const testcase *t, size_t at);

/* Return the index after a tag, which ends at the next one at the latest. */
size_t outline_tag_end(const testcase *t, size_t at);

/* True if the same word is at two places. */
bool outline_same_name(const testcase *t, size_t a, size_t b);

size_t outline_count(const testcase *t, outline_kind kind, size_t level);

#endif
