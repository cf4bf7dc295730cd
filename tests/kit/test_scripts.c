/* frng_sched.h with frng_pthread.h or, as test_scripts_called, frng_threads.h: scripts of threads,
 * what a run of each leaves, and how it fails.
 *
 * A script is a list of operations, `name argument = result`: the result is 0 where none is said,
 * the objects are letters, and threads are begun by the number of their script. */
#ifdef CALLED
#include "frng_threads.h"

#include "frng_atomic.h"

#include <threads.h>

typedef union object {
    pthread_mutex_t mutex;
    pthread_rwlock_t lock;
} object;
#define SITE "test_kit_scripts_called+0x"
#else
#include "frng_pthread.h"
typedef frng_sync object;
#define SITE __FILE__ ":"
#endif

#include "dying.h"
#include "rounds.h"

#include <locale.h>
#include <stdatomic.h>

typedef struct row {
    const char *name;
    const char *scripts[5];     /* of thread 0, and those that it starts by their numbers */
    const char *events, *fails; /* the letters said; or: it fails, and says this */
    const char *schedule;       /* points before each deviation: 0 to 3; f is 32, F is 2048 */
    const char *sometimes;      /* the letters that some schedule leaves */
} row;

static const row *current;
static char events[256];
static frng *generator;
static object objects[32];
static pthread_t ids[5];
static pthread_key_t key;
static struct timespec deadline;
static bool is_ready;
static volatile bool is_set;
static _Atomic int counter;

static void event(char c) {
    const size_t length = strlen(events);
    if (length + 1 < sizeof(events)) events[length] = c;
}

/* ---- Operations ---- */

static void *thread(void *script);
static bool run_schedule(const row *r);

static int say(const char *letters) {
    for (; *letters != '\0'; letters++) {
        event(*letters);
        if (letters[1] != '\0') frng_point("between letters");
    }
    return 0;
}

static int start(int number, int state) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, state);
    const int error = pthread_create(&ids[number], &attributes, thread,
                                     (void *)(uintptr_t)current->scripts[number]);
    for (int i = 0; i < number; i++) ck_assert(!pthread_equal(ids[i], ids[number]));
    return error;
}

static int join(int number) {
    void *result = NULL;
    const int error = pthread_join(ids[number], &result);
    if (error == 0) ck_assert_ptr_eq(result, current->scripts[number]);
    return error;
}

static int init_of_type(void *m, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    return pthread_mutex_init(m, &attributes);
}

static int set_deadline(const char *ms) {
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec += atoi(ms) * 1000000L;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    if (*ms == '-') deadline.tv_nsec = 1000000000; /* no time */
    return 0;
}

static int wait_until_ready(void *c, void *m) {
    while (!is_ready) pthread_cond_wait(c, m);
    return 0;
}

static int meet(void *b) {
    if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) event('s');
    return 0;
}

static void say_once(void) {
    event('1');
    sched_yield();
    event('2');
}

static void say_value(void *letter) { event(*(const char *)letter); }

static int keep_value(char letter) {
    static char letters[] = "abc";
    char *value = strchr(letters, letter);
    ck_assert_ptr_eq(pthread_getspecific(key), NULL);
    const int error = pthread_setspecific(key, value);
    sched_yield();
    if (error == 0) ck_assert_ptr_eq(pthread_getspecific(key), value);
    return error;
}

