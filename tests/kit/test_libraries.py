"""frng_threads.h with what real libraries do: idle pools, many threads, spins, atomics.

POOL is the shared library. Each row of the table is a program: what its threads do, and what thread
0 does."""

import platform
import shlex
import shutil
import subprocess

import frng
from kit import ROOT, Kit

POOL = r"""
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_t threads[256];
volatile int pool_stop;
void *pool_wait(void *p) {
    pthread_mutex_lock(&lock);
    for (;;) pthread_cond_wait(&work, &lock);
    return p;
}
void *pool_keep(void *p) { pthread_mutex_lock(&kept); return pool_wait(p); }
void *pool_tick(void *p) { for (;;) sleep(1); return p; }
void *pool_spin(void *p) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    while (!pool_stop) {}
    sched_yield();
    return p;
}
void pool_add(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
void pool_make(int count, void *(*run)(void *)) {
    for (int i = 0; i < count; i++) if (pthread_create(&threads[i], NULL, run, NULL) != 0) _exit(3);
}
__attribute__((destructor)) void pool_leave(void) { if (threads[0] != 0) pthread_detach(threads[0]); }
void pool_end(int count) { for (int i = 0; i < count; i++) pthread_join(threads[i], NULL); }
"""
USER = r"""
#include <frng_threads.h>
#include <frng_main.h>
extern void *pool_wait(void *), *pool_keep(void *), *pool_tick(void *), *pool_spin(void *);
extern void pool_add(void), pool_make(int, void *(*)(void *)), pool_end(int);
extern volatile int pool_stop;
int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t robust;
pthread_t own;
void own_wait(void) { pthread_mutex_lock(&lock); pthread_cond_wait(&never, &lock); }
void *own_thread(void *p) { WORK; return p; }
static void *begin(void *p) { BODY; return p; }
static bool test(frng *f) {
    uint8_t x;
    return !frng_u8(f, &x) || frng_sched_run(f, begin, NULL);
}
FRNG_MAIN(test)
"""
TELLS = r"""
#include <stdio.h>
extern volatile int pool_stop;
void frng_on_assert(const char *site) {
    fprintf(stderr, "the site is '%s'\n", site);
    pool_stop = 1;
}
"""
OWN = "pthread_create(&own, NULL, own_thread, NULL)"
FEW = "few places to interleave .atomics are unseen."
# What the threads of the program do, what thread 0 does, the exit status of a search, what it says.
ROWS = [
    ("", "pool_make(3, pool_wait)", 0, "86% .* threads left waiting: 3\n"),
    ("", "pool_make(63, pool_wait)", 0, "threads left waiting: 9 or more\n"),
    ("", "pool_make(2, pool_keep)", 0, r"left waiting with the lock of pool_keep\+"),
    ("", "pool_make(2, pool_tick)", 0, "threads left waiting: 2\n"),
    ("own_wait()", "pool_make(1, own_thread)", 1, r"own_wait\+\d+: assertion failed: deadlock"),
    ("own_wait()", f"{OWN}; pool_make(1, pool_wait)", 1, r"failure  signal:SIGABRT at own_wait\+"),
    ("", "pool_make(1, pool_wait); pool_end(1)", 1,
     r"failure  signal:SIGABRT at pool_wait\+\d+\n.*deadlock: thread 0 waits at pool_end"),
    ("__atomic_add_fetch(&counter, 1, 5)", "pool_make(3, own_thread); pool_end(3)", 0,
     f"86% .*{FEW}"),
    ("pool_add()", "pool_make(2, own_thread); pool_end(2)", 0, rf"\A(?!.*{FEW})"),
    ("", "pool_make(64, own_thread)", 3,
     r"\Afrng-search: \S*: a run cannot be judged: more than 64 threads: compile with "
     "-DFRNG_THREADS=N\n\\Z"),
    ("for (int i = 0; i < 9; i++) sched_yield()", "pool_make(3, own_thread); pool_end(3)", 0,
     rf"\A(?!.*{FEW})"),
    ("pthread_mutex_lock(&robust)", "pthread_mutexattr_t a; pthread_mutexattr_init(&a); "
     "pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&robust, &a); "
     f"{OWN}; pthread_join(own, NULL); pthread_mutex_lock(&robust)", 3,
     "cannot be judged: .* for a robust mutex whose owner has ended"),
    ("", "struct itimerspec t = {{0, 0}, {9999, 0}}; uint64_t n; int k = timerfd_create(1, 0); "
     "timerfd_settime(k, 0, &t, NULL); if (read(k, &n, 8) == 8) abort()", 3,
     "cannot be judged: all threads wait while a timer of the kernel runs"),
    ("pthread_cancel(own)", OWN, 3, "cannot be judged: .* calls pthread_cancel, which"),
]
# A library that lists its threads by the addresses of their thread-local variables, and counts with
# atomics what they do between, as liburcu does.
LISTED = r"""
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct listed { struct listed *next; int reads; } own = {0, 40};
static struct listed *all;
int listed_reads;
void listed_enter(void) {
    pthread_mutex_lock(&lock);
    own.next = all; all = &own;
    pthread_mutex_unlock(&lock);
}
void listed_leave(void) {
    struct listed **at = &all;
    pthread_mutex_lock(&lock);
    while (*at != &own) at = &(*at)->next;
    *at = own.next;
    pthread_mutex_unlock(&lock);
}
int listed_read(void) { own.reads += __atomic_fetch_add(&listed_reads, 1, 5) >= 0; return own.reads; }
"""
LISTED_TEST = r"""
#include <frng_threads.h>
#include <frng_main.h>
extern void listed_enter(void), listed_leave(void);
extern int listed_read(void), listed_reads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int seen;
static void *volatile lost;
#ifndef LOSES
#define LOSES 0
#endif
static void *look(void *p) {
    listed_enter();
    for (int i = 1; i <= 3; i++) {
        const int reads = listed_read();
        FRNG_ASSERT(reads == 40 + i && ++seen == i, "%d reads, %d seen", reads, seen);
        if (LOSES) lost = malloc(50), lost = NULL;
        if (LOCKS) pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
    }
    listed_leave();
    return p;
}
static void *begin(void *p) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, look, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return p;
}
static bool test(frng *f) {
    listed_reads = 0;
    FRNG_TRY(frng_sched_run(f, begin, NULL));
    FRNG_ASSERT(listed_reads == 9, "%d reads", listed_reads);
    return true;
}
FRNG_MAIN(test)
"""
# A thread of std::thread is made in libstdc++, whoever calls that.
STANDARD = r"""
#include <condition_variable>
#include <thread>
static std::mutex lock;
static std::condition_variable never;
void NAME() {
    std::thread([] { std::unique_lock<std::mutex> l(lock); never.wait(l); }).detach();
    (void)new std::thread([] { std::unique_lock<std::mutex> l(lock); never.wait(l); });
}
"""
STANDARD_TEST = r"""
#include <frng_threads.h>
#include <frng_main.h>
void NAME();
static void *begin(void *p) { NAME(); return p; }
static bool test(frng *f) { uint8_t x; return !frng_u8(f, &x) || frng_sched_run(f, begin, NULL); }
FRNG_MAIN(test)
"""
LIBUV = r"""
#include <frng_threads.h>
#include <frng_main.h>
#include <uv.h>
static int done;
static void work(uv_work_t *w) { w->data = &done; }
static void after(uv_work_t *w, int status) { done += status == 0 && w->data == &done; }
static void *begin(void *count) {
    uv_loop_t loop;
    uv_work_t works[4];
    uv_loop_init(&loop);
    for (int i = 0; i < *(uint8_t *)count; i++) uv_queue_work(&loop, &works[i], work, after);
    uv_run(&loop, UV_RUN_DEFAULT);
    FRNG_ASSERT(uv_loop_close(&loop) == 0);
    return count;
}
static bool test(frng *f) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, 4, &count));
    done = 0;
    FRNG_TRY(frng_sched_run(f, begin, &count));
    FRNG_ASSERT(done == count, "%d of %d", done, count);
    return true;
}
FRNG_MAIN(test)
"""


