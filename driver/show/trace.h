/* trace.h: the draws of a run: as a table, what each of them means, and what is wrong with one. */
#ifndef TRACE_H
#define TRACE_H

#include "explanation.h"
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
} trace;

/* Format the kind of a draw with its bounds, and its value: that of raw bytes is "", and of a
 * letter a number. */
enum { TRACE_VALUE_MAX = 400 };
void trace_format_draw(const frng_trace_record *r, char kind[TRACE_VALUE_MAX],
                       char value[TRACE_VALUE_MAX]);

/* Format the same of the next row. Returns the count of its records: the letters of a string are
 * one row. */
uint64_t trace_format_row(const frng_trace_record *records, uint64_t count,
                          char kind[TRACE_VALUE_MAX], char value[TRACE_VALUE_MAX]);

/* Format the text of a note or a step, escaped as bytes_escape does.
 * Returns `text`. */
enum { TRACE_TITLE_MAX = 4 * sizeof(((frng_trace_record *)0)->u.text) + 1 };
const char *trace_format_title(const frng_trace_record *r, bool keeps_lines,
                               char text[TRACE_TITLE_MAX]);

/* Format a line that the test says, with control characters escaped. Returns the count of its
 * records, of which the first is a FRNG_TRACE_SAY. */
enum { TRACE_SAY_MAX = 4 * (FRNG_SAY_MAX + 1) + 1 };
uint64_t trace_format_say(const frng_trace_record *records, uint64_t count,
                          char text[TRACE_SAY_MAX]);

/* Print the table. The records are shown as they are. Remarks, if there are any, are a column. */
void trace_print(FILE *out, const trace *t, const remarks *why);

/* ---- What each draw of a failure means ---- */

enum {
    EXPLAINED_TEXT_MAX = 512,
    EXPLAINED_NAME_MAX = TRACE_TITLE_MAX + 64,
    EXPLAINED_VALUE_MAX = 64
};

/* Format the name of a draw: its note or its step, and its offset where that is not enough. */
const char *explained_name(const explanation *e, size_t i, char text[EXPLAINED_NAME_MAX]);

/* Return the last note or step, as `kind` says, right before a draw; NULL if there is none. */
const frng_trace_record *explained_title(const explanation *e, size_t draw, uint8_t kind);

/* Format the statement of a draw: "any", "4..1000", "= key". */
const char *explained_format(const explanation *e, size_t i, char text[EXPLAINED_TEXT_MAX]);

/* Format a value of a draw. */
const char *explained_value(const explained_draw *d, uint64_t value,
                            char text[EXPLAINED_VALUE_MAX]);

/* Make a remark for each draw that was explored. The caller frees them with
 * explained_free_remarks. None when out of memory. */
remarks explained_remarks(const explanation *e);
void explained_free_remarks(remarks *all);

/* Print the explanation as a part of a report. The input is `size` bytes. */
void explained_put(FILE *out, const explanation *e, const uint8_t *bytes, uint64_t size);

/* Write which draw is wrong and why, on one line: what the target reported, and what its bytes
 * encode. Long parts are cut. Returns `text`. */
enum { WRONG_TEXT_MAX = 160 };
const char *explained_wrong(const wrong_record *w, char text[WRONG_TEXT_MAX]);

#endif