static int clean_up(const char *how) {
    static char letters[] = "123";
    pthread_cleanup_push(say_value, &letters[0]);
    pthread_cleanup_push(say_value, &letters[1]);
    pthread_cleanup_push(say_value, &letters[2]);
    pthread_cleanup_pop(1);
    if (strcmp(how, "exit") == 0) pthread_exit((void *)(uintptr_t)current->scripts[1]);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

static void on_signal(int signal) { event(signal == SIGUSR1 ? '!' : '?'); }

/* A thread of this name has what it sets while another one does the same. */
static int keep_own(char letter) {
    const char name[2] = {letter, '\0'};
    const int blocked = SIGRTMIN + letter % 8;
    const pthread_t self = pthread_self();
    const pid_t tid = gettid();
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char got[16];
    sigset_t set;
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    cpu_set_t processors;
    struct sched_param rank;
    int policy;
    clockid_t clock;
    sigemptyset(&set);
    sigaddset(&set, blocked);
    ck_assert_int_eq(pthread_setname_np(self, name), 0);
    ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, &set, NULL), 0);
    ck_assert(uselocale(locale) == LC_GLOBAL_LOCALE);
    sched_yield();
    ck_assert_int_eq(pthread_getname_np(self, got, sizeof got), 0);
    ck_assert_str_eq(got, name);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &set), 0);
    for (int i = SIGRTMIN; i < SIGRTMIN + 8; i++)
        ck_assert_int_eq(sigismember(&set, i), i == blocked);
    ck_assert(uselocale(LC_GLOBAL_LOCALE) == locale);
    ck_assert_int_eq(gettid(), tid);
    ck_assert_int_ne(tid, getpid());
    ck_assert_int_eq(pthread_getattr_np(self, &attributes), 0);
    ck_assert_int_eq(pthread_attr_getstack(&attributes, &stack, &size), 0);
    ck_assert((uintptr_t)got - (uintptr_t)stack < size);
    ck_assert_int_eq(pthread_getaffinity_np(self, sizeof processors, &processors), 0);
    ck_assert_int_eq(pthread_setaffinity_np(self, sizeof processors, &processors), 0);
    ck_assert_int_eq(pthread_getschedparam(self, &policy, &rank), 0);
    ck_assert_int_eq(pthread_setschedparam(self, policy, &rank), 0);
    ck_assert_int_eq(pthread_getcpuclockid(self, &clock), 0);
    signal(SIGUSR1, on_signal);
    freelocale(locale);
    return pthread_kill(self, 0) + pthread_kill(self, SIGUSR1);
}

static int poll_clock(void) {
    struct timespec now;
    do clock_gettime(CLOCK_REALTIME, &now);
    while (now.tv_sec == deadline.tv_sec && now.tv_nsec < deadline.tv_nsec);
    return 0;
}

static int increment(void) {
    const int was = atomic_load(&counter);
    atomic_store(&counter, was + 1);
    return 0;
}

static int keep_errno(int value) {
    errno = value;
    frng_point("sets errno");
    frng_yield();
    ck_assert_int_eq(errno, value);
    return 0;
}

static int spawn(const char *script, int count) {
    for (int i = 0; i < count; i++) {
        frng_spawn(thread, (void *)(uintptr_t)script);
        if (count > 1) frng_yield();
    }
    return 0;
}

#define IF(operation, call)                                                                        \
    if (strcmp(name, operation) == 0) return call
#define OR_ERRNO(call) ((call) == 0 ? 0 : errno)
#define THEN(statement) ((statement), 0)

#ifdef CALLED
/* ---- What only a program with the symbols has: files that are not ready, threads.h ---- */

static int pipe_ends[2];

static int give(char letter) { return write(pipe_ends[1], &letter, 1) == 1 ? 0 : errno; }

/* Take a letter by the call that has this sign: see `ways`. A wait is of 20 ms at most. */
static int take(char way) {
    struct pollfd file = {.fd = pipe_ends[0], .events = POLLIN};
    struct epoll_event is = {.events = EPOLLIN};
    struct timeval t = {.tv_usec = 20000};
    const struct timespec ms = {.tv_nsec = 20000000};
    fd_set set;
    char letter = 0;
    int ready = 1;
    FD_ZERO(&set);
    FD_SET(pipe_ends[0], &set);
    const int epoll = epoll_create1(0);
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, pipe_ends[0], &is) != 0) return errno;
    if (way == 'p') ready = poll(&file, 1, 20);
    if (way == 's') ready = select(pipe_ends[0] + 1, &set, NULL, NULL, &t);
    if (way == 'm') ready = pselect(pipe_ends[0] + 1, &set, NULL, NULL, &ms, NULL);
    if (way == 'e') ready = epoll_wait(epoll, &is, 1, 20);
    close(epoll);
    if (ready == 0) return ETIMEDOUT;
    if (read(pipe_ends[0], &letter, 1) != 1) return errno;
    event(letter);
    return 0;
}

