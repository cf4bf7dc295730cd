/* bqueue.c: a bounded queue between threads, as many code bases have one.
 *
 * This is plain pthread code; queue.c tests it, and queue.md explains its bug. */
#include <pthread.h>
#include <stddef.h>

enum { BQ_SIZE = 2 };

typedef struct bqueue {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an item has come in, or gone out */
    int items[BQ_SIZE];
    size_t head, count;
} bqueue;

void bq_init(bqueue *q);
void bq_destroy(bqueue *q);
void bq_put(bqueue *q, int item);
int bq_get(bqueue *q);

void bq_init(bqueue *q) {
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    q->head = q->count = 0;
}

void bq_destroy(bqueue *q) {
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
}

static void bq_announce(bqueue *q) {
#ifdef FIXED
    pthread_cond_broadcast(&q->changed);
#else
    pthread_cond_signal(&q->changed);
#endif
}

void bq_put(bqueue *q, int item) {
    pthread_mutex_lock(&q->lock);
    while (q->count == BQ_SIZE) pthread_cond_wait(&q->changed, &q->lock);
    q->items[(q->head + q->count) % BQ_SIZE] = item;
    q->count++;
    bq_announce(q);
    pthread_mutex_unlock(&q->lock);
}

int bq_get(bqueue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0) pthread_cond_wait(&q->changed, &q->lock);
    const int item = q->items[q->head];
    q->head = (q->head + 1) % BQ_SIZE;
    q->count--;
    bq_announce(q);
    pthread_mutex_unlock(&q->lock);
    return item;
}
