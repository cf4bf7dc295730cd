/* frng_threads.h: threads of shared libraries as they are, scheduled by frng_sched.h.
 *
 *     #include <frng_threads.h>              // in one file of the program, before frng_main.h
 *
 *     static void *begin(void *p) { ...calls the library, which makes its threads... }
 *     static bool test(frng *f) { return frng_sched_run(f, begin, NULL); }
 *     FRNG_MAIN(test)
 *
 *     cc -rdynamic -o test test.c -llibrary $(pkg-config --cflags frng)
 *
 * The program defines pthread_create, pthread_mutex_lock, syscall (for futexes) and so on, and
 * calls of shared libraries come there first (frng_calls.h). In frng_sched_run they are points of
 * the scheduler, elsewhere they go on to the C library. Other files of the program, std::thread and
 * std::mutex call them, too. Objects keep their layout: a table holds the state of each by its
 * address. A site is a function and an offset: lost_get+51.
 *
 *     threads, joins, once, keys with destructors; the same of <threads.h> and C++
 *     mutexes, conditions, rwlocks, spinlocks, barriers, semaphores, futexes
 *     sleeps and clocks: virtual time
 *     read, recv, accept, poll, select, epoll_wait: wait until another thread makes them ready
 *     FRNG_POINT_AT(int, name, (int a), (a))  a point before each call of a library's function
 *
 * Unseen: atomic operations, and locks and spins made of them (of a GMutex only a wait and a wake
 * are points); calls bound inside a library (-Bsymbolic) or made inside the C library; threads made
 * before frng_sched_run, which stay real. Thread 0 is the caller's thread. Detached threads and
 * those that a shared library made are abandoned when all others have ended; labels count them, and
 * name a lock that one of them holds. Missing: pthread_cancel, a robust mutex whose owner has
 * ended, shared objects, signals to other threads, timers of the kernel, system calls without
 * syscall: a run that needs one, or more than FRNG_THREADS, is no verdict. glibc, 64 bits, not
 * static.
 * C11, C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_THREADS_H
#define FRNG_THREADS_H

#ifdef FRNG_PTHREAD_H
#error                                                                                             \
    "a program includes frng_pthread.h (sources) or frng_threads.h (libraries), not both in a file"
#endif
#if defined(__SANITIZE_THREAD__)
#error "frng_threads.h takes the calls that ThreadSanitizer takes: build without -fsanitize=thread"
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#error "frng_threads.h takes the calls that ThreadSanitizer takes: build without -fsanitize=thread"
#endif
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for RTLD_NEXT */
#if defined(__GLIBC__) && !defined(__USE_GNU)
#error "include frng_threads.h before any other header, or compile with -D_GNU_SOURCE"
#endif
#endif

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "frng_calls.h"
#include "frng_sync.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Calls of libraries, by frng_calls.h ---- */

