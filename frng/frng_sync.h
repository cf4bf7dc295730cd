/* frng_sync.h: mutexes, conditions and locks for the threads of frng_sched.h. frng_pthread.h gives
 * them the names of pthread.h, and adds semaphores and barriers.
 *
 * What POSIX leaves undefined fails, and names the line: to lock a normal mutex that this thread
 * holds, to unlock what it does not hold, to wait for a condition without the mutex, to destroy
 * what is held or waited for, to use what is destroyed or was never initialized.
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_SYNC_H
#define FRNG_SYNC_H

#include "frng_sched.h"

#include <pthread.h>

/* Any of them. All zeros is a mutex, condition, lock or once as its static initializer makes it. */
typedef struct frng_sync {
    uint64_t run;     /* that has used it last; in a later one it is as it was initialized */
    uint64_t owner;   /* the number of the thread that holds it, plus 1 */
    uint32_t count;   /* holds, readers, a semaphore's value, or who waits at a barrier */
    uint32_t initial; /* a semaphore's first value; a barrier's threads */
    int kind;         /* of a mutex: PTHREAD_MUTEX_RECURSIVE_NP and so on */
    int is_destroyed;
} frng_sync;

#define FRNG_SYNC_INIT                                                                             \
    { 0, 0, 0, 0, 0, 0 }

/* What to take: all of a mutex or lock, a reader's share of a lock, one of a semaphore. FRNG__READ
 * is the kind of a lock that has been read, too. */
typedef enum frng__share { FRNG__ALL, FRNG__READ = 100, FRNG__ONE } frng__share;
enum { FRNG_TRY_ONCE = 0 }; /* in place of a time */

static inline uint64_t frng__me(void) { return frng_self() + 1; }
FRNG__COLD __attribute__((format(printf, 2, 3), noreturn)) void
frng__misuse(const char *site, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frng__assert_failed(site, "misuse", ": thread %d %s", (int)frng_self(), text);
}

#define FRNG__DEMAND(condition, ...) ((condition) ? (void)0 : frng__misuse(site, __VA_ARGS__))

/* Use an object: what another run has left of it is gone. */
static inline void frng__use(frng_sync *o, const char *site) {
    const uint64_t run = frng__sched.run;
    FRNG__DEMAND(o->run <= run, "uses what was never initialized");
    if (o->run < run) {
        o->run = run;
        o->owner = 0;
        o->count = o->initial;
        o->is_destroyed = 0;
    }
    FRNG__DEMAND(!o->is_destroyed, "uses what is destroyed");
}

static inline int frng_sync_init(frng_sync *o, int kind, unsigned initial) {
    memset(o, 0, sizeof *o);
    o->run = frng__sched.run;
    o->kind = kind;
    o->initial = o->count = initial;
    return 0;
}

static inline int frng_sync_destroy(frng_sync *o, const char *site) {
    frng__use(o, site);
    for (size_t i = 0; i < frng__sched.places; i++) {
        const frng_thread *t = &frng__threads[i];
        FRNG__DEMAND(t->run == NULL || t->waits != o, "destroys what thread %d waits for at %s",
                     (int)t->number, t->site);
    }
    FRNG__DEMAND(o->owner == 0, "destroys what thread %d holds", (int)(o->owner - 1));
    FRNG__DEMAND(o->kind != FRNG__READ || o->count == 0, "destroys what is read");
    o->is_destroyed = 1;
    return 0;
}

static inline bool frng__is_free(const frng_sync *o, frng__share share) {
    if (share == FRNG__ONE) return o->count > 0;
    return o->owner == 0 && (share == FRNG__READ || o->count == 0);
}

/* Take a share without a point before. Return 0, EBUSY or ETIMEDOUT. */
static inline int frng__take_share(frng_sync *o, frng__share share, uint64_t until,
                                   const char *site, const char *does) {
    while (!frng__is_free(o, share)) {
        if (until == FRNG_TRY_ONCE) return EBUSY;
        FRNG__DEMAND(frng__sched.now != NULL, "waits for ever, outside of threads");
        if (!frng__wait(o, until, site, does) && !frng__is_free(o, share)) return ETIMEDOUT;
    }
    o->count += share == FRNG__ONE ? UINT32_MAX : 1;
    if (share == FRNG__ALL) o->owner = frng__me();
    if (share == FRNG__READ) o->kind = FRNG__READ;
    return 0;
}

