/* frng_pthread.h: plain pthread code on the threads of frng_sched.h, unmodified:
 *
 *     cc -include frng_pthread.h -o test test.c queue.c $(pkg-config --cflags frng)
 *
 * or, before the code's own headers, #include <frng_pthread.h>. The test calls frng_sched_run, and
 * what runs in there may use
 *
 *     pthread_create, join, detach, self, equal, exit, once, cleanup_push and pop; sched_yield
 *     names, masks of signals and the like of each thread
 *     pthread_mutex_*, spin_*, cond_*, rwlock_*, barrier_*, key_*, getspecific, setspecific; sem_*
 *     nanosleep, usleep, sleep, clock_gettime, gettimeofday: virtual time; timed waits, too
 *     atomic_*, __atomic_* and __sync_*: each is a point, by frng_atomic.h
 *
 * What takes, gives up or waits is a point. Results and errors are those of POSIX; what it leaves
 * undefined fails, and names the line: to lock a normal mutex that this thread holds, to unlock
 * what it does not hold, to wait for a condition without the mutex, to destroy what is held or
 * waited for, to use what is destroyed or was never initialized. Conditions may wake without
 * reason, by a deviation. Static mutexes and the like start anew in each run, other variables do
 * not, and are no points. Missing: cancel, robust and shared objects, signals. What <threads.h> and
 * std::thread make does not link: frng_threads.h has them. glibc. C11, C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_PTHREAD_H
#define FRNG_PTHREAD_H

#if defined(_GLIBCXX_THREAD) || defined(_GLIBCXX_THREAD_H)
#error "frng_pthread.h does not model std::thread: use frng_threads.h"
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* with -include, this comes before the definitions of the code */
#endif

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "frng_atomic.h"
#include "frng_sync.h"

/* ---- The names of pthread.h, semaphore.h and time.h ---- */

#undef PTHREAD_MUTEX_INITIALIZER
#undef PTHREAD_COND_INITIALIZER
#undef PTHREAD_RWLOCK_INITIALIZER
#undef PTHREAD_ONCE_INIT
#undef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#undef PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define PTHREAD_MUTEX_INITIALIZER FRNG_SYNC_INIT
#define PTHREAD_COND_INITIALIZER FRNG_SYNC_INIT
#define PTHREAD_RWLOCK_INITIALIZER FRNG_SYNC_INIT
#define PTHREAD_ONCE_INIT FRNG_SYNC_INIT
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP                                                     \
    { 0, 0, 0, 0, PTHREAD_MUTEX_RECURSIVE_NP, 0 }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP                                                    \
    { 0, 0, 0, 0, PTHREAD_MUTEX_ERRORCHECK_NP, 0 }

#define pthread_mutex_t frng_sync
#define pthread_cond_t frng_sync
#define pthread_rwlock_t frng_sync
#define pthread_barrier_t frng_sync
#define pthread_spinlock_t frng_sync
#define pthread_once_t frng_sync
#define sem_t frng_sync

#define pthread_create(id, attributes, run, argument)                                              \
    frng__create(id, attributes, run, argument, false, FRNG__SITE)
#define pthread_join(id, result) frng__join(id, result, FRNG_NEVER, FRNG__SITE)
#define pthread_tryjoin_np(id, result) frng__join(id, result, FRNG_TRY_ONCE, FRNG__SITE)
#define pthread_timedjoin_np(id, result, t)                                                        \
    FRNG__TIMED(t, frng__join(id, result, FRNG__UNTIL(t), FRNG__SITE))