/* The next definition of what is defined here: that of the C library, or of a sanitizer. */
#define FRNG__REAL(name)                                                                           \
    __extension__({                                                                                \
        static __typeof__(&frng__call_##name) frng__real_;                                         \
        if (frng__real_ == NULL) frng__find_next(&frng__real_, #name);                             \
        frng__real_;                                                                               \
    })
#define FRNG__CALLER frng__site_of(__builtin_return_address(0))
#define FRNG__UNPACK(...) __VA_ARGS__

/* Return "function+49", or "lib.so+0x31" where no symbol covers the address. */
static inline const char *frng__site_of(void *address) {
    enum { SITES = 4096 };
    static struct {
        void *at;
        char text[96];
    } sites[SITES];
    size_t i = (size_t)((uintptr_t)address * 2654435761U % SITES), tries = 0;
    while (sites[i].at != NULL && sites[i].at != address && tries++ < SITES) i = (i + 1) % SITES;
    if (sites[i].at == address) return sites[i].text;
    if (sites[i].at != NULL) return "?";
    Dl_info is;
    sites[i].at = address;
    const bool known = dladdr(address, &is) != 0;
    const bool named = known && is.dli_sname != NULL;
    const char *file = known ? frng__short(is.dli_fname) : "?";
    const char *from = (const char *)(named ? is.dli_saddr : known ? is.dli_fbase : NULL);
    (void)snprintf(sites[i].text, sizeof sites[i].text, named ? "%.70s+%d" : "%.70s+0x%x",
                   named ? is.dli_sname : file, (int)((const char *)address - from));
    return sites[i].text;
}

/* Is this a thread of a run? Other threads of the process go on as they are. */
static inline bool frng__inside(void) {
    return frng__sched.now != NULL && frng__sched.real == (const void *)&errno;
}

/* Define a function that is `inside` in a run, where `site` and `does` are known, and as ever
 * elsewhere. */
#define FRNG__MODEL(type, name, parameters, arguments, inside)                                     \
    FRNG__CALL(type, name, FRNG__UNPACK parameters) {                                              \
        if (!frng__inside()) return FRNG__REAL(name) arguments;                                    \
        const char *const site = FRNG__CALLER, *const does = #name;                                \
        (void)site, (void)does;                                                                    \
        return inside;                                                                             \
    }

#define FRNG__MODEL_VOID(name, parameters, arguments, inside)                                      \
    FRNG__CALL(void, name, FRNG__UNPACK parameters) {                                              \
        const char *const site = FRNG__CALLER, *const does = #name;                                \
        (void)site, (void)does;                                                                    \
        if (frng__inside()) {                                                                      \
            inside;                                                                                \
        } else {                                                                                   \
            FRNG__REAL(name) arguments;                                                            \
        }                                                                                          \
    }

/* A point before each call of a function of a library. */
#define FRNG_POINT_AT(type, name, parameters, arguments)                                           \
    FRNG__CALL(type, name, FRNG__UNPACK parameters) {                                              \
        if (frng__inside()) frng__point(true, FRNG__CALLER, #name);                                \
        return FRNG__REAL(name) arguments;                                                         \
    }

/* ---- The state of an object, by its address ---- */

enum { FRNG__OBJECTS = 16384 };
static struct {
    const void *at;
    frng_sync sync;
} frng__objects[FRNG__OBJECTS]; /* those of earlier runs are free */

/* Return what stands for an object; *is_new if this run has not used it yet. */
static inline frng_sync *frng__object(const volatile void *at, bool *is_new) {
    const void *const key = (const void *)(uintptr_t)at;
    size_t i = (size_t)((uintptr_t)at / 4 * 2654435761U % FRNG__OBJECTS), tries = 0;
    while (frng__objects[i].sync.run == frng__sched.run && frng__objects[i].at != key) {
        if (tries++ == FRNG__OBJECTS)
            frng__no_verdict("more than %d locks and the like in a run", (int)FRNG__OBJECTS);
        i = (i + 1) % FRNG__OBJECTS;
    }
    *is_new = frng__objects[i].sync.run != frng__sched.run;
    if (*is_new) frng_sync_init(&frng__objects[i].sync, 0, 0);
    frng__objects[i].at = key;
    return &frng__objects[i].sync;
}

/* A condition, rwlock, spinlock or once. */
static inline frng_sync *frng__sync_of(const volatile void *at) {
    bool is_new;
    return frng__object(at, &is_new);
}

/* glibc gives a destroyed mutex this kind. */
static inline frng_sync *frng__mutex_of(const pthread_mutex_t *m, const char *site) {
    enum { ROBUST = 16 };
    frng_sync *o = frng__sync_of(m);
    FRNG__DEMAND(m->__data.__kind != -1, "uses what is destroyed");
    o->kind = m->__data.__kind & 3;
    const frng_thread *owner = frng__thread_of((pthread_t)o->owner);
    if ((m->__data.__kind & ROBUST) != 0 && o->owner != 0 && (owner == NULL || owner->has_ended))
        frng__not_modelled(site, "for a robust mutex whose owner has ended");
    return o;
}

static inline frng_sync *frng__semaphore_of(sem_t *s);
FRNG__MODEL(int, sem_getvalue, (sem_t * s, int *value), (s, value),
            frng_sem_value(frng__semaphore_of(s), value, site))

static inline frng_sync *frng__semaphore_of(sem_t *s) {
    bool is_new;
    int value = 0;
    frng_sync *o = frng__object(s, &is_new);
    if (!is_new) return o;
    (void)FRNG__REAL(sem_getvalue)(s, &value);
    o->initial = o->count = (uint32_t)value;
    return o;
}

static inline frng_sync *frng__barrier_of(const pthread_barrier_t *b) {
    bool is_new;
    frng_sync *o = frng__object(b, &is_new);
    unsigned words[3]; /* glibc: in, current_round, count */
    memcpy(words, b, sizeof words);
    if (is_new) o->initial = o->count = words[2];
    return o;
}

/* An object begins, or has ended: it is as the C library has made it. */
static inline int frng__anew(const volatile void *at, int error) {
    if (error == 0) (void)frng_sync_init(frng__sync_of(at), 0, 0);
    return error;
}

#define FRNG__DESTROY(name, type, object)                                                          \
    FRNG__MODEL(int, name, (type * o), (o),                                                        \
                (frng_sync_destroy(object, site), frng__anew(o, FRNG__REAL(name)(o))))

/* ---- Threads ---- */

FRNG__MODEL(pthread_t, pthread_self, (void), (),
            frng_self() > 0 ? (pthread_t)(frng_self() + 1) : FRNG__REAL(pthread_self)())

/* Thread 0 is the one that the process has: libraries may have kept its name. */
static inline pthread_t frng__id_of(pthread_t id) {
    return id == FRNG__REAL(pthread_self)() ? (pthread_t)1 : id;
}

/* Return where the module begins that an address lies in, or NULL. */
static inline const void *frng__module_of(const void *address) {
    Dl_info is;
    return dladdr((void *)(uintptr_t)address, &is) != 0 ? is.dli_fbase : NULL;
}

/* True if a shared library makes a thread, which it may keep for ever: it calls, and the thread
 * begins in one. Of a thread of C++, which libstdc++ makes, the table of virtual functions says so,
 * where its argument begins. */
static inline bool frng__by_library(const void *caller, void *run, void *argument) {
    const void *const own = frng__module_of((const void *)frng__objects), *where = run;
    Dl_info is;
    frng__sched.has_daemons = true;
    frng__sched.has_unseen = frng__has_atomics;
    if (dladdr((void *)(uintptr_t)caller, &is) == 0 || is.dli_fbase == own) return false;
    if (strstr(is.dli_fname, "libstdc++") != NULL) memcpy(&where, argument, sizeof where);
    return frng__module_of(where) != own;
}

FRNG__MODEL(int, pthread_create,
            (pthread_t * id, const pthread_attr_t *attributes, void *(*run)(void *), void *p),
            (id, attributes, run, p),
            frng__create(id, attributes, run, p,
                         frng__by_library(__builtin_return_address(0), (void *)(uintptr_t)run, p),
                         site))
/* The same for a call that names a thread. When the process ends, a library may join or detach one
 * that has ended with a run: real ones have addresses for names. */
#define FRNG__MODEL_NAMED(name, parameters, arguments, inside)                                     \
    FRNG__CALL(int, name, FRNG__UNPACK parameters) {                                               \
        const char *const site = FRNG__CALLER;                                                     \
        (void)site;                                                                                \
        if (frng__inside()) return inside;                                                         \
        return id <= FRNG_SCHED_POINTS ? 0 : FRNG__REAL(name) arguments;                           \
    }
FRNG__MODEL_NAMED(pthread_join, (pthread_t id, void **result), (id, result),
                  frng__join(frng__id_of(id), result, FRNG_NEVER, site))
FRNG__MODEL_NAMED(pthread_tryjoin_np, (pthread_t id, void **result), (id, result),
                  frng__join(frng__id_of(id), result, FRNG_TRY_ONCE, site))
FRNG__MODEL_NAMED(pthread_timedjoin_np, (pthread_t id, void **result, const struct timespec *t),
                  (id, result, t),
                  FRNG__TIMED(t, frng__join(frng__id_of(id), result, FRNG__UNTIL(t), site)))
FRNG__MODEL_NAMED(pthread_clockjoin_np,
                  (pthread_t id, void **result, clockid_t clock, const struct timespec *t),
                  (id, result, clock, t),
                  FRNG__TIMED(t, frng__join(frng__id_of(id), result, FRNG__UNTIL(t), site)))
FRNG__MODEL_NAMED(pthread_detach, (pthread_t id), (id), frng__detach(frng__id_of(id)))
FRNG__MODEL(int, sched_yield, (void), (), frng__yield(site))
FRNG__MODEL(int, pthread_yield, (void), (), frng__yield(site))
FRNG__MODEL_NAMED(pthread_cancel, (pthread_t id), (id),
                  (frng__not_modelled(site, "pthread_cancel"), 0))
FRNG__MODEL_NAMED(pthread_kill, (pthread_t id, int signal), (id, signal),
                  frng__kill(frng__id_of(id), signal, site))
FRNG__MODEL_NAMED(pthread_sigqueue, (pthread_t id, int signal, const union sigval value),
                  (id, signal, value), (frng__not_modelled(site, "pthread_sigqueue"), 0))
FRNG__MODEL_NAMED(pthread_setname_np, (pthread_t id, const char *name), (id, name),
                  frng__set_name(frng__id_of(id), name))
FRNG__MODEL_NAMED(pthread_getname_np, (pthread_t id, char *name, size_t size), (id, name, size),
                  frng__get_name(frng__id_of(id), name, size))
FRNG__MODEL_NAMED(pthread_getattr_np, (pthread_t id, pthread_attr_t *a), (id, a),
                  frng__get_attributes(frng__id_of(id), a))
FRNG__MODEL_NAMED(pthread_setaffinity_np, (pthread_t id, size_t size, const cpu_set_t *set),
                  (id, size, set), frng__set_rank(frng__id_of(id)))
FRNG__MODEL_NAMED(pthread_getaffinity_np, (pthread_t id, size_t size, cpu_set_t *set),
                  (id, size, set), frng__get_affinity(frng__id_of(id), size, set))
FRNG__MODEL_NAMED(pthread_setschedparam, (pthread_t id, int policy, const struct sched_param *p),
                  (id, policy, p), frng__set_rank(frng__id_of(id)))
FRNG__MODEL_NAMED(pthread_getschedparam, (pthread_t id, int *policy, struct sched_param *p),
                  (id, policy, p), frng__get_rank(frng__id_of(id), policy, p))
FRNG__MODEL_NAMED(pthread_setschedprio, (pthread_t id, int priority), (id, priority),
                  frng__set_rank(frng__id_of(id)))
FRNG__MODEL_NAMED(pthread_getcpuclockid, (pthread_t id, clockid_t *clock), (id, clock),
                  frng__get_clock(frng__id_of(id), clock))
FRNG__MODEL(pid_t, gettid, (void), (), frng__tid(FRNG__REAL(gettid)()))
FRNG__MODEL(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old),
            frng__mask(how, set, old))
FRNG__MODEL(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old),
            frng__or_errno(frng__mask(how, set, old)))
FRNG__MODEL(locale_t, uselocale, (locale_t locale), (locale), frng__locale(locale))

/* End this thread after what pthread_cleanup_push of C has left; code of C++ and with -fexceptions
 * leaves it elsewhere. */
__attribute__((noreturn)) static inline void frng__exit_clean(void *result) {
    void *const last = frng__own()->unwinds;
    frng__sched.now->result = result;
    if (last == NULL) frng_exit(result);
    frng__own()->unwinds = ((__pthread_unwind_buf_t *)last)->__pad[0];
    frng__jump((struct __jmp_buf_tag *)last, 1); /* it begins with one */
}
static inline void frng__unwinds(__pthread_unwind_buf_t *b) {
    b->__pad[0] = frng__own()->unwinds;
    frng__own()->unwinds = b;
}
FRNG__MODEL_VOID(__pthread_register_cancel, (__pthread_unwind_buf_t * b), (b), frng__unwinds(b))
FRNG__MODEL_VOID(__pthread_unregister_cancel, (__pthread_unwind_buf_t * b), (b),
                 frng__own()->unwinds = b->__pad[0])
__attribute__((noreturn)) FRNG__CALL(void, __pthread_unwind_next, __pthread_unwind_buf_t *b) {
    if (frng__inside()) frng__exit_clean(frng__sched.now->result);
    FRNG__REAL(__pthread_unwind_next)(b);
    FRNG_TRAP();
}
__attribute__((noreturn)) FRNG__CALL(void, pthread_exit, void *result) {
    if (frng__inside()) frng__exit_clean(result);
    FRNG__REAL(pthread_exit)(result);
    FRNG_TRAP();
}

/* What one thread has done once, libraries count on for the life of the process. */
static inline int frng__once_of(pthread_once_t *once, void (*routine)(void), const char *site) {
    enum { DONE = 2 }; /* of glibc */
    if ((*once & DONE) != 0) return 0;
    frng_sync *const o = frng__sync_of(once);
    if (o->count > 0) frng_sync_init(o, 0, 0); /* that one was done, and another is in its place */
    const int error = frng_once(o, routine, site);
    *once |= DONE;
    return error;
}
FRNG__MODEL(int, pthread_once, (pthread_once_t * once, void (*routine)(void)), (once, routine),
            frng__once_of(once, routine, site))

/* ---- Keys ----
 *
 * Thread 0 has the values of the thread that called frng_sched_run, others their own. */

enum { FRNG__KEYS_MOST = 1024 }; /* of glibc */
static struct {
    void (*destroy)(void *);
    bool is_real; /* it belongs to a sanitizer, which knows one thread */
} frng__key[FRNG__KEYS_MOST];
static size_t frng__keys_used; /* all keys are below */
static struct {
    uint64_t run, number; /* of the thread */
    void *values[FRNG__KEYS_MOST];
} frng__key_values[FRNG_THREADS];

static inline bool frng__names_sanitizer(const char *path) {
    return strstr(path, "san.so") != NULL || strstr(path, "clang_rt.") != NULL;
}

__attribute__((no_sanitize_address)) static inline bool frng__is_sanitizer(void *address) {
    Dl_info is, own;
    if (dladdr(address, &is) == 0 || is.dli_fname == NULL) return false;
    if (frng__names_sanitizer(is.dli_fname)) return true;
    return frng__asan_leave != NULL && dladdr((void *)frng__objects, &own) != 0 &&
           own.dli_fbase == is.dli_fbase && frng__keys_used == 0; /* clang's is linked in */
}

/* Return where this thread's value is; NULL: in the C library. */
static inline void **frng__value_of(pthread_key_t key) {
    if (!frng__inside() || frng_self() == 0 || key >= FRNG__KEYS_MOST || frng__key[key].is_real)
        return NULL;
    const size_t place = (size_t)(frng__sched.now - frng__threads);
    if (frng__key_values[place].run != frng__sched.run ||
        frng__key_values[place].number != frng_self())
        memset(&frng__key_values[place], 0, sizeof frng__key_values[place]);
    frng__key_values[place].run = frng__sched.run;
    frng__key_values[place].number = frng_self();
    return &frng__key_values[place].values[key];
}

/* At the end of a thread: the destructors of its values. */
static inline void frng__keys_leave(void) {
    for (int round = 0; round < 4; round++) {
        for (size_t k = 0; k < frng__keys_used; k++) {
            void **const place = frng__value_of((pthread_key_t)k);
            void *const value = place != NULL ? *place : NULL;
            if (place != NULL) *place = NULL;
            if (value != NULL && frng__key[k].destroy != NULL) frng__key[k].destroy(value);
        }
    }
}

FRNG__CALL(int, pthread_key_create, pthread_key_t *key, void (*destroy)(void *)) {
    const int error = FRNG__REAL(pthread_key_create)(key, destroy);
    if (error != 0 || *key >= FRNG__KEYS_MOST) return error;
    frng__key[*key].destroy = destroy;
    frng__key[*key].is_real = frng__is_sanitizer(__builtin_return_address(0));
    if (frng__keys_used <= *key) frng__keys_used = *key + 1;
    for (size_t i = 0; i < frng__sched.places; i++) frng__key_values[i].values[*key] = NULL;
    return 0;
}
FRNG__CALL(int, pthread_key_delete, pthread_key_t key) {
    if (key < FRNG__KEYS_MOST) frng__key[key].destroy = NULL;
    return FRNG__REAL(pthread_key_delete)(key);
}
FRNG__CALL(void *, pthread_getspecific, pthread_key_t key) {
    void **const value = frng__value_of(key);
    return value != NULL ? *value : FRNG__REAL(pthread_getspecific)(key);
}
FRNG__CALL(int, pthread_setspecific, pthread_key_t key, const void *value) {
    void **const place = frng__value_of(key);
    if (place == NULL) return FRNG__REAL(pthread_setspecific)(key, value);
    *place = (void *)(uintptr_t)value;
    frng__sched.at_exit = frng__keys_leave;
    return 0;
}

/* ---- Mutexes and conditions ---- */

FRNG__MODEL(int, pthread_mutex_init, (pthread_mutex_t * m, const pthread_mutexattr_t *a), (m, a),
            frng__anew(m, FRNG__REAL(pthread_mutex_init)(m, a)))
FRNG__MODEL(int, pthread_mutex_lock, (pthread_mutex_t * m), (m),
            frng_mutex_lock(frng__mutex_of(m, site), FRNG_NEVER, site, does))
FRNG__MODEL(int, pthread_mutex_trylock, (pthread_mutex_t * m), (m),
            frng_mutex_lock(frng__mutex_of(m, site), FRNG_TRY_ONCE, site, does))
FRNG__MODEL(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *t), (m, t),
            FRNG__TIMED(t, frng_mutex_lock(frng__mutex_of(m, site), FRNG__UNTIL(t), site, does)))
