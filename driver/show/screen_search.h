/* screen_search.h: what the screen shows of a search. Pure: takes events, draws on a canvas. */
#ifndef SCREEN_SEARCH_H
#define SCREEN_SEARCH_H

#include "failure.h"
#include "panel.h"
#include "summary.h"

typedef struct event event;
typedef struct run_setup run_setup;

enum { SCREEN_OTHERS_MAX = 16 };

/* A failure of another signature than the best. */
typedef struct screen_other {
    signature signature;
    char site[FAILURE_SITE_MAX];
    uint64_t size; /* the smallest */
} screen_other;

typedef struct screen_search {
    const run_setup *setup; /* NULL: there is no search */
    progress now;
    bool has_best;
    failure best;
    bytes_tail best_output;
    uint64_t best_runs; /* when it was found */
    int64_t best_ns;
    screen_other others[SCREEN_OTHERS_MAX];
    size_t other_count;
    uint64_t flaky; /* failures that passed a rerun */
    history sizes;  /* of the best over runs */
    panel_runs by_bits[PANEL_BITS];
    meter meter;
} screen_search;

void screen_search_begin(screen_search *s, const run_setup *setup);
void screen_search_take(screen_search *s, const event *e);

/* Draw all that the rows of the canvas have room for. Return the rows used. `subject` is what is
 * tested, as text. */
unsigned screen_search_draw(const screen_search *s, const char *subject, canvas *c);

/* Write the status line: the same in one line, the most important first. */
enum { SCREEN_LINE_MAX = 512 };
void screen_search_line(const screen_search *s, char text[SCREEN_LINE_MAX]);

#endif
