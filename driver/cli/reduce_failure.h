/* reduce_failure.h: the reduction of an input that makes a program fail, from its bytes to the
 * report: frng-reduce, and frng-search with --reduce. */
#ifndef REDUCE_FAILURE_H
#define REDUCE_FAILURE_H

#include "atomic_file.h"
#include "reduce.h"
#include "session.h"

/* Bytes that can be reduced: findings hold as many, and draws take memory. */
#define REDUCE_FAILURE_SIZE_MAX ((uint64_t)FINDING_BYTES_MAX)

/* All is borrowed. */
typedef struct reduce_failure_input {
    const uint8_t *bytes;
    size_t size;
    bool has_only; /* it must fail as `only` says */
    signature only;
    bool any_failure; /* steps may fail in another way */
    uint64_t calls_max;
    atomic_file *output; /* for the result; NULL: none */
} reduce_failure_input;

/* Reduce, keep the result and report. Returns the exit status. */
int reduce_failure(session *s, const reduce_failure_input *input);

/* Run a reduction with workers as `workers` says, but for the room of candidates. */
void reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                        const event_sink *sink, reduce_result *result);

#endif
