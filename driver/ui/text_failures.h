/* text_failures.h: the table of a search for all failures, for people. */
#ifndef TEXT_FAILURES_H
#define TEXT_FAILURES_H

#include "summary.h"

#include <stdio.h>

/* Print the table of s->each, then how to replay each failure, and what it printed. */
void text_failures_put(FILE *out, const summary *s);

/* Print the signature of a failure with its site, escaped for a terminal. */
void text_failures_put_name(FILE *out, const failure *f);

#endif
