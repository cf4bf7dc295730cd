/* live.h: the live lines: the last lines on the terminal of standard error, rewritten in place.
 *
 * They need nothing from the terminal that would have to be given back: no other screen, no mode,
 * and the cursor is hidden only within a write. So they survive every kind of end, and what others
 * print follows them. The escape sequences are those of ECMA-48 (the cursor goes up, lines are
 * erased), and two modes that terminals which lack them ignore. */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stddef.h>

enum { LIVE_LINES_MAX = 100 };

/* A line: UTF-8 and colours, without an end. Its columns are fewer than those of the terminal. */
typedef struct live_line {
    const char *text;
    unsigned columns;
} live_line;

typedef struct live_area {
    unsigned columns, rows;
    bool is_known;
} live_area;

/* Return the size of the terminal; 80 x 24 if that is not known. */
live_area live_measure(void);

/* True if the tool is not in the background, so that lines disturb no other program. */
bool live_is_allowed(void);

/* Show these lines in place of the ones before. Only those that differ are written. Does nothing
 * while the terminal takes no output, so that it never holds up the caller. */
void live_show(const live_line *lines, size_t count);

/* Erase the lines. What is printed next takes their place. */
void live_erase(void);

#endif
