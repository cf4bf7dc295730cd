/* corpus.h: prefixes of runs that showed something new, from which splices go on.
 *
 * A search makes splices in rows: runs that begin with one prefix and go on with seeds of their
 * own. A row is planned from the corpus as it was CORPUS_LAG rows before, and from nothing else, so
 * that rows can be made ahead of results and the jobs do not matter.
 *
 * Results enter in their order, and what is new is what none before them showed. A worker cannot
 * know that: it reports what its runs show beyond the features that are known when it begins the
 * batch. Those are of results that were taken, which are all before its own. So it reports all that
 * is new, and perhaps more, which is known by the time when its result is taken. What earlier runs
 * of the same batch showed is known too: they are before. Batches that are void report nothing.
 * Pure. */
#ifndef CORPUS_H
#define CORPUS_H

#include "feature_map.h"
#include "seed_input.h"

#include <stdbool.h>
#include <stdint.h>

enum { CORPUS_LAG = 8 };

typedef struct corpus corpus;

/* Features that `known` has are not new; it is borrowed, and new ones are added. Return NULL if
 * memory is out. */
corpus *corpus_create(feature_map *known, uint64_t master_seed);
void corpus_destroy(corpus *c); /* NULL is allowed */

/* A row of splices. */
typedef struct corpus_row {
    uint64_t number; /* of this row */
    uint64_t before; /* runs of all rows before it */
} corpus_row;

/* Take what runs of a row showed. If memory is out, forget it. */
void corpus_learn(corpus *c, corpus_row row, const batch *runs, const feature_list *shown);

typedef struct corpus_plan {
    seed_prefix prefix;   /* no longer than the limit; perhaps none */
    uint64_t parent_size; /* bytes of the entry that it was cut from */
    uint64_t count;       /* runs of the row */
    uint64_t barren;      /* splices since something new */
    uint64_t random;      /* a number of the row's own */
} corpus_plan;

typedef struct corpus_sizes {
    uint64_t limit;   /* of a run, in bytes */
    uint64_t longest; /* the most bytes that a run drew so far; UINT64_MAX: unknown */
} corpus_sizes;

/* Plan a row. All results of rows up to CORPUS_LAG before it were taken. */
corpus_plan corpus_plan_row(const corpus *c, corpus_row row, corpus_sizes sizes);

run_guide corpus_count(const corpus *c);

#endif
