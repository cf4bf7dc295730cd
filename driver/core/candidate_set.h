/* candidate_set.h: candidate sets, which are test cases for one worker.
 *
 * A set has the results of its runs, too, and is in memory that the driver and its workers
 * share. */
#pragma once

#include "digest.h"
#include "external_pass.h"
#include "failure.h"
#include "frng_protocol.h"
#include "known_failures.h"
#include "seed_input.h"

#include <string.h>

enum {
    CANDIDATE_SET_COUNT_MAX = 2048, /* room for test cases */
    CANDIDATE_SET_FIRST = 8,        /* test cases that a reduction puts in one after a success */
    CANDIDATE_SET_MOST = 64         /* the same after many misses */
};

/* Report of a run that passed, or was counted. */
typedef struct candidate_pass {
    uint64_t drawn;  /* bytes, or OUTCOME_DRAWN_UNKNOWN */
    bool ran_out;    /* the run ended for lack of entropy; meaningless if `drawn` is unknown */
    bool discarded;  /* by frng_assume; the same */
    bool is_counted; /* it failed as meant, and the set went on */
} candidate_pass;

#define CANDIDATE_PASS_UNKNOWN ((candidate_pass){.drawn = OUTCOME_DRAWN_UNKNOWN})

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
    uint64_t first_run;       /* batch.number of its runs */
    rejected_table *rejected; /* of all candidate sets of a pool */

    bool is_cold; /* no run is made in a process that has stayed (warm.h) */
    bool is_told; /* a report prints what these runs show, without reruns */
    bool goes_on; /* a run that fails as `meant` need not end the set, if its process can go on */
    known_failure meant;
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
    bool is_guided;          /* the target records comparisons (PROTOCOL.md) of these runs */
    frng_guide_table *known; /* is_guided: what was news before */
    uint64_t log_count, log_max;
    frng_guide_record *log; /* of the runs that passed: `run` is the index of a test case that was
                                made, the rest is untrusted. The runs end where it is full */
    external_pass_answer answer; /* of the external pass; its candidate, if any,
                                                       is test case 1 */
} candidate_set;

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
static inline external_pass_answer candidate_set_sift(const candidate_set *p) {
    const uint64_t old_size = candidate_set_size(p, 0), size = candidate_set_size(p, 1);
    const uint8_t *old = candidate_set_bytes(p, 0), *bytes = candidate_set_bytes(p, 1);
    if (size > old_size || (size == old_size && memcmp(bytes, old, (size_t)size) >= 0)) {
        return EXTERNAL_PASS_NOT_SIMPLER;
    }
    const bool is_known =
        p->rejected != NULL && rejected_table_has(p->rejected, digest_of(bytes, (size_t)size));
    return is_known ? EXTERNAL_PASS_KNOWN : EXTERNAL_PASS_MADE;
}

/* Return the input of run `i` of a batch. The seed of a test case is its index in the candidate
 * set. */
static inline seed_input batch_input(const batch *b, uint64_t i) {
    const uint64_t seed = b->first_seed + i;
    return (seed_input){
        .size = b->candidates != NULL ? candidate_set_size(b->candidates, (uint32_t)seed) : b->size,
        .seed = seed,
        .style = expansion_style(b->mix, seed),
    };
}
