/* plot.h: small charts on a canvas: bars, curves and columns, of block and braille characters or
 * of ASCII. Pure. */
#ifndef PLOT_H
#define PLOT_H

#include "canvas.h"

#include <stddef.h>

/* Draw a horizontal bar from one end of a place to the other, full by `part` (0 to 1). */
void plot_bar(canvas_pen p, double part);

/* A value of a chart that there is none of. */
#define PLOT_NONE (-1.0)

/* Draw a curve: `heights` has PLOT_DOTS_X values from 0 (the lowest dots) to 1 for each column of
 * the area, or PLOT_NONE. A vertical line joins neighbours. */
enum { PLOT_DOTS_X = 2, PLOT_DOTS_Y = 4 };
void plot_curve(canvas *c, canvas_area area, const double *heights, canvas_ink ink);

/* Columns of `width` cells, and their heights from 0 to 1. */
typedef struct plot_heights {
    const double *heights;
    size_t count;
    unsigned width;
} plot_heights;

/* Draw columns. One is no lower than the least that is visible; a line stands for 0, and PLOT_NONE
 * leaves its place empty. */
void plot_columns(canvas *c, canvas_area area, plot_heights h, canvas_ink ink);

#endif
