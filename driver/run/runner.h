/* runner.h: the interface of runners, which make the runs of a worker: spawned, forked or fake. */
#pragma once

#include "bytes.h"
#include "failure.h"
#include "files.h"
#include "seed_input.h"

#include <assert.h>
#include <string.h>
#include <sys/types.h>

typedef struct known_runs known_runs;
typedef struct tally tally;

typedef enum run_purpose {
    RUN_TRY,           /* to search for a failure, by the fastest way */
    RUN_SHOW,          /* in fresh processes; the ends of their output are kept */
    RUN_CONFIRM,       /* as RUN_SHOW, but with twice the time, and if the run fails under a limit
                         of memory, again with twice the memory: the limit may have caused the
                         failure */
    RUN_READ,          /* as RUN_SHOW, but a person may read the output: sanitizers name functions
                         and lines, which takes them long. Other runs do so only where a failure
                         has a new site */
    RUN_TRY_UNWATCHED, /* as RUN_TRY, but without a look for leaks */
    RUN_TRY_ALONE,     /* as RUN_TRY, but each in a fresh process, whose end is that of the run */
    RUN_END,           /* no run: the process that made passing ones ends, and its end is judged */
    RUN_PROBE          /* no run: the target is asked what it can do */
} run_purpose;

typedef enum leak_finding {
    LEAK_NONE,
    LEAK_FOUND,     /* the run failed by a leak */
    LEAK_SUSPECTED, /* the run passed, and took blocks that it did not free; it leaks none. It ends
                       a batch of seeds: another such run may cost as much */
    LEAK_OF_START   /* the same, but the target leaks before any run: no leak can be found */
} leak_finding;

/* True for runs in fresh processes whose output is kept. */
static inline bool runner_is_shown(run_purpose purpose) {
    return purpose == RUN_SHOW || purpose == RUN_CONFIRM || purpose == RUN_READ;
}

/* The place in the report of the count of drawn bytes. A width of 0: it is not reported. */
typedef struct report_layout {
    uint64_t drawn_offset;
    uint64_t drawn_width;
    bool forks_none; /* it makes its runs in itself: it cannot fork for each of them */
    bool can_guide;  /* it records comparisons */
    bool has_others; /* it has more code than the test, which can compare, too */
    bool can_climb;  /* it records goals */
    bool guides_old; /* ... in a layout of before */
} report_layout;

/* What a target can do: nothing, if zeroed. */
typedef struct probe_answer {
    run_mode mode;        /* the fastest */
    report_layout layout; /* the place where it reports its draws */
} probe_answer;

/* The result of a batch. */
typedef struct run_result {
    uint32_t ran;                  /* runs made, including the first that did not pass, or the
                                      suspect */
    bool cancelled;                /* the last run was cancelled, and does not count */
    outcome last;                  /* outcome of the last run */
    int64_t took_ns;               /* duration of all runs together */
    int64_t cpu_ns;                /* CPU time of runs since the last result that has one */
    leak_finding leak;             /* of the last run */
    isolation_violation violation; /* the reason for a slower mode, reported once */
    file_stamp program;            /* the last run's program, if the runner knows it */
    seed_input doubted;            /* run of the violation; in a candidate set: its index */
    bool differs;                  /* the last run does so in two new processes */
    bool end_failed;               /* a process failed at its end that had made passing runs, and
                                      perhaps those of earlier batches: they are to be made alone */
    uint32_t ends;                 /* of such processes that were judged */
    char site[SITE_MAX];           /* where and how the last run failed, or "" */
    bool is_site_known;            /* an empty site is none: nothing more can be known */
    draws_seen draws;              /* of the last run, if it failed */
    bool has_narrowed;             /* it draws from fewer bytes than it did */
    pid_t unkillable;              /* a process of the run that cannot be killed; 0: none */
    const tally *tally;            /* statistics of the runs that count; NULL: there are none; set
                                      by the worker */
    const known_runs *known;       /* runs that failed as known; NULL: none; set by the worker */
    bool known_differ;             /* to go on after a known failure changed other runs */
    probe_answer able;             /* of a probe */
    bool is_warm;                  /* the last run failed in a process that has stayed, alone */
    bool is_repeated;              /* the last run failed after others in its process, and its bytes
                                      failed again in a new process: it is confirmed */
    bool is_shared;                /* a server printed `output`, perhaps in runs before the last */
    bytes_tail output;             /* output of the last run, if it is kept */
} run_result;

/* The step that a worker is at, in memory that it shares with the driver. */
typedef struct runner_step {
    _Atomic uint64_t number;    /* increases with each step */
    _Atomic uint64_t batch;     /* number of the batch in progress */
    _Atomic uint64_t seed;      /* seed of the run in progress; in a candidate set, its index */
    _Atomic int64_t allowed_ns; /* time limit of the step */
    _Atomic bool is_start;      /* a server starts for the run, which has not begun */
} runner_step;

/* The callbacks that inform a waiting runner that its batch is cancelled. */
typedef struct runner_watch {
    int fd;                           /* readable when there is a request; -1: never */
    bool (*cancelled)(void *context); /* takes a request; true: stop the batch */
    void *context;
    runner_step *step; /* reports progress to the driver; NULL: the driver ignores it */
    const struct job_folder *folder; /* for files of the job's runs; NULL: there is none */
} runner_watch;

static inline void run_result_clear(run_result *result) {
    memset(result, 0, offsetof(run_result, output.bytes));
    result->last = outcome_of_status(0);
}

/* Begin another step of the run in progress, that takes at most `allowed_ns`. The driver kills a
 * worker that takes much longer. */
static inline void runner_go_on(const runner_watch *watch, int64_t allowed_ns) {
    assert(allowed_ns >= 0);
    if (watch == NULL || watch->step == NULL) return;
    watch->step->allowed_ns = allowed_ns;
    watch->step->number++;
}

/* The same of the run with this seed (in a candidate set: with this index). */
static inline void runner_begin_step(const runner_watch *watch, uint64_t seed, int64_t allowed_ns) {
    if (watch != NULL && watch->step != NULL) {
        watch->step->seed = seed;
        watch->step->is_start = false;
    }
    runner_go_on(watch, allowed_ns);
}

/* Return the time that expanding `size` bytes of entropy may take on a slow machine. */
static inline int64_t runner_expansion_ns(uint64_t size) {
    enum { NS_PER_BYTE = 10 };
    return size < INT64_MAX / NS_PER_BYTE ? (int64_t)size * NS_PER_BYTE : INT64_MAX;
}

typedef struct runner runner;

/* The first member of every runner. */
struct runner {
    /* Make the batch's runs until one does not pass. */
    void (*run)(runner *r, const batch *b, run_purpose purpose, run_result *result);
    void (*destroy)(runner *r);
    /* Make the run of a batch of one, and set result->cancelled if the watch cancels it. For
     * runners whose `run` is runner_run_each. */
    outcome (*once)(runner *r, const batch *once, run_purpose purpose, run_result *result);
};

/* Create a runner in the process that will use it. Returns NULL, with *error_number, on an error.
 * The watch outlives the runner. */
typedef runner *(*runner_factory)(const void *config, const runner_watch *watch, int *error_number);