static int c11_main(void *script) {
    (void)thread(script);
    return 7;
}

static int c11_start(int number) {
    thrd_t id;
    int result = 0;
    if (thrd_create(&id, c11_main, (void *)(uintptr_t)current->scripts[number]) != thrd_success)
        return EAGAIN;
    const int error = thrd_join(id, &result);
    return error != thrd_success || result != 7 ? EINVAL : 0;
}

/* Until another thread wakes it. */
static int futex(int *word, int value, bool wakes) {
    if (wakes) *word = value + 1;
    const long result = syscall(SYS_futex, word, wakes ? FUTEX_WAKE_PRIVATE : FUTEX_WAIT_PRIVATE,
                                wakes ? 9 : value, NULL, NULL, 0);
    return result < 0 ? errno : 0;
}

static int operate_called(const char *name, const char *argument, void *o) {
    IF("pipe", pipe(pipe_ends));
    IF("never", fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK));
    IF("give", give(*argument));
    IF("take", take(*argument));
    IF("shut", close(pipe_ends[0]) + close(pipe_ends[1]));
    IF("c_start", c11_start(atoi(argument)));
    IF("c_init", mtx_init(o, mtx_plain | mtx_recursive));
    IF("c_lock", mtx_lock(o));
    IF("c_trylock", mtx_trylock(o) == thrd_busy ? EBUSY : 0);
    IF("c_unlock", mtx_unlock(o));
    IF("file_lock", THEN(flockfile(o)));
    IF("file_trylock", ftrylockfile(o));
    IF("file_unlock", THEN(funlockfile(o)));
    IF("futex_wait", futex(o, 0, false));
    IF("futex_wake", futex(o, 0, true));
    ck_abort_msg("no operation '%s'", name);
}
#endif

static int on_threads(const char *name, const char *argument, void *o) {
    const int number = atoi(argument);
    IF("say", say(argument));
    IF("point", THEN(frng_point("a point")));
    IF("yield", sched_yield());
    IF("spawn", spawn(current->scripts[number], 1));
    IF("nest", run_schedule(current) ? 0 : -1);
    IF("many", spawn("say m", number));
    IF("wait", THEN(frng_wait(o, "a token")));
    IF("wake", THEN(frng_wake(o, (size_t)atoi(argument + 1))));
    IF("set", THEN(is_set = true));
    IF("errno", keep_errno(number));
    IF("start", start(number, PTHREAD_CREATE_JOINABLE));
    IF("start_detached", start(number, PTHREAD_CREATE_DETACHED));
    IF("join", join(number));
    IF("tryjoin", pthread_tryjoin_np(ids[number], NULL));
    IF("timedjoin", pthread_clockjoin_np(ids[number], NULL, CLOCK_MONOTONIC, &deadline));
    IF("detach", pthread_detach(ids[number]));
    IF("once", pthread_once(o, say_once));
    IF("key_create", pthread_key_create(&key, say_value));
    IF("key_delete", pthread_key_delete(key));
    IF("keep", keep_value(*argument));
    IF("clean_up", clean_up(argument));
    IF("own", keep_own(*argument));
    IF("deadline", set_deadline(argument));
    IF("sleep", OR_ERRNO(usleep((useconds_t)number * 1000)));
    IF("poll", poll_clock());
    IF("now", (int)(frng_now() / 1000000) - number); /* in ms */
    IF("increment", increment());
    IF("total", THEN(event((char)('0' + atomic_load(&counter)))));
#ifdef CALLED
    return operate_called(name, argument, o);
#else
    ck_abort_msg("no operation '%s'", name);
#endif
}

