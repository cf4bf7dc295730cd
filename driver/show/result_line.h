/* result_line.h: the result of a tool for programs, on standard output. */
#ifndef RESULT_LINE_H
#define RESULT_LINE_H

#include "summary.h"

#include <stdio.h>

/* Return the result line, with a newline: size=41 seed=7, size=2 hex=00ff, or the file of the
 * bytes. A search for all failures gives a line for each, with its signature. The caller frees it.
 * NULL when out of memory. */
char *result_line(const summary *s);

/* Print the line of one of several failures. The signature is last, since it can have blanks. */
void result_line_put_named(FILE *out, const found_input *c);

#endif
