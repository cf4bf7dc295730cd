/* requirement.h: a share of runs that must have a label: LABEL:1%. */
#ifndef REQUIREMENT_H
#define REQUIREMENT_H

#include "tally.h"

#include <stdbool.h>
#include <stddef.h>

/* The text is borrowed. */
typedef struct requirement {
    const char *text;
    char label[sizeof(((tally_row *)0)->name)]; /* as much of it as is kept of labels */
    double percent;                             /* above 0, and at most 100 */
} requirement;

enum { REQUIREMENTS_MAX = 64 };

/* The labels of --require. */
typedef struct requirement_list {
    size_t count;
    requirement list[REQUIREMENTS_MAX];
} requirement_list;

/* Parse LABEL:PERCENT%. A label can contain colons. Returns false, and leaves *r alone, if the text
 * is not valid. */
bool requirement_parse(const char *text, requirement *r);

/* Return the number of runs that had the label. */
uint64_t requirement_runs(const requirement *r, const tally *t);

/* False also if there were no runs. */
bool requirement_is_met(const requirement *r, const tally *t);

#endif