static int operate(const char *name, const char *argument) {
    void *const o = &objects[*argument & 31], *const m = &objects['m' & 31];
    IF("recursive", init_of_type(o, PTHREAD_MUTEX_RECURSIVE));
    IF("errorcheck", init_of_type(o, PTHREAD_MUTEX_ERRORCHECK));
    IF("lock", pthread_mutex_lock(o));
    IF("trylock", pthread_mutex_trylock(o));
    IF("timedlock", pthread_mutex_timedlock(o, &deadline));
    IF("unlock", pthread_mutex_unlock(o));
    IF("destroy", pthread_mutex_destroy(o));
    IF("destroy_spin", pthread_spin_destroy(o));
    IF("destroy_cond", pthread_cond_destroy(o));
    IF("destroy_rw", pthread_rwlock_destroy(o));
    IF("destroy_sem", OR_ERRNO(sem_destroy(o)));
    IF("destroy_barrier", pthread_barrier_destroy(o));
    IF("spin_init", pthread_spin_init(o, PTHREAD_PROCESS_PRIVATE));
    IF("spin_lock", pthread_spin_lock(o));
    IF("spin_trylock", pthread_spin_trylock(o));
    IF("spin_unlock", pthread_spin_unlock(o));
    IF("await", pthread_cond_wait(o, m));
    IF("until", wait_until_ready(o, m));
    IF("timedwait", pthread_cond_timedwait(o, m, &deadline));
    IF("ready", THEN(is_ready = true));
    IF("why", THEN(event(is_ready ? 'r' : 'w')));
    IF("signal", pthread_cond_signal(o));
    IF("broadcast", pthread_cond_broadcast(o));
    IF("read", pthread_rwlock_rdlock(o));
    IF("tryread", pthread_rwlock_tryrdlock(o));
    IF("timedread", pthread_rwlock_clockrdlock(o, CLOCK_MONOTONIC, &deadline));
    IF("write", pthread_rwlock_wrlock(o));
    IF("trywrite", pthread_rwlock_trywrlock(o));
    IF("timedwrite", pthread_rwlock_timedwrlock(o, &deadline));
    IF("unlock_rw", pthread_rwlock_unlock(o));
    IF("sem_init", sem_init(o, 0, (unsigned)atoi(argument + 1)));
    IF("sem_wait", OR_ERRNO(sem_wait(o)));
    IF("sem_trywait", OR_ERRNO(sem_trywait(o)));
    IF("sem_timedwait", OR_ERRNO(sem_timedwait(o, &deadline)));
    IF("sem_post", OR_ERRNO(sem_post(o)));
    IF("barrier_init", pthread_barrier_init(o, NULL, (unsigned)atoi(argument + 1)));
    IF("meet", meet(o));
    return on_threads(name, argument, o);
}

/* ---- Runs ---- */

static int result_of(const char *name) {
    static const struct {
        const char *name;
        int value;
    } errors[] = {
        {"EBUSY", EBUSY},     {"ETIMEDOUT", ETIMEDOUT}, {"EINVAL", EINVAL}, {"EPERM", EPERM},
        {"EDEADLK", EDEADLK}, {"ESRCH", ESRCH},         {"EAGAIN", EAGAIN}, {"", 0}};
    size_t i = 0;
    while (strcmp(errors[i].name, name) != 0) i++;
    return errors[i].value;
}

/* Run a script; it ends early where it says so, or where a draw of its own fails. */
static void *thread(void *script) {
    const char *at = (const char *)script;
    while (*at != '\0') {
        char name[24] = "", argument[24] = "", want[24] = "";
        uint8_t x;
        sscanf(at, "%23[a-z_] %23[^ ,=] = %23[A-Z]", name, argument, want);
        at += strcspn(at, ",");
        at += strspn(at, ", ");
        if (strcmp(name, "exit") == 0) pthread_exit(script);
        if (strcmp(name, "draw") == 0) {
            if (!frng_u8(generator, &x)) return script;
            continue;
        }
        if (strcmp(name, "spin") == 0) {
            while (!is_set) frng_point("looks at the flag");
            continue;
        }
        if (strcmp(name, "spin_atomic") == 0) {
            while (atomic_load(&counter) == 0) {
            }
            continue;
        }
        const int result = operate(name, argument);
        if (result != result_of(want)) /* Check takes mutexes for what passes, which are points */
            ck_abort_msg("%s: %s %s returns %d", current->name, name, argument, result);
    }
    return script;
}

static void *begin(void *script) {
    ids[0] = pthread_self();
    return thread(script);
}

