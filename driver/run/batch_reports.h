/* batch_reports.h: tallies and features in memory that the driver shares with its workers, one of
 * each for each batch in flight. After a cancellation they stay in use until the worker has
 * answered, since the worker may be writing them. */
#ifndef BATCH_REPORTS_H
#define BATCH_REPORTS_H

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
typedef struct report_slot {
    batch_report *report;
    uint64_t number;
    unsigned worker;
} report_slot;

/* None if zeroed. */
typedef struct batch_reports {
    size_t count;
    report_slot *list;
    batch_report *memory;
} batch_reports;

/* Map `count` reports. Unused ones cost no memory. Returns 0 or an errno. */
int batch_reports_init(batch_reports *a, size_t count);
void batch_reports_finish(batch_reports *a);

/* Return a free report for a batch; NULL if there are none. */
batch_report *batch_reports_take(batch_reports *a, uint64_t number, unsigned worker);

/* Free the report of a batch, if it has one. */
void batch_reports_free(batch_reports *a, uint64_t number);

/* Free the reports of a worker that has died, of batches before number `wanted`. */
void batch_reports_free_before(batch_reports *a, unsigned worker, uint64_t wanted);

#endif
