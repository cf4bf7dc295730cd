/* screen.h: the progress of a search or a reduction, on standard error.
 *
 * On a terminal it is a screen or one line, which are rewritten in place; elsewhere plain lines. */
#pragma once

#include "event.h"

/* How progress is shown, as --ui says. */
typedef enum screen_kind {
    SCREEN_AUTO, /* a screen if there is room for it */
    SCREEN_FULL, /* the same, with --verbose too; the tools refuse it without a terminal */
    SCREEN_LINE,
    SCREEN_NONE
} screen_kind;

/* Zeroed: a screen of ASCII without colours, if there is room for it. */
typedef struct screen_style {
    screen_kind kind;
    bool is_utf8, is_coloured;
} screen_style;

enum { SCREEN_HEAD_MAX = 4096, SCREEN_BITS = 65 };

/* Runs of sizes with as many bits. */
typedef struct runs_by_size {
    uint64_t runs, failures;
} runs_by_size;

/* What is shown. Ready when zeroed, but for its style. */
typedef struct screen {
    screen_style style;
    int64_t next_ns;        /* elapsed time of the next screen or line */
    int64_t pause_ns;       /* time between them; grows for plain lines */
    const run_setup *setup; /* NULL: nothing is under way */
    progress now;
    uint64_t first_runs;           /* when there was the first size; 0: there was none */
    uint64_t sizes[TALLY_BUCKETS]; /* the size of the best plus 1, by the bucket (frng__bucket)
                                      of the count of runs; 0: as before */
    meter meter;
    uint64_t flaky; /* failures that passed a rerun */
    /* Of a search: */
    bool has_best;
    failure best;
    bytes_tail best_output;
    uint64_t best_runs; /* when it was found */
    int64_t best_ns;
    runs_by_size by_bits[SCREEN_BITS];
    /* Of a reduction: */
    uint64_t draws;   /* of the best; 0: unknown */
    int64_t step_ns;  /* of the last step */
    size_t head_size; /* the first bytes of the best */
    uint8_t head[SCREEN_HEAD_MAX];
} screen;

/* Take an event, and show what is due. */
void screen_take(screen *s, const event *e);

/* True if there is a screen now, and not a line. */
bool screen_is_full(const screen *s);
