#include "plot.h"

enum { EIGHTHS = 8, BRAILLE = 0x2800, FULL_BLOCK = 0x2588 };

static double clamped(double part) { return part < 0 ? 0 : part > 1 ? 1 : part; }

void plot_bar(canvas_pen p, double part) {
    const bool is_utf8 = p.canvas->charset == CHARSET_UTF8;
    unsigned eighths = (unsigned)(clamped(part) * EIGHTHS * (p.end - p.column));
    for (; p.column < p.end; p.column++, eighths -= eighths < EIGHTHS ? eighths : EIGHTHS) {
        if (eighths >= EIGHTHS) {
            canvas_set(p, is_utf8 ? FULL_BLOCK : '#');
        } else if (eighths > 0 && is_utf8) {
            canvas_set(p, FULL_BLOCK + EIGHTHS - eighths);
        } else {
            p.ink = INK_PLAIN;
            canvas_set(p, is_utf8 ? 0xb7 : '.');
        }
    }
}

/* ---- Curves ---- */

/* Return the dot of a height, of `dots` dots; 0 is the top. */
static unsigned dot_of(double height, unsigned dots) {
    const unsigned up = (unsigned)(clamped(height) * (dots - 1) + 0.5);
    return dots - 1 - up;
}

/* Add a dot to a cell, dots `x` and `y` of which are under the pen. */
static void put_dot(canvas_pen p, unsigned x, unsigned y) {
    static const uint8_t bits[PLOT_DOTS_X][PLOT_DOTS_Y] = {{0x01, 0x02, 0x04, 0x40},
                                                           {0x08, 0x10, 0x20, 0x80}};
    const uint32_t before = p.canvas->cells[p.row][p.column].point;
    const uint32_t dots = before > BRAILLE ? before : BRAILLE;
    canvas_set(p, dots | bits[x % PLOT_DOTS_X][y % PLOT_DOTS_Y]);
}

/* Add a dot of ASCII: a cell has two, one above the other, and is as wide as one. */
static void put_mark(canvas_pen p, unsigned y) {
    const uint32_t mark = y % 2 == 0 ? '\'' : '.';
    const uint32_t before = p.canvas->cells[p.row][p.column].point;
    canvas_set(p, before != 0 && before != mark ? ':' : mark);
}

void plot_curve(canvas *c, canvas_area area, const double *heights, canvas_ink ink) {
    const bool is_utf8 = c->charset == CHARSET_UTF8;
    const unsigned dots_y = is_utf8 ? PLOT_DOTS_Y : 2, dots = area.rows * dots_y;
    canvas_pen p = {.canvas = c, .ink = ink};
    unsigned before = dots;
    for (unsigned x = 0; x < area.columns * PLOT_DOTS_X; x++) {
        if (heights[x] < 0) {
            before = dots;
            continue;
        }
        const unsigned y = dot_of(heights[x], dots);
        const unsigned from = before == dots ? y : before;
        for (unsigned at = from < y ? from : y; at <= (from < y ? y : from); at++) {
            p.row = area.row + at / dots_y;
            p.column = area.column + x / PLOT_DOTS_X;
            if (p.row >= c->rows || p.column >= c->columns) continue;
            if (is_utf8) {
                put_dot(p, x, at);
            } else {
                put_mark(p, at);
            }
        }
        before = y;
    }
}

/* ---- Columns ---- */

/* Return the character that fills 0 to 8 eighths of a cell. */
static uint32_t column_part(const canvas *c, unsigned eighths) {
    static const char ascii[] = " ..::||##";
    return c->charset == CHARSET_UTF8 ? 0x2580 + eighths : (uint32_t)ascii[eighths];
}

static void draw_column(canvas *c, canvas_area area, double height, canvas_ink ink) {
    unsigned eighths = (unsigned)(clamped(height) * area.rows * EIGHTHS + 0.5);
    if (height > 0 && eighths == 0) eighths = 1;
    for (unsigned row = area.row + area.rows; row-- > area.row;) {
        const unsigned here = eighths < EIGHTHS ? eighths : EIGHTHS;
        eighths -= here;
        for (unsigned i = 0; i < area.columns && here > 0; i++) {
            const canvas_pen p = {c, row, area.column + i, area.column + area.columns, ink};
            canvas_set(p, column_part(c, here));
        }
    }
}

void plot_columns(canvas *c, canvas_area area, plot_heights h, canvas_ink ink) {
    for (unsigned i = 0; i < h.count && (i + 1) * h.width <= area.columns; i++) {
        const canvas_area one = {area.row, area.column + i * h.width, area.rows,
                                 h.width > 1 ? h.width - 1 : 1};
        canvas_pen zero = {c, area.row + area.rows - 1, one.column, one.column + one.columns,
                           INK_PLAIN};
        if (h.heights[i] < 0) continue;
        if (h.heights[i] > 0) {
            draw_column(c, one, h.heights[i], ink);
            continue;
        }
        for (; zero.column < zero.end; zero.column++) canvas_set(zero, '_');
    }
}