class Libraries(Kit):
    def compile(self, source, name, *flags, compiler="cc"):
        """Compile a text; skip without the compiler."""
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        language = "c++" if "++" in compiler else "c"
        made = subprocess.run([compiler, "-g", "-O0", "-rdynamic", "-I", ROOT / "frng", "-x",
                               language, "-", "-x", "none", "-o", self.folder / name, *flags],
                              check=False, input=source, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.folder / name

    def user(self, name, work, body, *flags):
        pool = self.folder / "libpool.so"
        if not pool.exists():
            self.compile(POOL, pool, "-shared", "-fPIC")
        return self.compile(USER, name, f"-DWORK={work}", f"-DBODY={body}", *flags, pool)

    def test_what_a_pool_leaves_is_no_deadlock(self):
        cases = ["switch (atoi(getenv(\"ROW\"))) { %s }" % " ".join(  # one program is compiled
            f"case {i}: {{ {row[part]}; break; }}"
            for i, row in enumerate(ROWS)) for part in (0, 1)]
        target = self.user("user", *cases)

        def check(work, body, status, says):
            row = next(i for i, row in enumerate(ROWS) if row[:2] == (work, body))
            result = self.search("--rng-seed", 1, "--attempts", 3, "--size-max", 8, target,
                                 environment={"ROW": str(row)})
            self.assert_exit(result, status)
            self.assert_says(result, says)
        self.each(check, ROWS)

    @frng.long
    def test_a_limit_of_threads_is_no_verdict_in_any_mode(self):
        says = "more than 64 threads: compile with -DFRNG_THREADS=N"
        target = self.user("user", "", "pool_make(64, own_thread); pool_end(64)")
        for mode in ("spawn", "fork", "persistent"):
            result = self.search("--rng-seed", 1, "--attempts", 3, "--mode", mode, target)
            self.assert_exit(result, 3)
            self.assert_says(result, says)
        for quiet in ((), ("--quiet",)):
            self.assert_exit(self.replay("--hex", "00", *quiet, target), 125)
        self.assert_exit(self.reduce("--hex", "0000", target), 3)
        checked = self.run_tool(target, "--check")
        self.assert_exit(checked, 3)
        self.assert_says(checked, rf"\Afrng: a run of user cannot be judged: {says}\n\Z")
        more = self.user("more", "", "pool_make(64, own_thread); pool_end(64)", "-DFRNG_THREADS=65")
        self.assert_exit(self.replay("--hex", "00", more), 0)
        self.assert_exit(self.run_tool(more, "--check"), 0)

    def test_what_a_pool_leaves_ends_its_process(self):
        """A next run in it would wait for threads that are no more."""
        body = "static int made; if (made++ == 0) pool_make(1, pool_wait); else own_wait()"
        target = self.user("user", "", body)
        result = self.search("--rng-seed", 1, "--attempts", 3, "--size-max", 8, target)
        self.assert_exit(result, 0)
        self.assertNotIn("keeps state", result.stderr)
        self.assert_exit(self.run_tool(target, "--check"), 0)

    def test_a_thread_that_spins_is_named_and_no_more_once_it_goes_on(self):
        self.write("tells.c", TELLS)
        target = self.user("user", "", "pool_make(1, pool_spin); pool_end(1)",
                           self.folder / "tells.c")
        result = self.replay("--hex", "00", "--timeout", "60s", target)
        self.assert_exit(result, 0)
        self.assert_says(result, r"frng: thread 1 spins, without a point since pool_spin\+\d+ "
                         r"\(pthread_mutex_unlock\)\nthe site is 'pool_spin\+\d+'\n"
                         ".*the site is ''")

    @frng.long
    def test_a_search_names_the_site_of_a_spin(self):
        target = self.user("user", "", "pool_make(1, pool_spin); pool_end(1)")
        result = self.search("--rng-seed", 1, "--size-max", 1, "--timeout", "5s", target)
        self.assert_exit(result, 1)
        self.assert_says(result, r"failure  timeout at pool_spin\+\d+\n.*thread 1 spins")

    def test_the_first_header_of_a_file_is_this_one(self):
        def compiled(*flags):
            return subprocess.run(["cc", "-fsyntax-only", "-I", ROOT / "frng", *flags, "-x", "c", "-"],
                                  check=False, input="#include <frng_main.h>\n#include <frng_threads.h>\n",
                                  capture_output=True, text=True)
        self.assertIn("include frng_threads.h before any other header, or", compiled().stderr)
        self.assertEqual(compiled("-D_GNU_SOURCE").returncode, 0)

    @frng.long
    def test_a_thread_of_cpp_is_its_makers(self):
        made = self.compile(STANDARD, "libmakes.so", "-DNAME=lib_make", "-shared", "-fPIC",
                            compiler="g++")
        target = self.compile(STANDARD_TEST, "of-library", "-DNAME=lib_make", made, compiler="g++")
        result = self.search("--attempts", 3, "--size-max", 8, target)
        self.assert_exit(result, 0)
        self.assert_says(result, "threads left waiting: 2\n")
        target = self.compile(STANDARD + STANDARD_TEST, "own", "-DNAME=own_make", compiler="g++")
        result = self.search("--attempts", 3, "--size-max", 8, target)
        self.assert_exit(result, 1)
        self.assert_says(result, "deadlock: ")

    @frng.long
    def test_a_library_may_list_the_variables_of_threads_and_its_atomics_are_unseen(self):
        listed = self.compile(LISTED, "liblisted.so", "-shared", "-fPIC")
        few = FEW if platform.machine() == "x86_64" else ""
        for locks, says in (("0", few), ("1", rf"\A(?!.*{FEW})")):
            target = self.compile(LISTED_TEST, "lists" + locks, "-DLOCKS=" + locks, listed)
            for mode in ("fork", "persistent"):
                result = self.search("--rng-seed", 1, "--runs", 500, "--mode", mode, target)
                self.assert_exit(result, 0)
                self.assert_says(result, says)

    @frng.long
    def test_such_a_library_is_no_bug_of_address_sanitizer_and_leaks_of_threads_are(self):
        listed = self.compile(LISTED, "liblisted.so", "-shared", "-fPIC")
        for loses, status, says in ((0, 0, "no failure"), (1, 1, "fails with lsan:leak at ")):
            target = self.compile(LISTED_TEST, "lists", f"-DLOSES={loses}", "-DLOCKS=1",
                                  "-fsanitize=address", listed)
            for after in "01":
                result = self.search(
                    "--rng-seed", 1, "--runs", 60, target,
                    environment={"ASAN_OPTIONS": f"detect_stack_use_after_return={after}"})
                self.assert_exit(result, status)
                self.assert_says(result, says)

    def test_the_pool_of_libuv(self):
        found = subprocess.run(["pkg-config", "--cflags", "--libs", "libuv"], check=False,
                               capture_output=True, text=True)
        if found.returncode != 0:
            self.skipTest("libuv1-dev is not installed")
        target = self.compile(LIBUV, "uses-libuv", *shlex.split(found.stdout))
        result = self.search("--rng-seed", 1, "--attempts", 20, "--size-max", 16, target)
        self.assert_exit(result, 0)
        self.assert_says(result, rf"\A(?!.*{FEW}).*threads left waiting: 4\n")
        self.assert_exit(self.run_tool(target, "--check"), 0)
