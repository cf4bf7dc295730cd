/* search.h: from a system under test, behind a pool, to the smallest input that makes it fail. */
#ifndef SEARCH_H
#define SEARCH_H

#include "distinct_failures.h"
#include "event.h"
#include "pool.h"
#include "strategy.h"

/* An input that failed once. What its reruns said then is known where that was the same program;
 * else the count is 0, and so are the fields before it. */
typedef struct search_known {
    seed_input input;
    signature signature;
    char site[FAILURE_SITE_MAX];
    rerun_count count;
} search_known;

typedef struct search_config {
    strategy_config strategy;
    int64_t deadline_ns; /* on clock_now_ns's clock; CLOCK_NEVER for none */
    bool has_only;       /* failures of other signatures than `only` count as passes */
    signature only;
    const search_known *known; /* the best first; borrowed */
    size_t known_count;
} search_config;

typedef struct search_result {
    run_end end;
    bool found;        /* `best` failed again at least once */
    bool inconclusive; /* nothing ever failed again, but `best` failed once; its `cause` may be
                           the reason */
    failure best;      /* the smallest that failed in each of its reruns, or, if there is none, the
                           smallest that failed in one of them; flaky by failure_is_of_flaky */
    strategy_claim
        claim; /* what passed one byte below the best; nothing (0, confidence_bound 1) when a run
                           there failed and did not fail again */
    distinct_failures others; /* the smallest failures of other signatures met, flaky ones only
                                 where nothing else had that signature; and the smallest that is
                                 like the best, and smaller, but passed in some of its own reruns */
    uint64_t runs, reruns;
    uint64_t limited[CAUSE_COUNT]; /* runs that failed as that limit alone may have made them */
    int64_t elapsed_ns;
    outcome error; /* for END_ENVIRONMENT; best.output is what was printed */
    bytes_tail error_output;
    int error_number; /* for END_BROKEN: errno */
} search_result;

/* Search until done. *result is filled in any case; it is large (static or heap). */
void search_run(const search_config *config, pool *p, const event_sink *sink,
                search_result *result);

#endif
