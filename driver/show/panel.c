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

/* Return the place in a row of the panel from `column` to before `end`. */
static canvas_pen pen_at(const panel *p, unsigned column, unsigned end, canvas_ink ink) {
    return (canvas_pen){p->canvas, p->row, column, end, ink};
}

static void begin_row(panel *p) {
    p->row = p->count++;
    p->column = 0;
}

void panel_begin(panel *p, const char *label) {
    begin_row(p);
    canvas_put(pen_at(p, LABEL_COLUMN, TEXT_COLUMN - 1, INK_CYAN), label);
    p->column = TEXT_COLUMN;
}

void panel_put(panel *p, canvas_ink ink, const char *format, ...) {
    char text[CANVAS_COLUMNS_MAX * 4];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    p->column = canvas_put(pen_at(p, p->column, p->canvas->columns, ink), text);
}

void panel_title(panel *p, const char *tool, const char *subject, const char *end) {
    const unsigned columns = p->canvas->columns, width = canvas_width(p->canvas, end);
    const unsigned at = columns > width ? columns - width : 0;
    begin_row(p);
    p->column = canvas_put(pen_at(p, 0, columns, INK_STRONG), tool);
    canvas_put(pen_at(p, p->column + 1, at > 2 ? at - 2 : 0, INK_PLAIN), subject);
    canvas_put(pen_at(p, at, columns, INK_STRONG), end);
}

void panel_bar(panel *p, panel_gauge bar) {
    const unsigned width = canvas_width(p->canvas, bar.after), end = p->column + bar.columns;
    if (end + width + 1 > p->canvas->columns) return;
    plot_bar(pen_at(p, p->column, end, bar.ink), bar.part);
    p->column = end + 1;
    panel_put(p, INK_PLAIN, "%s", bar.after);
}

void panel_text(panel *p, const char *label, const char *text, unsigned lines_max) {
    for (unsigned i = 0; i < lines_max && *text != '\0'; i++) {
        const size_t length = strcspn(text, "\n");
        panel_begin(p, i == 0 ? label : "");
        panel_put(p, INK_PLAIN, "%.*s", (int)(length < 4096 ? length : 4096), text);
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

/* Texts at both ends of a scale. */
typedef struct scale_ends {
    const char *least, *most;
} scale_ends;

/* Put a text so that it ends before a column. */
static void put_right(panel *p, unsigned row, unsigned end, const char *text) {
    const unsigned width = canvas_width(p->canvas, text);
    canvas_put((canvas_pen){p->canvas, row, end > width ? end - width : 0, end, INK_PLAIN}, text);
}

/* Draw the title and the scale of a chart. Return the area within. */
static canvas_area put_frame(panel *p, canvas_area area, const char *title, scale_ends y) {
    const unsigned left = area.column + SCALE_COLUMNS;
    const canvas_pen head = {p->canvas, area.row, area.column + LABEL_COLUMN,
                             area.column + area.columns, INK_CYAN};
    canvas_put(head, title);
    put_right(p, area.row + 1, left - 1, y.most);
    put_right(p, area.row + area.rows - 2, left - 1, y.least);
    return (canvas_area){area.row + 1, left, area.rows - 2, area.columns - SCALE_COLUMNS};
}

/* Put both ends of the horizontal axis, `used` columns long, below a chart. */
static void put_axis(panel *p, canvas_area chart, unsigned used, scale_ends x) {
    const canvas_pen below = {p->canvas, chart.row + chart.rows, chart.column,
                              chart.column + chart.columns, INK_PLAIN};
    const unsigned after = canvas_put(below, x.least), width = canvas_width(p->canvas, x.most);
    if (after + width + 1 > chart.column + used) return;
    put_right(p, below.row, chart.column + used, x.most);
}

void panel_history(panel *p, canvas_area area, panel_curve of) {
    double heights[CANVAS_COLUMNS_MAX * PLOT_DOTS_X];
    char most[UNITS_TEXT_MAX], least[UNITS_TEXT_MAX], from[UNITS_TEXT_MAX];
    char last[2 * UNITS_TEXT_MAX];
    const history *h = of.sizes;
    scale_ends y = {"", ""};
    if (h->count > 0)
        y = (scale_ends){panel_format_short(least, history_least(h)),
                         panel_format_short(most, history_most(h))};
    const canvas_area chart = put_frame(p, area, of.title, y);
    if (h->count == 0) {
        const canvas_pen middle = {p->canvas, chart.row + chart.rows / 2, chart.column,
                                   chart.column + chart.columns, INK_PLAIN};
        canvas_put(middle, "no failure yet");
        return;
    }
    history_heights(h, of.x_end, heights, (size_t)chart.columns * PLOT_DOTS_X);
    plot_curve(p->canvas, chart, heights, INK_GREEN);
    snprintf(last, sizeof last, "%s %s", panel_format_short(UNITS_TEXT, of.x_end), of.unit);
    put_axis(p, chart, chart.columns, (scale_ends){panel_format_short(from, h->points[0].x), last});
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
    const canvas_area chart = put_frame(p, area, "failures by size", (scale_ends){"1/1M", "all"});
    if (end == 0) return;
    const unsigned most = chart.columns / (end - first);
    const unsigned width = most < 1 ? 1 : most < COLUMN_MAX ? most : COLUMN_MAX;
    plot_columns(p->canvas, chart, (plot_heights){heights + first, end - first, width}, INK_RED);
    const uint64_t low = first > 0 ? UINT64_C(1) << (first - 1) : 0,
                   high = end > 1 ? UINT64_C(1) << (end - 2) : 0;
    put_axis(p, chart, width * (end - first),
             (scale_ends){units_format_size(from, low), units_format_size(to, high)});
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
