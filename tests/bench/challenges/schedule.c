/* schedule: up to 4 threads, each of which pops and pushes back an item so many times. Each time it
 * reads the top with its version, which has one bit, and then swaps it if it is the same. Fails
 * when a swap succeeds though others have come between.
 *
 * Smallest: between the steps of one thread, another one swaps twice.
 *
 *     schedule            2 threads, 1 and 2 times: 0 1 1 1 1 0
 *         40010200000000000000000000000000000080000000000000008000000000000000800000000000
 *         0000800000000000000000
 */
#include "challenge.h"

enum { THREADS_MAX = 4, TIMES_MAX = 200 };

typedef struct thread {
    uint8_t left;
    bool has_read;
    unsigned seen;
} thread;

static void step(thread *t, unsigned *version) {
    if (!t->has_read) {
        t->seen = *version;
        t->has_read = true;
        return;
    }
    t->has_read = false;
    if (t->seen % 2 != *version % 2) return; /* again */
    FRNG_ASSERT(t->seen == *version, "%u swaps between", *version - t->seen);
    ++*version;
    t->left--;
}

static bool test(frng *f) {
    thread threads[THREADS_MAX] = {{0}};
    uint8_t count;
    unsigned version = 0;
    FRNG_TRY(frng_u8_range(f, 1, THREADS_MAX, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(frng_u8_range(f, 1, TIMES_MAX, &threads[i].left));
    for (;;) {
        size_t at, running = 0, those[THREADS_MAX];
        for (size_t i = 0; i < count; i++) {
            if (threads[i].left > 0) those[running++] = i;
        }
        if (running == 0) return true;
        FRNG_TRY(frng_index(f, running, &at));
        step(&threads[those[at]], &version);
    }
}
