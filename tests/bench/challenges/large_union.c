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
#include <frng_main.h>

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

#ifdef LENGTH_STYLE
static bool draw_list(frng *f, set *s) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, ITEMS_MAX, &count));
    while (count-- > 0) {
        int32_t item;
        FRNG_TRY(frng_i32(f, &item));
        set_add(s, item);
    }
    return true;
}

static bool draw_lists(frng *f, set *s) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, LISTS_MAX, &count));
    while (count-- > 0) FRNG_TRY(draw_list(f, s));
    return true;
}
#else
static bool draw_list(frng *f, set *s) {
    for (int count = 0; count < ITEMS_MAX; count++) {
        bool more;
        int32_t item;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_i32(f, &item));
        set_add(s, item);
    }
    return true;
}

static bool draw_lists(frng *f, set *s) {
    for (int count = 0; count < LISTS_MAX; count++) {
        bool more;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(draw_list(f, s));
    }
    return true;
}
#endif

static bool test(frng *f) {
    set s = {.count = 0};
    FRNG_TRY(draw_lists(f, &s));
    FRNG_ASSERT(s.count < 5, "%zu distinct numbers", s.count);
    return true;
}

FRNG_MAIN(test)