FRNG__MODEL(int, pthread_mutex_clocklock,
            (pthread_mutex_t * m, clockid_t clock, const struct timespec *t), (m, clock, t),
            FRNG__TIMED(t, frng_mutex_lock(frng__mutex_of(m, site), FRNG__UNTIL(t), site, does)))
FRNG__MODEL(int, pthread_mutex_unlock, (pthread_mutex_t * m), (m),
            frng_mutex_unlock(frng__mutex_of(m, site), site))
FRNG__DESTROY(pthread_mutex_destroy, pthread_mutex_t, frng__mutex_of(o, site))

static inline frng_sync *frng__file_lock_of(FILE *file) {
    frng_sync *o = frng__sync_of(file);
    o->kind = PTHREAD_MUTEX_RECURSIVE_NP;
    return o;
}
FRNG__MODEL_VOID(flockfile, (FILE * file), (file),
                 (void)frng_mutex_lock(frng__file_lock_of(file), FRNG_NEVER, site, does))
FRNG__MODEL(int, ftrylockfile, (FILE * file), (file),
            frng_mutex_lock(frng__file_lock_of(file), FRNG_TRY_ONCE, site, does))
FRNG__MODEL_VOID(funlockfile, (FILE * file), (file),
                 (void)frng_mutex_unlock(frng__file_lock_of(file), site))

