/* history.h: how a size fell with the runs, kept in little room; and rates of the last seconds.
 * Pure. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stddef.h>
#include <stdint.h>

enum { HISTORY_MAX = 256 };

typedef struct history_point {
    uint64_t x, y; /* from x on, y */
} history_point;

/* Points with ascending x. Empty if zeroed. */
typedef struct history {
    size_t count;
    history_point points[HISTORY_MAX];
} history;

/* Add a point, unless y is the same as before. If there is no room, every other point goes. */
void history_add(history *h, uint64_t x, uint64_t y);

/* Write `count` heights of the curve from the first point to x_end, for a chart with logarithmic
 * axes: 0 is the least y, 1 the largest. An empty history has none. */
void history_heights(const history *h, uint64_t x_end, double *heights, size_t count);

uint64_t history_least(const history *h);
uint64_t history_most(const history *h);

enum { METER_SAMPLES = 6, METER_PAUSE_MS = 500 };

/* A count at some times. Zeroed: at the start. */
typedef struct meter {
    size_t next;
    int64_t at_ns[METER_SAMPLES];
    uint64_t count[METER_SAMPLES];
} meter;

void meter_add(meter *m, int64_t at_ns, uint64_t count);

/* Return how much the count rises in a second, by the last few seconds. */
double meter_rate(const meter *m, int64_t at_ns, uint64_t count);

#endif
