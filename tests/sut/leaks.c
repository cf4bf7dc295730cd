/* leaks.c: tests that leak, at the time that LEAK names. Built with sanitizers by
 * tests/cli/test_sanitizers.py.
 *
 * NEVER, START (before frng_run), LAZY (a library at its first use), RUN (one of 1,000 runs),
 * KEPT (the runs keep blocks that are still reachable),
 * ONCE (it keeps state, and fails if a process makes a second run),
 * THREAD (a thread leaks in one of 1,000 runs),
 * LAZY_THREAD (a thread at its first use, and runs keep nothing). */
#include "frng_main.h"

#include <pthread.h>

enum { NEVER, START, LAZY, RUN, KEPT, ONCE, THREAD, LAZY_THREAD };

static void *kept[1 << 16];
static size_t kept_count;

/* A block that nothing points to. */
__attribute__((noinline)) static void lose(size_t size) {
    void *volatile block = malloc(size);
    if (block != NULL) memset(block, 1, size);
    block = NULL;
    (void)block;
}

static void use_library(void) {
    static bool is_used;
    if (LEAK == LAZY && !is_used) lose(100);
    is_used = true;
}

/* `which` is the number that the run drew. */
static void *run_thread(void *which) {
    static bool is_used;
    if (LEAK == THREAD && *(uint16_t *)which == 7) lose(10);
    if (LEAK == LAZY_THREAD && !is_used) lose(100);
    is_used = true;
    return NULL;
}

static void use_thread(uint16_t which) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_thread, &which) == 0) pthread_join(thread, NULL);
}

static bool test(frng *f) {
    uint16_t which;
    uint8_t more;
    static unsigned runs;
    if (LEAK == ONCE) {
        kept[kept_count++] = malloc(1);
        FRNG_ASSERT(runs++ == 0, "made twice");
    }
    FRNG_TRY(frng_u16_max(f, 999, &which));
    use_library();
    if (LEAK == THREAD || LEAK == LAZY_THREAD) use_thread(which);
    free(malloc(which + 1u));
    if (LEAK == RUN && which == 7) lose(10);
    if (LEAK == KEPT && kept_count < sizeof kept / sizeof kept[0]) kept[kept_count++] = malloc(1);
    for (;;) FRNG_TRY(frng_u8(f, &more));
}

__attribute__((constructor)) static void start(void) {
    if (LEAK == START) lose(50);
}

int main(void) {
    if (LEAK == START) lose(60);
    return frng_run(test);
}