#define pthread_clockjoin_np(id, result, clock, t) pthread_timedjoin_np(id, result, t)
#define pthread_detach(id) frng__detach(id)
#define pthread_self() ((pthread_t)(frng_self() + 1))
#define pthread_exit(result) frng_exit(result)
#define pthread_kill(id, signal) frng__kill(id, signal, FRNG__SITE)
#define pthread_sigqueue(id, signal, value) frng_sched_does_not_model_pthread_sigqueue(id)
#define pthread_setname_np(id, name) frng__set_name(id, name)
#define pthread_getname_np(id, name, size) frng__get_name(id, name, size)
#define pthread_getattr_np(id, attributes) frng__get_attributes(id, attributes)
#define pthread_setaffinity_np(id, size, set) ((void)(set), frng__set_rank(id))
#define pthread_getaffinity_np(id, size, set) frng__get_affinity(id, size, set)
#define pthread_setschedparam(id, policy, rank) ((void)(rank), frng__set_rank(id))
#define pthread_getschedparam(id, policy, rank) frng__get_rank(id, policy, rank)
#define pthread_setschedprio(id, priority) frng__set_rank(id)
#define pthread_getcpuclockid(id, clock) frng__get_clock(id, clock)
#define pthread_sigmask(how, set, old) frng__mask(how, set, old)
#define sigprocmask(how, set, old) frng__or_errno(frng__mask(how, set, old))
#define gettid() frng__tid((gettid)())
#define uselocale(locale) frng__locale(locale)
#define pthread_cancel(id) frng_sched_does_not_model_pthread_cancel(id)
#define thrd_create(...) frng_pthread_h_does_not_model_thrd_create_use_frng_threads_h(__VA_ARGS__)
#define _M_start_thread frng_pthread_h_does_not_model_std_thread_use_frng_threads_h
#define pthread_once(once, routine) frng_once(once, routine, FRNG__SITE)
#define pthread_yield() frng__yield(FRNG__SITE)
#define sched_yield() frng__yield(FRNG__SITE)
#define pthread_cleanup_push(routine, argument)                                                    \
    {                                                                                              \
        frng__cleanup FRNG__AT_LINE(frng__scope) = {routine, argument, NULL};                      \
        frng__cleanup_push(&FRNG__AT_LINE(frng__scope))
#define pthread_cleanup_pop(execute)                                                               \
    frng__cleanup_pop(execute);                                                                    \
    }
#define pthread_key_create(key, destroy) frng__key_create(key, destroy)
#define pthread_key_delete(key) frng__key_set(key, NULL, true)
#define pthread_setspecific(key, value) frng__key_set(key, value, false)
#define pthread_getspecific(key) frng__key_get(key)

#define pthread_mutex_init(m, attributes) frng_sync_init(m, frng__mutex_kind(attributes), 0)
#define pthread_mutex_lock(m) frng_mutex_lock(m, FRNG_NEVER, FRNG__SITE, "pthread_mutex_lock")
#define pthread_mutex_trylock(m)                                                                   \
    frng_mutex_lock(m, FRNG_TRY_ONCE, FRNG__SITE, "pthread_mutex_trylock")
#define pthread_mutex_timedlock(m, t)                                                              \
    FRNG__TIMED(t, frng_mutex_lock(m, FRNG__UNTIL(t), FRNG__SITE, "pthread_mutex_timedlock"))
#define pthread_mutex_clocklock(m, clock, t) pthread_mutex_timedlock(m, t)
#define pthread_mutex_unlock(m) frng_mutex_unlock(m, FRNG__SITE)
#define pthread_mutex_destroy(m) frng_sync_destroy(m, FRNG__SITE)
#define pthread_spin_init(m, shared) frng_sync_init(m, 0, 0)
#define pthread_spin_lock(m) frng_mutex_lock(m, FRNG_NEVER, FRNG__SITE, "pthread_spin_lock")
#define pthread_spin_trylock(m)                                                                    \
    frng_mutex_lock(m, FRNG_TRY_ONCE, FRNG__SITE, "pthread_spin_trylock")
#define pthread_spin_unlock(m) frng_mutex_unlock(m, FRNG__SITE)
#define pthread_spin_destroy(m) frng_sync_destroy(m, FRNG__SITE)
#define pthread_cond_init(c, attributes) frng_sync_init(c, 0, 0)
#define pthread_cond_wait(c, m) frng_cond_wait(c, m, FRNG_NEVER, FRNG__SITE, "pthread_cond_wait")
#define pthread_cond_timedwait(c, m, t)                                                            \
    FRNG__TIMED(t, frng_cond_wait(c, m, FRNG__UNTIL(t), FRNG__SITE, "pthread_cond_timedwait"))
