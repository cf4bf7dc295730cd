/* shown_features.h: the features that the runs of an order showed. Each such run is made again, in
 * a fork of its own. Only what it shows both times counts, so that it does not matter why it is
 * made again. What it showed only in its batch is of the runs before it: that is known from now on,
 * and no run begins from it. */
#ifndef SHOWN_FEATURES_H
#define SHOWN_FEATURES_H

#include "feature_map.h"
#include "report_shm.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct shown_features {
    feature_map known; /* what the driver knows, and the runs of this batch so far showed */
    uint64_t size;     /* bytes of each run */
    uint32_t count;
    frng_feature_record records[FRNG_FEATURES]; /* new ones of the last order, by its runs */
    feature_map due; /* those of the run that was made again; zeroed but in functions */
} shown_features;

/* The records of one run, which stand together. Zeroed before the first run. */
typedef struct shown_run {
    uint32_t first, end; /* indices of its records */
    uint32_t at;         /* its index in the batch */
} shown_run;

/* Take what the first `runs` runs of an order of runs of `size` bytes showed, before the next
 * order. */
void shown_features_take(shown_features *s, const report_shm *report, uint64_t runs, uint64_t size);

/* Go on to the next run of the order, which began at run `before` of the batch. False if there is
 * none. */
bool shown_features_next(const shown_features *s, uint32_t before, shown_run *run);

/* Add to the list what the run showed again in the order of one run that was just made. */
void shown_features_confirm(shown_features *s, const report_shm *report, const shown_run *run,
                            feature_list *list);

/* Add the others of its features, without the place where it showed them. */
void shown_features_settle(shown_features *s, const shown_run *run, feature_list *list);

#endif
