/* doubt.h: reasons to run a test in a process of its own each time. */
#ifndef DOUBT_H
#define DOUBT_H

/* Why runs that shared a process were not believed. */
typedef enum run_doubt {
    DOUBT_NONE,
    DOUBT_FRESH_PASSES, /* one failed, and passes in a fresh process */
    DOUBT_FRESH_FAILS,  /* one passed, and fails in a fresh process */
    DOUBT_OTHER_COUNT,  /* one drew another count of bytes than it does in a fresh process */
    DOUBT_OTHER_DRAWS,  /* one made other draws */
    DOUBT_BATCH_END,    /* all passed, and then their process failed at its exit */
    DOUBT_LEFTOVER      /* processes were left behind */
} run_doubt;

#endif
