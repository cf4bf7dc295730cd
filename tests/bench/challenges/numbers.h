/* numbers.h: a list of up to 32 numbers. SPDX-License-Identifier: MIT */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "challenge.h"

enum { ITEMS_MAX = 32 };

typedef struct numbers {
    int32_t items[ITEMS_MAX];
    size_t count;
} numbers;

static bool draw_numbers(frng *f, numbers *l) {
    list_style style = {.most = ITEMS_MAX, .eighths = 4};
    for (l->count = 0;; l->count++) {
        bool more;
        FRNG_TRY(draw_more(f, &style, l->count, &more));
        if (!more) return true;
        FRNG_TRY(frng_i32(f, &l->items[l->count]));
    }
}

#endif
