/* fake.h: the runner without processes, for tests of all that stands above it. */
#ifndef FAKE_H
#define FAKE_H

#include "runner.h"

/* Borrowed by its runners. `judge` is a system under test as a function. */
typedef struct fake_config {
    outcome (*judge)(void *context, trial t);
    void *context;
} fake_config;

/* A runner_factory; config is a fake_config. */
runner *fake_create(const void *config, const runner_watch *watch, int *error_number);

#endif
