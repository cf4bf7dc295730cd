/* frng_pthread.h: what each call does and returns, and which misuse fails. */
#include "frng_pthread.h"

#include "dying.h"

#include <stdatomic.h>

static char events[128];

static void event(char c) {
    const size_t length = strlen(events);
    if (length + 1 < sizeof(events)) events[length] = c;
}

static void run(void *(*begin)(void *), const char *bytes, size_t size) {
    frng f = frng_init(bytes, size);
    memset(events, 0, sizeof(events));
    ck_assert(frng_sched_run(&f, begin, NULL));
}

/* A body that runs as thread 0. */
#define AS_THREAD_0(name)                                                                          \
    static void body_##name(void);                                                                 \
    static void *begin_##name(void *none) {                                                        \
        body_##name();                                                                             \
        return none;                                                                               \
    }

/* A test that does so. */
#define IN_THREADS(name)                                                                           \
    AS_THREAD_0(name)                                                                              \
    TEST(name) { run(begin_##name, NULL, 0); }                                                     \
    static void body_##name(void)

/* A misuse that fails, and what it says. */
#define FAILS(name, part)                                                                          \
    AS_THREAD_0(name)                                                                              \
    TEST(name) { check_fails(begin_##name, part); }                                                \
    static void body_##name(void)

static void run_all(const void *begin) { run(*(void *(*const *)(void *))begin, NULL, 0); }

static void check_fails(void *(*begin)(void *), const char *part) {
    const char *text = dying_message(run_all, &begin, false, STDERR_FILENO);
    ck_assert_msg(strncmp(text, __FILE__ ":", sizeof __FILE__) == 0, "no site first: %s", text);
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in: %s", part, text);
}

static struct timespec in_ms(long ms) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static pthread_t start(void *(*routine)(void *), void *argument) {
    pthread_t id;
    ck_assert_int_eq(pthread_create(&id, NULL, routine, argument), 0);
    return id;
}

static void *join(pthread_t id) {
    void *result;
    ck_assert_int_eq(pthread_join(id, &result), 0);
    return result;
}

/* ---- Threads ---- */

static void *returns_it(void *p) { return p; }

static void *exits_with_it(void *p) { pthread_exit(p); }

IN_THREADS(join_has_the_result) {
    int x, y;
    const pthread_t a = start(returns_it, &x), b = start(exits_with_it, &y);
    ck_assert(!pthread_equal(a, b));
    ck_assert(!pthread_equal(a, pthread_self()));
    ck_assert_ptr_eq(join(b), &y);
    ck_assert_ptr_eq(join(a), &x);
    ck_assert_int_eq(pthread_join(a, NULL), ESRCH);
}

IN_THREADS(join_of_the_wrong_thread_is_an_error) {
    pthread_attr_t attributes;
    pthread_t id;
    ck_assert_int_eq(pthread_join(pthread_self(), NULL), EDEADLK);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    ck_assert_int_eq(pthread_create(&id, &attributes, returns_it, NULL), 0);
    ck_assert_int_eq(pthread_join(id, NULL), EINVAL);
    ck_assert_int_eq(pthread_detach(id), EINVAL);
    sched_yield();
    ck_assert_int_eq(pthread_detach(id), ESRCH); /* has ended */
}

IN_THREADS(a_thread_can_be_detached_before_and_after_its_end) {
    const pthread_t a = start(returns_it, NULL), b = start(returns_it, NULL);
    ck_assert_int_eq(pthread_detach(a), 0);
    sched_yield();
    ck_assert_int_eq(pthread_detach(b), 0);
}

IN_THREADS(join_may_have_a_time) {
    static pthread_mutex_t m;
    struct timespec t;
    pthread_mutex_init(&m, NULL);
    const pthread_t a = start(returns_it, NULL);
    ck_assert_int_eq(pthread_tryjoin_np(a, NULL), EBUSY);
    t = in_ms(5);
    ck_assert_int_eq(pthread_timedjoin_np(a, NULL, &t), 0);
    pthread_mutex_destroy(&m);
}

FAILS(a_thread_that_nobody_joins_fails, "not joined: thread 1 ended at ") {
    start(returns_it, NULL);
}

static void note_once(void) {
    event('1');
    sched_yield();
    event('2');
}

static void *runs_once(void *p) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, note_once);
    event('x');
    return p;
}

static void *two_once(void *none) {
    const pthread_t a = start(runs_once, NULL), b = start(runs_once, NULL);
    join(a), join(b);
    return none;
}

TEST(once_is_once_in_each_run_and_others_wait_for_it) {
    for (int i = 0; i < 3; i++) {
        run(two_once, NULL, 0);
        ck_assert_str_eq(events, "12xx");
    }
}

/* ---- Mutexes ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *tries_the_mutex(void *p) {
    struct timespec t = in_ms(1);
    ck_assert_int_eq(pthread_mutex_trylock(&mutex), EBUSY);
    ck_assert_int_eq(pthread_mutex_timedlock(&mutex, &t), ETIMEDOUT);
    t.tv_nsec = 1000000000;
    ck_assert_int_eq(pthread_mutex_timedlock(&mutex, &t), EINVAL);
    return p;
}

IN_THREADS(a_mutex_that_is_held_is_busy) {
    pthread_mutex_lock(&mutex);
    join(start(tries_the_mutex, NULL));
    ck_assert_int_eq(pthread_mutex_trylock(&mutex), EBUSY);
    pthread_mutex_unlock(&mutex);
    ck_assert_int_eq(pthread_mutex_trylock(&mutex), 0);
    pthread_mutex_unlock(&mutex);
}

static void init_of_type(pthread_mutex_t *m, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    ck_assert_int_eq(pthread_mutex_init(m, &attributes), 0);
    pthread_mutexattr_destroy(&attributes);
}

static void *may_not_unlock(void *m) {
    ck_assert_int_eq(pthread_mutex_unlock((pthread_mutex_t *)m), EPERM);
    ck_assert_int_eq(pthread_mutex_trylock((pthread_mutex_t *)m), EBUSY);
    return NULL;
}

IN_THREADS(a_recursive_mutex_counts) {
    pthread_mutex_t m;
    init_of_type(&m, PTHREAD_MUTEX_RECURSIVE);
    ck_assert_int_eq(pthread_mutex_lock(&m), 0);
    ck_assert_int_eq(pthread_mutex_lock(&m), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&m), 0);
    join(start(may_not_unlock, &m));
    ck_assert_int_eq(pthread_mutex_unlock(&m), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&m), EPERM);
    ck_assert_int_eq(pthread_mutex_destroy(&m), 0);
}

IN_THREADS(an_errorcheck_mutex_checks) {
    pthread_mutex_t m;
    init_of_type(&m, PTHREAD_MUTEX_ERRORCHECK);
    ck_assert_int_eq(pthread_mutex_lock(&m), 0);
    ck_assert_int_eq(pthread_mutex_lock(&m), EDEADLK);
    join(start(may_not_unlock, &m));
    ck_assert_int_eq(pthread_mutex_unlock(&m), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&m), EPERM);
}

FAILS(a_mutex_locked_twice_fails, "misuse: thread 0 locks what it holds, and waits for itself") {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}

static void *unlocks(void *p) {
    pthread_mutex_unlock(&mutex);
    return p;
}

FAILS(an_unlock_by_another_thread_fails, "misuse: thread 1 unlocks what thread 0 holds") {
    pthread_mutex_lock(&mutex);
    join(start(unlocks, NULL));
}

FAILS(an_unlock_of_what_is_free_fails, "misuse: thread 0 unlocks what is not locked") {
    unlocks(NULL);
}

FAILS(a_held_mutex_must_not_be_destroyed, "misuse: thread 0 destroys what thread 0 holds") {
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
}

FAILS(what_is_destroyed_must_not_be_used, "misuse: thread 0 uses what is destroyed") {
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex);
}

FAILS(what_was_never_initialized_must_not_be_used, "uses what was never initialized") {
    pthread_mutex_t m;
    memset(&m, 0xa5, sizeof(m));
    pthread_mutex_lock(&m);
}

static void *locks_both(void *p) {
    pthread_mutex_lock(&other);
    sched_yield();
    pthread_mutex_lock(&mutex);
    return p;
}

FAILS(a_deadlock_of_two_names_both, "deadlock: thread 0 waits at ") {
    start(locks_both, NULL);
    pthread_mutex_lock(&mutex);
    sched_yield();
    pthread_mutex_lock(&other);
}

static void *keeps_the_mutex(void *none) {
    pthread_mutex_lock(&mutex);
    event('k');
    return none;
}

TEST(static_objects_are_new_in_each_run) {
    for (int i = 0; i < 3; i++) run(keeps_the_mutex, NULL, 0);
    ck_assert_str_eq(events, "k");
}

/* ---- Conditions ---- */

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits_until_ready(void *letter) {
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&cond, &mutex);
    event(*(const char *)letter);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void make_ready(bool all) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    if (all) {
        pthread_cond_broadcast(&cond);
    } else {
        pthread_cond_signal(&cond);
    }
    pthread_mutex_unlock(&mutex);
}

static void *three_wait(void *all) {
    pthread_t ids[3];
    ready = 0;
    for (size_t i = 0; i < 3; i++)
        ids[i] = start(waits_until_ready, (void *)(uintptr_t)(&"abc"[i]));
    sched_yield();
    make_ready(all != NULL);
    if (all == NULL) {
        for (int i = 0; i < 2; i++) sched_yield();
        ck_assert_str_eq(events, "a"); /* the one that waits longest */
        make_ready(true);
    }
    for (size_t i = 0; i < 3; i++) join(ids[i]);
    return NULL;
}

IN_THREADS(a_signal_wakes_one) { three_wait(NULL); }

static void *broadcast(void *none) {
    (void)none;
    return three_wait(events);
}

TEST(a_broadcast_wakes_all) {
    run(broadcast, NULL, 0);
    ck_assert_str_eq(events, "abc");
}

IN_THREADS(a_timed_wait_times_out_and_holds_the_mutex) {
    const uint64_t before = frng_now();
    struct timespec t = in_ms(20);
    pthread_mutex_lock(&mutex);
    ck_assert_int_eq(pthread_cond_timedwait(&cond, &mutex, &t), ETIMEDOUT);
    ck_assert_uint_ge(frng_now() - before, 20000000);
    ck_assert_uint_lt(frng_now() - before, 21000000);
    ck_assert_int_eq(pthread_cond_timedwait(&cond, &mutex, &t), ETIMEDOUT); /* it is past */
    pthread_mutex_unlock(&mutex);
}

static void *signals_soon(void *p) {
    usleep(1000);
    make_ready(false);
    return p;
}

IN_THREADS(a_signal_comes_before_the_time) {
    struct timespec t = in_ms(20);
    ready = 0;
    const pthread_t id = start(signals_soon, NULL);
    pthread_mutex_lock(&mutex);
    while (!ready) ck_assert_int_eq(pthread_cond_timedwait(&cond, &mutex, &t), 0);
    pthread_mutex_unlock(&mutex);
    join(id);
}

static void *waits_once(void *p) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    event(ready ? 'r' : 'w');
    pthread_mutex_unlock(&mutex);
    return p;
}

