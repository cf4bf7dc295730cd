/* candidate_set.h: test cases for one worker, and the results of their runs, in memory that the
 * driver and its workers share. The driver fills the first part before it hands out the batch. The
 * worker fills the second part before it answers. */
#ifndef CANDIDATE_SET_H
#define CANDIDATE_SET_H

#include "external_pass.h"
#include "frng_protocol.h"
#include "outcome.h"
#include "seed_input.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CANDIDATE_SET_COUNT_MAX = 256, /* room for test cases */
    CANDIDATE_SET_FIRST = 8,       /* test cases that a reduction puts in one after a success */
    CANDIDATE_SET_MOST = 64        /* the same after many misses */
};

/* Report of a run that passed. */
typedef struct candidate_pass {
    uint64_t drawn; /* bytes, or OUTCOME_DRAWN_UNKNOWN */
    bool ran_out;   /* the run ended for lack of entropy; meaningless if `drawn` is unknown */
} candidate_pass;

#define CANDIDATE_PASS_UNKNOWN ((candidate_pass){OUTCOME_DRAWN_UNKNOWN, false})

/* What a target gets for the test cases of a candidate set. */
typedef enum candidate_form {
    CANDIDATE_BYTES,  /* entropy */
    CANDIDATE_CHOICES /* choices (frng_choices.h), whose bytes it writes when it draws */
} candidate_form;

/* Digests of test cases that are known to be uninteresting. The driver writes the table and workers
 * read it. A slot holds the last digest that fell on it, so the table forgets some. */
enum { REJECTED_TABLE_SLOTS = 1 << 16 };
typedef struct rejected_table {
    _Atomic uint64_t slots[REJECTED_TABLE_SLOTS];
} rejected_table;

static inline bool rejected_table_has(const rejected_table *t, uint64_t digest) {
    return t->slots[digest % REJECTED_TABLE_SLOTS] == digest;
}

static inline void rejected_table_add(rejected_table *t, uint64_t digest) {
    t->slots[digest % REJECTED_TABLE_SLOTS] = digest;
}

typedef struct candidate_set {
    uint32_t count;                         /* test cases, at most CANDIDATE_SET_COUNT_MAX */
    uint64_t ends[CANDIDATE_SET_COUNT_MAX]; /* test case i ends before bytes[ends[i]] */
    uint64_t bytes_max;                     /* room at `bytes` */
    uint8_t *bytes;
    candidate_form form;
    uint64_t chosen_max;                /* CANDIDATE_CHOICES: most bytes that a run may draw; so
                                           much room is left at `bytes` */
    const external_pass *external_pass; /* NULL: the worker runs the test cases. Else instance
                                           `number` of this pass makes test case 1 from test case 0,
                                           the only one in the set */
    uint64_t number;
    rejected_table *rejected; /* of all candidate sets of a pool */

    bool can_choose; /* the runner can run choices. False for a set of choices: it did not run */
    uint64_t chosen_size; /* the bytes that the last run drew for its choices; OUTCOME_DRAWN_UNKNOWN
                             if it did not report them; they follow the test cases at `bytes` */
    bool has_run_out;     /* the last run wanted more than its choices, or its room */
    candidate_pass passes[CANDIDATE_SET_COUNT_MAX]; /* of all runs made but the last, and of the
                                                       last if it passed */
    uint64_t reported;                              /* records that the last run reported, with
                                                       those that found no room */
    uint64_t record_count;                          /* records at `records`, of the last run made */
    uint64_t records_max;                           /* room at `records` */
    frng_trace_record *records;                     /* copies that do not change; their content is
                                                       untrusted */
    external_pass_answer answer;                    /* of the external pass; its candidate, if any,
                                                       is test case 1 */
} candidate_set;

/* Empty a set of bytes or choices. */
void candidate_set_clear(candidate_set *p);

static inline uint64_t candidate_set_start(const candidate_set *p, uint32_t i) {
    return i == 0 ? 0 : p->ends[i - 1];
}

static inline uint64_t candidate_set_size(const candidate_set *p, uint32_t i) {
    return p->ends[i] - candidate_set_start(p, i);
}

/* Return the bytes that the last run drew for its choices. */
static inline uint8_t *candidate_set_chosen(const candidate_set *p) {
    return p->bytes + p->ends[p->count - 1];
}

static inline const uint8_t *candidate_set_bytes(const candidate_set *p, uint32_t i) {
    return p->bytes + candidate_set_start(p, i);
}

/* Return EXTERNAL_PASS_MADE if test case 1, which an external pass made from test case 0, is worth
 * a run; else the reason against it. */
external_pass_answer candidate_set_sift(const candidate_set *p);

/* Return the input of run `i` of a batch. The seed of a test case is its index in the candidate
 * set. */
static inline seed_input batch_input(const batch *runs, uint64_t i) {
    const uint64_t seed = runs->first_seed + i;
    return (seed_input){
        .size = runs->candidates != NULL ? candidate_set_size(runs->candidates, (uint32_t)seed)
                                         : runs->size,
        .seed = seed,
        .style = batch_mix_style(runs->mix, seed),
    };
}

#endif
