/* reduce_failure.h: reduces the input of a failure, from its bytes to the report: frng-reduce, and
 * frng-search with --reduce. */
#ifndef REDUCE_FAILURE_H
#define REDUCE_FAILURE_H

#include "options.h"

typedef struct atomic_file atomic_file;
typedef struct pool_config pool_config;
typedef struct session session;

/* Most bytes that can be reduced: findings hold no more, and draws take memory. */
#define REDUCE_FAILURE_SIZE_MAX ((uint64_t)FINDING_BYTES_MAX)

/* Everything in it is borrowed. */
typedef struct reduce_failure_input {
    const uint8_t *bytes;
    size_t size;
    seed_input from;                /* their seed; its size is 0 if they have none */
    const signature_filter *filter; /* failures that count: of the input, and to be reported */
    bool any_failure;               /* steps may fail with another signature */
    reduce_effort effort;
    uint64_t calls_max;
    explain_choice explain;
    atomic_file *output; /* for the result; NULL: none */
    const char *finding; /* file of the finding to be reduced; NULL: none */
} reduce_failure_input;

/* Reduce the input, save the result and report it. Returns the exit status. */
int reduce_failure(session *s, const reduce_failure_input *input);

/* Run a reduction with workers configured by `workers`, except for candidate_set_bytes, which it
 * computes. */
void reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                        const event_sink *sink, reduce_result *result);

#endif