static void *one_wakes_two(void *none) {
    ready = 0;
    const pthread_t a = start(waits_once, NULL), b = start(returns_it, NULL);
    sched_yield();
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    make_ready(false);
    join(a), join(b);
    return none;
}

TEST(a_wait_ends_for_no_reason_by_a_deviation_only) {
    static const unsigned char most = 255;
    bool is_spurious = false;
    run(one_wakes_two, NULL, 0);
    ck_assert_str_eq(events, "r");
    for (unsigned a = 0; a <= most && !is_spurious; a++) {
        for (unsigned b = 0; b <= most && !is_spurious; b += 4) {
            const char bytes[] = {(char)a, (char)b, 0, 0};
            frng f = frng_init(bytes, sizeof(bytes));
            memset(events, 0, sizeof(events));
            ck_assert(frng_sched_run(&f, one_wakes_two, NULL));
            is_spurious = strcmp(events, "w") == 0;
        }
    }
    ck_assert(is_spurious);
}

FAILS(a_wait_without_the_mutex_fails, "waits for a condition without its mutex") {
    pthread_cond_wait(&cond, &mutex);
}

FAILS(a_condition_with_waiters_must_not_be_destroyed, "destroys what thread 1 waits for at ") {
    ready = 0;
    start(waits_until_ready, (void *)(uintptr_t) "a");
    sched_yield();
    pthread_cond_destroy(&cond);
}

