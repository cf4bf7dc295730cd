/* report_reduction.h: the reductions of a program: before and after, and what each pass did. */
#ifndef REPORT_REDUCTION_H
#define REPORT_REDUCTION_H

#include "html.h"
#include "night.h"

/* Write the reductions of a program, which is number `number` of the page. */
void report_reduction_put(html *h, night_program *p, size_t number);

#endif
