/* allocator: first fit in 1024 bytes. To free a block between two free ones joins the next one
 * twice, if that is the last one of all and the block is of whole units of 8 bytes. */
#include <frng_main.h>

enum { ROOM = 1024, BLOCKS = 64 };

typedef struct block {
    unsigned start, size;
    bool is_free;
} block;

typedef struct arena {
    block blocks[BLOCKS];
    unsigned count;
} arena;

static void drop(arena *a, unsigned i) {
    memmove(&a->blocks[i], &a->blocks[i + 1], (a->count - i - 1) * sizeof(block));
    a->count--;
}

static void allocate(arena *a, unsigned size) {
    for (unsigned i = 0; i < a->count && a->count < BLOCKS; i++) {
        block *b = &a->blocks[i];
        if (!b->is_free || b->size < size) continue;
        if (b->size > size) {
            memmove(b + 1, b, (a->count - i) * sizeof(block));
            a->count++;
            b[1].start += size;
            b[1].size -= size;
        }
        b->size = size;
        b->is_free = false;
        return;
    }
}

static void release(arena *a, unsigned i) {
    block *b = &a->blocks[i];
    unsigned size = 0;
    b->is_free = true;
    const bool is_before = i > 0 && b[-1].is_free, is_after = i + 1 < a->count && b[1].is_free;
    if (is_after) size = b[1].size;
    if (is_after && is_before && i + 2 == a->count && b->size % 8 == 0) size *= 2; /* the bug */
    b->size += size;
    if (is_after) drop(a, i + 1);
    if (!is_before) return;
    b[-1].size += b->size;
    drop(a, i);
}

static bool test(frng *f) {
    arena a = {.blocks = {{0, ROOM, true}}, .count = 1};
    for (;;) {
        bool is_new;
        FRNG_TRY(frng_bool(f, &is_new));
        if (is_new) {
            uint16_t size;
            FRNG_TRY(frng_u16_range(f, 1, 300, &size));
            allocate(&a, size);
        } else {
            uint8_t index;
            FRNG_TRY(frng_u8_max(f, BLOCKS - 1, &index));
            if (index < a.count && !a.blocks[index].is_free) release(&a, index);
        }
        unsigned sum = 0;
        for (unsigned i = 0; i < a.count; i++) sum += a.blocks[i].size;
        FRNG_ASSERT(sum == ROOM, "%u bytes", sum);
    }
}

FRNG_MAIN(test)
