/* series.h: the points of a curve, in bounded memory. */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct series_point {
    double x, y;
    uint32_t kind; /* of the caller, such as the pass that led there */
} series_point;

/* Points in the order of x, which is at least 0. Empty if zeroed. */
typedef struct series {
    series_point *points;
    size_t count, room;
    bool failed; /* out of memory: points are missing */
} series;

enum { SERIES_MAX = 4096 };

/* Add a point. When there are SERIES_MAX, half of them or more go, by series_thin. */
void series_add(series *s, series_point p);

/* Leave at most `most` points, 8 or more. The first, the last, the lowest and the highest stay; the
 * others are evenly spread on the axis log(1 + x). */
void series_thin(series *s, size_t most);

void series_finish(series *s);

#endif
