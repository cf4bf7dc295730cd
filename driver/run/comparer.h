/* comparer.h: which runs are compared in two new processes, where all addresses are others: a fork
 * has those of its server. */
#ifndef COMPARER_H
#define COMPARER_H

#include "runner.h"

/* Runs that are compared first, even if that takes a larger share of the time, up to a limit. */
enum { COMPARED_FIRST = 8, COMPARED_FIRST_MS = 200 };

/* All but `spawn` is zeroed at first. */
typedef struct comparer {
    runner *spawn;   /* starts a new process for each run; borrowed */
    bool has_states; /* a run has called frng_digest: only such tests are worth the time */
    bool differs;    /* a difference was found: there is no need of another */
    uint32_t count;
    int64_t took_ns;
} comparer;

/* Note whether the last run of c->spawn called frng_digest. */
void comparer_note(comparer *c);

/* Compare the last run of a batch if that is due, and set result->difference. All runs so far took
 * `batch_ns`. */
void comparer_look(comparer *c, const batch *runs, int64_t batch_ns, run_result *result);

#endif
