/* screen_reduce.h: what the screen shows of a reduction. Pure: takes events, draws on a canvas. */
#ifndef SCREEN_REDUCE_H
#define SCREEN_REDUCE_H

#include "event.h"
#include "panel.h"
#include "screen_search.h"

enum { SCREEN_HEAD_MAX = 4096 };

/* The first bytes of a test case. */
typedef struct screen_head {
    size_t size;
    uint8_t bytes[SCREEN_HEAD_MAX];
} screen_head;

/* What a step took away and put in, as lines to show. */
typedef struct screen_change {
    char pass[32];
    byte_change bytes;
    draw_change draws;
} screen_change;

typedef struct screen_reduce {
    const run_setup *setup; /* NULL: there is no reduction */
    progress now;
    uint64_t draws; /* of the best; 0: unknown */
    bool has_step;
    int64_t step_ns; /* of the last step */
    screen_change change;
    screen_head best;
    uint64_t others, flaky; /* failures of other signatures; that passed a rerun */
    history sizes;          /* of the best over calls */
    meter meter;
} screen_reduce;

void screen_reduce_begin(screen_reduce *r, const run_setup *setup);
void screen_reduce_take(screen_reduce *r, const event *e);

/* As screen_search_draw and screen_search_line. */
unsigned screen_reduce_draw(const screen_reduce *r, const char *subject, canvas *c);
void screen_reduce_line(const screen_reduce *r, char text[SCREEN_LINE_MAX]);

#endif
