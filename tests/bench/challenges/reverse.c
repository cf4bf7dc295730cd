/* reverse: a list of up to 32 numbers. Fails when it is not its own reverse.
 *
 * Smallest: the two simplest numbers that differ. The test looks at nothing but which are equal.
 *
 *     reverse         [0, 1]  0100000000010100000000
 *     reverse_length  [0, 1]  110000000001000000
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
    bool same = true;
    FRNG_TRY(draw_list(f, &l));
    for (size_t i = 0; i < l.count; i++) same = same && l.items[i] == l.items[l.count - 1 - i];
    FRNG_ASSERT(same, "%zu numbers", l.count);
    return true;
}

FRNG_MAIN(test)
