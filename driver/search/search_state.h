/* search_state.h: what search.c knows of a search, what counts in it, and what it comes to. */
#pragma once

#include "failure_table.h"
#include "guide.h"
#include "known_failures.h"
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

/* ---- What is known of failures like one, and what becomes of it (standing.c) ---- */

typedef enum standing { NEWS, IGNORED, UNWANTED, ANSWERED, LIKE_FLAKY } standing;

/* Go down from it, tell users if it is a best, count it, or nothing. */
typedef enum deed { PURSUE, TELL, COUNT, MASK } deed;

/* When its run has failed, and when a rerun has confirmed it. */
typedef struct standing_deeds_of {
    deed failed, confirmed;
} standing_deeds_of;

extern const standing_deeds_of standing_deeds[];

/* True if an answer of --all is like it, and no larger; or if there are too many of them. */
bool standing_is_answered(const search *s, const failure *f);

standing standing_of(const search *s, const failure *f);

/* The same of a run that may have drawn less. */
standing standing_of_run(const search *s, const failure *f, uint64_t drawn);

/* Return the failure of a run of a batch that failed as known. */
failure standing_failure(const batch *b, const known_runs *all, const known_run *run);

/* True if all of them are masked without a rerun. */
bool standing_are_masked(const search *s, const batch *b, const known_runs *all);

/* ---- What a search makes of its runs, and of its failures at its end (search_result.c) ---- */

/* Return what runs drew, as far as their statistics (NULL: there are none) tell. */
strategy_draws search_result_draws(const tally *t);

/* List the answers of --all, the best first. */
void search_result_list_each(search_result *r);

/* List the best of each other signature, and a smaller flaky one like the best. */
void search_result_list_others(search_result *r);

/* List earlier bests: where a reduction ends depends on where it starts. */
void search_result_list_starts(search_result *r);

/* List failures that never failed again, and are like none that did. */
void search_result_list_once(search_result *r);

/* True if a run of an input of another search would show nothing new, or cannot be made. */
bool search_is_no_news(const search_config *c, failure_table *known, const failure *f);
