/* distinct: a list of up to 32 numbers. Fails when three or more of them are distinct.
 *
 * Smallest: the three simplest. The test looks at nothing but which are equal.
 *
 *     distinct         [0, 1, -1]  0100000000010100000001ffffffff00
 *     distinct_length  [0, 1, -1]  190000000001000000ffffffff
 */
#include <frng_main.h>

enum { ITEMS_MAX = 32 };

typedef struct list {
    int32_t items[ITEMS_MAX];
    size_t count;
} list;

#ifdef LENGTH_STYLE
static bool draw_list(frng *f, list *l) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, ITEMS_MAX, &count));
    for (l->count = 0; l->count < count; l->count++) FRNG_TRY(frng_i32(f, &l->items[l->count]));
    return true;
}
#else
static bool draw_list(frng *f, list *l) {
    for (l->count = 0; l->count < ITEMS_MAX; l->count++) {
        bool more;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_i32(f, &l->items[l->count]));
    }
    return true;
}
#endif

static bool test(frng *f) {
    list l;
    size_t distinct = 0;
    FRNG_TRY(draw_list(f, &l));
    for (size_t i = 0; i < l.count; i++) {
        size_t k = 0;
        while (l.items[k] != l.items[i]) k++;
        if (k == i) distinct++;
    }
    FRNG_ASSERT(distinct < 3, "%zu distinct numbers", distinct);
    return true;
}

FRNG_MAIN(test)
