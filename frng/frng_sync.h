/* frng_sync.h: what threads of frng_sched.h wait for, as POSIX has it.
 *
 * frng_pthread.h and frng_threads.h give it the names of pthread.h, semaphore.h, threads.h, time.h.
 *
 * One object, frng_sync, stands for a mutex, condition, lock, semaphore, barrier or once. What
 * takes, gives up or waits is a point. Results and errors are those of POSIX; what it leaves
 * undefined fails, and names the line. Clocks and sleeps use the virtual time of the scheduler.
 * Keys and clean-ups belong to a thread of it. C11, C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_SYNC_H
#define FRNG_SYNC_H

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "frng_sched.h"

FRNG__WRAPS

/* ---- What threads wait for ---- */

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

/* The thread takes a whole lock, or gives it up. */
static inline void frng__hold(frng_sync *o, const char *site) {
    frng_thread *const self = frng__sched.now;
    o->owner = frng__me();
    if (self != NULL && self->held++ == 0) self->holds = site;
}
static inline void frng__let_go(frng_sync *o) {
    if (frng__sched.now != NULL && o->owner == frng__me()) frng__sched.now->held--;
    o->owner = 0;
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
    if (share == FRNG__ALL) frng__hold(o, site);
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
        frng__let_go(o);
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
    m->count = 0;
    frng__let_go(m);
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

/* An exception of C++ leaves the routine: another thread may begin it. */
static inline void frng__once_left(frng_sync **running) {
    if (*running == NULL) return;
    (*running)->owner = 0;
    frng_wake(*running, FRNG_THREADS);
}

/* `initial` stays 0: it is done once in each run. */
static inline int frng_once(frng_sync *o, void (*routine)(void), const char *site) {
    frng__use(o, site);
    frng__point(true, site, "pthread_once");
    while (o->owner != 0) (void)frng__wait(o, FRNG_NEVER, site, "pthread_once");
    if (o->count > 0) return 0;
    __attribute__((cleanup(frng__once_left), unused)) frng_sync *running = o;
    o->owner = frng__me();
    routine();
    o->count = 1;
    return 0;
}

#define FRNG__EPOCH UINT64_C(1000000000) /* seconds; both clocks begin there */

/* ---- Virtual time ---- */

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
    void *unwinds; /* to the same of the C library */
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
        for (size_t i = 0; i < frng__sched.places; i++) frng__specifics[i].values[k] = NULL;
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

__attribute__((noreturn)) static inline void frng__not_modelled(const char *site,
                                                                const char *what) {
    frng__no_verdict("%s calls %s, which is not modelled", site, what);
}

/* What the C library and the kernel keep of a thread, from where a thread of the run changes its
 * own: by its place; of the caller's thread last. */
typedef struct frng__kept {
    sigset_t mask;
    locale_t locale;
} frng__kept;
__attribute__((weak)) frng__kept frng__kept_of[FRNG_THREADS + 1];

static inline frng__kept *frng__kept_now(void) {
    const frng_thread *t = frng__sched.now;
    return &frng__kept_of[t != NULL ? (size_t)(t - frng__threads) : (size_t)FRNG_THREADS];
}
static inline void frng__inherit(const frng_thread *t) {
    frng__kept_of[t - frng__threads] = *frng__kept_now();
    frng__kept_of[t - frng__threads].locale = LC_GLOBAL_LOCALE;
}
static inline int frng__set_mask(int how, const sigset_t *set, sigset_t *old) {
    if (old != NULL) (void)sigemptyset(old);
    return syscall(SYS_rt_sigprocmask, how, set, old, _NSIG / 8) == 0 ? 0 : errno;
}
#ifdef __cplusplus
extern "C"
#endif
    locale_t
    frng__set_locale(locale_t locale) __asm__("__uselocale");
__attribute__((unused)) static void frng__take_kept(void) {
    (void)frng__set_mask(SIG_SETMASK, &frng__kept_now()->mask, NULL);
    (void)frng__set_locale(frng__kept_now()->locale);
}
static inline void frng__keep(void) {
    if (frng__sched.now == NULL || frng__sched.at_turn != NULL) return;
    for (size_t i = 0; i <= FRNG_THREADS; i++) {
        (void)frng__set_mask(SIG_SETMASK, NULL, &frng__kept_of[i].mask);
        frng__kept_of[i].locale = frng__set_locale((locale_t)0);
    }
    frng__sched.at_turn = frng__take_kept;
}
static inline int frng__mask(int how, const sigset_t *set, sigset_t *old) {
    frng__keep();
    const int error = frng__set_mask(how, set, old);
    (void)frng__set_mask(SIG_SETMASK, NULL, &frng__kept_now()->mask);
    return error;
}
static inline locale_t frng__locale(locale_t locale) {
    frng__keep();
    const locale_t before = frng__set_locale(locale);
    frng__kept_now()->locale = frng__set_locale((locale_t)0);
    return before;
}

static inline int frng__get_attributes(pthread_t id, pthread_attr_t *a) {
    const frng_thread *t = frng__thread_of(id);
    if (t == NULL) return ESRCH;
    const bool is_detached = t->is_detached && t->number > 0;
    (void)pthread_attr_init(a);
    (void)pthread_attr_setdetachstate(a, is_detached ? PTHREAD_CREATE_DETACHED
                                                     : PTHREAD_CREATE_JOINABLE);
    return pthread_attr_setstack(a, t->fiber.stack, t->fiber.size);
}
static inline int frng__set_name(pthread_t id, const char *name) {
    frng_thread *t = frng__thread_of(id);
    if (t == NULL) return ESRCH;
    if (strlen(name) >= sizeof t->name) return ERANGE;
    memcpy(t->name, name, strlen(name) + 1);
    return 0;
}
static inline int frng__get_name(pthread_t id, char *name, size_t size) {
    const frng_thread *t = frng__thread_of(id);
    if (t == NULL) return ESRCH;
    if (size < sizeof t->name) return ERANGE;
    memcpy(name, t->name, sizeof t->name);
    return name[0] == 0 ? prctl(PR_GET_NAME, name) : 0;
}
/* Where a thread may run and how it ranks is that of the process: to set it has no effect. */
static inline int frng__set_rank(pthread_t id) { return frng__thread_of(id) != NULL ? 0 : ESRCH; }
static inline int frng__get_affinity(pthread_t id, size_t size, cpu_set_t *set) {
    if (frng__thread_of(id) == NULL) return ESRCH;
    /* libc declares its function only under _GNU_SOURCE. The kernel writes no more than it has. */
    const long written = syscall(SYS_sched_getaffinity, 0, size, set);
    if (written < 0) return errno;
    memset((char *)set + written, 0, size - (size_t)written);
    return 0;
}
static inline int frng__get_rank(pthread_t id, int *policy, struct sched_param *rank) {
    if (frng__thread_of(id) == NULL) return ESRCH;
    *policy = sched_getscheduler(0);
    return sched_getparam(0, rank) == 0 ? 0 : errno;
}
static inline int frng__get_clock(pthread_t id, clockid_t *clock) {
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return frng__set_rank(id);
}
static inline int frng__kill(pthread_t id, int signal, const char *site) {
    const frng_thread *t = frng__thread_of(id);
    if (t == NULL) return ESRCH;
    if (signal != 0 && t != frng__sched.now) frng__not_modelled(site, "pthread_kill");
    return signal == 0 || raise(signal) == 0 ? 0 : errno;
}
/* The kernel has no thread of these numbers. */
static inline pid_t frng__tid(pid_t real) {
    enum { PID_MAX = 1 << 22 };
    return frng_self() == 0 ? real : (pid_t)(PID_MAX + frng_self());
}

static inline int frng__create(pthread_t *id, const pthread_attr_t *attributes,
                               void *(*run)(void *), void *argument, bool is_of_library,
                               const char *site) {
    int state = PTHREAD_CREATE_JOINABLE;
    size_t stack = 0;
    if (frng__sched.now == NULL) frng__misuse(site, "calls pthread_create before frng_sched_run");
    if (attributes != NULL) (void)pthread_attr_getdetachstate(attributes, &state);
    if (attributes != NULL) (void)pthread_attr_getstacksize(attributes, &stack);
    frng_thread *t = frng__spawn(run, argument, state == PTHREAD_CREATE_DETACHED, stack, site);
    t->is_of_library = is_of_library;
    frng__inherit(t);
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

/* The type of a mutex with these attributes. */
static inline int frng__mutex_kind(const pthread_mutexattr_t *attributes) {
    extern int frng__kind_of(const pthread_mutexattr_t *,
                             int *) __asm__("pthread_mutexattr_gettype");
    int kind = PTHREAD_MUTEX_TIMED_NP;
    if (attributes != NULL) (void)frng__kind_of(attributes, &kind);
    return kind;
}

/* A wait until `t`, which has to be a time. */
#define FRNG__TIMED(t, call) (frng__is_time(t) ? (call) : EINVAL)
#define FRNG__UNTIL(t) frng__time_of(t, FRNG__EPOCH)
/* A function of semaphore.h or time.h: -1, and errno. */
static inline int frng__or_errno(int error) {
    if (error != 0) errno = error;
    return error != 0 ? -1 : 0;
}

#ifndef PTHREAD_BARRIER_SERIAL_THREAD
#define PTHREAD_BARRIER_SERIAL_THREAD -1
#endif

/* ---- Semaphores and barriers ---- */

static inline int frng_sem_post(frng_sync *s, const char *site) {
    frng__use(s, site);
    if (s->count == INT32_MAX) return EOVERFLOW;
    s->count++;
    frng_wake(s, 1);
    frng__point(true, site, "sem_post");
    return 0;
}

static inline int frng_sem_value(frng_sync *s, int *value, const char *site) {
    frng__use(s, site);
    *value = (int)s->count;
    return 0;
}

static inline int frng_barrier_wait(frng_sync *b, const char *site) {
    frng__use(b, site);
    frng__point(true, site, "pthread_barrier_wait");
    if (++b->count == 2 * b->initial) { /* `initial` is its value when no thread waits */
        b->count = b->initial;
        frng_wake(b, FRNG_THREADS);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    (void)frng__wait(b, FRNG_NEVER, site, "pthread_barrier_wait");
    return 0;
}

FRNG__WRAPS_END
#endif
