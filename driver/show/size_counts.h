/* size_counts.h: gathers counts of runs by size, so that a night of runs makes few lines.
 *
 * The counts of a size are emitted when the search leaves it or stays there for long, if they have
 * doubled since the last time; the rest is emitted at the end. The counts add up to all runs. */
#ifndef SIZE_COUNTS_H
#define SIZE_COUNTS_H

#include "event.h"

typedef struct size_counts size_counts;

/* Takes the counts that are emitted. */
typedef struct size_counts_sink {
    void (*take)(void *context, const tested_runs *t);
    void *context;
} size_counts_sink;

/* Return NULL if memory is out. */
size_counts *size_counts_create(void);
void size_counts_destroy(size_counts *c); /* NULL is allowed */

/* Add runs, and emit the counts that are due. */
void size_counts_add(size_counts *c, const tested_runs *more, const size_counts_sink *sink);

/* Emit all counts that were not emitted yet. */
void size_counts_flush(size_counts *c, const size_counts_sink *sink);

#endif
