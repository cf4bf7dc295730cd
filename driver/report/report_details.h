/* report_details.h: what was run, where, when and how. */
#ifndef REPORT_DETAILS_H
#define REPORT_DETAILS_H

#include "html.h"
#include "night.h"

void report_details_put(html *h, const night_program *p);

/* Write what was read, and what of it was not understood. */
void report_details_put_sources(html *h, const night *n);

#endif
