/* trace.h: the draws of a run: as a table, what each of them means, and what is wrong with one. */
#pragma once

#include "event.h"
#include "record_check.h"

#include <stdint.h>
#include <stdio.h>

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

/* Return the text of a note or a step, which is untrusted; NULL for NULL. */
const char *trace_title(const frng_trace_record *r);

/* Print the table. The records are shown as they are. Remarks, if there are any, are a column. */
void trace_print(FILE *out, const trace *t, const remarks *why);

/* ---- What each draw of a failure means ---- */

/* Return the name of a draw: its note or its step, and its offset where that is not enough. */
const char *explained_name(const explanation *e, size_t i);

/* Return the last note or step, as `kind` says, right before a draw; NULL if there is none. */
const frng_trace_record *explained_title(const explanation *e, size_t draw, uint8_t kind);

/* Return the statement of a draw: "any", "4..1000", "= key". */
const char *explained_format(const explanation *e, size_t i);

const char *explained_value(const explained_draw *d, uint64_t value);

/* Make a remark for each draw that was explored. The caller frees them with
 * explained_free_remarks. None when out of memory. */
remarks explained_remarks(const explanation *e);
void explained_free_remarks(remarks *all);

/* Print the explanation as a part of a report. The input is `size` bytes. */
void explained_put(FILE *out, const explanation *e, const uint8_t *bytes, uint64_t size);

/* Return which draw is wrong and why, on one line: what the target reported, and what its bytes
 * encode. Long parts are cut. */
const char *explained_wrong(const wrong_record *w);
