/* failure_cause.h: limits of a run that may have caused its failure. */
#ifndef FAILURE_CAUSE_H
#define FAILURE_CAUSE_H

/* The limit that may have caused a failure, as a rerun under twice the limits shows. */
typedef enum failure_cause {
    CAUSE_NONE,
    CAUSE_TIMEOUT, /* a rerun of a hang passed: the machine was busy, or the failure is flaky */
    CAUSE_MEMORY,  /* the run needs more memory, or takes all there is */
    CAUSE_WORKER   /* the run stopped its worker, which the driver killed */
} failure_cause;

enum { CAUSE_COUNT = 4 };

#endif