static inline int frng__acquire(frng_sync *o, frng__share share, uint64_t until, const char *site,
                                const char *does) {
    frng__use(o, site);
    frng__point(true, site, does);
    return frng__take_share(o, share, until, site, does);
}

/* Give up one hold, of the owner or a reader. */
static inline int frng__release(frng_sync *o, const char *site, const char *does) {
    if (--o->count == 0) {
        o->owner = 0;
        frng_wake(o, FRNG_THREADS);
    }
    frng__point(true, site, does);
    return 0;
}

/* ---- Mutexes ---- */

static inline int frng_mutex_lock(frng_sync *m, uint64_t until, const char *site,
                                  const char *does) {
    frng__use(m, site);
    if (m->owner == frng__me()) {
        if (m->kind == PTHREAD_MUTEX_RECURSIVE_NP) return m->count++, 0;
        if (until == FRNG_TRY_ONCE) return EBUSY;
        if (m->kind == PTHREAD_MUTEX_ERRORCHECK_NP) return EDEADLK;
        FRNG__DEMAND(until != FRNG_NEVER, "locks what it holds, and waits for itself");
    }
    return frng__acquire(m, FRNG__ALL, until, site, does);
}

static inline int frng_mutex_unlock(frng_sync *m, const char *site) {
    const bool is_normal =
        m->kind != PTHREAD_MUTEX_RECURSIVE_NP && m->kind != PTHREAD_MUTEX_ERRORCHECK_NP;
    frng__use(m, site);
    if (m->owner != frng__me() && !is_normal) return EPERM;
    FRNG__DEMAND(m->owner != 0, "unlocks what is not locked");
    FRNG__DEMAND(m->owner == frng__me(), "unlocks what thread %d holds", (int)(m->owner - 1));
    return frng__release(m, site, "pthread_mutex_unlock");
}

/* ---- Conditions ---- */

static inline int frng_cond_wait(frng_sync *c, frng_sync *m, uint64_t until, const char *site,
                                 const char *does) {
    frng_thread *const self = frng__sched.now;
    frng__use(c, site);
    frng__use(m, site);
    FRNG__DEMAND(self != NULL, "waits for ever, outside of threads");
    FRNG__DEMAND(m->owner == frng__me(), "waits for a condition without its mutex");
    const uint32_t holds = m->count;
    m->owner = m->count = 0;
    frng_wake(m, FRNG_THREADS);
    self->may_wake = true;
    const bool is_woken = frng__wait(c, until, site, does);
    self->may_wake = false;
    (void)frng__take_share(m, FRNG__ALL, FRNG_NEVER, site, "the mutex of a condition");
    m->count = holds;
    return is_woken ? 0 : ETIMEDOUT;
}

static inline int frng_cond_wake(frng_sync *c, size_t most, const char *site) {
    frng__use(c, site);
    if (!frng_wake(c, most) && frng__sched.now != NULL)
        frng_say(frng__sched.f, "nobody waits for the signal at %s", frng__short(site));
    return 0;
}

/* ---- Locks of readers and writers ---- */

static inline int frng_rwlock_lock(frng_sync *l, frng__share share, uint64_t until,
                                   const char *site, const char *does) {
    frng__use(l, site);
    if (l->owner == frng__me()) return until == FRNG_TRY_ONCE ? EBUSY : EDEADLK;
    return frng__acquire(l, share, until, site, does);
}

static inline int frng_rwlock_unlock(frng_sync *l, const char *site) {
    frng__use(l, site);
    FRNG__DEMAND(l->count > 0, "unlocks what is not locked");
    FRNG__DEMAND(l->owner == 0 || l->owner == frng__me(), "unlocks what thread %d holds",
                 (int)(l->owner - 1));
    return frng__release(l, site, "pthread_rwlock_unlock");
}

/* ---- Once ---- */

/* `initial` stays 0: it is done once in each run. */
static inline int frng_once(frng_sync *o, void (*routine)(void), const char *site) {
    frng__use(o, site);
    frng__point(true, site, "pthread_once");
    while (o->owner != 0) (void)frng__wait(o, FRNG_NEVER, site, "pthread_once");
    if (o->count > 0) return 0;
    o->owner = frng__me();
    routine();
    o->count = 1;
    o->owner = 0;
    frng_wake(o, FRNG_THREADS);
    return 0;
}

#endif
