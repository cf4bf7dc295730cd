/* event.h: what happens in a search or a reduction. Engines emit events and know nothing of the
 * sinks that print or keep them. */
#ifndef EVENT_H
#define EVENT_H

#include "isolation.h"
#include "summary.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum event_kind {
    EVENT_STARTED,
    EVENT_RESUMED,      /* an earlier output is the input, if it still fails */
    EVENT_PROGRESS,     /* something moved, or 100 ms have passed */
    EVENT_BEST,         /* a failure that failed again, smaller than all before */
    EVENT_OTHER,        /* the same of a signature that is not the target's */
    EVENT_FLAKY,        /* the first failure that passed when run again; the first of each cause */
    EVENT_ISOLATION,    /* the first run that differed from one in a fresh process */
    EVENT_REPLAYED,     /* a known input was run again */
    EVENT_REBUILT,      /* the program is another file than before */
    EVENT_PASS_DROPPED, /* an external pass is not asked any more */
    EVENT_FINISHED
} event_kind;

/* Why an external pass is dropped. */
typedef enum pass_misdeed {
    MISDEED_BROKEN, /* it crashed, hung or answered nonsense, again and again */
    MISDEED_BARREN  /* its candidates were no smaller or known, again and again */
} pass_misdeed;

/* Fields of other kinds are zero. All pointers are valid during the call only. */
typedef struct event {
    event_kind kind;
    progress progress;             /* PROGRESS, BEST, OTHER */
    const failure *failure;        /* BEST, OTHER, FLAKY */
    const uint8_t *bytes;          /* BEST, OTHER of a reduction: failure->input.size bytes */
    const seed_input *input;       /* REPLAYED, ISOLATION; NULL: it has no seed */
    uint64_t size;                 /* RESUMED: bytes of the output */
    bool fails;                    /* REPLAYED, RESUMED */
    isolation_violation violation; /* ISOLATION */
    bool changes_mode;             /* ISOLATION: later runs are forked */
    size_t external_pass;          /* PASS_DROPPED: index in the configuration ... */
    const char *name;              /* ... and the name of it, for sinks */
    pass_misdeed misdeed;          /* PASS_DROPPED */
    const run_setup *setup;        /* STARTED; valid until FINISHED */
    const summary *summary;        /* FINISHED */
} event;

/* A taker of events, which takes all of them in order. */
typedef struct event_sink {
    void (*take)(void *context, const event *e); /* NULL: events are dropped */
    void *context;
} event_sink;

static inline void event_emit(const event_sink *sink, const event *e) {
    if (sink->take != NULL) sink->take(sink->context, e);
}

#endif
