/* draw.h: DRAW(uint8_t, what, frng_u8_max, f, 3) declares `what`, and draws it.
 * SPDX-License-Identifier: MIT */
#ifndef DRAW_H
#define DRAW_H

#include <frng_more.h>

#define DRAW(type, name, draw, ...)                                                                \
    type name;                                                                                     \
    FRNG_TRY(draw(__VA_ARGS__, &name))

#endif
