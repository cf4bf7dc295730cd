/* search.h: find the smallest input that makes a target, behind a pool, fail. */
#pragma once

#include "engine.h"
#include "failure_table.h"
#include "signature_filter.h"
#include "strategy.h"
#include "summary.h"
#include "tally.h"

/* A source of inputs that failed in other searches: earlier ones, or ones under way. */
typedef struct search_source {
    /* Fill *next with a failure to run again, and return true; return false at once if there is
     * none now. If the other search ran the same program, `signature`, `site` and `alike` (its
     * reruns) are known; else only `input` is. `best` is the smallest failure so far, or NULL;
     * `mine` has all, with the best of each signature. NULL: no source. */
    bool (*next)(void *context, const failure *best, failure_table *mine, failure *next);
    void *context;
} search_source;

typedef struct dictionary dictionary;

typedef enum search_goal {
    SEARCH_SMALLEST, /* the smallest failure */
    SEARCH_EACH      /* the smallest failure of each signature */
} search_goal;

typedef struct search_config {
    search_goal goal;
    strategy_config strategy;
    int64_t deadline_ns;            /* on clock_now_ns's clock; CLOCK_NEVER for none */
    uint64_t runs_max;              /* reruns count; 0: no limit */
    const signature_filter *filter; /* failures that it does not match count as passes; borrowed */
    search_source source;           /* the best first */
    unsigned ends;  /* workers whose processes make many runs in themselves, so that their ends have
                       to be judged; 0: none do */
    bool is_guided; /* guided runs follow the first round of fresh ones: the pool has guided sets */
    bool needs_goal;         /* ... but only once a run had a goal */
    bool climbs_by_draws;    /* ... or, without one, from the runs that drew most */
    const dictionary *words; /* for guided runs; borrowed; or NULL */
    bool looks_outside; /* the pool is in a user namespace: what fails there must fail outside */
    int64_t cpu_ns;   /* CPU time of runs beyond the least after which a strategy by cost settles */
    bool keeps_going; /* at the end, double `attempts` and go on, until the deadline */
    uint64_t reduced_below; /* SEARCH_SMALLEST: a best of fewer bytes is reduced next, and its
                               answer is rerun in its place; 0: none is */
} search_config;

/* The most inputs that fail as the best does which a search hands on. */
enum { SEARCH_STARTS_MAX = 4 };

typedef struct search_result {
    summary told;         /* without its setup, answer and best, which depend on the session */
    bool found;           /* `best` failed again at least once */
    bool inconclusive;    /* no failure repeated, but `best` failed once; its `cause` may be the
                             reason */
    failure best;         /* the smallest failure that failed in each of its reruns, or else the
                             smallest that failed in one of them; flaky by failure_is_of_flaky */
    strategy_claim claim; /* of the runs one byte below the best; nothing (passed 0, bound 1) if a
                             run there failed and did not repeat */

    failure_table failures; /* all that were rerun, or could not be; `told` lists some of them */
    failure alike[2]; /* two of one place whose messages differ; without an output: none were met */
    seed_input starts[SEARCH_STARTS_MAX]; /* of SEARCH_SMALLEST: other inputs that failed as the
                                             best, the smallest first */
    size_t start_count;
    uint64_t passed;        /* runs that passed */
    ignored_counts ignored; /* runs that failed as the filter ignores */
    tally tally;            /* statistics of runs, but not of known failures */
} search_result;

/* Search until done. Fill *result in any case. It is large, so it must be static or on the heap;
 * and zeroed, or of an earlier search. */
void search_run(const search_config *config, pool *p, const event_sink *sink,
                search_result *result);

/* Make a run that may hang the best of a result without any: it is inconclusive. */
void search_result_hung(search_result *r, seed_input input, failure_cause cause);

void search_finish(search_result *r);
