/* isolation.h: reasons to give each run a process of its own. */
#ifndef ISOLATION_H
#define ISOLATION_H

/* Kinds of isolation violations, which show that runs in a shared process cannot be trusted. */
typedef enum isolation_violation {
    ISOLATION_NONE,
    ISOLATION_FRESH_PASSES, /* a run failed, but passes in a fresh process */
    ISOLATION_FRESH_FAILS,  /* a run passed, but fails in a fresh process */
    ISOLATION_OTHER_COUNT,  /* a run drew another number of bytes than in a fresh process */
    ISOLATION_OTHER_DRAWS,  /* a run made other draws than in a fresh process */
    ISOLATION_BATCH_END,    /* all runs passed, and then their process failed at its exit */
    ISOLATION_LEFTOVER      /* a run left processes behind */
} isolation_violation;

#endif
