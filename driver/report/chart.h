/* chart.h: charts as SVG in a page. Places are shares of the width and of the height, so that a
 * chart takes the width of the page, and its text keeps the size of the page's text. */
#ifndef CHART_H
#define CHART_H

#include "html.h"
#include "scale.h"

#include <stdbool.h>

/* A chart that is being written. */
typedef struct chart {
    html *out;
    scale x, y;
    bool is_dense;   /* dots are small */
    unsigned colour; /* of what follows: 0 is neutral, see CHART_COLOURS */
} chart;

/* Colours of Okabe and Ito that people of any colour vision tell apart, from 1 on. */
enum { CHART_COLOURS = 6 };

/* What a chart is, to those who see it and to those who do not. All is plain text. */
typedef struct chart_words {
    const char *id; /* of the element, unique in the page */
    const char *title;
    const char *description; /* what the chart shows, in a sentence */
    const char *x, *y;       /* what the axes count */
} chart_words;

/* Write the head of a chart and its axes. */
void chart_begin(chart *c, const chart_words *words);
void chart_end(chart *c);

/* Write a line that keeps its value until the next point. */
typedef struct chart_line {
    chart *chart;
    bool has_begun;
    double y;
} chart_line;

void chart_line_begin(chart_line *l, chart *c);
void chart_line_to(chart_line *l, double x, double y);
void chart_line_break(chart_line *l);         /* the next point has no line from this one */
void chart_line_end(chart_line *l, double x); /* the last value holds up to x */

/* Write a dot. The title, of trusted words and numbers, belongs to a mouse that rests there. */
void chart_dot(const chart *c, double x, double y, const char *title);

/* Write a vertical bar from one value to another; a weak one hardly stands out. */
void chart_bar(const chart *c, double x, double low, double high, bool is_weak, const char *title);

#endif