static bool run(const row *r, frng *f) {
    current = r;
    generator = f;
    is_ready = is_set = false;
    counter = 0;
    memset(events, 0, sizeof(events));
    return frng_sched_run(f, begin, (void *)(uintptr_t)r->scripts[0]);
}

static void clear_objects(void) {
    memset(objects, 0, sizeof(objects));
    memset(&objects['u' & 31], 0xa5, sizeof(*objects)); /* never initialized */
}

static bool run_schedule(const row *r) {
    char bytes[8];
    size_t size = 0;
    for (const char *at = r->schedule != NULL ? r->schedule : ""; *at != '\0'; at++)
        bytes[size++] = (char)(*at == 'f' ? 244 : *at == 'F' ? 255 : "\0\34\60\100"[*at - '0']);
    frng f = frng_init(bytes, size);
    return run(r, &f);
}

static void runs(const void *r) { (void)run_schedule((const row *)r); }

/* ---- Which thread goes on ---- */

/* A row: what it leaves, how it fails, what it leaves under a schedule, and under another. */
#define ENDS(title, leaves, ...)                                                                   \
    {                                                                                              \
        .name = title, .events = leaves, .scripts = { __VA_ARGS__ }                                \
    }
#define FAILS(title, says, ...)                                                                    \
    {                                                                                              \
        .name = title, .fails = says, .scripts = { __VA_ARGS__ }                                   \
    }
#define UNDER(points, title, leaves, ...)                                                          \
    {                                                                                              \
        .name = title, .events = leaves, .schedule = points, .scripts = { __VA_ARGS__ }            \
    }
#define OR(some, title, leaves, ...)                                                               \
    {                                                                                              \
        .name = title, .events = leaves, .sometimes = some, .scripts = { __VA_ARGS__ }             \
    }

#define TWO "spawn 1, spawn 2", "say ABC", "say xyz"
#define THREE "spawn 3, spawn 1, spawn 2", "say ABC", "say xyz", "say 12"
#define JOIN_2 ", join 1, join 2"
#define JOIN_3 JOIN_2 ", join 3"

