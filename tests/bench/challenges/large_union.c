/* large_union: a list of up to 16 lists of up to 16 numbers. Fails when five or more distinct
 * numbers are in them.
 *
 * Smallest: one list with the five simplest numbers. More lists are more bytes, and the test looks
 * at nothing but which numbers are equal.
 *
 *     large_union         [[0, 1, -1, 2, -2]]
 *         010100000000010100000001ffffffff010200000001feffffff0000
 *     large_union_length  [[0, 1, -1, 2, -2]]  104c0000000001000000ffffffff02000000feffffff
 */
#include "challenge.h"

enum { LISTS_MAX = 16, ITEMS_MAX = 16 };

typedef struct set {
    int32_t items[LISTS_MAX * ITEMS_MAX];
    size_t count;
} set;

static void set_add(set *s, int32_t item) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i] == item) return;
    }
    s->items[s->count++] = item;
}

static bool draw_list(frng *f, set *s) {
    list_style style = {.most = ITEMS_MAX, .eighths = 4};
    for (size_t count = 0;; count++) {
        bool more;
        int32_t item;
        FRNG_TRY(draw_more(f, &style, count, &more));
        if (!more) return true;
        FRNG_TRY(frng_i32(f, &item));
        set_add(s, item);
    }
}

static bool draw_lists(frng *f, set *s) {
    list_style style = {.most = LISTS_MAX, .eighths = 4};
    for (size_t count = 0;; count++) {
        bool more;
        FRNG_TRY(draw_more(f, &style, count, &more));
        if (!more) return true;
        FRNG_TRY(draw_list(f, s));
    }
}

static bool test(frng *f) {
    set s = {.count = 0};
    FRNG_TRY(draw_lists(f, &s));
    FRNG_ASSERT(s.count < 5, "%zu distinct numbers", s.count);
    return true;
}
