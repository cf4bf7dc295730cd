/* external.h: the schedule of external passes: which one is asked next, when one ends and when one
 * is set aside. Those that saved most for their cost come first. A worker makes a candidate and
 * runs it in one job; the loop (shrink.h) sends the jobs and takes their results, as it does for
 * the candidates of frng's own passes. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct candidate_set candidate_set;
typedef struct inflight_batch inflight_batch;
typedef struct reduction reduction;
typedef struct run_result run_result;

typedef enum external_phase {
    EXTERNAL_READY,    /* it may be asked */
    EXTERNAL_ENDED,    /* it has no more candidates in this turn */
    EXTERNAL_SET_ASIDE /* it broke or is useless; it is never asked again */
} external_phase;

/* The state of an external pass; a new one is zeroed. */
typedef struct external_member {
    external_phase phase;
    bool has_made;      /* it has made at least one candidate */
    bool is_spent;      /* it had no candidate for the best at `spent_at` */
    uint64_t spent_at;  /* successes of the reduction when it became spent */
    unsigned strikes;   /* times it broke */
    unsigned barren;    /* useless candidates in a row */
    uint64_t asked;     /* times it was run */
    uint64_t last_made; /* digest of its last candidate; 0: none */

    /* Of the current turn: */
    uint64_t next;     /* next instance to ask for */
    uint64_t done;     /* instances of the current best whose results were taken */
    uint64_t began_at; /* successes of the reduction at its instance 0 */
    unsigned known;    /* repeated candidates in a row: tried before */
    unsigned misses;   /* candidates in a row that were run and not interesting */
    bool is_warm;      /* it made a candidate: several instances may be in flight */
} external_member;

typedef struct external {
    external_member *members; /* in the order of config->external_passes; owned */
    size_t *order;            /* indices of members in the order of asking; owned */
    bool has_won;             /* one of them had a success in this turn */
    bool is_patient;          /* frng's own passes are stuck: nobody is left for misses */
    unsigned misses;          /* failed candidates in a row in this turn */
    bool has_left;            /* one was left for its misses in this turn */
} external;

/* Make room for `count` external passes. False when out of memory. */
bool external_init(external *e, size_t count);
void external_finish(external *e);

/* Make spent external passes new: the best is a different test case, which is no simpler, and they
 * may have candidates for it. */
void external_restart(reduction *r);

/* Ask again for all instances in flight: they were of another best, or were cancelled. */
void external_ask_again(reduction *r);

/* Begin a turn: sort the external passes, and ready those that are neither spent nor set aside. */
void external_begin_turn(reduction *r);

/* Send the best to the first external pass that may be asked. False when there is none. */
bool external_send(reduction *r);

/* Take the result of an external pass's job. True if its candidate is the best now. */
bool external_commit(reduction *r, const inflight_batch *b, const run_result *run,
                     const candidate_set *set);

#endif