static const row rows[] = {
    ENDS("without entropy, each runs until it ends", "12ABCxyz", THREE),
    UNDER("0", "the thread that begins others is passed over", "ABCxyz", TWO),
    UNDER("1", "after 1 point", "ABCxyz", TWO),
    UNDER("2", "after 2 points", "xyzABC", TWO),
    UNDER("3", "after 3 points", "AxyzBC", TWO),
    UNDER("300", "at each point", "AxByzC", TWO),
    UNDER("31", "and back", "AxyBCz", TWO),
    UNDER("2", "one of three", "12ABCxyz", THREE),
    UNDER("20", "two deviations at a point pass over two", "ABCxyz12", THREE),
    UNDER("200", "and three over three", "xyz12ABC", THREE),
    UNDER("f0", "32 points are quiet", "ABCxyz", TWO),
    UNDER("F0", "2048 points are quiet", "ABCxyz", TWO),
    ENDS("those that wait longest wake first", "a-bc",
         "spawn 1, spawn 2, spawn 3, yield, yield, yield, wake t1, yield, say -, wake t9",
         "wait t, say a", "wait t, say b", "wait t, say c"),
    ENDS("a thread that spins lets others go on", "s!", "spawn 1, spawn 2", "spin, say !",
         "say s, set"),
    UNDER("20", "errno is a thread's own", "ee", "spawn 1, spawn 2", "errno 5, say e",
          "errno 7, say e"),
    FAILS("a deadlock", "assertion failed: deadlock: thread 1 waits at ", "spawn 1", "wait t"),
    FAILS("why it waits", " (a token)\n", "spawn 1", "wait t"),
    FAILS("a livelock", "assertion failed: livelock: thread 1 runs at ", "spawn 1, spawn 2", "spin",
          "wait t"),
    FAILS("and who waits for it", "(looks at the flag), thread 2 waits at ", "spawn 1, spawn 2",
          "spin", "wait t"),

    /* Threads */
    ENDS("a join has the result", "", "start 1, start 2, join 2, join 1, join 1 = ESRCH", "yield",
         "exit"),
    ENDS("a join of the wrong thread", "",
         "join 0 = EDEADLK, start_detached 1, join 1 = EINVAL, detach 1 = EINVAL, yield, "
         "detach 1 = ESRCH",
         ""),
    ENDS("threads are detached before and after their ends", "",
         "start 1, start 2, detach 1, yield, detach 2", "", ""),
    ENDS("a join with a time", "", "start 1, tryjoin 1 = EBUSY, deadline 5, timedjoin 1", ""),
    FAILS("a thread that nobody joins", "not joined: thread 1 ended at ", "start 1", ""),
    ENDS("once is once, and others wait for it", "12xx", "start 1, start 2" JOIN_2, "once o, say x",
         "once o, say x"),

    /* Mutexes */
    ENDS(
        "a mutex that is held is busy", "",
        "lock m, start 1, join 1, trylock m = EBUSY, unlock m, trylock m, unlock m",
        "trylock m = EBUSY, deadline 1, timedlock m = ETIMEDOUT, deadline -, timedlock m = EINVAL"),
    ENDS("a recursive mutex counts", "",
         "recursive m, lock m, lock m, unlock m, start 1, join 1, unlock m, unlock m = EPERM, "
         "destroy "
         "m",
         "unlock m = EPERM, trylock m = EBUSY"),
    ENDS("an errorcheck mutex checks", "",
         "errorcheck m, lock m, lock m = EDEADLK, trylock m = EBUSY, start 1, join 1, unlock m, "
         "unlock m = EPERM",
         "unlock m = EPERM, trylock m = EBUSY"),
    ENDS("a spinlock is a mutex", "",
         "spin_init p, spin_lock p, spin_trylock p = EBUSY, spin_unlock p, destroy_spin p"),
    ENDS("each run begins with what is static", "k", "lock m, say k"),
    FAILS("a mutex locked twice", "misuse: thread 0 locks what it holds, and waits for itself",
          "lock m, lock m"),
    FAILS("an unlock by another", "misuse: thread 1 unlocks what thread 0 holds",
          "lock m, start 1, join 1", "unlock m"),
    FAILS("an unlock of what is free", "thread 0 unlocks what is not locked", "unlock m"),
    FAILS("what is held is destroyed", "misuse: thread 0 destroys what thread 0 holds",
          "lock m, destroy m"),
    FAILS("what is destroyed is used", "misuse: thread 0 uses what is destroyed",
          "destroy m, lock m"),
#ifndef CALLED
    FAILS("what was never initialized is used", "uses what was never initialized", "lock u"),
#endif
    FAILS("a deadlock of two", "deadlock: thread 0 waits at ", "start 1, lock m, yield, lock o",
          "lock o, yield, lock m"),

    /* Conditions */
    ENDS(
        "a signal wakes the one that waits longest", "a-bc",
        "start 1, start 2, start 3, yield, lock m, ready, signal c, unlock m, yield, yield, say -, "
        "lock m, broadcast c, unlock m" JOIN_3,
        "lock m, until c, say a, unlock m", "lock m, until c, say b, unlock m",
        "lock m, until c, say c, unlock m"),
    ENDS("a broadcast wakes all", "abc-",
         "start 1, start 2, start 3, yield, lock m, ready, broadcast c, unlock m, yield, yield, "
         "yield, "
         "say -" JOIN_3,
         "lock m, until c, say a, unlock m", "lock m, until c, say b, unlock m",
         "lock m, until c, say c, unlock m"),
    ENDS("a timed wait times out and holds the mutex", "",
         "deadline 20, lock m, timedwait c = ETIMEDOUT, now 20, timedwait c = ETIMEDOUT, unlock m"),
    ENDS("a signal comes before the time", "r",
         "deadline 20, start 1, lock m, timedwait c, why, unlock m, join 1",
         "sleep 1, lock m, ready, signal c, unlock m"),
    OR("w", "a wait ends for no reason by a deviation only", "r",
       "start 1, start 2, yield, lock o, unlock o, lock m, ready, signal c, unlock m" JOIN_2,
       "lock m, await c, why, unlock m", ""),
    FAILS("a wait without the mutex", "waits for a condition without its mutex", "await c"),
    FAILS("a condition that one waits for is destroyed", "destroys what thread 1 waits for at ",
          "start 1, yield, destroy_cond c", "lock m, await c"),
    FAILS("a lost signal", " (pthread_cond_wait)", "start 1, signal c, join 1", "lock m, await c"),

    /* Locks of readers, semaphores, barriers */
    ENDS(
        "readers share a lock and a writer does not", "",
        "read l, start 1, join 1, unlock_rw l, write l, read l = EDEADLK, write l = EDEADLK, start "
        "2, "
        "join 2, unlock_rw l, destroy_rw l",
        "tryread l, trywrite l = EBUSY, unlock_rw l, deadline 1, timedwrite l = ETIMEDOUT",
        "tryread l = EBUSY, deadline 1, timedread l = ETIMEDOUT"),
    FAILS("a lock that is read is destroyed", "destroys what is read", "read l, destroy_rw l"),
    ENDS("a semaphore counts", "pw",
         "sem_init s2, sem_wait s, sem_wait s, sem_trywait s = EAGAIN, deadline 1, "
         "sem_timedwait s = ETIMEDOUT, start 1, sem_wait s, say w, join 1, sem_trywait s = EAGAIN, "
         "destroy_sem s",
         "say p, sem_post s"),
    ENDS("a barrier lets all go on together", "...s...s",
         "barrier_init b0 = EINVAL, barrier_init b3, start 1, start 2, start 3" JOIN_3
         ", destroy_barrier b",
         "say ., meet b, say ., meet b", "say ., meet b, say ., meet b",
         "say ., meet b, say ., meet b"),

    /* Keys, clean-ups, time, atomics */
    ENDS("each thread has its value of a key and destroys it", ".a.b.c",
         "key_create -, start 1, start 2" JOIN_2 ", start 3, join 3, key_delete -, keep - = EINVAL",
         "keep a, say .", "keep b, say .", "keep c, say ."),
#ifdef CALLED
    /* Files, threads.h, futexes */
    ENDS("a read waits for a write", "-abcd",
         "pipe -, start 1, start 2, yield, yield, say -, give a, give b, give c, give d" JOIN_2
         ", shut -",
         "take r, take p", "yield, yield, take s, take e"),
    ENDS("waits for files have an end", "",
         "pipe -, take p = ETIMEDOUT, take s = ETIMEDOUT, take e = ETIMEDOUT, take m = ETIMEDOUT, "
         "now 80, "
         "shut -"),
    ENDS("a file that never blocks does not", "", "pipe -, never -, take r = EAGAIN, shut -"),
    FAILS("nobody writes", " (read)", "pipe -, take r"),
    ENDS("threads of threads.h return ints", "ab",
         "c_init m, c_lock m, c_lock m, c_start 1, c_unlock m, c_unlock m, c_start 2",
         "c_trylock m = EBUSY, say a", "c_lock m, say b, c_unlock m"),
    ENDS("a futex waits", "-w",
         "start 1, yield, say -, futex_wake o, join 1, futex_wait o = EAGAIN",
         "futex_wait o, say w"),
    ENDS("a file is locked as a recursive mutex is", "-x",
         "file_lock m, file_lock m, start 1, yield, say -, file_unlock m, file_unlock m, join 1",
         "file_trylock m = EBUSY, file_lock m, say x, file_unlock m"),
#endif
    ENDS("an exit cleans up", "3213", "start 1, join 1, start 2, join 2", "clean_up exit",
         "clean_up -"),
    ENDS("what the C library and the kernel keep is a thread's own", "!!",
         "start 1, start 2" JOIN_2, "own a", "own b"),
    ENDS("sleeps end in the order of time", "ba", "start 1, start 2" JOIN_2 ", now 3000",
         "sleep 3000, say a", "sleep 1, say b"),
    ENDS("a wait for the clock ends", "", "deadline 1, poll -"),
    ENDS("time passes while a thread spins", "", "start 1, sleep 1, increment -, join 1",
         "spin_atomic"),
    OR("1", "another goes on before each atomic operation", "2",
       "start 1, start 2" JOIN_2 ", total -", "increment -", "increment -"),
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static bool comes(const row *r) {
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b += 4) {
            const char bytes[] = {(char)a, (char)b, 0, 0};
            frng f = frng_init(bytes, sizeof(bytes));
            clear_objects();
            ck_assert(run(r, &f));
            if (strcmp(events, r->sometimes) == 0) return true;
        }
    }
    return false;
}