FAILS(a_lost_signal_is_a_deadlock, " (pthread_cond_wait)") {
    ready = 0;
    join(start(waits_until_ready, (void *)(uintptr_t) "a"));
}

/* ---- Locks ---- */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads_but_cannot_write(void *p) {
    struct timespec t = in_ms(1);
    ck_assert_int_eq(pthread_rwlock_tryrdlock(&rwlock), 0);
    ck_assert_int_eq(pthread_rwlock_trywrlock(&rwlock), EBUSY);
    ck_assert_int_eq(pthread_rwlock_unlock(&rwlock), 0);
    ck_assert_int_eq(pthread_rwlock_timedwrlock(&rwlock, &t), ETIMEDOUT);
    return p;
}

static void *cannot_read(void *p) {
    struct timespec t = in_ms(1);
    ck_assert_int_eq(pthread_rwlock_tryrdlock(&rwlock), EBUSY);
    ck_assert_int_eq(pthread_rwlock_timedrdlock(&rwlock, &t), ETIMEDOUT);
    return p;
}

IN_THREADS(readers_share_a_lock_and_a_writer_does_not) {
    pthread_rwlock_rdlock(&rwlock);
    join(start(reads_but_cannot_write, NULL));
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    ck_assert_int_eq(pthread_rwlock_rdlock(&rwlock), EDEADLK);
    ck_assert_int_eq(pthread_rwlock_wrlock(&rwlock), EDEADLK);
    join(start(cannot_read, NULL));
    pthread_rwlock_unlock(&rwlock);
    ck_assert_int_eq(pthread_rwlock_destroy(&rwlock), 0);
}

