/* loops.c: loops over lists, the natural names of integers, zeros in an alphabet, and cleanup by a
 * second function, for a compiler with all warnings. SPDX-License-Identifier: MIT */
#include "frng_main.h"

enum { LONGEST = 6 };

typedef struct world {
    size_t lists, elements, zeros;
    bool is_open;
} world;

static bool draw_lists(frng *f, world *w) {
    char text[LONGEST + 1];
    size_t length;
    long far, near;
    int small;
    frng_list(f, 1, LONGEST, i) {
        w->lists++;
        if (i == 0) continue;
        frng_list(f, 0, LONGEST, k) {
            FRNG_TRY(frng_size_range(f, k, k + 3, &length));
            FRNG_ASSERT(length >= k && length <= k + 3);
            w->elements++;
            if (w->elements == 40) break;
        }
    }
    FRNG_ASSERT(w->lists > 0);
    FRNG_TRY(frng_string_of(f, "a\0b", 3, 0, LONGEST, text, &length));
    FRNG_ASSERT(length <= LONGEST && text[length] == '\0');
    for (size_t i = 0; i < length; i++) w->zeros += text[i] == '\0';
    if (length > 3) {
        frng_list(f, 0, 2, i) FRNG_TRY(frng_int_range(f, -3, 3, &small));
    }
    FRNG_TRY(frng_long_range(f, -3, 3, &near));
    FRNG_TRY(frng_long(f, &far));
    FRNG_TRY(frng_size_max(f, 9, &length));
    FRNG_TRY(frng_int_mixed(f, -3, 3, &small));
    FRNG_ASSERT(near >= -3 && near <= 3 && length <= 9 && small >= -3 && small <= 3);
    return true;
}

static bool test(frng *f) {
    static size_t open, worlds, zeros;
    world w = {0, 0, 0, true};
    const frng before = *f;
    open++;
    const bool has_drawn = draw_lists(f, &w);
    open -= w.is_open; /* whatever ended the other one */
    FRNG_ASSERT(open == 0 && has_drawn == !f->exhausted);
    FRNG_ASSERT(w.elements <= 40);
    worlds += has_drawn;
    zeros += w.zeros;
    if (has_drawn && frng_used(f) > frng_used(&before)) return test(f);
    FRNG_ASSERT(worlds > 5 && zeros > 5, "%zu worlds, %zu zeros", worlds, zeros);
    return false;
}

int main(void) {
    static uint8_t bytes[4000];
    frng_expand(1, bytes, sizeof bytes);
    frng f = frng_init(bytes, sizeof bytes);
    return test(&f) || !f.exhausted;
}
