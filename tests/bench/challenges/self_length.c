/* self_length: a list of up to 32 bytes. Fails when it contains its own length.
 *
 * Smallest: [1].
 *
 *     self_length         [1]  0000000001000000e0
 *     self_length_length  [1]  0901
 */
#include <frng_main.h>
#include <frng_more.h>

enum { ITEMS_MAX = 32 };

typedef struct list {
    uint8_t items[ITEMS_MAX];
    size_t count;
} list;

#ifdef LENGTH_STYLE
static bool draw_list(frng *f, list *l) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, ITEMS_MAX, &count));
    for (l->count = 0; l->count < count; l->count++) FRNG_TRY(frng_u8(f, &l->items[l->count]));
    return true;
}
#else
static bool draw_list(frng *f, list *l) {
    for (l->count = 0; l->count < ITEMS_MAX; l->count++) {
        bool more;
        FRNG_TRY(frng_chance(f, 7, 8, &more));
        if (!more) break;
        FRNG_TRY(frng_u8(f, &l->items[l->count]));
    }
    return true;
}
#endif

static bool test(frng *f) {
    list l;
    bool contained = false;
    FRNG_TRY(draw_list(f, &l));
    for (size_t i = 0; i < l.count; i++) contained = contained || l.items[i] == l.count;
    FRNG_ASSERT(!contained, "%zu is there", l.count);
    return true;
}

FRNG_MAIN(test)