FRNG__MODEL(int, pthread_spin_init, (pthread_spinlock_t * s, int shared), (s, shared),
            frng__anew(s, FRNG__REAL(pthread_spin_init)(s, shared)))
FRNG__MODEL(int, pthread_spin_lock, (pthread_spinlock_t * s), (s),
            frng_mutex_lock(frng__sync_of(s), FRNG_NEVER, site, does))
FRNG__MODEL(int, pthread_spin_trylock, (pthread_spinlock_t * s), (s),
            frng_mutex_lock(frng__sync_of(s), FRNG_TRY_ONCE, site, does))
FRNG__MODEL(int, pthread_spin_unlock, (pthread_spinlock_t * s), (s),
            frng_mutex_unlock(frng__sync_of(s), site))
FRNG__DESTROY(pthread_spin_destroy, pthread_spinlock_t, frng__sync_of(o))

FRNG__MODEL(int, pthread_cond_init, (pthread_cond_t * c, const pthread_condattr_t *a), (c, a),
            frng__anew(c, FRNG__REAL(pthread_cond_init)(c, a)))
FRNG__MODEL(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m),
            frng_cond_wait(frng__sync_of(c), frng__mutex_of(m, site), FRNG_NEVER, site, does))
FRNG__MODEL(int, pthread_cond_timedwait,
            (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t), (c, m, t),
            FRNG__TIMED(t, frng_cond_wait(frng__sync_of(c), frng__mutex_of(m, site), FRNG__UNTIL(t),
                                          site, does)))
