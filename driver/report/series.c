#include "series.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Of `count` points, write the lowest and the highest to `kept`, in their order. Return how many
 * that are. */
static size_t keep_extremes(const series_point *points, size_t count, series_point *kept) {
    size_t low = 0, high = 0;
    for (size_t i = 1; i < count; i++) {
        if (points[i].y < points[low].y) low = i;
        if (points[i].y >= points[high].y) high = i;
    }
    const series_point first = points[low < high ? low : high];
    const series_point second = points[low < high ? high : low];
    kept[0] = first;
    if (low != high) kept[1] = second;
    return low == high ? 1 : 2;
}

/* Return the part of the axis log(1 + x) that a point is in, 0 to parts - 1. */
static double part_of(double x, double from, double span, double parts) {
    const double part = span > 0 ? floor((log1p(x) - from) / span * parts) : 0;
    return part < parts ? part : parts - 1;
}

/* Between the first and the last point, leave the extremes in each of several parts of the axis
 * log(1 + x). There the first points of a curve, which are few, are as far apart as the last. */
void series_thin(series *s, size_t most) {
    assert(most >= 8);
    if (s->count <= most) return;
    const double parts = (double)((most - 2) / 2);
    const series_point last = s->points[s->count - 1];
    const double from = log1p(s->points[0].x), span = log1p(last.x) - from;
    size_t kept = 1, end;
    for (size_t i = 1; i + 1 < s->count; i = end) {
        const double part = part_of(s->points[i].x, from, span, parts);
        end = i + 1;
        while (end + 1 < s->count && part_of(s->points[end].x, from, span, parts) <= part) end++;
        kept += keep_extremes(&s->points[i], end - i, &s->points[kept]);
    }
    s->points[kept++] = last;
    s->count = kept;
    assert(s->count <= most);
}

void series_add(series *s, series_point p) {
    if (s->count == SERIES_MAX) series_thin(s, SERIES_MAX / 2);
    if (s->count == s->room) {
        const size_t room = s->room == 0 ? 64 : 2 * s->room;
        series_point *grown = realloc(s->points, room * sizeof *grown);
        if (grown == NULL) {
            s->failed = true;
            return;
        }
        s->points = grown;
        s->room = room;
    }
    s->points[s->count++] = p;
}

void series_finish(series *s) {
    free(s->points);
    *s = (series){.points = NULL};
}
