/* observer.h: who is told how a search goes, and by nothing else learns of it. */
#ifndef OBSERVER_H
#define OBSERVER_H

#include "failure.h"
#include "isolation.h"

#include <stdint.h>

typedef struct progress {
    uint64_t size;       /* bytes of the run committed last */
    uint64_t runs;       /* committed runs of the search */
    uint64_t reruns;     /* runs that only repeated a failure */
    int64_t elapsed_ns;  /* since the search began */
    const failure *best; /* NULL while nothing has failed twice */
} progress;

/* Any function may be NULL. All that is passed is borrowed for the call. */
typedef struct observer {
    void *context;
    /* A failure that was seen again: a new best, or (is_best false) the smallest so far of an
     * signature that the search was not asked for. Keep it, then announce it. */
    void (*failure)(void *context, const failure *f, bool is_best, const progress *p);
    /* An input of the findings was run again, and fails or not. */
    void (*replayed)(void *context, seed_input t, bool fails);
    /* A failure did not repeat, the first time this happens; and the first that each limit may have
     * made (f->limit). */
    void (*flaky)(void *context, const failure *f);
    /* Runs that report_shm a process were no runs of their own: `why` says how one differed. Told
     * once. */
    void (*doubted)(void *context, isolation_violation why, seed_input t);
    /* The program has been replaced or written since the runs before. */
    void (*rebuilt)(void *context);
    /* Something moved, or 100 ms have passed. */
    void (*progress)(void *context, const progress *p);
} observer;

#endif
