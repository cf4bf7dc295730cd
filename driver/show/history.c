#include "history.h"

#include "clock.h"
#include "plot.h"

#include <math.h>

void history_add(history *h, uint64_t x, uint64_t y) {
    if (h->count > 0 && h->points[h->count - 1].y == y) return;
    if (h->count == HISTORY_MAX) {
        for (size_t i = 1; i < HISTORY_MAX / 2; i++) h->points[i] = h->points[2 * i];
        h->count = HISTORY_MAX / 2;
    }
    h->points[h->count++] = (history_point){x, y};
}

uint64_t history_least(const history *h) {
    uint64_t least = h->count > 0 ? h->points[0].y : 0;
    for (size_t i = 1; i < h->count; i++) {
        if (h->points[i].y < least) least = h->points[i].y;
    }
    return least;
}

uint64_t history_most(const history *h) {
    uint64_t most = 0;
    for (size_t i = 0; i < h->count; i++) {
        if (h->points[i].y > most) most = h->points[i].y;
    }
    return most;
}

void history_heights(const history *h, uint64_t x_end, double *heights, size_t count) {
    const double least = log1p((double)history_least(h)), most = log1p((double)history_most(h));
    const double span = most > least ? most - least : 1;
    const double first = h->count > 0 ? log1p((double)h->points[0].x) : 0;
    const double last = log1p((double)x_end);
    for (size_t i = 0, at = 0; i < count; i++) {
        if (h->count == 0) {
            heights[i] = PLOT_NONE;
            continue;
        }
        const double x = first + (last - first) * (double)(i + 1) / (double)count;
        while (at + 1 < h->count && log1p((double)h->points[at + 1].x) <= x) at++;
        /* With more digits than a double has, as on 32 bits, the least would be below 0: none. */
        heights[i] = fmax(0, (log1p((double)h->points[at].y) - least) / span);
    }
}

/* ---- Rates ---- */

void meter_add(meter *m, int64_t at_ns, uint64_t count) {
    const size_t last = (m->next + METER_SAMPLES - 1) % METER_SAMPLES;
    if (at_ns < m->at_ns[last] + METER_PAUSE_MS * CLOCK_NS_PER_MS) return;
    m->at_ns[m->next] = at_ns;
    m->count[m->next] = count;
    m->next = (m->next + 1) % METER_SAMPLES;
}

double meter_rate(const meter *m, int64_t at_ns, uint64_t count) {
    const int64_t span_ns = at_ns - m->at_ns[m->next]; /* the oldest */
    const uint64_t before = m->count[m->next];
    if (span_ns <= 0 || count <= before) return 0;
    return (double)(count - before) * 1e9 / (double)span_ns;
}
