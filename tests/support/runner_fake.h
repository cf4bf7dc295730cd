/* runner_fake.h: a runner and a pool without processes, for tests of all that stands above them. */
#ifndef RUNNER_FAKE_H
#define RUNNER_FAKE_H

#include "candidate_set.h"
#include "runner.h"

/* Borrowed by its runners. `judge` is a target as a function. So is `judge_given`: it judges test
 * case `index` of a candidate set, and may fill passes[index], told and the records, which are
 * empty before. `capture`: the caller wants the output. Of test cases
 * alone no site is known. */
typedef struct runner_fake_config {
    outcome (*judge)(void *context, seed_input t);
    void *context;
    outcome (*judge_given)(void *context, candidate_set *given, uint32_t index, bool capture);
} runner_fake_config;

/* A runner_factory; config is a runner_fake_config. */
runner *runner_fake_create(const void *config, const runner_watch *watch, int *error_number);

/* What a pool without processes takes at a time, so that an engine that looks ahead, as with many
 * jobs, can be run in one process; and a clock for it. */
enum { INLINE_POOL_DEPTH_MAX = 16 };

extern unsigned inline_pool_depth;   /* batches in flight, 1 .. INLINE_POOL_DEPTH_MAX; 2 at first */
extern uint32_t inline_pool_batch;   /* runs of a batch; 1 at first */
extern int64_t inline_pool_later_ns; /* what the clock shows beyond the time, to all but clock.c */

#endif
