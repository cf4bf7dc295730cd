/* progress.h: how far a search or a reduction has come, and what a search may claim.
 *
 * A claim is the evidence of runs that passed. */
#pragma once

#include "failure.h"
#include "tally.h"

typedef enum search_activity {
    ACTIVITY_STARTING,
    ACTIVITY_GROWING,   /* fresh runs at growing sizes: nothing has failed */
    ACTIVITY_BISECTING, /* prefixes of the best */
    ACTIVITY_PROBING,   /* some fresh runs far below the best */
    ACTIVITY_ENDING     /* fresh runs just below the best, which end the search if all pass */
} search_activity;

/* A row of runs of one size, and how many of them are made. */
typedef struct search_stage {
    search_activity activity;
    uint64_t passed; /* runs that passed, in a row */
    uint64_t wanted; /* runs that have to pass; 0: unknown */
} search_stage;

/* The powers of two in 64 bits, and one size more. */
enum { CLAIM_LEVELS_MAX = 65 };

/* Passes of a search without a failure at one size. */
typedef struct claim_level {
    uint64_t size, runs; /* bytes; runs of so many that passed */
    uint64_t counted;    /* those of `runs` that the bound counts: as many plain as styled */
    double bound;        /* as that of a run_claim. All of these hold together */
} claim_level;

/* The smallest size first. */
typedef struct claim_levels {
    size_t count;
    claim_level list[CLAIM_LEVELS_MAX];
} claim_levels;

/* The evidence of a search that no smaller input fails. */
typedef struct run_claim {
    uint64_t below;     /* bytes of the best - 1: the size of the fresh runs that `passed` counts */
    uint64_t passed;    /* number of those that passed, all in a row; 0: none */
    uint64_t counted;   /* those of `passed` that the bound counts: as many plain as styled */
    uint64_t stretches; /* stretches of fresh runs that the search began so far, at any size;
                           growing is one */
    double bound;       /* with 95% confidence, counted over whole searches, a fresh run of `below`
                         bytes fails less often than this (confidence_bound); with
                         EXPAND_BOTH a run whose style is drawn by a fair coin. 0: every input of
                         that size was run. 1: unknown. If nothing failed, the greatest of
                         `levels` */
    uint64_t rounds;  /* if nothing failed: the least number of runs that passed at each of `sizes`
                         sizes (smaller ones are run once, because larger runs include theirs) */
    uint64_t sizes;   /* number of sizes for `rounds` */
    uint64_t largest; /* the largest of these sizes, in bytes */
    claim_levels levels; /* these sizes; none: unknown */
    bool is_partial;     /* larger sizes had too few runs, so that nothing is claimed of them */
    bool all_masked; /* each run of a byte or more failed in a way that --only or --ignore leaves
                         out, so that nothing was tested */
} run_claim;

/* True if the bound says something: no output has one that would be rounded to 100%. */
#define CLAIM_BOUND_MAX 0.99
static inline bool run_claim_is_bounded(const run_claim *c) { return c->bound <= CLAIM_BOUND_MAX; }

typedef struct progress {
    uint64_t size;      /* of a search: bytes of the last run; of a reduction: bytes of the best */
    uint64_t runs;      /* of a reduction: all calls, reruns included */
    uint64_t discarded; /* of `runs` of a search: those that the test discarded */
    uint64_t reruns;    /* of a search: runs that only repeated a failure */
    uint64_t errors;    /* of a search: writes to its findings folder that failed */
    uint64_t steps;     /* of a reduction: steps to a simpler test case */
    int64_t elapsed_ns; /* since the start */
    const struct failure *best;       /* of a search; NULL while nothing has failed twice */
    const tally_row *goal;            /* of a search: the most frequent; NULL: none */
    uint64_t goal_most;               /* how high any run came */
    run_claim claim;                  /* of a search: the evidence so far */
    search_stage stage;               /* of a search */
    const char *pass;                 /* of a reduction: the pass at work; NULL before the first */
    unsigned pass_number, pass_count; /* of a reduction: its place among the passes, from 1 on */
    uint64_t draws;     /* of a reduction: draws of the best; each byte is one without a trace */
    uint64_t rank_bits; /* of a reduction: bits that the ranks of these draws have together */

    const struct failure_table *failures; /* all that are known; NULL: none. Lives until FINISHED */
} progress;

/* A count at two times, of which the second is at most 1.5 s old. Zeroed: at the start. */
typedef struct meter {
    int64_t at_ns[2];
    uint64_t count[2];
} meter;

void meter_add(meter *m, int64_t at_ns, uint64_t count);

/* Return how much the count rises in a second, by the last few seconds. */
double meter_rate(const meter *m, int64_t at_ns, uint64_t count);

/* Counts of one pass of a reduction. */
typedef struct pass_statistics {
    const char *name;
    uint64_t calls, successes;
    uint64_t bytes; /* bytes that it took off the test case */
} pass_statistics;
