/* comparison.h: where the records of two runs of one input differ first. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "difference.h"
#include "failure.h"

#include <stdint.h>

/* What a run reported. */
typedef struct reported_run {
    frng_trace_record *records;
    uint64_t count;    /* records that are held */
    uint64_t reported; /* records that there were */
    uint64_t digest, drawn;
    outcome end;
} reported_run;

/* Find the first difference. All but its input is set. */
void comparison_find(const reported_run *a, const reported_run *b, run_difference *d);

#endif
