/* external.h: the turns of external passes. When our own passes rest, each external pass gets the
 * best until it has no candidate left, one after the other; after a turn with a success our own
 * passes go on. A worker makes a candidate and runs it in one job; the loop (shrink.h) sends the
 * jobs and takes their results, as it does for candidates of our own passes. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct candidate_set candidate_set;
typedef struct inflight_batch inflight_batch;
typedef struct reduction reduction;
typedef struct run_result run_result;

typedef struct external_member {
    unsigned strikes; /* times it broke */
    unsigned barren;  /* candidates in a row that were not simpler */
    bool is_dropped;  /* it is never asked again */
} external_member;

/* Zeroed but for `members` at the beginning. */
typedef struct external {
    external_member *members; /* in the order of config->external_passes; owned */
    size_t at;                /* the pass whose turn it is */
    uint64_t next;            /* its next instance to ask for */
    uint64_t done;            /* its instances of this best whose results were taken */
    unsigned known;           /* its candidates in a row that were run before */
    bool is_warm;             /* it made a candidate: several instances may be in flight */
    bool has_won;             /* one had a success in this turn, or the best has changed */
} external;

void external_begin_turn(reduction *r);

/* Send the best to the pass whose turn it is. False if it has to wait, or the turn is over. */
bool external_send(reduction *r);

/* Take the result of a job. True if what is in flight is out of date now. */
bool external_commit(reduction *r, const inflight_batch *b, const run_result *run,
                     const candidate_set *set);

#endif
