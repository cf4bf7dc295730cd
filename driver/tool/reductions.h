/* reductions.h: the two reductions, to the report: of the input of a failure, for frng-reduce
 * and frng-search --reduce, and of a file by a predicate. */
#pragma once

#include "options.h"

typedef struct atomic_file atomic_file;
typedef struct pool_config pool_config;
typedef struct session session;

/* Most bytes that can be reduced: findings hold no more, and draws take memory. */
#define REDUCE_FAILURE_SIZE_MAX ((uint64_t)FINDING_BYTES_MAX)

/* Reduce the input of the session by its options, save the result and report it; the result takes
 * the input's place. `from` is the seed that it comes from, whose size is 0 if it has none; the
 * result goes to `output`, if not NULL, too. Returns the exit status. */
int reduce_failure(session *s, seed_input from, const atomic_file *output);

/* Run a reduction with workers configured by `workers`; it computes their candidate_set_bytes. */
void reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                        const event_sink *sink, reduce_result *result);

/* Run the whole reduction. *s is zeroed except for `signals`. Returns the exit status. */
int reduce_file(session *s, const tool_options *o);
