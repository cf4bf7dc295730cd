/* isolation.h: reasons to run a test in a process of its own each time. */
#ifndef ISOLATION_H
#define ISOLATION_H

/* Why runs that shared a process were not believed. */
typedef enum isolation_violation {
    ISOLATION_NONE,
    ISOLATION_FRESH_PASSES, /* one failed, and passes in a fresh process */
    ISOLATION_FRESH_FAILS,  /* one passed, and fails in a fresh process */
    ISOLATION_OTHER_COUNT,  /* one drew another count of bytes than it does in a fresh process */
    ISOLATION_OTHER_DRAWS,  /* one made other draws */
    ISOLATION_BATCH_END,    /* all passed, and then their process failed at its exit */
    ISOLATION_LEFTOVER      /* processes were left behind */
} isolation_violation;

#endif
