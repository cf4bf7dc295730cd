/* report_tally.h: the statistics in a report: the table of labels, whose content is untrusted. */
#ifndef REPORT_TALLY_H
#define REPORT_TALLY_H

#include "report_shm.h"
#include "tally.h"

/* The end of an order, as far as it is known. */
typedef struct report_end {
    uint64_t passed; /* runs */
    bool has_failed; /* the run after them did not pass */
    uint64_t drawn;  /* bytes that the last run drew, or OUTCOME_DRAWN_UNKNOWN */
    uint64_t size;   /* bytes of each run */
} report_end;

/* Add the statistics of the order that has ended. */
void report_tally_add(const report_shm *s, const report_end *end, tally *t);

#endif