/* Twice: objects start anew in each run. */
TEST_EACH(scripts_end_as_their_rows_say, ROWS) {
    const row *r = &rows[_i];
    clear_objects();
    if (r->fails != NULL) {
        const char *text = dying_message(runs, r, false, STDERR_FILENO);
        const bool is_said = strncmp(text, __FILE__ ":", sizeof __FILE__) == 0 ||
                             strncmp(text, SITE, strlen(SITE)) == 0;
        ck_assert_msg(is_said, "no site first: %s", text);
        ck_assert_msg(strstr(text, r->fails) != NULL, "%s: no '%s': %s", r->name, r->fails, text);
        return;
    }
    for (int i = 0; i < 2; i++) {
#ifdef CALLED
        clear_objects(); /* they keep what a library counts on for ever */
#endif
        ck_assert_msg(run_schedule(r), "%s: a draw of a thread fails", r->name);
        ck_assert_msg(strcmp(events, r->events) == 0, "%s: %s", r->name, events);
    }
    if (r->sometimes != NULL) ck_assert_msg(comes(r), "%s: never %s", r->name, r->sometimes);
}

/* ---- What is drawn ---- */

static void check_run(const row *r, bool ends, const char *bytes, size_t size, size_t used,
                      bool is_exhausted) {
    frng f = frng_init(bytes, size);
    ck_assert_int_eq(run(r, &f), ends);
    ck_assert_uint_eq(frng_used(&f), used);
    ck_assert_int_eq(f.exhausted, is_exhausted);
    ck_assert_str_eq(events, r->events);
}