FRNG__MODEL(int, pthread_cond_clockwait,
            (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock, const struct timespec *t),
            (c, m, clock, t),
            FRNG__TIMED(t, frng_cond_wait(frng__sync_of(c), frng__mutex_of(m, site), FRNG__UNTIL(t),
                                          site, does)))
FRNG__MODEL(int, pthread_cond_signal, (pthread_cond_t * c), (c),
            frng_cond_wake(frng__sync_of(c), 1, site))
FRNG__MODEL(int, pthread_cond_broadcast, (pthread_cond_t * c), (c),
            frng_cond_wake(frng__sync_of(c), FRNG_THREADS, site))
FRNG__DESTROY(pthread_cond_destroy, pthread_cond_t, frng__sync_of(o))

/* ---- Other locks, barriers and semaphores ---- */

#define FRNG__RWLOCK(name, share, until)                                                           \
    FRNG__MODEL(int, name, (pthread_rwlock_t * l), (l),                                            \
                frng_rwlock_lock(frng__sync_of(l), share, until, site, does))
#define FRNG__RWLOCK_TIMED(name, share)                                                            \
    FRNG__MODEL(                                                                                   \
        int, name, (pthread_rwlock_t * l, const struct timespec *t), (l, t),                       \
        FRNG__TIMED(t, frng_rwlock_lock(frng__sync_of(l), share, FRNG__UNTIL(t), site, does)))
#define FRNG__RWLOCK_CLOCK(name, share)                                                            \
    FRNG__MODEL(                                                                                   \
        int, name, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *t),              \
        (l, clock, t),                                                                             \
        FRNG__TIMED(t, frng_rwlock_lock(frng__sync_of(l), share, FRNG__UNTIL(t), site, does)))
FRNG__MODEL(int, pthread_rwlock_init, (pthread_rwlock_t * l, const pthread_rwlockattr_t *a), (l, a),
            frng__anew(l, FRNG__REAL(pthread_rwlock_init)(l, a)))
FRNG__RWLOCK(pthread_rwlock_rdlock, FRNG__READ, FRNG_NEVER)
FRNG__RWLOCK(pthread_rwlock_tryrdlock, FRNG__READ, FRNG_TRY_ONCE)
FRNG__RWLOCK_TIMED(pthread_rwlock_timedrdlock, FRNG__READ)
FRNG__RWLOCK_CLOCK(pthread_rwlock_clockrdlock, FRNG__READ)
FRNG__RWLOCK(pthread_rwlock_wrlock, FRNG__ALL, FRNG_NEVER)
FRNG__RWLOCK(pthread_rwlock_trywrlock, FRNG__ALL, FRNG_TRY_ONCE)
FRNG__RWLOCK_TIMED(pthread_rwlock_timedwrlock, FRNG__ALL)
FRNG__RWLOCK_CLOCK(pthread_rwlock_clockwrlock, FRNG__ALL)
FRNG__MODEL(int, pthread_rwlock_unlock, (pthread_rwlock_t * l), (l),
            frng_rwlock_unlock(frng__sync_of(l), site))
FRNG__DESTROY(pthread_rwlock_destroy, pthread_rwlock_t, frng__sync_of(o))

FRNG__MODEL(int, pthread_barrier_init,
            (pthread_barrier_t * b, const pthread_barrierattr_t *a, unsigned count), (b, a, count),
            count == 0 ? EINVAL
                       : (frng_sync_init(frng__sync_of(b), 0, count),
                          FRNG__REAL(pthread_barrier_init)(b, a, count)))
FRNG__MODEL(int, pthread_barrier_wait, (pthread_barrier_t * b), (b),
            frng_barrier_wait(frng__barrier_of(b), site))
FRNG__DESTROY(pthread_barrier_destroy, pthread_barrier_t, frng__barrier_of(o))

FRNG__MODEL(int, sem_init, (sem_t * s, int shared, unsigned value), (s, shared, value),
            (frng_sync_init(frng__sync_of(s), 0, value), FRNG__REAL(sem_init)(s, shared, value)))
FRNG__MODEL(int, sem_wait, (sem_t * s), (s),
            frng__or_errno(frng__acquire(frng__semaphore_of(s), FRNG__ONE, FRNG_NEVER, site, does)))
FRNG__MODEL(int, sem_trywait, (sem_t * s), (s),
            frng__or_errno(frng__acquire(frng__semaphore_of(s), FRNG__ONE, FRNG_TRY_ONCE, site,
                                         does) != 0
                               ? EAGAIN
                               : 0))
FRNG__MODEL(int, sem_timedwait, (sem_t * s, const struct timespec *t), (s, t),
            frng__or_errno(FRNG__TIMED(t, frng__acquire(frng__semaphore_of(s), FRNG__ONE,
                                                        FRNG__UNTIL(t), site, does))))
FRNG__MODEL(int, sem_clockwait, (sem_t * s, clockid_t clock, const struct timespec *t),
            (s, clock, t),
            frng__or_errno(FRNG__TIMED(t, frng__acquire(frng__semaphore_of(s), FRNG__ONE,
                                                        FRNG__UNTIL(t), site, does))))
FRNG__MODEL(int, sem_post, (sem_t * s), (s),
            frng__or_errno(frng_sem_post(frng__semaphore_of(s), site)))
FRNG__DESTROY(sem_destroy, sem_t, frng__semaphore_of(o))

/* ---- Futexes ----
 *
 * GLib, std::atomic::wait, static variables of C++ and others call syscall. Woken for no reason
 * they look again, so that those to be moved to another futex are woken at once. */

