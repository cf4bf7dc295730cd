/* excerpt.h: prints the lines of an output that best explain a failure. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include "bytes.h"
#include "failure.h"

#include <stdio.h>

/* Print at most six lines of an output, the first after the label "output". A longer output is cut
 * to the first line that names a failure, the line after it, the last line that names a failure,
 * and the last lines of all. If no line names a failure, the first two lines take the place of
 * these three. A line "..." stands for omitted lines. Prints nothing for an empty output or
 * NULL. */
void excerpt_put(FILE *out, const bytes_tail *output);

/* Print the same, with the first line that names the place of a site ("": none). */
void excerpt_put_at(FILE *out, const bytes_tail *output, const char *site);

#endif
