/* nestedlists: a list of up to 20 lists of up to 20 numbers. Fails when they have more than ten
 * numbers in all.
 *
 * Smallest: one list of eleven zeros. More lists are more bytes, and the test looks at no number.
 *
 *     nestedlists         [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
 *         00000000000000000000000000000000000000000000000000000000000000000000000000000000
 *         00000000000000000000000000000000000000000000c0000000c0
 *     nestedlists_length  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]  0d870000000000000000000000
 */
#include "challenge.h"

enum { LISTS_MAX = 20, ITEMS_MAX = 20 };

typedef struct list {
    uint8_t items[ITEMS_MAX];
    size_t count;
} list;

typedef struct lists {
    list lists[LISTS_MAX];
    size_t count;
} lists;

static bool draw_list(frng *f, list *l) {
    list_style style = {.most = ITEMS_MAX, .eighths = 6};
    for (l->count = 0;; l->count++) {
        bool more;
        FRNG_TRY(draw_more(f, &style, l->count, &more));
        if (!more) return true;
        FRNG_TRY(frng_u8(f, &l->items[l->count]));
    }
}

static bool draw_lists(frng *f, lists *all) {
    list_style style = {.most = LISTS_MAX, .eighths = 6};
    for (all->count = 0;; all->count++) {
        bool more;
        FRNG_TRY(draw_more(f, &style, all->count, &more));
        if (!more) return true;
        FRNG_TRY(draw_list(f, &all->lists[all->count]));
    }
}

static bool test(frng *f) {
    lists all;
    size_t items = 0;
    FRNG_TRY(draw_lists(f, &all));
    for (size_t i = 0; i < all.count; i++) items += all.lists[i].count;
    FRNG_ASSERT(items <= 10, "%zu items", items);
    return true;
}
