"""Threads that entropy schedules: examples/stack.c and examples/queue.c, and plain pthread code in
files of its own, also under sanitizers."""

import re
import shutil
import subprocess

import frng
from kit import EXAMPLES, ROOT, Kit

STACK, QUEUE = EXAMPLES / "stack", EXAMPLES / "queue"

# Plain pthread code: two threads add without a lock between reading and writing.
COUNTER = r"""
#include <pthread.h>
#include <stdlib.h>
#ifndef LOCAL
#define LOCAL static _Thread_local
#endif
int counter_total(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static int look(void) { pthread_mutex_lock(&lock); int t = total; pthread_mutex_unlock(&lock);
                        return t; }
static void *add(void *p) {
    LOCAL int calls = 1, *step;
    step = malloc(sizeof *step);
    *step = look() + calls++; /* 1 in each thread */
    pthread_mutex_lock(&lock); total = *step; pthread_mutex_unlock(&lock);
    free(step);
    return p;
}
int counter_total(void) {
    pthread_t a, b;
    total = 0;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return total;
}
"""
COUNTER_TEST = r"""
#include <frng_main.h>
#include <frng_sched.h>
int counter_total(void);
static void *begin(void *result) { *(int *)result = counter_total(); return NULL; }
static bool test(frng *f) {
    int total = 0;
    FRNG_TRY(frng_sched_run(f, begin, &total));
    FRNG_ASSERT(total == 2, "the total is %d", total);
    return true;
}
FRNG_MAIN(test)
"""
# A thread that draws owns memory, and waits for one whose draw has run out.
DRAWING = r"""
#include <frng_main.h>
#include <frng_pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int items;
static void *put(void *f) {
    uint8_t x;
    for (int i = 0; i < 3; i++) {
        if (!frng_u8((frng *)f, &x)) return NULL;
        pthread_mutex_lock(&lock); items++; pthread_cond_signal(&cond); pthread_mutex_unlock(&lock);
    }
    return NULL;
}
static void *get(void *f) {
    for (int i = 0; i < 3; i++) {
        char *volatile owned = (char *)malloc(100);
        owned[0] = 1;
        pthread_mutex_lock(&lock);
        while (items == 0) pthread_cond_wait(&cond, &lock);
        items--; pthread_mutex_unlock(&lock);
        free(owned);
    }
    return f;
}
static void *begin(void *f) {
    pthread_t a, b;
    items = 0;
    pthread_create(&a, NULL, put, f); pthread_create(&b, NULL, get, f);
    pthread_join(a, NULL); pthread_join(b, NULL);
    return NULL;
}
static bool test(frng *f) { return frng_sched_run(f, begin, f); }
FRNG_MAIN(test)
"""
# What no run may do differently from the first: objects at one address, the first exception of a
# process, one that leaves call_once, a lock of the C library that is held over a point, and a wait
# that C++ leaves out where the C library has made no thread.
ORDINARY = r"""
#include <frng_threads.h>
#include <cstdio>
#include <frng_main.h>
#include <mutex>
#include <stop_token>
#include <thread>
static thread_local int own;
static std::mutex lock;
static void work() {
    try { throw 1; } catch (int) { own++; }
    flockfile(stderr);
    { std::lock_guard<std::mutex> held(lock); }
    funlockfile(stderr);
    FRNG_ASSERT(own == 1, "own is %d", own);
}
static void *begin(void *) {
    for (int i = 0; i < 2; i++) {
        std::once_flag once;
        int tries = 0;
        const auto twice = [&] {
            std::call_once(once, [&] { if (++tries == 1) throw 1; });
        };
        std::thread other([&] { try { twice(); } catch (int) { } work(); });
        try { twice(); } catch (int) { }
        work();
        own = 0;
        other.join();
        std::stop_source source;
        std::thread stops([&] { source.request_stop(); });
        {
            std::stop_callback called(source.get_token(), std::this_thread::yield);
            std::this_thread::yield();
        }
        stops.join();
        FRNG_ASSERT(tries == 2, "%d tries", tries);
    }
    return nullptr;
}
static bool test(frng *f) { return frng_sched_run(f, begin, nullptr); }
FRNG_MAIN(test)
"""

