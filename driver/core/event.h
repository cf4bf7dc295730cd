/* event.h: the events of a search or a reduction.
 *
 * Engines emit events and know nothing of the sinks that print or keep them. */
#pragma once

#include "summary.h"

typedef struct wrong_record wrong_record;

typedef enum event_kind {
    EVENT_STARTED,
    EVENT_PROGRESS,    /* something moved, or 100 ms have passed */
    EVENT_ALIVE,       /* a minute has passed; a sink makes it from PROGRESS */
    EVENT_TESTED,      /* a search took the result of a batch of runs */
    EVENT_STEP,        /* a reduction took a step: a simpler test case, not confirmed yet */
    EVENT_BEST,        /* a confirmed failure, smaller than all before */
    EVENT_OTHER,       /* a confirmed failure of another signature than the wanted one */
    EVENT_ALIKE,       /* two failures that may not be one, though nothing else tells them apart */
    EVENT_SHAPES,      /* a place whose messages have too many shapes: the others are one failure */
    EVENT_UNCONFIRMED, /* a failure that never failed again, with what it printed */
    EVENT_FLAKY,       /* the first failure that passed a rerun; the first of each cause */
    EVENT_REFUTED,     /* a best of a search that passed a later rerun; for its finding alone */
    EVENT_ISOLATION,   /* the first isolation violation */
    EVENT_NONDETERMINISTIC, /* the first run that differed in two new processes */
    EVENT_WRONG_RECORD,     /* the first record of a trace that its bytes contradict: from now on no
                               records are used */
    EVENT_LEAKS,            /* leaks cannot be found: the target leaks before any run */
    EVENT_OUTSIDE,      /* a failure comes from the user namespace: no more runs are made there */
    EVENT_REPLAYED,     /* a known input was rerun */
    EVENT_PASS_DROPPED, /* the reduction asks an external pass no more */
    EVENT_FINISHED
} event_kind;

/* Reason to drop an external pass. */
typedef enum pass_misdeed {
    MISDEED_BROKEN, /* it repeatedly crashed, hung or answered nonsense */
    MISDEED_BARREN  /* its candidates were repeatedly no smaller or known */
} pass_misdeed;

/* Runs of one size, and how they ended. */
typedef struct tested_runs {
    uint64_t size, runs;
    uint64_t failures;   /* runs that failed as the search looks for, and again */
    uint64_t others;     /* that failed in another way */
    uint64_t unreliable; /* that failed once, or perhaps only by a limit */
    uint64_t discarded;  /* that the test discarded */
    uint64_t drawn;      /* bytes that all runs drew; UINT64_MAX: unknown */
    bool is_fresh;       /* their seeds were not chosen by results */
} tested_runs;

enum { BYTE_CHANGE_SHOWN = 32 };

/* The difference of two test cases: at `offset`, `removed` bytes gave way to `inserted` ones. Of
 * each the first BYTE_CHANGE_SHOWN are kept. */
typedef struct byte_change {
    uint64_t offset, removed, inserted;
    uint8_t before[BYTE_CHANGE_SHOWN], after[BYTE_CHANGE_SHOWN];
} byte_change;

/* An event. Fields that its kind does not use are zero. Pointers are valid only during the call. */
typedef struct event {
    event_kind kind;
    progress progress;             /* PROGRESS, ALIVE, TESTED, STEP, BEST, OTHER */
    const tested_runs *tested;     /* TESTED */
    const byte_change *change;     /* STEP */
    const failure *failure;        /* BEST, OTHER, ALIKE, SHAPES, FLAKY, UNCONFIRMED */
    const failure *other;          /* ALIKE of a search: an earlier one of the same site */
    const uint8_t *bytes;          /* BEST, OTHER of a reduction: failure->input.size bytes */
    const seed_input *input;       /* REPLAYED, NONDETERMINISTIC, ISOLATION (NULL: it has
                                       no seed) */
    bool fails;                    /* REPLAYED */
    run_doubt doubt;               /* REPLAYED: why it says nothing that it passes */
    isolation_violation violation; /* ISOLATION */
    const wrong_record *wrong;     /* WRONG_RECORD */
    const char *mode;              /* ISOLATION: of later runs; NULL: as before */
    size_t external_pass;          /* PASS_DROPPED: index of the pass in the configuration */
    const char *name;              /* PASS_DROPPED: name of the pass, for sinks; UNCONFIRMED: path
                                      of its file, or NULL */
    pass_misdeed misdeed;          /* PASS_DROPPED */
    const run_setup *setup;        /* STARTED; valid until FINISHED */
    const summary *summary;        /* FINISHED */
} event;

/* A consumer of events, which takes all of them in order. */
typedef struct event_sink {
    void (*take)(void *context, const event *e); /* NULL: events are dropped */
    void *context;
} event_sink;

static inline void event_emit(const event_sink *sink, const event *e) {
    if (sink->take != NULL) sink->take(sink->context, e);
}
