#include "panel.h"

#include "clock.h"
#include "plot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_COLUMN = 2, TEXT_COLUMN = 11 };

unsigned panel_left(const panel *p) {
    return p->canvas->rows > p->count ? p->canvas->rows - p->count : 0;
}

static void begin_row(panel *p) {
    p->row = p->count++;
    p->column = 0;
}

void panel_begin(panel *p, const char *label) {
    begin_row(p);
    canvas_put(p->canvas, p->row, LABEL_COLUMN, TEXT_COLUMN - 1, INK_CYAN, label);
    p->column = TEXT_COLUMN;
}

void panel_put(panel *p, canvas_ink ink, const char *format, ...) {
    char text[CANVAS_COLUMNS_MAX * 4];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    p->column = canvas_put(p->canvas, p->row, p->column, p->canvas->columns, ink, text);
}

void panel_title(panel *p, const char *tool, const char *subject, const char *end) {
    const unsigned columns = p->canvas->columns, width = canvas_width(p->canvas, end);
    const unsigned at = columns > width ? columns - width : 0;
    begin_row(p);
    p->column = canvas_put(p->canvas, p->row, 0, columns, INK_STRONG, tool);
    canvas_put(p->canvas, p->row, p->column + 1, at > 2 ? at - 2 : 0, INK_PLAIN, subject);
    canvas_put(p->canvas, p->row, at, columns, INK_STRONG, end);
}

void panel_bar(panel *p, unsigned columns, double part, canvas_ink ink, const char *after) {
    const unsigned width = canvas_width(p->canvas, after), end = p->canvas->columns;
    if (p->column + columns + width + 1 > end) return;
    plot_bar(p->canvas, p->row, p->column, columns, part, ink);
    p->column += columns + 1;
    panel_put(p, INK_PLAIN, "%s", after);
}

void panel_text(panel *p, const char *label, canvas_ink ink, const char *text, unsigned lines_max) {
    for (unsigned i = 0; i < lines_max && *text != '\0'; i++) {
        const size_t length = strcspn(text, "\n");
        panel_begin(p, i == 0 ? label : "");
        panel_put(p, ink, "%.*s", (int)(length < 4096 ? length : 4096), text);
        text += length + (text[length] == '\n');
    }
}

void panel_excerpt(panel *p, const char *label, const char *text, unsigned lines_max) {
    for (unsigned i = 0; i < lines_max && *text != '\0'; i++) {
        const size_t length = strcspn(text, "\n"),
                     skipped = length < TEXT_COLUMN ? length : TEXT_COLUMN;
        panel_begin(p, i == 0 ? label : "");
        panel_put(p, INK_PLAIN, "%.*s", (int)(length - skipped), text + skipped);
        text += length + (text[length] == '\n');
    }
}

/* ---- Charts ---- */

enum { SCALE_COLUMNS = 8, COLUMN_MAX = 8 };

/* Put a text so that it ends before a column. */
static void put_right(panel *p, unsigned row, unsigned end, const char *text) {
    const unsigned width = canvas_width(p->canvas, text);
    canvas_put(p->canvas, row, end > width ? end - width : 0, end, INK_PLAIN, text);
}

/* Draw the title and the scale of a chart. Return the area within. */
static canvas_area put_frame(panel *p, canvas_area area, const char *title, const char *most,
                             const char *least) {
    const unsigned left = area.column + SCALE_COLUMNS;
    canvas_put(p->canvas, area.row, area.column + LABEL_COLUMN, area.column + area.columns,
               INK_CYAN, title);
    put_right(p, area.row + 1, left - 1, most);
    put_right(p, area.row + area.rows - 2, left - 1, least);
    return (canvas_area){area.row + 1, left, area.rows - 2, area.columns - SCALE_COLUMNS};
}

/* Put both ends of the horizontal axis below a chart. */
static void put_axis(panel *p, canvas_area chart, unsigned used, const char *first,
                     const char *last) {
    const unsigned row = chart.row + chart.rows;
    const unsigned after =
        canvas_put(p->canvas, row, chart.column, chart.column + chart.columns, INK_PLAIN, first);
    const unsigned width = canvas_width(p->canvas, last);
    if (after + width + 1 > chart.column + used) return;
    put_right(p, row, chart.column + used, last);
}

