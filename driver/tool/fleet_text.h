/* fleet_text.h: a fleet for people. */
#ifndef FLEET_TEXT_H
#define FLEET_TEXT_H

#include "canvas.h"

#include <stdio.h>

typedef struct builds builds;
typedef struct finding_table finding_table;
typedef struct fleet fleet;

/* What is shown. All is borrowed. */
typedef struct fleet_view {
    const fleet *fleet;
    const finding_table *table;
    const builds *builds;
    const char *const *folders;
    size_t folder_count;
    const char *replay; /* how the user calls frng-replay */
    uint64_t skipped;   /* files that could not be read */
} fleet_view;

/* Print lines of at most 80 columns, but for commands and names that are longer. */
void fleet_text_put(FILE *out, const fleet_view *v);

/* Return the colour of one of these lines on a terminal. */
canvas_ink fleet_text_ink(const char *line);

#endif
