/* limit.h: limits on runs that may have made a failure. */
#ifndef LIMIT_H
#define LIMIT_H

/* Which limit may have made a failure: with twice as much of it, there was none. */
typedef enum failure_limit {
    LIMIT_NONE,
    LIMIT_TIMEOUT, /* a hang that ended in time: the machine was busy, or it is flaky */
    LIMIT_MEMORY,  /* it wants more memory, or all there is */
    LIMIT_WORKER   /* it stopped the worker that made it, which was killed */
} failure_limit;

enum { LIMIT_COUNT = 4 };

#endif
