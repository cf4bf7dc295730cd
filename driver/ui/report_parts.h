/* report_parts.h: lines that the summaries of a search and of a reduction share. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "reduction.h"

#include <stdio.h>

/* How often it failed when it was run again. */
void report_put_reruns(FILE *out, const failure *f);

/* Why a failure that a limit may have made does not count; nothing for any other. */
void report_put_limited(FILE *out, const failure *f);

/* What a reduction cost. */
void report_put_effort(FILE *out, const progress *p, unsigned jobs);

/* What each of these did that had something to try. */
void report_put_passes(FILE *out, const char *label, const pass_statistics *passes, size_t count);

#endif