static inline long frng__futex(int *word, int op, int value, const struct timespec *t,
                               const char *site) {
    frng_thread *const self = frng__sched.now;
    const bool waits = op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET;
    if (!waits) {
        if (op != FUTEX_WAKE && op != FUTEX_WAKE_BITSET && op != FUTEX_WAKE_OP &&
            op != FUTEX_REQUEUE && op != FUTEX_CMP_REQUEUE)
            frng__not_modelled(site, "this operation of futex");
        const bool all = op != FUTEX_WAKE && op != FUTEX_WAKE_BITSET;
        const bool wakes = frng_wake(word, all ? FRNG_THREADS : (size_t)value);
        frng__point(true, site, "futex wake");
        return wakes;
    }
    frng__point(true, site, "futex wait");
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return errno = EAGAIN, -1;
    if (t != NULL && !frng__is_time(t)) return errno = EINVAL, -1;
    uint64_t until = FRNG_NEVER;
    if (t != NULL && op == FUTEX_WAIT) until = frng__sched.time + frng__time_of(t, 0);
    if (t != NULL && op != FUTEX_WAIT) until = FRNG__UNTIL(t);
    self->may_wake = true;
    const bool woken = frng__wait(word, until, site, "futex wait");
    self->may_wake = false;
    return frng__or_errno(woken ? 0 : ETIMEDOUT);
}

static bool frng__answer_call(long number, const long *a, void *caller, long *result) {
    if (!frng__inside()) return false;
    if (number == SYS_gettid) return *result = frng__call_gettid(), true;
    if (number != SYS_futex) return false;
    *result = frng__futex((int *)a[0], (int)a[1] & FUTEX_CMD_MASK, (int)a[2],
                          (const struct timespec *)a[3], frng__site_of(caller));
    return true;
}
/* Libraries have thread-local variables, too; not those of the real thread. */
static bool frng__takes_locals(const char *path) {
    return strstr(path, "/libc.") == NULL && strstr(path, "/ld") == NULL &&
           strstr(path, "malloc") == NULL && !frng__names_sanitizer(path);
}

/* A real thread, which waits for ever while those of runs use its thread-local variables: a library
 * may list them by their addresses. */
typedef struct frng__lender {
    pid_t pid; /* the process that made it: a fork has no copy of it. 0: it was not made */
    uintptr_t pointer;
    sem_t begins, never;
} frng__lender;

static void *frng__lend_main(void *lender) {
    frng__lender *l = (frng__lender *)lender;
    l->pointer = frng__get_pointer();
    (void)FRNG__REAL(sem_post)(&l->begins);
    while (FRNG__REAL(sem_wait)(&l->never) != 0) continue;
    return NULL;
}

/* Return the variables of the real thread of a place. No handler of a signal runs in that. */
static uintptr_t frng__lend(size_t place) {
    enum { STACK = 1 << 18 }; /* these variables are there, too */
    static frng__lender lenders[FRNG_THREADS];
    frng__lender *l = &lenders[place];
    pthread_t id;
    pthread_attr_t small;
    sigset_t all, before;
    if (l->pid == getpid()) return l->pointer;
    l->pid = getpid();
    (void)FRNG__REAL(sem_init)(&l->begins, 0, 0);
    (void)FRNG__REAL(sem_init)(&l->never, 0, 0);
    (void)sigfillset(&all);
    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, STACK);
    (void)frng__set_mask(SIG_SETMASK, &all, &before);
    if (FRNG__REAL(pthread_create)(&id, &small, frng__lend_main, l) != 0)
        frng__no_verdict("the process cannot have %d threads", (int)place);
    (void)frng__set_mask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&small);
    while (FRNG__REAL(sem_wait)(&l->begins) != 0) continue;
    return l->pointer;
}

/* ---- Virtual time ---- */

FRNG__MODEL(int, clock_gettime, (clockid_t clock, struct timespec *t), (clock, t),
            frng__clock_get(t, site))
FRNG__MODEL(int, gettimeofday, (struct timeval * t, void *zone), (t, zone), frng__day_get(t, site))
FRNG__MODEL(int, nanosleep, (const struct timespec *t, struct timespec *rest), (t, rest),
            frng__or_errno(frng__sleep(t, false, site)))
FRNG__MODEL(int, clock_nanosleep,
            (clockid_t clock, int flags, const struct timespec *t, struct timespec *rest),
            (clock, flags, t, rest), frng__sleep(t, flags == TIMER_ABSTIME, site))
FRNG__MODEL(int, usleep, (useconds_t us), (us), frng__usleep(us, site))
FRNG__MODEL(unsigned, sleep, (unsigned seconds), (seconds),
            (unsigned)frng__usleep((uint64_t)seconds * 1000000, site))

static inline time_t frng__seconds(time_t *result, const char *site) {
    struct timespec t;
    (void)frng__clock_get(&t, site);
    if (result != NULL) *result = t.tv_sec;
    return t.tv_sec;
}
FRNG__MODEL(time_t, time, (time_t * t), (t), frng__seconds(t, site))
FRNG__MODEL(int, timespec_get, (struct timespec * t, int base), (t, base),
            (frng__clock_get(t, site), base))

/* ---- Files that are not ready ----
 *
 * A thread that would block in a call waits, and goes on once a look at its files says that they
 * are ready: other threads write by calls of their own, which are real. */

static int frng__poll(struct pollfd *files, nfds_t count, uint64_t until, const char *site,
                      const char *does);
static int frng__select(int top, fd_set *in, fd_set *out, fd_set *odd, uint64_t until,
                        const char *site, const char *does);

/* The time in so many milliseconds; less than 0: never. */
static inline uint64_t frng__in_ms(int64_t ms) {
    if (ms == 0) return FRNG_TRY_ONCE;
    return ms < 0 ? FRNG_NEVER : frng__sched.time + (uint64_t)ms * 1000000;
}
static inline uint64_t frng__in(bool is_ever, int64_t seconds, int64_t ns) {
    return frng__in_ms(is_ever ? seconds * 1000 + (ns + 999999) / 1000000 : -1);
}

FRNG__MODEL(int, poll, (struct pollfd * files, nfds_t count, int ms), (files, count, ms),
            frng__poll(files, count, frng__in_ms(ms), site, does))
FRNG__MODEL(int, __poll_chk, (struct pollfd * files, nfds_t count, int ms, size_t size),
            (files, count, ms, size), frng__poll(files, count, frng__in_ms(ms), site, "poll"))
FRNG__MODEL(int, ppoll,
            (struct pollfd * files, nfds_t count, const struct timespec *t, const sigset_t *mask),
            (files, count, t, mask),
            frng__poll(files, count,
                       frng__in(t != NULL, t != NULL ? t->tv_sec : 0, t != NULL ? t->tv_nsec : 0),
                       site, does))
