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
#include <frng_main.h>
#include <frng_more.h>

enum { LISTS_MAX = 20, ITEMS_MAX = 20 };

typedef struct list {
    uint8_t items[ITEMS_MAX];
    size_t count;
} list;

typedef struct lists {
    list lists[LISTS_MAX];
    size_t count;
} lists;

#ifdef LENGTH_STYLE
static bool draw_list(frng *f, list *l) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, ITEMS_MAX, &count));
    for (l->count = 0; l->count < count; l->count++) FRNG_TRY(frng_u8(f, &l->items[l->count]));
    return true;
}

static bool draw_lists(frng *f, lists *all) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, LISTS_MAX, &count));
    for (all->count = 0; all->count < count; all->count++) {
        FRNG_TRY(draw_list(f, &all->lists[all->count]));
    }
    return true;
}
#else
static bool draw_list(frng *f, list *l) {
    for (l->count = 0; l->count < ITEMS_MAX; l->count++) {
        bool more;
        FRNG_TRY(frng_chance(f, 3, 4, &more));
        if (!more) break;
        FRNG_TRY(frng_u8(f, &l->items[l->count]));
    }
    return true;
}

static bool draw_lists(frng *f, lists *all) {
    for (all->count = 0; all->count < LISTS_MAX; all->count++) {
        bool more;
        FRNG_TRY(frng_chance(f, 3, 4, &more));
        if (!more) break;
        FRNG_TRY(draw_list(f, &all->lists[all->count]));
    }
    return true;
}
#endif

static bool test(frng *f) {
    lists all;
    size_t items = 0;
    FRNG_TRY(draw_lists(f, &all));
    for (size_t i = 0; i < all.count; i++) items += all.lists[i].count;
    FRNG_ASSERT(items <= 10, "%zu items", items);
    return true;
}

FRNG_MAIN(test)
