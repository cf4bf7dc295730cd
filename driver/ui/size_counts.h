/* size_counts.h: counts of runs by size, told seldom, so that a night of runs makes few lines.
 *
 * Counts are told when the search leaves a size or has run it for a while, but only once they are
 * as many as those that were told of this size before; and all at the end. What is told adds up. */
#ifndef SIZE_COUNTS_H
#define SIZE_COUNTS_H

#include "event.h"

typedef struct size_counts size_counts;

/* A consumer of what is told. */
typedef struct size_counts_sink {
    void (*take)(void *context, const tested_runs *t);
    void *context;
} size_counts_sink;

/* Return NULL if memory is out. */
size_counts *size_counts_create(void);
void size_counts_destroy(size_counts *c); /* NULL is allowed */

/* Add runs, and tell what is due. */
void size_counts_add(size_counts *c, const tested_runs *more, const size_counts_sink *sink);

/* Tell all that was not told yet. */
void size_counts_flush(size_counts *c, const size_counts_sink *sink);

#endif
