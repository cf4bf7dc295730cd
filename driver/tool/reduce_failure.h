/* reduce_failure.h: the two reductions, to the report: of the input of a failure, for frng-reduce
 * and frng-search --reduce, and of a file by a predicate. */
#ifndef REDUCE_FAILURE_H
#define REDUCE_FAILURE_H

#include "options.h"

typedef struct atomic_file atomic_file;
typedef struct pool_config pool_config;
typedef struct session session;

/* Most bytes that can be reduced: findings hold no more, and draws take memory. */
#define REDUCE_FAILURE_SIZE_MAX ((uint64_t)FINDING_BYTES_MAX)

/* Reduce an input by the options of the session, save the result and report it. `from` is its seed,
 * whose size is 0 if it has none; the result goes to `output`, if not NULL, too. All is borrowed.
 * Returns the exit status. */
int reduce_failure(session *s, const uint8_t *bytes, size_t size, seed_input from,
                   const atomic_file *output);

/* Run a reduction with workers configured by `workers`, except for candidate_set_bytes, which it
 * computes. */
void reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                        const event_sink *sink, reduce_result *result);

/* ---- Of a file: frng-reduce --predicate ---- */

/* Run the whole reduction. *s is zeroed except for `signals`. Returns the exit status. */
int reduce_file(session *s, const tool_options *o);

#endif
