/* frng_posix.h: threads, their keys and clean-ups, and virtual time, as POSIX has them, for
 * frng_pthread.h. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_POSIX_H
#define FRNG_POSIX_H

#include "frng_sync.h"

#include <pthread.h>
#include <sys/time.h>
#include <time.h>

#define FRNG__EPOCH UINT64_C(1000000000) /* seconds; both clocks begin there */

/* ---- Time ---- */

static inline bool frng__is_time(const struct timespec *t) {
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

/* Return the virtual time at `t`, from 1 to FRNG_NEVER. */
static inline uint64_t frng__time_of(const struct timespec *t, uint64_t epoch) {
    const uint64_t seconds = (uint64_t)t->tv_sec;
    if (seconds < epoch) return 1;
    if (seconds - epoch > FRNG_NEVER / 2000000000) return FRNG_NEVER;
    return (seconds - epoch) * 1000000000 + (uint64_t)t->tv_nsec + (seconds == epoch);
}

static inline int frng__clock_get(struct timespec *t, const char *site) {
    frng__point(true, site, "clock_gettime");
    frng__sched.time += 1000; /* a loop that polls the clock ends, too */
    t->tv_sec = (time_t)(FRNG__EPOCH + frng__sched.time / 1000000000);
    t->tv_nsec = (long)(frng__sched.time % 1000000000);
    return 0;
}

static inline int frng__day_get(struct timeval *t, const char *site) {
    struct timespec now;
    (void)frng__clock_get(&now, site);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

static inline int frng__sleep(const struct timespec *t, bool is_absolute, const char *site) {
    if (!frng__is_time(t)) return EINVAL;
    const uint64_t now = is_absolute ? 0 : frng__sched.time;
    const uint64_t until = frng__time_of(t, is_absolute ? FRNG__EPOCH : 0);
    const uint64_t end = until < FRNG_NEVER - now ? now + until : FRNG_NEVER;
    if (frng__sched.now != NULL) (void)frng__wait(&frng__sched.time, end, site, "sleep");
    return 0;
}

static inline int frng__usleep(uint64_t us, const char *site) {
    const struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    return frng__sleep(&t, false, site);
}

/* ---- Keys and clean-ups ---- */

enum { FRNG_KEYS = 32 };
typedef struct frng__cleanup {
    void (*routine)(void *);
    void *argument;
    struct frng__cleanup *before;
} frng__cleanup;

/* What belongs to a thread by its place. */
typedef struct frng__specific {
    uint64_t run, number; /* of the thread */
    void *values[FRNG_KEYS];
    frng__cleanup *cleanup;
} frng__specific;

typedef struct frng__keys {
    uint64_t run[FRNG_KEYS]; /* in which the key was created; 0: it is free */
    void (*destroy[FRNG_KEYS])(void *);
} frng__keys;
__attribute__((weak)) frng__specific frng__specifics[FRNG_THREADS];
__attribute__((weak)) frng__keys frng__keys_of_run;

static inline frng__specific *frng__own(void) {
    const frng_sched *s = &frng__sched;
    frng__specific *own = &frng__specifics[s->now != NULL ? s->now - frng__threads : 0];
    if (own->run != s->run || own->number != frng_self()) memset(own, 0, sizeof *own);
    own->run = s->run;
    own->number = frng_self();
    return own;
}

/* At the end of a thread: what is to clean up, then its values. */
__attribute__((unused)) static void frng__leave(void) {
    frng__specific *own = frng__own();
    const frng__keys *keys = &frng__keys_of_run;
    for (; own->cleanup != NULL; own->cleanup = own->cleanup->before)
        own->cleanup->routine(own->cleanup->argument);
    for (int round = 0; round < 4; round++) {
        for (size_t k = 0; k < FRNG_KEYS; k++) {
            void *value = own->values[k];
            own->values[k] = NULL;
            if (value == NULL || keys->run[k] != own->run || keys->destroy[k] == NULL) continue;
            keys->destroy[k](value);
        }
    }
}

static inline int frng__key_create(pthread_key_t *key, void (*destroy)(void *)) {
    frng__keys *keys = &frng__keys_of_run;
    for (size_t k = 0; k < FRNG_KEYS; k++) {
        if (keys->run[k] == frng__sched.run) continue;
        keys->run[k] = frng__sched.run;
        keys->destroy[k] = destroy;
        for (size_t i = 0; i < FRNG_THREADS; i++) frng__specifics[i].values[k] = NULL;
        frng__sched.at_exit = frng__leave;
        *key = (pthread_key_t)k;
        return 0;
    }
    return EAGAIN;
}

static inline int frng__key_set(pthread_key_t key, const void *value, bool is_delete) {
    frng__keys *keys = &frng__keys_of_run;
    if (key >= FRNG_KEYS || keys->run[key] != frng__sched.run) return EINVAL;
    if (!is_delete) frng__own()->values[key] = (void *)(uintptr_t)value;
    if (is_delete) keys->run[key] = 0;
    return 0;
}

static inline void *frng__key_get(pthread_key_t key) {
    return key < FRNG_KEYS ? frng__own()->values[key] : NULL;
}

#define FRNG__AT_LINE(name) FRNG__JOIN(name, __LINE__)
#define FRNG__JOIN(a, b) FRNG__JOIN2(a, b)
#define FRNG__JOIN2(a, b) a##b

static inline void frng__cleanup_push(frng__cleanup *c) {
    c->before = frng__own()->cleanup;
    frng__own()->cleanup = c;
    frng__sched.at_exit = frng__leave;
}

static inline void frng__cleanup_pop(int execute) {
    frng__cleanup *c = frng__own()->cleanup;
    frng__own()->cleanup = c->before;
    if (execute) c->routine(c->argument);
}

/* ---- Threads ---- */

static inline frng_thread *frng__thread_of(pthread_t id) {
    for (size_t i = 0; i < frng__sched.places; i++) {
        frng_thread *t = &frng__threads[i];
        if (t->run != NULL && t->number + 1 == (uint64_t)id) return t;
    }
    return NULL;
}

static inline int frng__create(pthread_t *id, const pthread_attr_t *attributes,
                               void *(*run)(void *), void *argument, const char *site) {
    int state = PTHREAD_CREATE_JOINABLE;
    if (frng__sched.now == NULL) frng__misuse(site, "calls pthread_create before frng_sched_run");
    if (attributes != NULL) (void)pthread_attr_getdetachstate(attributes, &state);
    const frng_thread *t = frng__spawn(run, argument, state == PTHREAD_CREATE_DETACHED, site);
    if (t == NULL) return EAGAIN;
    *id = (pthread_t)(t->number + 1);
    frng__point(true, site, "pthread_create");
    return 0;
}

static inline int frng__join(pthread_t id, void **result, uint64_t until, const char *site) {
    frng_thread *t = frng__thread_of(id);
    frng__point(true, site, "pthread_join");
    if (t == NULL) return ESRCH;
    if (t == frng__sched.now) return EDEADLK;
    if (t->is_detached) return EINVAL;
    while (t == frng__thread_of(id) && !t->has_ended) {
        if (until == FRNG_TRY_ONCE) return EBUSY;
        if (!frng__wait(t, until, site, "pthread_join") && !t->has_ended) return ETIMEDOUT;
    }
    if (t != frng__thread_of(id)) return EINVAL; /* another thread has joined it */
    if (result != NULL) *result = t->result;
    t->run = NULL;
    return 0;
}

static inline int frng__yield(const char *site) {
    frng__point(false, site, "yields");
    return 0;
}

static inline int frng__detach(pthread_t id) {
    frng_thread *t = frng__thread_of(id);
    if (t == NULL || t->is_detached) return t == NULL ? ESRCH : EINVAL;
    t->is_detached = true;
    if (t->has_ended) t->run = NULL;
    return 0;
}

#endif
