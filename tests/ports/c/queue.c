#include <frng_main.h>

/* A queue of bytes in a ring, 8 deep. */
typedef struct queue {
    uint8_t items[8];
    unsigned head, count;
} queue;

static void push(queue *q, uint8_t x) { q->items[(q->head + q->count++) % 8] = x; }
static uint8_t pop(queue *q) {
    q->count--;
    return q->items[q->head++ % 7];
}

static bool step(frng *f, queue *q, uint8_t *first, uint8_t *last) {
    bool want_push;
    FRNG_TRY(frng_bool(f, &want_push));
    if (want_push && q->count < 8) {
        push(q, (*last)++);
    } else if (!want_push && q->count > 0) {
        const uint8_t got = pop(q);
        FRNG_ASSERT(got == *first, "got %d, not %d", got, *first);
        (*first)++;
    }
    return true;
}

static bool test(frng *f) {
    queue q = {0};
    uint8_t first = 0, last = 0;
    for (;;) FRNG_TRY(step(f, &q, &first, &last)); /* until the entropy runs out: passed */
}

FRNG_MAIN(test)
