/* self_length: a list of up to 32 bytes. Fails when it contains its own length.
 *
 * Smallest: [1].
 *
 *     self_length         [1]  0000000001000000e0
 *     self_length_length  [1]  0901
 */
#include "challenge.h"

enum { ITEMS_MAX = 32 };

typedef struct list {
    uint8_t items[ITEMS_MAX];
    size_t count;
} list;

static bool draw_list(frng *f, list *l) {
    list_style style = {.most = ITEMS_MAX, .eighths = 7};
    for (l->count = 0;; l->count++) {
        bool more;
        FRNG_TRY(draw_more(f, &style, l->count, &more));
        if (!more) return true;
        FRNG_TRY(frng_u8(f, &l->items[l->count]));
    }
}

static bool test(frng *f) {
    list l;
    bool contained = false;
    FRNG_TRY(draw_list(f, &l));
    for (size_t i = 0; i < l.count; i++) contained = contained || l.items[i] == l.count;
    FRNG_ASSERT(!contained, "%zu is there", l.count);
    return true;
}
