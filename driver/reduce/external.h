/* external.h: external passes, programs of others that make candidates: whose turn it is, and when
 * one has nothing more or is set aside. Those that paid best come first. A worker makes a candidate
 * and judges it in one job; the loop (shrink.h) sends the jobs and takes their results, as it does
 * with candidates of passes of our own. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "external_pass.h"
#include "inflight.h"
#include "runner.h"

typedef struct reduction reduction;

typedef enum external_phase {
    EXTERNAL_READY,    /* it may be asked */
    EXTERNAL_ENDED,    /* it has nothing more in this turn */
    EXTERNAL_SET_ASIDE /* it is not asked any more */
} external_phase;

/* One external pass. Zeroed it is new. */
typedef struct external_member {
    external_phase phase;
    bool has_made;      /* a candidate, once */
    bool is_spent;      /* it had nothing for the best ... */
    uint64_t spent_at;  /* ... that there was after so many successes */
    unsigned strikes;   /* times that it broke */
    unsigned barren;    /* candidates in a row that could be of no use */
    uint64_t asked;     /* runs of it */
    uint64_t last_made; /* digest of its last candidate; 0: none */

    /* In the turn at hand: */
    uint64_t next;     /* instance to ask for */
    uint64_t done;     /* instances whose results are known, of this best */
    uint64_t began_at; /* with instance 0, after so many successes */
    unsigned known;    /* candidates in a row that were tried before */
    bool is_warm;      /* it made something: ask for more than one at a time */
} external_member;

typedef struct external {
    external_member *members; /* as config->external_passes has them; owned */
    size_t *order;            /* in which they are asked; owned */
    bool has_won;             /* in the turn at hand */
} external;

/* Make room for `count` external passes. False when out of memory. */
bool external_init(external *e, size_t count);
void external_finish(external *e);

/* The best is another one, and no simpler: what was nothing for the last one may be for this. */
void external_restart(reduction *r);

void external_begin_turn(reduction *r);

/* Hand the best to the first external pass that may be asked. False when there is none. */
bool external_send(reduction *r);

/* Take the result of such a job. True if it made another best. */
bool external_commit(reduction *r, const inflight_batch *b, const run_result *run,
                     const candidate_set *set);

#endif
