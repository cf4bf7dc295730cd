/* statistics.h: what the runs of a search drew, their labels, and the warning of unused input. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include "event.h"
#include "stats.h"

#include <stdio.h>

/* Print the labels and measures of a search, and (with_drawn) a line about what its runs drew.
 * `is_whole`: print each label, not only the most frequent ones. */
void statistics_put(FILE *out, const tally *t, bool with_drawn, bool is_whole);

/* Return the word of the warning that runs which passed tested nothing, or print it as a line: they
 * drew nothing ("no-draws"), ran out of entropy before their first draw ("starved"), or most of
 * them ended within a few draws ("few-draws"). NULL, or no line, without a sign of that, or if the
 * target does not tell what it draws, or there are too few runs to judge. */
const char *statistics_warning(const tally *t);
void statistics_put_warning(FILE *out, const tally *t);

/* Print a message for each required label that too few runs had. */
void statistics_print_unmet(const requirement_list *required, const tally *t);

#endif
