/* search_state.h: what search.c knows of a search. */
#pragma once

#include "failure_table.h"
#include "guide.h"
#include "outside.h"
#include "pool.h"
#include "search.h"
#include "strategy.h"

typedef struct search {
    const search_config *config;
    const event_sink *sink;
    search_result *result;
    client client;
    strategy *strategy;
    guide *guide;                  /* NULL: there are no guided runs */
    uint64_t fresh, under_way;     /* runs of the strategy: ended, and in the pool */
    uint64_t asked, asked_most;    /* bytes of those that ended; of one */
    uint64_t cost, cost_under_way; /* of both (guide.h); 0 before guided runs begin */
    failure_table *found;          /* of the result */
    unsigned unconfirmed; /* failures that never failed again, as far as they are announced */
    bool is_strict;   /* a failure was flaky: each later one must fail in all reruns that are due */
    uint64_t ends_at; /* number of the run before which ends of processes are judged */
    bool is_alone;    /* one has failed: each run has its own */
    outside_look outside; /* of failures in a user namespace */
    bool has_moved;       /* the workers have left it: the search is to begin again */
    uint64_t unread;      /* failures of servers that count as passes: their messages are unknown */
    failure known;        /* taken from the source */
    bytes_tail printed;   /* by the run that is being judged, */
    bytes_tail heard_last; /* and by the last of its reruns that failed, or by itself */
    bool is_known_untried; /* `known` was not run: the client had stopped */
    bool has_known;        /* it was set */
    uint64_t size;         /* bytes of the run committed last */
    uint64_t watched_from; /* number of the run from which on leaks are looked for */
    int64_t cpu_ns;        /* of runs that a strategy by cost makes beyond the least */
    bool is_extra, is_cut; /* the next ones are such runs; it settled for their time */
    uint32_t fit; /* the runs that fit of a batch of which some failed as known; 0: any number */
    bool differs; /* some that went on after known failures were others: the search begins again */
} search;