# Each thread catches exceptions of its own while others do the same.
CATCHING = r"""
#include <frng_main.h>
#include <frng_sched.h>
static int alive;
struct Error {
    int number;
    explicit Error(int n) : number(n) { alive++; }
    Error(const Error &other) : number(other.number) { alive++; }
    ~Error() { number = -1; alive--; }
};
static void *work(void *p) {
    const int me = *(const int *)p;
    for (int i = 0; i < 3; i++) {
        try { throw Error(me * 10 + i); } catch (const Error &e) {
            frng_yield();
            FRNG_ASSERT(e.number == me * 10 + i, "caught %d", e.number);
            try { throw; } catch (const Error &same) { FRNG_ASSERT(&same == &e, "another one"); }
        }
    }
    return NULL;
}
static void *begin(void *) {
    static int numbers[] = {1, 2, 3};
    for (int i = 0; i < 3; i++) frng_spawn(work, &numbers[i]);
    return NULL;
}
static bool test(frng *f) {
    FRNG_TRY(frng_sched_run(f, begin, NULL));
    FRNG_ASSERT(alive == 0, "%d are left", alive);
    return true;
}
FRNG_MAIN(test)
"""
# A library that knows nothing of frng: a place for one item, with one condition for both sides.
LOST = r"""
#include <pthread.h>
void lost_reset(void), lost_put(int item); int lost_get(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_full, item;
void lost_reset(void) { is_full = 0; }
void lost_put(int new_item) {
    pthread_mutex_lock(&lock);
    while (is_full) pthread_cond_wait(&changed, &lock);
    is_full = 1; item = new_item; pthread_cond_signal(&changed); pthread_mutex_unlock(&lock);
}
int lost_get(void) {
    pthread_mutex_lock(&lock);
    while (!is_full) pthread_cond_wait(&changed, &lock);
    is_full = 0; const int got = item; pthread_cond_signal(&changed); pthread_mutex_unlock(&lock);
    return got;
}
"""
LOST_TEST = r"""
#include <frng_threads.h>
#include <frng_main.h>
#ifdef __cplusplus
#define C_FUNCTION extern "C"
#else
#define C_FUNCTION extern
#endif
C_FUNCTION void lost_reset(void), lost_put(int item);
C_FUNCTION int lost_get(void);
static void *put(void *p) { lost_put(1); return p; }
static void *get(void *p) { lost_get(); return p; }
static void *begin(void *p) {
    pthread_t t[6];
    for (int i = 0; i < 6; i++) pthread_create(&t[i], NULL, i % 2 ? get : put, NULL);
    for (int i = 0; i < 6; i++) pthread_join(t[i], NULL);
    return p;
}
static bool test(frng *f) { lost_reset(); return frng_sched_run(f, begin, NULL); }
FRNG_MAIN(test)
"""
# Threads of C++, as they are: two add without a lock between reading and writing.
STANDARD = r"""
#include <INCLUDED>
#include <frng_main.h>
#include <mutex>
#include <thread>
static std::mutex lock;
static int total, ended;
struct Own {
    int calls = 0;
    ~Own() { ended += calls; }
};
static thread_local Own own;
static void add() {
    own.calls++;
    std::unique_lock<std::mutex> first(lock);
    const int was = total;
    first.unlock();
    std::lock_guard<std::mutex> second(lock);
    total = was + 1;
}
static void *begin(void *p) {
    std::thread a(add), b(add);
    a.join(); b.join();
    std::this_thread::sleep_for(std::chrono::hours(1));
    return p;
}
static bool test(frng *f) {
    total = ended = 0;
    FRNG_TRY(frng_sched_run(f, begin, NULL));
    FRNG_ASSERT(ended == 2, "%d have ended", ended);
    FRNG_ASSERT(total == 2, "the total is %d", total);
    return true;
}
FRNG_MAIN(test)
"""
# A pool of threads that the process joins at its end, long after the run.
POOL = r"""
#include <frng_threads.h>
#include <frng_main.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_t worker;
static void *work(void *p) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&cond, &lock);
    return p;
}
static void *begin(void *f) {
    uint8_t x;
    pthread_create(&worker, NULL, work, NULL);
    return frng_u8((frng *)f, &x) ? f : NULL;
}
__attribute__((destructor)) static void end(void) { pthread_join(worker, NULL); }
static bool test(frng *f) { return frng_sched_run(f, begin, f); }
FRNG_MAIN(test)
"""
# More frames at once than ThreadSanitizer follows of one thread.
DEEP = r"""
#include <frng_main.h>
#include <frng_sched.h>
static int deep(int n) {
    if (n == 0) { frng_yield(); return 0; }
    volatile int below = deep(n - 1);
    return below + 1;
}
static void *work(void *p) { FRNG_ASSERT(deep(12000) == 12000); return p; }
static void *begin(void *p) { for (int i = 0; i < 8; i++) frng_spawn(work, NULL); return p; }
static bool test(frng *f) { return frng_sched_run(f, begin, NULL); }
FRNG_MAIN(test)
"""
# Stacks overflow in one place or in another, of a thread and of thread 0; one is as large as it asks.
OVERFLOWING = r"""
#include <INCLUDED>
#include <frng_main.h>
static int small(int n) { volatile char f[200]; f[n & 7] = 1; return n == 0 ? 0 : small(n - 1) + f[7]; }
static int large(int n) {
    volatile char f[100000];
    f[n & 7] = 1;
    sched_yield();
    return n == 0 ? 0 : large(n - 1) + f[7];
}
static void *work(void *p) {
    const char how = *(char *)p;
    if (how == 'l') large(1 << 20);
    else small(how == 's' ? 1 << 30 : how == 'a' ? 60000 : 10000); /* 15 and 2.5 MB */
    return p;
}
static void *begin(void *how) {
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, *(char *)how == 'a' ? 32 << 20 : 65536);
    if (*(char *)how == '0') work("s");
    pthread_create(&t, &a, work, how);
    pthread_join(t, NULL);
    return how;
}
static bool test(frng *f) { char how; return !frng_u8(f, (uint8_t *)&how) || frng_sched_run(f, begin, &how); }
FRNG_MAIN(test)
"""
# The second thread waits for a pipe that nobody writes to.
BLOCKING = r"""
#include <frng_main.h>
#include <frng_pthread.h>
static void *work(void *ends) { char c; return read(*(int *)ends, &c, 1) > 0 ? ends : NULL; }
static void *begin(void *p) {
    int ends[2];
    pthread_t id;
    if (pipe(ends) != 0) abort();
    pthread_create(&id, NULL, work, ends);
    if (WAITS) sleep(1);
    pthread_join(id, NULL);
    return p;
}
static bool test(frng *f) { return frng_sched_run(f, begin, NULL); }
FRNG_MAIN(test)
"""


