/* failure_table.h: the failures that were met, the best of each signature, and the answers. */
#pragma once

#include "failure.h"
#include "progress.h"

typedef enum failure_state {
    FAILURE_SURE,     /* it failed in each rerun: a search may rely on it */
    FAILURE_ANSWERED, /* the same, but an answer of --all is like it and no larger */
    FAILURE_FLAKY,    /* it failed again, but not always */
    FAILURE_ONCE,     /* it never failed again */
    FAILURE_LIMITED,  /* it failed for lack of memory, or stopped its worker */
    FAILURE_OTHER,    /* it is not what a search pursues */
    FAILURE_MET       /* a reduction met it, and has not rerun it yet */
} failure_state;

typedef enum failure_mark {
    FAILURE_HEARD = 1,  /* of its place the first, whose message others are compared with */
    FAILURE_OUTSIDE = 2 /* it fails outside of the workers' user namespace, too */
} failure_mark;

typedef struct failure_row {
    failure failure; /* owned, as the next two */
    uint8_t *bytes;  /* of its input, if a reduction met it; else NULL */
    char *saved;     /* path of its finding, once it was looked for */
    failure_state state;
    bool is_best;      /* of its signature, among those that failed again */
    bool is_announced; /* as a best, before it was known to be flaky */
    bool is_aside;     /* a rerun of it passed: the search never relies on it again */
    bool is_pass;      /* the strategy took it as a pass: no claim of its size holds */
    unsigned marks;    /* of failure_mark */
    unsigned answer;   /* of --all: number of the signature that it answers for, from 1; 0: none */
    rerun_count more;  /* reruns of it, and of failures like it, that `failure` does not count */
} failure_row;

enum { FAILURE_ROWS_MAX = 256 };

/* By their inputs, the smallest first. Empty if zeroed. Large. A call that notes a failure moves
 * rows. */
typedef struct failure_table {
    failure_row rows[FAILURE_ROWS_MAX];
    size_t count;
    unsigned answers; /* at most DISTINCT_FAILURES_MAX, as are bests */
    run_claim
        claims[DISTINCT_FAILURES_MAX]; /* of each answer, by its number less 1; nothing (passed
                                                0, bound 1) if it is flaky */
} failure_table;

/* Return the smallest failure in this state, and the best that a search may rely on; or NULL. */
failure_row *failure_table_smallest(failure_table *t, failure_state state);
const failure *failure_table_best(failure_table *t);

/* Return the row of the smallest failure that is the same and has a mark; of the best one of its
 * signature; of the answer for it. NULL if the table has no such row. */
failure_row *failure_table_marked(failure_table *t, const failure *f, failure_mark mark);
failure_row *failure_table_like(failure_table *t, const failure *f);
failure_row *failure_table_answer(failure_table *t, const failure *f);

/* Return the reruns of all failures like this one that count as evidence. */
rerun_count failure_table_evidence(const failure_table *t, const failure *f);

/* Note a failure in this state. If it is in the table, its reruns stay; for OTHER its state, too;
 * and all of an answer but its state. */
failure_row *failure_table_note(failure_table *t, const failure *f, failure_state state);

/* Return the row of this very failure, for a mark. A new one is OTHER, and has no reruns. */
failure_row *failure_table_row(failure_table *t, const failure *f);

/* Make a failure the best of its signature, if it is. The same input replaces itself, with its
 * latest reruns. False: it is not, or there are too many. */
bool failure_table_keep(failure_table *t, failure_row *e);

/* Make a failure the answer for its signature, unless that is better. Return the answer, or NULL if
 * there are too many. */
failure_row *failure_table_put_answer(failure_table *t, failure_row *e, const run_claim *claim);

/* Note a failure that a reduction met, with its bytes, unless one like it is known that is no
 * larger, or there are too many. Larger ones of its place that never failed again go; it takes the
 * place of one of its size with larger bytes. */
void failure_table_meet(failure_table *t, const failure *f, const uint8_t *bytes);

/* Note what another search knows of a failure: some of its reruns passed. */
void failure_table_recall(failure_table *t, const failure *f);

/* True if a rerun of this input passed, and if an unreliable failure of this size is a pass. */
bool failure_table_was_aside(const failure_table *t, seed_input input);
bool failure_table_is_unreliable(const failure_table *t, uint64_t size);

/* True if a failure has these bytes, or the first of them. */
bool failure_table_has_bytes(const failure_table *t, seed_input given);

void failure_table_clear(failure_table *t);
