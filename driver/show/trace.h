/* trace.h: the draws of a run as a table. */
#ifndef TRACE_H
#define TRACE_H

#include "explanation.h"

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

/* Format the kind of a draw with its bounds, and its value: that of raw bytes is "", and of a letter
 * a number. Returns `kind`. */
enum { TRACE_VALUE_MAX = 400 };
const char *trace_format_draw(const frng_trace_record *r, char kind[TRACE_VALUE_MAX],
                              char value[TRACE_VALUE_MAX]);

/* Format the same of the next row. Returns the count of its records: the letters of a string are one
 * row. */
uint64_t trace_format_row(const frng_trace_record *records, uint64_t count,
                          char kind[TRACE_VALUE_MAX], char value[TRACE_VALUE_MAX]);

/* Format a line that the test says, with control characters escaped. Returns the count of its
 * records, of which the first is a FRNG_TRACE_SAY. */
enum { TRACE_SAY_MAX = 4 * (FRNG_SAY_MAX + 1) + 1 };
uint64_t trace_format_say(const frng_trace_record *records, uint64_t count,
                          char text[TRACE_SAY_MAX]);

/* Print the table. The records are shown as they are. Remarks, if there are any, are a column. */
void trace_print(FILE *out, const trace *t, const remarks *why);

#endif
