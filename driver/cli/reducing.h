/* reducing.h: one reduction, from given bytes to the report: what frng-reduce does, and
 * frng-search with --reduce. */
#ifndef REDUCING_H
#define REDUCING_H

#include "atomic_file.h"
#include "reduce.h"
#include "work.h"

/* Bytes that can be reduced: findings hold as many, and draws take memory. */
#define REDUCING_SIZE_MAX ((uint64_t)FINDING_BYTES_MAX)

/* An other failure that was met, and where it is. */
typedef struct reducing_other {
    failure failure;
    uint8_t *bytes;
    char *saved; /* finding, or NULL */
} reducing_other;

/* Zeroed, with the first part filled in, it is ready. */
typedef struct reducing {
    work *work;
    const uint8_t *bytes;
    size_t size;
    bool has_only;
    signature only;
    bool any_failure;
    uint64_t calls_max;
    int64_t deadline_ns;
    atomic_file *output; /* NULL: none */

    char *saved; /* where the result is: a finding, or a file; or NULL */
    reducing_other others[REDUCE_OTHER_MAX];
    size_t other_count;
    reduce_result result;
} reducing;

void reducing_run(reducing *r);

/* Write the result, and tell how it ended. Returns the exit status. */
int reducing_report(reducing *r);
void reducing_finish(reducing *r);

/* ---- What the reduction of a file shares with it ---- */

/* Reduce with workers of its own, as many as the options say. What of their number and their room
 * is not filled in follows from the rest. False, as BROKEN, when they cannot be had. */
bool reducing_engine(work *w, pool_config *workers, reduce_config *config, const event_sink *sink,
                     reduce_result *result);

#endif