class Threads(Kit):
    def build(self, name, sources, compiler="cc", flags=(), libraries=()):
        """Compile sources, (text or path, flags) each, into a program; skip without the compiler."""
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        level = "-O0"  # compiles soonest
        objects = []
        for number, (source, own) in enumerate(sources):
            path = source
            if isinstance(source, str):
                path = self.folder / f"{name}{number}.c"
                path.write_text(source, encoding="utf-8")
            objects.append(self.folder / f"{name}{number}.o")
            compiled = subprocess.run([compiler, "-g", level, "-I", ROOT / "frng", *flags, *own, "-c",
                                       path, "-o", objects[-1]], check=False, capture_output=True,
                                      text=True)
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
        program = self.folder / name
        linked = subprocess.run([compiler, *flags, *objects, *libraries, "-o", program],
                                check=False, capture_output=True, text=True)
        if linked.returncode != 0 and flags:
            self.skipTest(f"{compiler} {' '.join(flags)}: {linked.stderr}")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        return program

    def reduced(self, target, seed, attempts):
        return self.least(target, "--rng-seed", seed, "--attempts", attempts, "--time",
                          "60s").stat().st_size

    def test_aba_is_found_and_reduced_to_two_switches(self):
        self.assertLessEqual(self.reduced(STACK, 1, 1000), 3)

    def test_a_lost_signal_is_found_and_reduced(self):
        self.assertLessEqual(self.reduced(QUEUE, 1, 5000), 24)

    def test_the_page_shows_a_switch(self):
        self.assert_says(self.shown("stack", "66e4"), "threads 2 and 1 both own buffer 1")

    def test_the_page_shows_a_deadlock_whose_site_is_one_of_its_lines(self):
        self.assert_says(self.shown("queue", "723000e840"),
                         r"bqueue\.c:\d+: assertion failed: deadlock: thread 0 waits at "
                         r".*queue\.c:\d+ \(pthread_join\), thread 3 waits at "
                         r".*bqueue\.c:\d+ \(pthread_cond_wait\), thread 6 waits at ")

    @frng.long
    def test_without_their_bugs_the_examples_pass(self):
        for name in ("stack", "queue"):
            target = EXAMPLES / f"{name}-fixed"
            result = self.search("--attempts", 50000, "--size-max", 64, "--time", "2s", target)
            self.assert_exit(result, 0)

    def counter(self, compiler="cc", *flags):
        own = ("-include", ROOT / "frng" / "frng_pthread.h",
               *(() if flags else ("-O1",)))  # may keep the address of a thread-local variable
        return self.build("counter", [(COUNTER_TEST, ()), (COUNTER, own)], compiler, flags)

    def test_plain_pthread_code_is_compiled_as_it_is(self):
        target = self.counter()
        self.assertLessEqual(self.reduced(target, 1, 200), 2)
        result, lines = self.story(target, "--input", "least")
        self.assert_says(result, "the total is 1")
        self.assertTrue(any(re.search(r"is interrupted at counter1\.c:\d+ \(pthread_", line)
                            for line in lines), lines)

    def library(self, compiler, *flags):
        """A program with a lost wakeup in its shared library."""
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-x", "c", "-", "-o",
                        self.folder / "liblost.so"], input=LOST, text=True, check=True)
        language = ("-x", "c++", "-std=c++11") if "++" in compiler else ()
        return self.build("lost" + compiler, [(LOST_TEST, language)], compiler, flags,
                          (self.folder / "liblost.so",))

    def test_a_lost_wakeup_in_a_shared_library_is_reduced_to_two_bytes(self):
        target = self.library("cc")
        self.assertLessEqual(self.reduced(target, 1, 500), 2)
        result, lines = self.story(target, "--input", "least")
        self.assert_says(result, r"lost_put\+\d+: assertion failed: deadlock: thread 0 waits at .*"
                         r"thread \d waits at lost_get\+\d+ \(pthread_cond_wait\)")
        self.assertTrue(any("goes on at lost_get+" in line for line in lines), lines)

    @frng.long
    def test_libraries_are_scheduled_in_all_languages_and_under_sanitizers(self):
        self.reduced(self.library("cc"), 1, 500)
        for compiler in ("gcc", "clang++"):
            with self.subTest(compiler=compiler):
                target = self.library(compiler, "-fsanitize=address,undefined")
                self.assert_says(self.story(target, "--input", "least")[0], "deadlock: thread 0")
                self.assert_exit(self.replay("--hex", "00", target), 0)

    @frng.long
    def test_standard_threads_are_scheduled_or_do_not_link(self):
        def standard(header, own=()):
            return self.build("standard", [(STANDARD.replace("INCLUDED", header),
                                            ("-x", "c++", "-std=c++17", *own))], "g++")
        target = standard("frng_threads.h")
        self.assertLessEqual(self.reduced(target, 1, 200), 1)
        self.assert_says(self.story(target, "--input", "least")[0], "the total is 1")
        with self.assertRaisesRegex(AssertionError, "does_not_model_std_thread_use_frng_threads_h"):
            standard("frng_pthread.h")

    def test_ordinary_threads_of_cpp_pass(self):
        target = self.build("ordinary", [(ORDINARY, ("-x", "c++", "-std=c++20"))], "g++")
        result = self.search("--rng-seed", 1, "--attempts", 20, "--size-max", 16, target)
        self.assert_exit(result, 0)
        self.assertNotIn("state", result.stderr)

    def test_a_thread_that_has_ended_with_the_run_is_joined_when_the_process_ends(self):
        self.assert_exit(self.replay("--hex", "", self.build("pool", [(POOL, ())])), 0)

    def test_a_call_that_blocks_all_threads_is_named(self):
        target = self.build("blocking", [(BLOCKING, ("-DWAITS=1",))])
        result = self.replay("--hex", "", target)
        self.assert_exit(result, 125)
        self.assert_says(result, "thread 1 blocks in read, called at .* is not modelled")
        target = self.build("blocking", [(BLOCKING, ("-DWAITS=0",))])
        self.assert_says(self.replay("--hex", "", target), r"blocking0\.c:\d+: assertion failed: "
                         r"blocked: thread 1 is in read, called at blocking\(\+0x[0-9a-f]+\), since")

    def overflows(self, says, header, compiler="cc", *flags):
        target = self.build("over" + header[:-2], [(OVERFLOWING.replace("INCLUDED", header), ())],
                            compiler, flags)
        for how in "sl0":
            self.assert_says(self.replay("--hex", how.encode().hex(), target), says)
        for how in "a-":
            self.assert_exit(self.replay("--hex", how.encode().hex(), target), 0)

    def test_a_stack_overflow_of_a_thread_is_one_signature(self):
        self.overflows("fails with signal:SIGSEGV at stack overflow\n", "frng_pthread.h")

    @frng.long
    def test_a_stack_overflow_is_one_in_libraries_and_under_sanitizers(self):
        for compiler, header in (("gcc", "frng_threads.h"), ("clang", "frng_pthread.h")):
            with self.subTest(compiler=compiler, header=header):
                self.overflows("at stack overflow\n", header, compiler)
                self.overflows("fails with asan:stack-overflow at overfrng", header, compiler,
                               "-fsanitize=address")

    @frng.long
    def test_the_heap_of_abandoned_threads_is_no_leak(self):
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                target = self.build("drawing" + compiler, [(DRAWING, ())], compiler,
                                    ("-fsanitize=address", "-O1"))
                for mode in ("auto", "spawn"):
                    result = self.search("--attempts", 100, "--size-max", 8, "--mode", mode, target)
                    self.assert_exit(result, 0)

    @frng.long
    def test_each_thread_of_cpp_has_the_exceptions_that_it_caught(self):
        for compiler in ("g++", "clang++"):
            with self.subTest(compiler=compiler):
                target = self.build("catching", [(CATCHING, ("-x", "c++", "-std=c++11"))],
                                    compiler)
                self.assert_exit(self.search("--attempts", 100, "--size-max", 8, target), 0)

    def under(self, sanitizer, compiler, *flags):
        """The counter's bug, and the stack's, are the same ones under a sanitizer."""
        if not (self.folder / "least").exists():
            self.reduced(self.counter(), 1, 200)
        target = self.counter(compiler, f"-fsanitize={sanitizer}", *flags)
        result, _ = self.story(target, "--input", "least")
        self.assert_says(result, "the total is 1")
        self.assert_exit(self.search("--attempts", 3, "--size-max", 0, target), 0)
        stack = self.build("stack", [(ROOT / "examples" / "stack.c", ())], compiler,
                           (f"-fsanitize={sanitizer}",))
        result, _ = self.story(stack, "--hex", "66e4")
        self.assert_says(result, "threads 2 and 1 both own buffer 1")
        for entropy in ("", "00", "666666"):
            self.assert_exit(self.replay("--hex", entropy, stack), 0)

    @frng.long
    def test_static_programs_are_refused(self):
        """Unless they say that they have no thread-local variables."""
        sources = [(ROOT / "examples" / "stack.c", ())]
        target = self.build("static", sources, "gcc", ("-static",))
        self.assert_says(self.replay("--hex", "", target), "share its thread-local variables")
        target = self.build("leak", sources, "clang", ("-fsanitize=leak",))
        self.assert_says(self.replay("--hex", "", target), "a sanitizer that is linked statically")
        target = self.build("shared", sources, "gcc", ("-static", "-DFRNG_FIBER_SHARED_LOCALS"))
        self.assert_exit(self.replay("--hex", "", target), 0)

    @frng.long
    def test_address_sanitizer_follows_the_threads(self):
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                self.under("address,undefined", compiler)

    @frng.long
    def test_thread_sanitizer_follows_the_threads(self):
        self.under("thread", "gcc")
        self.under("thread", "clang", "-DLOCAL=auto")
        with self.assertRaisesRegex(AssertionError, "cannot_separate_thread_locals"):
            self.counter("clang", "-fsanitize=thread")
        deep = self.build("deep", [(DEEP, ())], "gcc", ("-fsanitize=thread",))
        self.assert_exit(self.replay("--hex", "", deep), 0)

    @frng.long
    def test_fortified_programs_switch_too(self):
        target = self.build("fortified", [(ROOT / "examples" / "stack.c", ())], "gcc",
                            ("-O2", "-D_FORTIFY_SOURCE=2"))
        result, _ = self.story(target, "--hex", "66e4")
        self.assert_says(result, "threads 2 and 1 both own buffer 1")