#define pthread_cond_clockwait(c, m, clock, t) pthread_cond_timedwait(c, m, t)
#define pthread_cond_signal(c) frng_cond_wake(c, 1, FRNG__SITE)
#define pthread_cond_broadcast(c) frng_cond_wake(c, FRNG_THREADS, FRNG__SITE)
#define pthread_cond_destroy(c) frng_sync_destroy(c, FRNG__SITE)
#define pthread_rwlock_init(l, attributes) frng_sync_init(l, 0, 0)
#define pthread_rwlock_rdlock(l)                                                                   \
    frng_rwlock_lock(l, FRNG__READ, FRNG_NEVER, FRNG__SITE, "pthread_rwlock_rdlock")
#define pthread_rwlock_tryrdlock(l)                                                                \
    frng_rwlock_lock(l, FRNG__READ, FRNG_TRY_ONCE, FRNG__SITE, "pthread_rwlock_tryrdlock")
#define pthread_rwlock_timedrdlock(l, t)                                                           \
    FRNG__TIMED(t, frng_rwlock_lock(l, FRNG__READ, FRNG__UNTIL(t), FRNG__SITE,                     \
                                    "pthread_rwlock_timedrdlock"))
#define pthread_rwlock_wrlock(l)                                                                   \
    frng_rwlock_lock(l, FRNG__ALL, FRNG_NEVER, FRNG__SITE, "pthread_rwlock_wrlock")
#define pthread_rwlock_trywrlock(l)                                                                \
    frng_rwlock_lock(l, FRNG__ALL, FRNG_TRY_ONCE, FRNG__SITE, "pthread_rwlock_trywrlock")
#define pthread_rwlock_timedwrlock(l, t)                                                           \
    FRNG__TIMED(t, frng_rwlock_lock(l, FRNG__ALL, FRNG__UNTIL(t), FRNG__SITE,                      \
                                    "pthread_rwlock_timedwrlock"))
#define pthread_rwlock_clockrdlock(l, clock, t) pthread_rwlock_timedrdlock(l, t)
#define pthread_rwlock_clockwrlock(l, clock, t) pthread_rwlock_timedwrlock(l, t)
#define pthread_rwlock_unlock(l) frng_rwlock_unlock(l, FRNG__SITE)
#define pthread_rwlock_destroy(l) frng_sync_destroy(l, FRNG__SITE)
#define pthread_barrier_init(b, attributes, count)                                                 \
    ((count) > 0 ? frng_sync_init(b, 0, count) : EINVAL)
#define pthread_barrier_wait(b) frng_barrier_wait(b, FRNG__SITE)
#define pthread_barrier_destroy(b) frng_sync_destroy(b, FRNG__SITE)
#define sem_open(...) frng_pthread_h_does_not_model_sem_open_use_frng_threads_h(__VA_ARGS__)
#define sem_init(s, shared, value) frng_sync_init(s, 0, value)
#define sem_wait(s) frng__or_errno(frng__acquire(s, FRNG__ONE, FRNG_NEVER, FRNG__SITE, "sem_wait"))
#define sem_trywait(s)                                                                             \
    frng__or_errno(                                                                                \
        frng__acquire(s, FRNG__ONE, FRNG_TRY_ONCE, FRNG__SITE, "sem_trywait") != 0 ? EAGAIN : 0)
#define sem_timedwait(s, t)                                                                        \
    frng__or_errno(                                                                                \
        FRNG__TIMED(t, frng__acquire(s, FRNG__ONE, FRNG__UNTIL(t), FRNG__SITE, "sem_timedwait")))
#define sem_clockwait(s, clock, t) sem_timedwait(s, t)
#define sem_post(s) frng__or_errno(frng_sem_post(s, FRNG__SITE))
#define sem_getvalue(s, value) frng_sem_value(s, value, FRNG__SITE)
#define sem_destroy(s) frng_sync_destroy(s, FRNG__SITE)

#define clock_gettime(clock, t) frng__clock_get(t, FRNG__SITE)
#define timespec_get(t, base) (frng__clock_get(t, FRNG__SITE), base)
#define gettimeofday(t, zone) frng__day_get(t, FRNG__SITE)
#define nanosleep(t, rest) frng__or_errno(frng__sleep(t, false, FRNG__SITE))
#define clock_nanosleep(clock, flags, t, rest) frng__sleep(t, (flags) == TIMER_ABSTIME, FRNG__SITE)
#define usleep(us) frng__usleep(us, FRNG__SITE)
#define sleep(seconds) ((unsigned)frng__usleep((uint64_t)(seconds)*1000000, FRNG__SITE))

#endif
