/* tally_areas.h: tallies and features in memory that the driver shares with its workers, one of
 * each for each batch in flight. After a cancellation they stay in use until the worker has
 * answered, since the worker may be writing them. */
#ifndef TALLY_AREAS_H
#define TALLY_AREAS_H

#include "feature_map.h"
#include "tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the runs of a batch report. */
typedef struct batch_report {
    tally tally;
    feature_list features;
} batch_report;

/* A report, and the batch and the worker that use it; number 0 if none do. */
typedef struct tally_area {
    batch_report *report;
    uint64_t number;
    unsigned worker;
} tally_area;

/* None if zeroed. */
typedef struct tally_areas {
    size_t count;
    tally_area *list;
    batch_report *memory;
} tally_areas;

/* Map `count` reports. Unused ones cost no memory. Returns 0 or an errno. */
int tally_areas_init(tally_areas *a, size_t count);
void tally_areas_finish(tally_areas *a);

/* Return a free report for a batch; NULL if there are none. */
batch_report *tally_areas_take(tally_areas *a, uint64_t number, unsigned worker);

/* Free the report of a batch, if it has one. */
void tally_areas_free(tally_areas *a, uint64_t number);

/* Free the reports of a worker that has died, of batches before number `wanted`. */
void tally_areas_free_before(tally_areas *a, unsigned worker, uint64_t wanted);

#endif
