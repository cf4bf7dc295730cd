/* summary.h: how far a run of the tools is, how it ended, and what it found. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "failure.h"

#include <stdint.h>

/* Why a search or a reduction ended. */
typedef enum run_end {
    END_DONE,        /* nothing is left to try */
    END_SPENT,       /* the deadline or the limit of calls came first */
    END_INTERRUPTED, /* a signal came first */
    END_PASSES,      /* a reduction: its input passes, is flaky, or fails in another way */
    END_ENVIRONMENT, /* the program cannot be started */
    END_BROKEN       /* a process or a system call of the tools failed */
} run_end;

typedef struct progress {
    uint64_t size;       /* bytes of the last run of a search, or of the best of a reduction */
    uint64_t runs;       /* of a reduction: all calls, reruns included */
    uint64_t reruns;     /* of a search: runs that only repeated a failure */
    uint64_t steps;      /* of a reduction: to something simpler */
    int64_t elapsed_ns;  /* since it began */
    const failure *best; /* of a search; NULL while nothing has failed twice */
    const char *pass;    /* of a reduction: at work; NULL before the first */
} progress;

/* Counts of one pass of a reduction. */
typedef struct pass_statistics {
    const char *name;
    uint64_t calls, successes;
    uint64_t bytes; /* by which it shortened the test case */
} pass_statistics;

#endif
