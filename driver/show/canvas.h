/* canvas.h: lines of a screen as cells, which take text and colours. Pure.
 *
 * Text is UTF-8 and may be untrusted: no control character reaches a cell, a wide character takes
 * two cells or none, and what has no width is dropped. Text is cut at the end of its place. */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CANVAS_COLUMNS_MAX = 240, CANVAS_ROWS_MAX = 60 };

/* The characters that the terminal can show. */
typedef enum canvas_charset { CHARSET_ASCII, CHARSET_UTF8 } canvas_charset;

/* Colours of cells: of the eight standard ones, which every terminal's user has chosen. */
typedef enum canvas_ink {
    INK_PLAIN,
    INK_STRONG,
    INK_RED,
    INK_GREEN,
    INK_YELLOW,
    INK_BLUE,
    INK_MAGENTA,
    INK_CYAN
} canvas_ink;

typedef struct canvas_cell {
    uint32_t point; /* Unicode; 0: blank, CANVAS_COVERED: the right half of a wide character */
    canvas_ink ink;
} canvas_cell;

#define CANVAS_COVERED UINT32_MAX

typedef struct canvas {
    unsigned columns, rows;
    canvas_charset charset;
    canvas_cell cells[CANVAS_ROWS_MAX][CANVAS_COLUMNS_MAX];
} canvas;

/* A rectangle of a canvas. */
typedef struct canvas_area {
    unsigned row, column, rows, columns;
} canvas_area;

/* Make a blank canvas, of at most the sizes above. */
void canvas_init(canvas *c, unsigned columns, unsigned rows, canvas_charset charset);

/* A place in a row, from `column` to before `end`, and the colour of what is put there. */
typedef struct canvas_pen {
    canvas *canvas;
    unsigned row, column, end;
    canvas_ink ink;
} canvas_pen;

/* Set the first cell of a place. Nothing outside of the canvas is changed. */
void canvas_set(canvas_pen p, uint32_t point);

/* Put text into a place, at whose end it is cut. Return the column after it. */
unsigned canvas_put(canvas_pen p, const char *text);

/* Return the columns that text takes. */
unsigned canvas_width(const canvas *c, const char *text);

/* Write a row as text, with colours as escape sequences if `is_coloured`, without blanks at its
 * end. Return its columns. */
enum { CANVAS_TEXT_MAX = CANVAS_COLUMNS_MAX * 16 };
unsigned canvas_text(const canvas *c, unsigned row, bool is_coloured, char text[CANVAS_TEXT_MAX]);

#endif