FAILS(a_lock_that_is_read_must_not_be_destroyed, "destroys what is read") {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_destroy(&rwlock);
}

/* ---- Semaphores and barriers ---- */

static void *posts(void *s) {
    event('p');
    sem_post((sem_t *)s);
    return NULL;
}

IN_THREADS(a_semaphore_counts) {
    sem_t s;
    int value;
    struct timespec t = in_ms(1);
    ck_assert_int_eq(sem_init(&s, 0, 2), 0);
    ck_assert_int_eq(sem_wait(&s), 0);
    ck_assert_int_eq(sem_wait(&s), 0);
    ck_assert_int_eq(sem_trywait(&s), -1);
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert_int_eq(sem_timedwait(&s, &t), -1);
    ck_assert_int_eq(errno, ETIMEDOUT);
    const pthread_t id = start(posts, &s);
    ck_assert_int_eq(sem_wait(&s), 0);
    ck_assert_str_eq(events, "p");
    join(id);
    ck_assert_int_eq(sem_getvalue(&s, &value), 0);
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(sem_destroy(&s), 0);
}

static void *meets(void *b) {
    for (int round = 0; round < 2; round++) {
        event('.');
        if (pthread_barrier_wait((pthread_barrier_t *)b) == PTHREAD_BARRIER_SERIAL_THREAD)
            event('s');
    }
    return NULL;
}

IN_THREADS(a_barrier_lets_all_go_on_together) {
    pthread_barrier_t b;
    pthread_t ids[3];
    ck_assert_int_eq(pthread_barrier_init(&b, NULL, 0), EINVAL);
    ck_assert_int_eq(pthread_barrier_init(&b, NULL, 3), 0);
    for (size_t i = 0; i < 3; i++) ids[i] = start(meets, &b);
    for (size_t i = 0; i < 3; i++) join(ids[i]);
    ck_assert_str_eq(events, "...s...s");
    ck_assert_int_eq(pthread_barrier_destroy(&b), 0);
}

