#include "plot.h"

enum { EIGHTHS = 8, BRAILLE = 0x2800, FULL_BLOCK = 0x2588 };

static double clamped(double part) { return part < 0 ? 0 : part > 1 ? 1 : part; }

void plot_bar(canvas *c, unsigned row, unsigned column, unsigned columns, double part,
              canvas_ink ink) {
    const bool is_utf8 = c->charset == CHARSET_UTF8;
    unsigned eighths = (unsigned)(clamped(part) * EIGHTHS * columns);
    for (unsigned i = 0; i < columns; i++, eighths -= eighths < EIGHTHS ? eighths : EIGHTHS) {
        if (eighths >= EIGHTHS) {
            canvas_set(c, row, column + i, is_utf8 ? FULL_BLOCK : '#', ink);
        } else if (eighths > 0 && is_utf8) {
            canvas_set(c, row, column + i, FULL_BLOCK + EIGHTHS - eighths, ink);
        } else {
            canvas_set(c, row, column + i, is_utf8 ? 0xb7 : '.', INK_PLAIN);
        }
    }
}

/* ---- Curves ---- */

/* Return the dot of a height, of `dots` dots; 0 is the top. */
static unsigned dot_of(double height, unsigned dots) {
    const unsigned up = (unsigned)(clamped(height) * (dots - 1) + 0.5);
    return dots - 1 - up;
}

/* Add a dot to a cell. */
static void put_dot(canvas *c, canvas_area area, unsigned x, unsigned y, canvas_ink ink) {
    static const uint8_t bits[PLOT_DOTS_X][PLOT_DOTS_Y] = {{0x01, 0x02, 0x04, 0x40},
                                                           {0x08, 0x10, 0x20, 0x80}};
    const unsigned row = area.row + y / PLOT_DOTS_Y, column = area.column + x / PLOT_DOTS_X;
    if (row >= c->rows || column >= c->columns) return;
    const uint32_t before = c->cells[row][column].point;
    const uint32_t dots = before > BRAILLE ? before : BRAILLE;
    canvas_set(c, row, column, dots | bits[x % PLOT_DOTS_X][y % PLOT_DOTS_Y], ink);
}

/* Add a dot of ASCII: a cell has two, one above the other, and is as wide as one. */
static void put_mark(canvas *c, canvas_area area, unsigned x, unsigned y, canvas_ink ink) {
    const unsigned row = area.row + y / 2, column = area.column + x / PLOT_DOTS_X;
    if (row >= c->rows || column >= c->columns) return;
    const uint32_t mark = y % 2 == 0 ? '\'' : '.', before = c->cells[row][column].point;
    canvas_set(c, row, column, before != 0 && before != mark ? ':' : mark, ink);
}

void plot_curve(canvas *c, canvas_area area, const double *heights, canvas_ink ink) {
    const bool is_utf8 = c->charset == CHARSET_UTF8;
    const unsigned dots = area.rows * (is_utf8 ? PLOT_DOTS_Y : 2);
    unsigned before = dots;
    for (unsigned x = 0; x < area.columns * PLOT_DOTS_X; x++) {
        if (heights[x] < 0) {
            before = dots;
            continue;
        }
        const unsigned y = dot_of(heights[x], dots);
        const unsigned from = before == dots ? y : before;
        for (unsigned at = from < y ? from : y; at <= (from < y ? y : from); at++) {
            if (is_utf8) {
                put_dot(c, area, x, at, ink);
            } else {
                put_mark(c, area, x, at, ink);
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
            canvas_set(c, row, area.column + i, column_part(c, here), ink);
        }
    }
}

void plot_columns(canvas *c, canvas_area area, unsigned width, const double *heights, size_t count,
                  canvas_ink ink) {
    const unsigned bottom = area.row + area.rows - 1;
    for (unsigned i = 0; i < count && (i + 1) * width <= area.columns; i++) {
        const canvas_area one = {area.row, area.column + i * width, area.rows,
                                 width > 1 ? width - 1 : 1};
        if (heights[i] < 0) continue;
        if (heights[i] > 0) {
            draw_column(c, one, heights[i], ink);
            continue;
        }
        for (unsigned k = 0; k < one.columns; k++)
            canvas_set(c, bottom, one.column + k, '_', INK_PLAIN);
    }
}
