/* failure_cause.h: limits on runs that may have made a failure. */
#ifndef FAILURE_CAUSE_H
#define FAILURE_CAUSE_H

/* Which limit may have made a failure: with twice as much of it, there was none. */
typedef enum failure_cause {
    CAUSE_NONE,
    CAUSE_TIMEOUT, /* a hang that ended in time: the machine was busy, or it is flaky */
    CAUSE_MEMORY,  /* it wants more memory, or all there is */
    CAUSE_WORKER   /* it stopped the worker that made it, which was killed */
} failure_cause;

enum { CAUSE_COUNT = 4 };

#endif