IN_THREADS(a_spinlock_is_a_mutex) {
    pthread_spinlock_t l;
    ck_assert_int_eq(pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE), 0);
    ck_assert_int_eq(pthread_spin_lock(&l), 0);
    ck_assert_int_eq(pthread_spin_trylock(&l), EBUSY);
    ck_assert_int_eq(pthread_spin_unlock(&l), 0);
    ck_assert_int_eq(pthread_spin_destroy(&l), 0);
}

/* ---- Keys, clean-ups, time ---- */

static pthread_key_t key;

static void note_value(void *letter) { event(*(const char *)letter); }

static void *has_a_value(void *letter) {
    ck_assert_ptr_eq(pthread_getspecific(key), NULL);
    ck_assert_int_eq(pthread_setspecific(key, letter), 0);
    sched_yield();
    ck_assert_ptr_eq(pthread_getspecific(key), letter);
    event('.');
    return NULL;
}

static void *two_values(void *none) {
    ck_assert_int_eq(pthread_key_create(&key, note_value), 0);
    const pthread_t a = start(has_a_value, (void *)(uintptr_t) "a");
    const pthread_t b = start(has_a_value, (void *)(uintptr_t) "b");
    join(a), join(b);
    join(start(has_a_value, (void *)(uintptr_t) "c"));
    ck_assert_int_eq(pthread_key_delete(key), 0);
    ck_assert_int_eq(pthread_setspecific(key, none), EINVAL);
    return none;
}

TEST(each_thread_has_its_value_of_a_key_and_destroys_it) {
    for (int i = 0; i < 2; i++) {
        run(two_values, NULL, 0);
        ck_assert_str_eq(events, ".a.b.c");
    }
}

static void *cleans_up(void *p) {
    pthread_cleanup_push(note_value, (void *)(uintptr_t) "1");
    pthread_cleanup_push(note_value, (void *)(uintptr_t) "2");
    pthread_cleanup_push(note_value, (void *)(uintptr_t) "3");
    pthread_cleanup_pop(1);
    if (p == NULL) pthread_exit(NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *two_clean_ups(void *none) {
    join(start(cleans_up, NULL));
    join(start(cleans_up, events));
    return none;
}

TEST(an_exit_cleans_up) {
    run(two_clean_ups, NULL, 0);
    ck_assert_str_eq(events, "3213");
}

static void *sleeps(void *letter) {
    usleep(*(const char *)letter == 'a' ? 3000000 : 1000);
    event(*(const char *)letter);
    return NULL;
}

IN_THREADS(sleeps_end_in_the_order_of_time) {
    const pthread_t a = start(sleeps, (void *)(uintptr_t) "a");
    const pthread_t b = start(sleeps, (void *)(uintptr_t) "b");
    join(a), join(b);
    ck_assert_str_eq(events, "ba");
    ck_assert_uint_ge(frng_now(), 3000000000);
}

IN_THREADS(a_wait_for_the_clock_ends) {
    const struct timespec end = in_ms(1);
    struct timespec now;
    do clock_gettime(CLOCK_REALTIME, &now);
    while (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec);
}

static _Atomic int stop;

static void *spins(void *p) {
    while (!atomic_load(&stop)) event('.');
    return p;
}

IN_THREADS(time_passes_while_a_thread_spins) {
    atomic_store(&stop, 0);
    const pthread_t id = start(spins, NULL);
    usleep(1000);
    atomic_store(&stop, 1);
    join(id);
}

/* ---- Atomics ---- */

static _Atomic int counter;

static void *increments(void *p) {
    const int was = atomic_load(&counter);
    atomic_store(&counter, was + 1);
    return p;
}

static void *two_increments(void *none) {
    atomic_store(&counter, 0);
    const pthread_t a = start(increments, NULL), b = start(increments, NULL);
    join(a), join(b);
    event((char)('0' + atomic_load(&counter)));
    return none;
}

TEST(another_thread_may_go_on_before_each_atomic_operation) {
    run(two_increments, NULL, 0);
    ck_assert_str_eq(events, "2");
    bool is_lost = false;
    for (unsigned a = 0; a < 256 && !is_lost; a++) {
        const char bytes[] = {(char)a};
        run(two_increments, bytes, 1);
        is_lost = strcmp(events, "1") == 0;
    }
    ck_assert(is_lost);
}

SUITE(.timeout_s = 60);
