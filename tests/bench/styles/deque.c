/* deque: a ring of growing size. To grow while the head is behind the tail copies one item less. */
#include <frng_main.h>

enum { ITEMS = 512 };

typedef struct deque {
    uint32_t items[ITEMS];
    size_t room, head, count;
} deque;

static void grow(deque *d) {
    uint32_t old[ITEMS];
    const size_t wrapped = d->head;
    memcpy(old, d->items, sizeof old);
    for (size_t i = 0; i < d->count; i++) d->items[i] = old[(d->head + i) % d->room];
    if (wrapped > 3 && wrapped % 8 == 5 && d->room >= 32) d->items[d->count - 1] = 0;
    d->head = 0;
    d->room *= 2;
}

static bool test(frng *f) {
    deque d = {.room = 4};
    uint32_t model[ITEMS], next = 1;
    size_t first = ITEMS / 2, last = ITEMS / 2; /* of the model */
    for (;;) {
        uint8_t operation;
        FRNG_TRY(frng_u8_max(f, 4, &operation));
        if (operation < 3) {
            if (last == ITEMS || first == 0 || d.room == ITEMS) return true;
            if (d.count == d.room) grow(&d);
        }
        if (operation < 2) {
            d.items[(d.head + d.count++) % d.room] = model[last++] = next++;
        } else if (operation == 2) {
            d.head = (d.head + d.room - 1) % d.room;
            d.count++;
            d.items[d.head] = model[--first] = next++;
        } else if (operation == 3 && d.count > 0) {
            FRNG_ASSERT(d.items[d.head] == model[first], "%u", model[first]);
            d.head = (d.head + 1) % d.room;
            d.count--;
            first++;
        } else if (operation == 4 && d.count > 0) {
            d.count--;
            last--;
            FRNG_ASSERT(d.items[(d.head + d.count) % d.room] == model[last], "%u", model[last]);
        }
    }
}

FRNG_MAIN(test)
