/* trace.h: the draws of a run, as a table. */
#pragma once

#include "explanation.h"

#include <stdio.h>
#include <string.h>

/* The trace of a run: its first `count` records of the `reported` ones, and its input of `size`
 * bytes. The records are untrusted. All is borrowed. */
typedef struct trace {
    const frng_trace_record *records;
    uint64_t count, reported;
    const uint8_t *entropy;
    uint64_t size;
    bool folds; /* what a line tells, and what is equal */
} trace;

/* A line that the test says: its text, untrusted, and what it is about if the target reported that
 * (frng_moment). Parts are within the text. */
typedef struct said_line {
    char text[FRNG_SAY_MAX + 2];
    bool has_moment;
    frng_moment moment;
} said_line;

/* What begins at a record: a draw, a line that the test says, a note or a step. All letters of a
 * string are one row. */
typedef struct trace_row {
    uint64_t start, size; /* bytes */
    uint64_t count;       /* records */
    const char *kind;     /* of a draw, with its bounds; else NULL */
    const char *text;     /* of a draw its value, "" of raw bytes; else what was said, escaped */
} trace_row;

/* These and what follows return texts of phrase.h, which live until others were made. */
trace_row trace_row_at(const trace *t, uint64_t at);

/* Read the line that begins at the first of `count` records. Return how many of them are its own;
 * 0: no line begins there. */
uint64_t trace_read_line(const frng_trace_record *records, uint64_t count, said_line *line);

/* Return a part of a line as escaped text; NULL if the part is empty. */
const char *trace_part(const said_line *line, frng_part part);

/* Return the kind of a draw, with its bounds. */
const char *trace_kind(const frng_trace_record *r);

/* Return a value of such a draw: that of raw bytes is "", and of a letter a number. */
const char *trace_value(const frng_trace_record *r, uint64_t value);

static inline bool trace_is_title(const frng_trace_record *r) {
    return r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP;
}

/* Return the text of a note or a step, which is untrusted; NULL for NULL. */
const char *trace_title(const frng_trace_record *r);

/* Print the table. The records are shown as they are. Remarks, if there are any, are a column. */
void trace_print(FILE *out, const trace *t, const remarks *why);

/* Return the width of a column that this text is in, too. */
static inline int trace_wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}
