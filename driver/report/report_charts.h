/* report_charts.h: the charts of a report. Each returns false, and writes nothing, if there is
 * nothing to draw. `number` is that of the program or of the work: it makes ids unique. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H

#include "html.h"
#include "night.h"

/* The best size of each search over its runs. */
bool report_charts_searches(html *h, night_program *p, size_t number);

/* The failures of each size, with the interval of their share. */
bool report_charts_sizes(html *h, night_program *p, size_t number);

/* The size over the calls of a reduction, with passes in colours. */
bool report_charts_reduction(html *h, night_work *w, size_t number);

/* Return the colour of a pass in that chart. Those that take most bytes away have one of their own;
 * 0 is for all others. */
unsigned report_charts_colour(const night_work *w, size_t pass);

#endif
