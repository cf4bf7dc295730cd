/* scale.h: where a value is on an axis, and which values have a label. */
#ifndef SCALE_H
#define SCALE_H

#include <stddef.h>

typedef enum scale_kind {
    SCALE_COUNT, /* log(1 + value): for counts, 0 included */
    SCALE_SHARE  /* log(value): for shares; what is below the axis is on its end */
} scale_kind;

typedef struct scale {
    scale_kind kind;
    double low, high; /* values at both ends; low < high */
} scale;

/* Return a scale from at most `low` to at least `high`. */
scale scale_of(scale_kind kind, double low, double high);

/* Return the place of a value: 0 at the low end, 1 at the high end, never beyond. */
double scale_at(const scale *s, double value);

/* Write the values with a label, at most `most` of them, at least a part 0.08 of the axis apart.
 * Return their count. */
enum { SCALE_TICKS_MAX = 12 };
size_t scale_ticks(const scale *s, size_t most, double ticks[SCALE_TICKS_MAX]);

/* Write a value as a label: 0, 20, 1k, 2.5M, 0.1%. */
enum { SCALE_LABEL_MAX = 32 };
const char *scale_label(const scale *s, double value, char text[SCALE_LABEL_MAX]);

#endif
