#include "canvas.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void canvas_init(canvas *c, unsigned columns, unsigned rows, canvas_charset charset) {
    c->columns = columns < CANVAS_COLUMNS_MAX ? columns : CANVAS_COLUMNS_MAX;
    c->rows = rows < CANVAS_ROWS_MAX ? rows : CANVAS_ROWS_MAX;
    c->charset = charset;
    memset(c->cells, 0, c->rows * sizeof c->cells[0]);
}

/* ---- Characters ---- */

typedef struct point_range {
    uint32_t first, last;
} point_range;

static bool is_among(const point_range *ranges, size_t count, uint32_t point) {
    for (size_t i = 0; i < count; i++) {
        if (point >= ranges[i].first && point <= ranges[i].last) return true;
    }
    return false;
}
#define IS_AMONG(ranges, point) is_among(ranges, sizeof(ranges) / sizeof *(ranges), point)

/* Return the cells of a character: those that terminals agree on are 2 wide (East Asian Width W and
 * F), or have no width: marks, joiners and controls of formats. */
static unsigned cells_of(uint32_t point) {
    static const point_range none[] = {
        {0, 0x1f},        {0x7f, 0x9f},       {0xad, 0xad},       {0x300, 0x36f},
        {0x483, 0x489},   {0x591, 0x5bd},     {0x5bf, 0x5c7},     {0x610, 0x61a},
        {0x64b, 0x65f},   {0x6d6, 0x6ed},     {0x730, 0x74a},     {0x7eb, 0x7f3},
        {0x816, 0x82d},   {0x859, 0x85b},     {0x8d3, 0x902},     {0x93a, 0x93c},
        {0x941, 0x948},   {0x94d, 0x957},     {0xe31, 0xe31},     {0xe34, 0xe3a},
        {0xe47, 0xe4e},   {0x1160, 0x11ff},   {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff},
        {0x200b, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},   {0x20d0, 0x20ff},
        {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},   {0xfeff, 0xfeff},   {0xfff0, 0xfffb},
        {0xd800, 0xdfff}, {0x1f3fb, 0x1f3ff}, {0xe0000, 0xe0fff}, {0x110000, UINT32_MAX}};
    static const point_range wide[] = {
        {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
        {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
        {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
        {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
        {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
        {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
        {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
        {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
        {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
        {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
        {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
        {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18aff},
        {0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
        {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
        {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
        {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc},
        {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a},
        {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5},
        {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6d7}, {0x1f6dc, 0x1f6df},
        {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a},
        {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};
    if (point >= 0x20 && point < 0x7f) return 1;
    if (IS_AMONG(none, point)) return 0;
    return IS_AMONG(wide, point) ? 2 : 1;
}

/* Return the character at *text, and move *text past it. U+FFFD stands for what is no UTF-8. */
static uint32_t next_point(const char **text) {
    const uint8_t lead = (uint8_t) * (*text)++;
    const unsigned more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    if (lead < 0x80) return lead;
    uint32_t point = lead & (0x3fu >> more);
    for (unsigned i = 0; i < more; i++) {
        if (((uint8_t) * *text & 0xc0) != 0x80) return 0xfffd;
        point = point << 6 | ((uint8_t) * (*text)++ & 0x3fu);
    }
    return more == 0 ? 0xfffd : point;
}

/* Return what the charset shows of a character. */
static uint32_t shown_as(const canvas *c, uint32_t point) {
    if (point == '\t') return ' ';
    return c->charset == CHARSET_ASCII && point >= 0x7f ? '?' : point;
}

static bool is_utf8_text(const canvas *c) { return c->charset == CHARSET_UTF8; }

/* ---- Cells ---- */

void canvas_set(canvas_pen p, uint32_t point) {
    if (p.row >= p.canvas->rows || p.column >= p.canvas->columns) return;
    p.canvas->cells[p.row][p.column] = (canvas_cell){point, p.ink};
}

unsigned canvas_width(const canvas *c, const char *text) {
    unsigned width = 0;
    while (*text != '\0') width += cells_of(shown_as(c, next_point(&text)));
    return width;
}

unsigned canvas_put(canvas_pen p, const char *text) {
    const canvas *c = p.canvas;
    if (p.end > c->columns) p.end = c->columns;
    if (p.column >= p.end) return p.column;
    const bool is_cut = canvas_width(c, text) > p.end - p.column;
    if (is_cut) p.end--;
    while (*text != '\0') {
        const uint32_t point = shown_as(c, next_point(&text));
        const unsigned cells = cells_of(point);
        if (cells == 0) continue;
        if (p.column + cells > p.end) break;
        canvas_set(p, point);
        p.column++;
        if (cells == 1) continue;
        canvas_set(p, CANVAS_COVERED);
        p.column++;
    }
    if (!is_cut) return p.column;
    canvas_set(p, is_utf8_text(c) ? 0x2026 : '>');
    return p.column + 1;
}

/* ---- Text ---- */

static size_t put_point(char *text, uint32_t point) {
    if (point < 0x80) {
        text[0] = (char)point;
        return 1;
    }
    const unsigned more = point >= 0x10000 ? 3 : point >= 0x800 ? 2 : 1;
    static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    text[0] = (char)(leads[more] | point >> 6 * more);
    for (unsigned i = 1; i <= more; i++) text[i] = (char)(0x80 | (point >> 6 * (more - i) & 0x3f));
    return more + 1;
}

static size_t put_ink(char *text, canvas_ink ink) {
    static const char *const sequences[] = {
        [INK_PLAIN] = "\033[0m",    [INK_STRONG] = "\033[0;1m",   [INK_RED] = "\033[0;31m",
        [INK_GREEN] = "\033[0;32m", [INK_YELLOW] = "\033[0;33m",  [INK_BLUE] = "\033[0;34m",
        [INK_CYAN] = "\033[0;36m",  [INK_MAGENTA] = "\033[0;35m",
    };
    const size_t length = strlen(sequences[ink]);
    memcpy(text, sequences[ink], length);
    return length;
}

unsigned canvas_text(const canvas *c, unsigned row, bool is_coloured, char text[CANVAS_TEXT_MAX]) {
    const canvas_cell *cells = c->cells[row];
    unsigned columns = c->columns;
    size_t length = 0;
    canvas_ink ink = INK_PLAIN;
    assert(row < c->rows);
    while (columns > 0 && (cells[columns - 1].point == 0 || cells[columns - 1].point == ' '))
        columns--;
    for (unsigned i = 0; i < columns; i++) {
        if (cells[i].point == CANVAS_COVERED) continue;
        if (is_coloured && cells[i].point != 0 && cells[i].ink != ink) {
            ink = cells[i].ink;
            length += put_ink(text + length, ink);
        }
        length += put_point(text + length, cells[i].point != 0 ? cells[i].point : ' ');
    }
    if (ink != INK_PLAIN) length += put_ink(text + length, INK_PLAIN);
    text[length] = '\0';
    return columns;
}
