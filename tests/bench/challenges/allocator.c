/* allocator: 100 units in blocks. The first free block that is large enough is taken, and a block
 * that is freed joins the free one before it, but not the one behind. Fails when so many free units
 * follow each other as were asked for, and there is no such block.
 *
 * Smallest: a block of 37 units that becomes free beside the other 63, and 64 asked for.
 *
 *     allocator           take 37, free 0, take 64
 *         0090010000fc
 */
#include "challenge.h"

enum { UNITS = 100, SIZE_MAX_TAKEN = 64 };

typedef struct block {
    unsigned size;
    bool is_taken;
} block;

typedef struct heap {
    block blocks[UNITS + 1];
    size_t count, taken;
} heap;

static void remove_block(heap *h, size_t at) {
    memmove(&h->blocks[at], &h->blocks[at + 1], (h->count - at) * sizeof(block));
    h->count--;
}

static void take(heap *h, unsigned size) {
    unsigned row = 0, largest = 0;
    for (size_t i = 0; i < h->count; i++) {
        block *b = &h->blocks[i];
        row = b->is_taken ? 0 : row + b->size;
        if (row > largest) largest = row;
        if (b->is_taken || b->size < size) continue;
        if (b->size > size) {
            memmove(b + 1, b, (h->count++ - i) * sizeof *b);
            b[1].size -= size;
            b->size = size;
        }
        b->is_taken = true;
        h->taken++;
        return;
    }
    FRNG_ASSERT(largest < size, "%u are free, %u asked for", largest, size);
}

static void release(heap *h, size_t index) {
    size_t at = 0;
    while (!h->blocks[at].is_taken || index-- > 0) at++;
    h->blocks[at].is_taken = false;
    h->taken--;
    if (at == 0 || h->blocks[at - 1].is_taken) return;
    h->blocks[at - 1].size += h->blocks[at].size;
    remove_block(h, at);
}

static bool operate(frng *f, heap *h) {
    bool frees;
    uint8_t size;
    size_t index;
    FRNG_TRY(frng_bool(f, &frees));
    if (!frees) {
        FRNG_TRY(frng_u8_range(f, 1, SIZE_MAX_TAKEN, &size));
        take(h, size);
    } else if (h->taken > 0) {
        FRNG_TRY(frng_pick(f, h->taken, &index));
        release(h, index);
    }
    return true;
}

static bool test(frng *f) {
    heap h = {.blocks = {{.size = UNITS}}, .count = 1};
    for (;;) FRNG_TRY(operate(f, &h));
}