void panel_history(panel *p, canvas_area area, const char *title, const history *h, uint64_t x_end,
                   const char *unit) {
    double heights[CANVAS_COLUMNS_MAX * PLOT_DOTS_X];
    char most[UNITS_TEXT_MAX], least[UNITS_TEXT_MAX], from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX];
    char last[2 * UNITS_TEXT_MAX];
    const canvas_area chart =
        put_frame(p, area, title, h->count > 0 ? panel_format_short(most, history_most(h)) : "",
                  h->count > 0 ? panel_format_short(least, history_least(h)) : "");
    if (h->count == 0) {
        canvas_put(p->canvas, chart.row + chart.rows / 2, chart.column,
                   chart.column + chart.columns, INK_PLAIN, "no failure yet");
        return;
    }
    history_heights(h, x_end, heights, (size_t)chart.columns * PLOT_DOTS_X);
    plot_curve(p->canvas, chart, heights, INK_GREEN);
    snprintf(last, sizeof last, "%s %s", panel_format_short(to, x_end), unit);
    put_axis(p, chart, chart.columns, panel_format_short(from, h->points[0].x), last);
}

/* Return the height of a share of failures: 1 for all, 0 for none, and little for one in a
 * million. */
static double height_of(const panel_runs *r) {
    enum { DECADES = 6 };
    if (r->runs == 0) return PLOT_NONE;
    if (r->failures == 0) return 0;
    const double height = 1 + log10((double)r->failures / (double)r->runs) / DECADES;
    return height > 0.01 ? height : 0.01;
}

void panel_failures(panel *p, canvas_area area, const panel_runs by_bits[PANEL_BITS]) {
    double heights[PANEL_BITS];
    char from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX];
    unsigned first = PANEL_BITS, end = 0;
    for (unsigned i = 0; i < PANEL_BITS; i++) {
        heights[i] = height_of(&by_bits[i]);
        if (heights[i] < 0) continue;
        if (first == PANEL_BITS) first = i;
        end = i + 1;
    }
    const canvas_area chart = put_frame(p, area, "failures by size", "all", "1/1M");
    if (end == 0) return;
    const unsigned most = chart.columns / (end - first);
    const unsigned width = most < 1 ? 1 : most < COLUMN_MAX ? most : COLUMN_MAX;
    plot_columns(p->canvas, chart, width, heights + first, end - first, INK_RED);
    const uint64_t low = first > 0 ? UINT64_C(1) << (first - 1) : 0,
                   high = end > 1 ? UINT64_C(1) << (end - 2) : 0;
    put_axis(p, chart, width * (end - first), units_format_size(from, low),
             units_format_size(to, high));
}

/* ---- Numbers ---- */

const char *panel_format_short(char text[UNITS_TEXT_MAX], uint64_t value) {
    static const char suffixes[] = " kMGTPE";
    unsigned power = 0;
    if (value < 1000000) return units_format_count(text, value);
    for (; value >= 10000; value /= 1000) power++;
    units_format_count(text, value);
    const size_t length = strlen(text);
    snprintf(text + length, UNITS_TEXT_MAX - length, "%c", suffixes[power]);
    return text;
}

const char *panel_format_wait(char text[UNITS_TEXT_MAX], uint64_t count, double rate) {
    const double seconds = rate > 0 ? ceil((double)count / rate) : 1e9;
    text[0] = '\0';
    if (seconds >= 1e9) return text;
    return units_format_clock(text, (int64_t)seconds * CLOCK_NS_PER_S);
}

const char *panel_format_time(char text[PANEL_TIME_MAX], const run_setup *setup,
                              int64_t elapsed_ns) {
    char elapsed[UNITS_TEXT_MAX], left[UNITS_TEXT_MAX];
    const int64_t budget_ns = setup->limits.budget_ns;
    units_format_clock(elapsed, elapsed_ns);
    if (budget_ns == CLOCK_NEVER || budget_ns == 0) {
        snprintf(text, PANEL_TIME_MAX, "%s", elapsed);
    } else {
        const int64_t left_ns = budget_ns > elapsed_ns ? budget_ns - elapsed_ns : 0;
        snprintf(text, PANEL_TIME_MAX, "%s, %s left", elapsed,
                 units_format_clock(left, left_ns + CLOCK_NS_PER_S - 1));
    }
    return text;
}
