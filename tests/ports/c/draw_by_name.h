/* draw_by_name.h: draws as text, for vectors: "u32_range 0 10" makes a draw, and its value is "7".
 *
 * Numbers are decimal; a double is the 16 hexadecimal digits of its bits, bytes are hexadecimal, a
 * bool is 0 or 1, a date 2000-01-31, and lists are joined by commas.
 * SPDX-License-Identifier: MIT */
#ifndef DRAW_BY_NAME_H
#define DRAW_BY_NAME_H

#include <frng.h>
#include <frng_more.h>

enum { DRAW_TEXT_MAX = 512 };

/* Make the draw that `call` describes, and write its value. *ok is the draw's answer. Returns false
 * if there is no such draw. */
bool draw_by_name(frng *f, const char *call, char value[DRAW_TEXT_MAX], bool *ok);

#endif
