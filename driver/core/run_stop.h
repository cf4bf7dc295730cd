/* run_stop.h: how a search, a reduction or a check stopped. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

#include "outcome.h"
#include "seed_input.h"

/* The reason for which a search or a reduction ended. */
typedef enum run_end {
    END_DONE,        /* nothing is left to try */
    END_SPENT,       /* the deadline or the limit of calls came first */
    END_INTERRUPTED, /* a signal came first */
    END_REBUILT,     /* a search: another file replaced the program */
    END_PASSES,      /* a reduction: its input passes, is flaky, or fails in another way */
    END_ENVIRONMENT, /* the program cannot be started */
    END_BROKEN       /* a process or a system call of the tools failed */
} run_end;

/* A member that its end does not name is zero. */
typedef struct run_stop {
    run_end end;
    int error_number;  /* BROKEN: errno */
    outcome error;     /* ENVIRONMENT: of the run that could not be made */
    bytes_tail output; /* ENVIRONMENT: of that run */
    int64_t cut_ns;    /* SPENT: how long a run had gone on that may hang; 0: there was none */
    seed_input cut;    /* SPENT: its input */
} run_stop;

/* Set the end of a zeroed *s to END_BROKEN. */
static inline void run_stop_broken(run_stop *s, int error_number) {
    s->end = END_BROKEN;
    s->error_number = error_number;
}

#endif
