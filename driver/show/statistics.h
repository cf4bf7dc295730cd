/* statistics.h: what the runs of a search drew, and their labels, for people. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include "stats.h"
#include "summary.h"

#include <stdio.h>

/* Print the labels and measures of a search, and (with_drawn) a line about what its runs drew.
 * `is_whole`: print each label, not only the most frequent ones. */
void statistics_put(FILE *out, const tally *t, bool with_drawn, bool is_whole);

/* Print a line about a sign that the runs tested nothing, if there is one. */
void statistics_put_warning(FILE *out, const tally *t, vacuity v);

/* Print a message for each required label that too few runs had. */
void statistics_print_unmet(const requirement_list *required, const tally *t);

#endif
