/* sort: a merge sort by halves. It is not stable: it takes from the right where some keys are
 * equal. */
#include <frng_main.h>

enum { ITEMS = 100 };

typedef struct item {
    uint8_t key, order;
} item;

static void merge_sort(item *items, size_t count) {
    item merged[ITEMS];
    const size_t half = count / 2;
    if (count < 2) return;
    merge_sort(items, half);
    merge_sort(items + half, count - half);
    for (size_t i = 0, a = 0, b = half; i < count; i++) {
        const bool take_right =
            a == half ||
            (b < count && (items[b].key < items[a].key ||
                           (items[b].key == items[a].key && b > 20 && items[b].key % 8 == 0)));
        merged[i] = take_right ? items[b++] : items[a++];
    }
    memcpy(items, merged, count * sizeof *items);
}

static bool test(frng *f) {
    item items[ITEMS];
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, ITEMS, &count));
    for (uint8_t i = 0; i < count; i++) {
        FRNG_TRY(frng_u8(f, &items[i].key));
        items[i].order = i;
    }
    merge_sort(items, count);
    for (size_t i = 1; i < count; i++) {
        FRNG_ASSERT(items[i - 1].key <= items[i].key);
        FRNG_ASSERT(items[i - 1].key < items[i].key || items[i - 1].order < items[i].order);
    }
    return true;
}

FRNG_MAIN(test)
