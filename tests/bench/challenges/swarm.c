/* swarm: a ring of 2 numbers that can grow, under operations whose weights each run draws. Growing
 * copies the numbers as they lie. Fails when a number popped is not the one that was pushed.
 *
 * Smallest: the ring has wrapped when it grows. All weights are 1.
 *
 *     swarm               push, pop, push, push, grow, pop, pop
 *         01000000010000000100000001000000010000000100000000000000010000000000000034333333
 *         333333330100000000000000cdcccccccccccccc34333333333333333433333333333333
 */
#include "challenge.h"

enum { CAPACITY = 2, CAPACITY_MAX = 64 };

typedef enum operation { PUSH, POP, PEEK, CLEAR, GROW, OPERATIONS } operation;

typedef struct ring {
    unsigned items[CAPACITY_MAX];
    unsigned capacity, head, count;
    unsigned pushed, popped; /* in all */
} ring;

static void push(ring *r) {
    if (r->count == r->capacity) return;
    r->items[(r->head + r->count++) % r->capacity] = r->pushed++;
}

static void pop(ring *r) {
    if (r->count == 0) return;
    const unsigned item = r->items[r->head];
    r->head = (r->head + 1) % r->capacity;
    r->count--;
    FRNG_ASSERT(item == r->popped, "%u, not %u", item, r->popped);
    r->popped++;
}

static void clear(ring *r) {
    r->popped = r->pushed;
    r->head = r->count = 0;
    r->capacity = CAPACITY;
}

static void grow(ring *r) {
    if (r->capacity == CAPACITY_MAX) return;
    for (unsigned i = r->capacity; i < 2 * r->capacity; i++) r->items[i] = 0;
    r->capacity *= 2;
}

static bool test(frng *f) {
    ring r = {.capacity = CAPACITY};
    uint32_t weights[OPERATIONS];
    size_t drawn;
    FRNG_TRY(frng_swarm_weights(f, weights, OPERATIONS));
    for (;;) {
        FRNG_TRY(frng_weighted(f, weights, OPERATIONS, &drawn));
        switch ((operation)drawn) {
        case PUSH: push(&r); break;
        case POP: pop(&r); break;
        case CLEAR: clear(&r); break;
        case GROW: grow(&r); break;
        case PEEK:
        case OPERATIONS: break;
        }
    }
}
