/* runner_fake.h: the runner without processes, for tests of all that stands above it. */
#ifndef RUNNER_FAKE_H
#define RUNNER_FAKE_H

#include "candidate_set.h"
#include "runner.h"

/* Borrowed by its runners. `judge` is a target as a function. So is `judge_given`: it judges test
 * case `index` of a candidate set, and may fill passes[index], told and the records, which are
 * empty before. `capture`: the caller wants the output. */
typedef struct runner_fake_config {
    outcome (*judge)(void *context, seed_input t);
    void *context;
    outcome (*judge_given)(void *context, candidate_set *given, uint32_t index, bool capture);
} runner_fake_config;

/* A runner_factory; config is a runner_fake_config. */
runner *runner_fake_create(const void *config, const runner_watch *watch, int *error_number);

#endif