FRNG__MODEL(int, select, (int top, fd_set *in, fd_set *out, fd_set *odd, struct timeval *t),
            (top, in, out, odd, t),
            frng__select(top, in, out, odd,
                         frng__in(t != NULL, t != NULL ? t->tv_sec : 0,
                                  t != NULL ? t->tv_usec * 1000 : 0),
                         site, does))

FRNG__MODEL(int, pselect,
            (int top, fd_set *in, fd_set *out, fd_set *odd, const struct timespec *t,
             const sigset_t *mask),
            (top, in, out, odd, t, mask),
            frng__select(top, in, out, odd,
                         frng__in(t != NULL, t != NULL ? t->tv_sec : 0, t != NULL ? t->tv_nsec : 0),
                         site, does))

/* What a thread waits for: the files of poll, or of select. */
typedef struct frng__look {
    struct pollfd *files;
    nfds_t count;
    int top;
    fd_set *sets[3], old[3];
} frng__look;

/* Look once: how many are ready, or -1. */
static int frng__looks(frng__look *l) {
    struct timeval now = {0, 0};
    if (l->files != NULL || l->top == 0) return FRNG__REAL(poll)(l->files, l->count, 0);
    for (int i = 0; i < 3; i++)
        if (l->sets[i] != NULL) *l->sets[i] = l->old[i];
    return FRNG__REAL(select)(l->top, l->sets[0], l->sets[1], l->sets[2], &now);
}
static bool frng__is_ready(const void *look) {
    const int error = errno;
    const bool is_ready = frng__looks((frng__look *)(uintptr_t)look) != 0;
    errno = error;
    return is_ready;
}

static inline int frng__await(frng__look *l, uint64_t until, const char *site, const char *does) {
    frng_thread *const self = frng__sched.now;
    frng__point(true, site, does);
    for (;;) {
        const int ready = frng__looks(l);
        if (ready != 0 || until == FRNG_TRY_ONCE) return ready;
        self->is_ready = frng__is_ready;
        if (!frng__wait(l, until, site, does)) until = FRNG_TRY_ONCE;
        self->is_ready = NULL;
    }
}

static int frng__poll(struct pollfd *files, nfds_t count, uint64_t until, const char *site,
                      const char *does) {
    frng__look l;
    memset(&l, 0, sizeof l);
    l.files = files;
    l.count = count;
    return frng__await(&l, until, site, does);
}

static int frng__select(int top, fd_set *in, fd_set *out, fd_set *odd, uint64_t until,
                        const char *site, const char *does) {
    frng__look l;
    memset(&l, 0, sizeof l);
    l.top = top;
    l.sets[0] = in, l.sets[1] = out, l.sets[2] = odd;
    for (int i = 0; i < 3; i++)
        if (l.sets[i] != NULL) l.old[i] = *l.sets[i];
    return frng__await(&l, until, site, does);
}

/* Wait until there is something in a file. Return true. */
static inline bool frng__await_file(int file, uint64_t until, const char *site, const char *does) {
    struct pollfd one;
    memset(&one, 0, sizeof one);
    one.fd = file;
    one.events = POLLIN;
    (void)frng__poll(&one, 1, until, site, does);
    return true;
}

/* The same before a call that blocks; no call of a file with O_NONBLOCK does. */
static inline bool frng__await_call(int file, int flags, const char *site, const char *does) {
    const int set = fcntl(file, F_GETFL);
    const bool blocks = set >= 0 && (set & O_NONBLOCK) == 0 && (flags & MSG_DONTWAIT) == 0;
    return frng__await_file(file, frng__in_ms(blocks ? -1 : 0), site, does);
}

/* A call that reads from a file, with these flags. */
#define FRNG__READS(type, name, parameters, arguments, flags)                                      \
    FRNG__MODEL(type, name, parameters, arguments,                                                 \
                (frng__await_call(file, flags, site, does), FRNG__REAL(name) arguments))
FRNG__READS(ssize_t, read, (int file, void *to, size_t size), (file, to, size), 0)
FRNG__READS(ssize_t, __read_chk, (int file, void *to, size_t size, size_t room),
            (file, to, size, room), 0)
FRNG__READS(ssize_t, readv, (int file, const struct iovec *to, int count), (file, to, count), 0)
FRNG__READS(ssize_t, recv, (int file, void *to, size_t size, int flags), (file, to, size, flags),
            flags)
FRNG__READS(ssize_t, __recv_chk, (int file, void *to, size_t size, size_t room, int flags),
            (file, to, size, room, flags), flags)
FRNG__READS(ssize_t, recvfrom,
            (int file, void *to, size_t size, int flags, struct sockaddr *who, socklen_t *length),
            (file, to, size, flags, who, length), flags)
FRNG__READS(ssize_t, recvmsg, (int file, struct msghdr *to, int flags), (file, to, flags), flags)
FRNG__READS(int, accept, (int file, struct sockaddr *who, socklen_t *length), (file, who, length),
            0)
FRNG__READS(int, accept4, (int file, struct sockaddr *who, socklen_t *length, int flags),
            (file, who, length, flags), 0)

/* Events that are there need no wait. */
FRNG__MODEL(int, epoll_wait, (int file, struct epoll_event *to, int most, int ms),
            (file, to, most, ms),
            (frng__await_file(file, frng__in_ms(ms), site, does),
             FRNG__REAL(epoll_wait)(file, to, most, 0)))
FRNG__MODEL(int, epoll_pwait,
            (int file, struct epoll_event *to, int most, int ms, const sigset_t *mask),
            (file, to, most, ms, mask),
            (frng__await_file(file, frng__in_ms(ms), site, does),
             FRNG__REAL(epoll_pwait)(file, to, most, 0, mask)))

__attribute__((constructor)) static void frng__begin_called(void) {
    frng__threads_hook = frng__answer_call;
    frng__locals_now.takes = frng__takes_locals;
    if (FRNG__HAS_POINTER) frng__locals_now.lend = frng__lend;
#ifdef __cpp_exceptions
    try {
        throw 0; /* the first one of a process takes locks that no other one takes */
    } catch (int) {
    }
#endif
}

