/* challenge.h: what the challenges share: their main, and how lists are drawn.
 * SPDX-License-Identifier: MIT */
#ifndef CHALLENGE_H
#define CHALLENGE_H

#include <string.h>

#include <frng_main.h>
#include <frng_more.h>

static bool test(frng *f);

FRNG_MAIN(test)

/* The test draws this again and again until the entropy is out. */
#define TEST_AGAIN(draw)                                                                           \
    static bool test(frng *f) {                                                                    \
        for (;;) FRNG_TRY(draw(f));                                                                \
    }

/* How a list goes on: up to `most` items, each after a "more" that comes in so many of eight, or
 * (LENGTH_STYLE) after the length of all. */
typedef struct list_style {
    uint8_t most, eighths;
    uint8_t length; /* of LENGTH_STYLE */
} list_style;

/* Whether there is another item after `count`. */
static inline bool draw_more(frng *f, list_style *s, size_t count, bool *more) {
#ifdef LENGTH_STYLE
    if (count == 0) FRNG_TRY(frng_u8_max(f, s->most, &s->length));
    *more = count < s->length;
    return true;
#else
    *more = false;
    if (count == s->most) return true;
    if (s->eighths == 4) return frng_bool(f, more);
    return s->eighths == 6 ? frng_chance(f, 3, 4, more) : frng_chance(f, s->eighths, 8, more);
#endif
}

#endif
