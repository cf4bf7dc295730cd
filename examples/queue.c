/* queue.c: three threads put items into a bounded queue, three get them.
 *
 * The queue is bqueue.c, which knows nothing of frng: frng_pthread.h comes before it, and makes its
 * threads those of frng_sched.h. Entropy says where a thread is interrupted, and nothing else.
 *
 * The bug: a signal that wakes the wrong thread. See queue.md. Build with -DFIXED for the version
 * without it. */
#include <frng_main.h>
#include <frng_pthread.h>

#include "bqueue.c"

enum { PAIRS = 3, EACH = 2, ITEMS = PAIRS * EACH };

typedef struct shift {
    frng *f;
    bqueue queue;
    int next;         /* the next item to put */
    bool seen[ITEMS]; /* what has been got */
} shift;

static void *produce(void *argument) {
    shift *s = (shift *)argument;
    for (int i = 0; i < EACH; i++) {
        const int item = s->next++;
        bq_put(&s->queue, item);
        frng_say(s->f, "thread %d has put item %d", (int)frng_self(), item);
    }
    return NULL;
}

static void *consume(void *argument) {
    shift *s = (shift *)argument;
    for (int i = 0; i < EACH; i++) {
        const int item = bq_get(&s->queue);
        FRNG_ASSERT(item >= 0 && item < ITEMS && !s->seen[item], "item %d comes twice", item);
        s->seen[item] = true;
        frng_say(s->f, "thread %d has got item %d", (int)frng_self(), item);
    }
    return NULL;
}

/* Thread 0. Those that put are threads 1 to 3, those that get are 4 to 6. */
static void *work(void *argument) {
    shift *s = (shift *)argument;
    pthread_t threads[2 * PAIRS];
    bq_init(&s->queue);
    for (size_t i = 0; i < 2 * PAIRS; i++)
        pthread_create(&threads[i], NULL, i < PAIRS ? produce : consume, s);
    for (size_t i = 0; i < 2 * PAIRS; i++) pthread_join(threads[i], NULL);
    bq_destroy(&s->queue);
    return NULL;
}

/* Checks after the threads hold even when the entropy is out: then no thread is interrupted any
 * more, but all run to their ends. */
static bool test(frng *f) {
    shift s = {.f = f};
    FRNG_TRY(frng_sched_run(f, work, &s));
    for (int item = 0; item < ITEMS; item++) FRNG_ASSERT(s.seen[item], "item %d is lost", item);
    return true;
}

FRNG_MAIN(test)
