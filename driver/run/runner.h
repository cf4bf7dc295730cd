/* runner.h: a way to run tickets. Spawning, forking and faking all look like this to a worker. */
#ifndef RUNNER_H
#define RUNNER_H

#include "bytes.h"
#include "doubt.h"
#include "failure.h"
#include "file_mark.h"
#include "outcome.h"
#include "trial.h"

#include <stdbool.h>
#include <stdint.h>

/* What runs are made for. */
typedef enum run_purpose {
    RUN_TRY,    /* to see whether one fails, by the fastest way there is */
    RUN_SHOW,   /* in fresh processes, and the end of what they print is kept */
    RUN_CONFIRM /* the same, of a failure that a limit may have made: with twice the time; and where
                   it fails under a limit of memory, with twice as much of that as well */
} run_purpose;

/* How a ticket went. */
typedef struct run_result {
    uint32_t ran;                /* runs made: up to and including the first that did not pass */
    bool cancelled;              /* the last run was given up, and does not count */
    outcome last;                /* of the last run made */
    int64_t took_ns;             /* all runs together */
    run_doubt doubt;             /* why the runner has become slower, told once */
    file_mark program;           /* the file that the last run was of, where the runner knows */
    trial doubted;               /* the run that gave the doubt; given: its seed is its index */
    char site[FAILURE_SITE_MAX]; /* file:line where the last run's assertion failed, or "" */
    int short_of;                /* errno of what a run had to wait for; 0: none had to */
    int64_t waited_ns;           /* so long */
    bytes_tail output;           /* what the last run printed, where that was asked for */
} run_result;

/* How a runner that waits learns that its ticket is no longer wanted. */
typedef struct runner_watch {
    int fd;                           /* has something to read then; -1 for never */
    bool (*cancelled)(void *context); /* takes what is there; true: give up */
    void *context;
    bool (*abandoned)(void *context); /* the driver has died: what it would remove is the runner's
                                         to remove; NULL: it never does */
} runner_watch;

/* Whether the driver has said that what is being run is not wanted any more. */
bool runner_is_cancelled(const runner_watch *watch);

typedef struct runner runner;

typedef struct runner_ops {
    /* Make the ticket's runs until one does not pass. */
    void (*run)(runner *r, const ticket *runs, run_purpose purpose, run_result *result);
    void (*destroy)(runner *r);
} runner_ops;

/* The first member of every runner. */
struct runner {
    const runner_ops *ops;
};

/* Makes a runner in the process that will use it. NULL, with *error_number, when that failed. The
 * watch outlives the runner. */
typedef runner *(*runner_factory)(const void *config, const runner_watch *watch, int *error_number);

/* Make the runs of a ticket one after the other, up to the first that does not pass, for runners
 * that take each by itself. `once` is given the index of a run in the ticket. */
typedef outcome runner_once(runner *r, const ticket *runs, uint32_t i, run_purpose purpose,
                            run_result *result);
void runner_run_each(runner *r, runner_once *once, const runner_watch *watch, const ticket *runs,
                     run_purpose purpose, run_result *result);

#endif
