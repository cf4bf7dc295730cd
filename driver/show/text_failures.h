/* text_failures.h: the table of a search for all failures, for people. */
#ifndef TEXT_FAILURES_H
#define TEXT_FAILURES_H

#include "failure.h"
#include "summary.h"

#include <stdio.h>

/* Print the table of s->each, then how to replay each failure, and what it printed. */
void text_failures_put(FILE *out, const summary *s);

/* Write the signature of a failure with its site, escaped for a terminal, and return it. In a
 * table, names of more than FAILURE_NAME_WIDTH_MAX columns push their row to the right. */
enum { FAILURE_NAME_MAX = 4 * SITE_TEXT_MAX + 1, FAILURE_NAME_WIDTH_MAX = 48 };
const char *text_failures_name(const failure *f, char text[FAILURE_NAME_MAX]);

#endif
