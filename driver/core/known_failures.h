/* known_failures.h: failures in which runs of seeds may end without more ado: they are counted.
 *
 * The driver writes the table and its workers read it. What a worker tells of such runs is judged
 * by the search, as that of any run. */
#pragma once

#include "failure.h"
#include "frng_protocol.h"

typedef struct known_failure {
    signature signature;
    char site[SITE_MAX];
    uint64_t least; /* bytes: runs that drew less are not meant */
} known_failure;

/* A row that was added does not change while a batch is under way. */
typedef struct known_failures {
    _Atomic uint32_t count;
    known_failure list[FRNG_KNOWN_MAX];
} known_failures;

/* A run of a batch that ended so, by its index. */
typedef struct known_run {
    uint32_t run, failure;
    uint64_t drawn;                       /* bytes */
    uint64_t discarded, discarded_styled; /* runs of the batch before it that the test discarded */
} known_run;

/* All of a batch, in their order. */
typedef struct known_runs {
    const known_failures *failures; /* borrowed */
    uint32_t count;
    known_run list[FRNG_KNOWN_RUNS];
} known_runs;

/* Return the wait status of a failure, or 0 if it has none. */
static inline int known_status(const known_failure *k) {
    const signature id = k->signature;
    return id.kind == SIGNATURE_SIGNAL ? id.value : id.kind == SIGNATURE_EXIT ? id.value << 8 : 0;
}

/* True if a run that ended so failed as known. */
static inline bool known_is_met(const known_failure *k, const outcome *end, const char *site,
                                uint64_t drawn) {
    return outcome_failed(end) && end->status == known_status(k) && strcmp(site, k->site) == 0 &&
           drawn >= k->least;
}
