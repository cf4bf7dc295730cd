/* runner.h: a way to run batches. Spawning, forking and faking all look like this to a worker. */
#ifndef RUNNER_H
#define RUNNER_H

#include "bytes.h"
#include "failure.h"
#include "file_stamp.h"
#include "isolation.h"
#include "outcome.h"
#include "seed_input.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The purpose of runs. */
typedef enum run_purpose {
    RUN_TRY,    /* to see whether one fails, by the fastest way there is */
    RUN_SHOW,   /* in fresh processes, and the end of what they print is kept */
    RUN_CONFIRM /* the same, of a failure that a limit may have made: with twice the time; and where
                   it fails under a limit of memory, with twice as much of that as well */
} run_purpose;

/* The result of a batch. */
typedef struct run_result {
    uint32_t ran;                  /* runs made: up to and including the first that did not pass */
    bool cancelled;                /* the last run was given up, and does not count */
    outcome last;                  /* of the last run made */
    int64_t took_ns;               /* all runs together */
    isolation_violation violation; /* why the runner has become slower, told once */
    file_stamp program;            /* the file that the last run was of, where the runner knows */
    seed_input doubted;          /* the run that gave the violation; given: its seed is its index */
    char site[FAILURE_SITE_MAX]; /* file:line where the last run's assertion failed, or "" */
    int short_of;                /* errno of what a run had to wait for; 0: none had to */
    int64_t waited_ns;           /* so long */
    pid_t unkillable;            /* a process that the run left, or is, and that cannot be killed;
                                    0: there is none */
    bytes_tail output;           /* what the last run printed, where that was asked for */
} run_result;

/* The step that a worker makes, in memory that it shares with the driver. */
typedef struct runner_step {
    _Atomic uint64_t number;    /* rises with each step */
    _Atomic uint64_t order;     /* number of the batch in progress ... */
    _Atomic uint64_t size;      /* ... and bytes of its runs */
    _Atomic uint64_t seed;      /* of the run in progress; given: its index */
    _Atomic int64_t allowed_ns; /* what the step may take */
} runner_step;

/* The way in which a runner that waits learns that its batch is no longer wanted. */
typedef struct runner_watch {
    int fd;                           /* has something to read then; -1 for never */
    bool (*cancelled)(void *context); /* takes what is there; true: give up */
    void *context;
    bool (*driver_died)(void *context); /* then the runner removes what the driver would have
                                           removed; NULL: it never dies */
    runner_step *step; /* where the driver sees that its worker gets on; NULL: it does not look */
} runner_watch;

/* The worker begins a step that takes `allowed_ns` at most, of the run with this seed (given: with
 * this index). The driver kills a worker that takes much longer. */
void runner_begin_step(const runner_watch *watch, uint64_t seed, int64_t allowed_ns);

/* The time that making `size` bytes of entropy may take on a slow machine. */
static inline int64_t runner_expansion_ns(uint64_t size) {
    enum { NS_PER_BYTE = 10 };
    return size < INT64_MAX / NS_PER_BYTE ? (int64_t)size * NS_PER_BYTE : INT64_MAX;
}

/* The same, of the run that is in progress. */
void runner_go_on(const runner_watch *watch, int64_t allowed_ns);

/* True if the driver has cancelled what is being run. */
bool runner_is_cancelled(const runner_watch *watch);

typedef struct runner runner;

typedef struct runner_ops {
    /* Make the batch's runs until one does not pass. */
    void (*run)(runner *r, const batch *runs, run_purpose purpose, run_result *result);
    void (*destroy)(runner *r);
} runner_ops;

/* The first member of every runner. */
struct runner {
    const runner_ops *ops;
};

/* Makes a runner in the process that will use it. NULL, with *error_number, when that failed. The
 * watch outlives the runner. */
typedef runner *(*runner_factory)(const void *config, const runner_watch *watch, int *error_number);

/* Make the runs of a batch one after the other, up to the first that does not pass, for runners
 * that take each by itself. `once` is given the index of a run in the batch, and sets
 * result->cancelled when the watch says so. */
typedef outcome runner_once(runner *r, const batch *runs, uint32_t i, run_purpose purpose,
                            run_result *result);
void runner_run_each(runner *r, runner_once *once, const batch *runs, run_purpose purpose,
                     run_result *result);

#endif
