/* heap: a priority queue that removes from the middle and sifts down only. */
#include <frng_main.h>

enum { ITEMS = 64 };

typedef struct heap {
    uint16_t items[ITEMS];
    size_t count;
} heap;

static void swap(heap *h, size_t a, size_t b) {
    const uint16_t item = h->items[a];
    h->items[a] = h->items[b];
    h->items[b] = item;
}

static void down(heap *h, size_t at) {
    for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && h->items[child + 1] < h->items[child]) child++;
        if (h->items[at] <= h->items[child]) return;
        swap(h, at, child);
    }
}

static void up(heap *h, size_t at) {
    for (; at > 0 && h->items[at] < h->items[(at - 1) / 2]; at = (at - 1) / 2) {
        swap(h, at, (at - 1) / 2);
    }
}

static bool test(frng *f) {
    heap h = {.count = 0};
    for (;;) {
        uint8_t operation;
        FRNG_TRY(frng_u8_max(f, 2, &operation));
        if (operation == 0 && h.count < ITEMS) {
            FRNG_TRY(frng_u16(f, &h.items[h.count]));
            up(&h, h.count++);
        } else if (operation > 0 && h.count > 0) {
            uint8_t at = 0;
            if (operation == 2) FRNG_TRY(frng_u8_max(f, (uint8_t)(h.count - 1), &at));
            h.items[at] = h.items[--h.count];
            if (at < h.count) down(&h, at);
        }
        for (size_t i = 1; i < h.count; i++) FRNG_ASSERT(h.items[(i - 1) / 2] <= h.items[i]);
    }
}

FRNG_MAIN(test)