/* ---- threads.h: results of its own, and threads that return an int ---- */

/* What threads.h has for an error. */
static inline int frng__thrd(int error) {
    enum { BUSY = 1, ERROR, NO_MEMORY, TIMED_OUT };
    if (error == 0) return 0;
    return error == EBUSY                       ? BUSY
           : error == EAGAIN || error == ENOMEM ? NO_MEMORY
           : error == ETIMEDOUT                 ? TIMED_OUT
                                                : ERROR;
}

static int (*frng__thrd_bodies[FRNG_THREADS])(void *);

__attribute__((unused)) static void *frng__thrd_main(void *argument) {
    const size_t place = (size_t)(frng__sched.now - frng__threads);
    return (void *)(intptr_t)frng__thrd_bodies[place](argument);
}

static inline int frng__thrd_create(pthread_t *id, int (*run)(void *), void *argument,
                                    const void *caller, const char *site) {
    frng_thread *t = frng__spawn(frng__thrd_main, argument, false, 0, site);
    t->is_of_library = frng__by_library(caller, (void *)(uintptr_t)run, argument);
    frng__inherit(t);
    frng__thrd_bodies[t - frng__threads] = run;
    *id = (pthread_t)(t->number + 1);
    frng__point(true, site, "thrd_create");
    return 0;
}

static inline int frng__thrd_join(pthread_t id, int *result, const char *site) {
    void *value = NULL;
    const int error = frng__join(id, &value, FRNG_NEVER, site);
    if (error == 0 && result != NULL) *result = (int)(intptr_t)value;
    return error;
}

FRNG__MODEL(int, thrd_create, (pthread_t * id, int (*run)(void *), void *p), (id, run, p),
            frng__thrd(frng__thrd_create(id, run, p, __builtin_return_address(0), site)))
FRNG__MODEL(int, thrd_join, (pthread_t id, int *result), (id, result),
            frng__thrd(frng__thrd_join(frng__id_of(id), result, site)))
FRNG__MODEL(int, thrd_detach, (pthread_t id), (id), frng__thrd(frng__detach(frng__id_of(id))))
FRNG__MODEL(pthread_t, thrd_current, (void), (),
            frng_self() > 0 ? (pthread_t)(frng_self() + 1) : FRNG__REAL(thrd_current)())
FRNG__MODEL_VOID(thrd_yield, (void), (), (void)frng__yield(site))
FRNG__MODEL(int, thrd_sleep, (const struct timespec *t, struct timespec *rest), (t, rest),
            frng__sleep(t, false, site) == 0 ? 0 : -2)
__attribute__((noreturn)) FRNG__CALL(void, thrd_exit, int result) {
    if (frng__inside()) frng__exit_clean((void *)(intptr_t)result);
    FRNG__REAL(thrd_exit)(result);
    FRNG_TRAP();
}
FRNG__MODEL(int, mtx_init, (pthread_mutex_t * m, int type), (m, type),
            frng__anew(m, FRNG__REAL(mtx_init)(m, type)))
FRNG__MODEL(int, mtx_lock, (pthread_mutex_t * m), (m),
            frng__thrd(frng_mutex_lock(frng__mutex_of(m, site), FRNG_NEVER, site, does)))
FRNG__MODEL(int, mtx_trylock, (pthread_mutex_t * m), (m),
            frng__thrd(frng_mutex_lock(frng__mutex_of(m, site), FRNG_TRY_ONCE, site, does)))
FRNG__MODEL(int, mtx_timedlock, (pthread_mutex_t * m, const struct timespec *t), (m, t),
            frng__thrd(FRNG__TIMED(t, frng_mutex_lock(frng__mutex_of(m, site), FRNG__UNTIL(t), site,
                                                      does))))
FRNG__MODEL(int, mtx_unlock, (pthread_mutex_t * m), (m),
            frng__thrd(frng_mutex_unlock(frng__mutex_of(m, site), site)))
FRNG__MODEL_VOID(mtx_destroy, (pthread_mutex_t * m), (m),
                 (frng_sync_destroy(frng__mutex_of(m, site), site), frng__anew(m, 0),
                  FRNG__REAL(mtx_destroy)(m)))
FRNG__MODEL(int, cnd_init, (pthread_cond_t * c), (c), frng__anew(c, FRNG__REAL(cnd_init)(c)))
FRNG__MODEL(int, cnd_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m),
            frng__thrd(frng_cond_wait(frng__sync_of(c), frng__mutex_of(m, site), FRNG_NEVER, site,
                                      does)))
FRNG__MODEL(int, cnd_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t),
            (c, m, t),
            frng__thrd(FRNG__TIMED(t, frng_cond_wait(frng__sync_of(c), frng__mutex_of(m, site),
                                                     FRNG__UNTIL(t), site, does))))
FRNG__MODEL(int, cnd_signal, (pthread_cond_t * c), (c), frng_cond_wake(frng__sync_of(c), 1, site))
FRNG__MODEL(int, cnd_broadcast, (pthread_cond_t * c), (c),
            frng_cond_wake(frng__sync_of(c), FRNG_THREADS, site))
FRNG__MODEL_VOID(cnd_destroy, (pthread_cond_t * c), (c),
                 (frng_sync_destroy(frng__sync_of(c), site), frng__anew(c, 0),
                  FRNG__REAL(cnd_destroy)(c)))
FRNG__MODEL_VOID(call_once, (pthread_once_t * once, void (*routine)(void)), (once, routine),
                 (void)frng__once_of(once, routine, site))
FRNG__CALL(int, tss_create, pthread_key_t *key, void (*destroy)(void *)) {
    return frng__thrd(frng__call_pthread_key_create(key, destroy));
}
FRNG__CALL(void *, tss_get, pthread_key_t key) { return frng__call_pthread_getspecific(key); }
FRNG__CALL(int, tss_set, pthread_key_t key, void *value) {
    return frng__thrd(frng__call_pthread_setspecific(key, value));
}
FRNG__CALL(void, tss_delete, pthread_key_t key) { (void)frng__call_pthread_key_delete(key); }

#ifdef __cplusplus
}
#endif
#endif