TEST(a_schedule_takes_what_it_needs_and_leaves_the_generator_exhausted) {
    const row one = ENDS("one", "abc", "say abc"), two = ENDS("two", "ABCxyz", TWO);
    uint8_t x;
    check_run(&one, true, "\0\0\0", 3, 0, false);
    check_run(&two, true, "\0", 1, 1, true);
    check_run(&two, true, "\377", 1, 1, false);
    frng f = frng_init(NULL, 0);
    ck_assert(!frng_u8(&f, &x));
    ck_assert(run(&two, &f));
    ck_assert_str_eq(events, "ABCxyz");
    ck_assert(f.exhausted);
}

TEST(a_thread_whose_draw_runs_out_ends_the_run_as_passed) {
    row r = ENDS("draws", "", "spawn 1, spawn 2", "wait t, say w", "draw -, say d, wake t1");
    check_run(&r, false, NULL, 0, 0, true);
    r.events = "dw";
    check_run(&r, true, "\377\5\5", 3, 2, false); /* the next run is whole */
}

TEST(runs_and_threads_follow_each_other_in_one_process) {
    const row r = UNDER("31", "and back", "AxyBCz", TWO), many = ENDS("many", "", "many 100");
    for (int i = 0; i < 10000 / ROUNDS_STEP; i++) {
        ck_assert(run_schedule(&r));
        ck_assert_str_eq(events, r.events);
    }
    ck_assert(run_schedule(&many));
    ck_assert_uint_eq(strlen(events), 100);
}

TEST(points_outside_of_a_run_are_nothing) {
    frng_point("nowhere");
    frng_yield();
    ck_assert_uint_eq(frng_self(), 0);
}

TEST(a_run_in_a_run_fails) {
    static const row nest = ENDS("nest", "", "nest -");
    const char *text = dying_message(runs, &nest, false, STDERR_FILENO);
    ck_assert_msg(strstr(text, "frng_sched_run in a run") != NULL, "%s", text);
}

SUITE(.timeout_s = 60);
