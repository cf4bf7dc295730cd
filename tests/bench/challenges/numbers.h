/* numbers.h: a list of up to 32 numbers, drawn as an element goes after each "more", or
 * (LENGTH_STYLE) after its length. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <frng_main.h>

enum { ITEMS_MAX = 32 };

typedef struct numbers {
    int32_t items[ITEMS_MAX];
    size_t count;
} numbers;

#ifdef LENGTH_STYLE
static bool draw_numbers(frng *f, numbers *l) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, ITEMS_MAX, &count));
    for (l->count = 0; l->count < count; l->count++) FRNG_TRY(frng_i32(f, &l->items[l->count]));
    return true;
}
#else
static bool draw_numbers(frng *f, numbers *l) {
    for (l->count = 0; l->count < ITEMS_MAX; l->count++) {
        bool more;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_i32(f, &l->items[l->count]));
    }
    return true;
}
#endif

#endif
