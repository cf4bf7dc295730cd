/* panel.h: the parts of a screen: labelled lines, as in the report at the end, and charts. */
#ifndef PANEL_H
#define PANEL_H

#include "canvas.h"
#include "history.h"
#include "summary.h"
#include "units.h"

/* The line under way of a canvas. */
typedef struct panel {
    canvas *canvas;
    unsigned row, column; /* of the next text */
    unsigned count;       /* lines begun */
} panel;

static inline panel panel_on(canvas *c) { return (panel){c, 0, 0, 0}; }

/* Return the rows that are left. */
unsigned panel_left(const panel *p);

/* Begin a line with a label, "" for none. */
void panel_begin(panel *p, const char *label);

/* Add text to the line. What does not fit is cut. */
__attribute__((format(printf, 3, 4))) void panel_put(panel *p, canvas_ink ink, const char *format,
                                                     ...);

/* Begin the first line: the tool, what it works on, and on the right `end`. */
void panel_title(panel *p, const char *tool, const char *subject, const char *end);

/* A bar, full by `part` (0 to 1), and a text after it. */
typedef struct panel_gauge {
    unsigned columns;
    double part;
    canvas_ink ink;
    const char *after;
} panel_gauge;

/* Add a bar and its text, if there is room for both. */
void panel_bar(panel *p, panel_gauge bar);

/* Begin a line for each line of a text, at most `lines_max` of them. */
void panel_text(panel *p, const char *label, const char *text, unsigned lines_max);

/* The same for the lines of an excerpt (excerpt.h), whose label is in the text. */
void panel_excerpt(panel *p, const char *label, const char *text, unsigned lines_max);

/* ---- Charts: a title, rows, and a line below. Areas have at least these sizes ---- */

enum { PANEL_CHART_ROWS_MIN = 6, PANEL_CHART_COLUMNS_MIN = 24 };

/* The history of a size, up to x_end; `unit` names what x counts. */
typedef struct panel_curve {
    const char *title, *unit;
    const history *sizes;
    uint64_t x_end;
} panel_curve;

/* Draw the history of a size into an area. */
void panel_history(panel *p, canvas_area area, panel_curve of);

/* Runs of sizes with as many bits. */
typedef struct panel_runs {
    uint64_t runs, failures;
} panel_runs;

/* Draw the shares of failures of sizes of 0, 1, 2 ... bits on a logarithmic scale. */
enum { PANEL_BITS = 65 };
void panel_failures(panel *p, canvas_area area, const panel_runs by_bits[PANEL_BITS]);

/* ---- Numbers ---- */

/* Write a number in at most seven characters: 183,975 or 12M. */
const char *panel_format_short(char text[UNITS_TEXT_MAX], uint64_t value);

/* Write the time that `count` more take: 0:02, or "" if that is unknown. */
const char *panel_format_wait(char text[UNITS_TEXT_MAX], uint64_t count, double rate);

/* Write the time since the start, and what is left of the budget, if there is one. */
enum { PANEL_TIME_MAX = 3 * UNITS_TEXT_MAX };
const char *panel_format_time(char text[PANEL_TIME_MAX], const run_setup *setup,
                              int64_t elapsed_ns);

#endif
