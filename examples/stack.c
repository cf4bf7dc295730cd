/* stack.c: a pool of buffers: a stack without locks, after Treiber.
 *
 * A thread takes a buffer from the top by a compare-and-swap, uses it, and puts it back. Each
 * atomic operation is a point where another thread may go on (frng_atomic.h). Entropy says at which
 * points one does, and nothing else.
 *
 * The bug: ABA. See stack.md. Build with -DFIXED for the version without it. */
#include <frng_atomic.h>
#include <frng_main.h>

#include <stdatomic.h>

enum { BUFFERS = 4, THREADS = 3, ROUNDS = 4, NONE = BUFFERS, NOBODY = 0 };

/* The top of the stack: a buffer, and a tag above it that tells two tops with one buffer apart. */
typedef uint64_t head;

static size_t head_buffer(head h) { return (size_t)(h & 0xff); }

static head head_of(size_t buffer, head old) {
#ifdef FIXED
    return (old | 0xff) + 1 + buffer;
#else
    return (old & 0) + buffer;
#endif
}

typedef struct pool {
    frng *f;
    _Atomic head top;
    _Atomic size_t below[BUFFERS]; /* the next buffer of each one in the stack */
    size_t owners[BUFFERS];        /* what only the checker knows */
    size_t threads;                /* that have begun */
} pool;

static size_t pool_take(pool *p) {
    head top = atomic_load(&p->top);
    while (head_buffer(top) != NONE) {
        const size_t below = atomic_load(&p->below[head_buffer(top)]);
        if (atomic_compare_exchange_strong(&p->top, &top, head_of(below, top))) break;
    }
    return head_buffer(top);
}

static void pool_give(pool *p, size_t buffer) {
    head top = atomic_load(&p->top);
    do {
        atomic_store(&p->below[buffer], head_buffer(top));
    } while (!atomic_compare_exchange_strong(&p->top, &top, head_of(buffer, top)));
}

/* ---- The test ---- */

/* Take up to `count` buffers, then give them back. */
static void use(pool *p, size_t self, size_t count) {
    size_t mine[2], n = 0;
    for (; n < count; n++) {
        const size_t buffer = mine[n] = pool_take(p);
        if (buffer == NONE) break;
        frng_say(p->f, "thread %zu takes buffer %zu", self + 1, buffer);
        const size_t by = p->owners[buffer];
        FRNG_ASSERT(by == NOBODY, "threads %zu and %zu both own buffer %zu", by, self + 1, buffer);
        p->owners[buffer] = self + 1;
    }
    for (size_t i = 0; i < n; i++) {
        p->owners[mine[i]] = NOBODY;
        frng_say(p->f, "thread %zu gives buffer %zu back", self + 1, mine[i]);
        pool_give(p, mine[i]);
    }
}

static void *work(void *argument) {
    pool *p = (pool *)argument;
    const size_t self = p->threads++;
    for (size_t i = 0; i < ROUNDS; i++) use(p, self, 1 + i % 2);
    return NULL;
}

static void *begin(void *argument) {
    pool *p = (pool *)argument;
    for (size_t b = 0; b < BUFFERS; b++) {
        p->below[b] = b + 1; /* the last one's is NONE */
        p->owners[b] = NOBODY;
    }
    for (size_t i = 0; i < THREADS; i++) frng_spawn(work, p);
    return NULL;
}

static bool test(frng *f) {
    pool p = {.f = f};
    return frng_sched_run(f, begin, &p);
}

FRNG_MAIN(test)
