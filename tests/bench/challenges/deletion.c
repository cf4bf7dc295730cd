/* deletion: a list of up to 32 numbers that is not empty, and an index into it. Fails when the
 * number at the index is still there after its first occurrence was removed.
 *
 * Smallest: the simplest number twice.
 *
 *     deletion        ([0, 0], 0)  00000000000000000000000000e00000000000000000
 */
#include "challenge.h"

enum { ITEMS_MAX = 32 };

typedef struct list {
    int8_t items[ITEMS_MAX];
    size_t count;
} list;

static bool draw_list(frng *f, list *l) {
    for (l->count = 0; l->count < ITEMS_MAX; l->count++) {
        bool more;
        FRNG_TRY(frng_chance(f, 7, 8, &more));
        if (!more) break;
        FRNG_TRY(frng_i8(f, &l->items[l->count]));
    }
    return true;
}

static size_t find(const list *l, int8_t item) {
    size_t i = 0;
    while (i < l->count && l->items[i] != item) i++;
    return i;
}

static bool test(frng *f) {
    list l;
    size_t index;
    FRNG_TRY(draw_list(f, &l));
    if (l.count == 0) return true;
    FRNG_TRY(frng_index(f, l.count, &index));
    const int8_t item = l.items[index];
    const size_t at = find(&l, item);
    l.count--;
    memmove(&l.items[at], &l.items[at + 1], l.count - at);
    FRNG_ASSERT(find(&l, item) == l.count, "%d is still there", item);
    return true;
}
