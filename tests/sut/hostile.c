/* hostile.c: a system under test whose runs leave behind what changes later runs in their process.
 *
 *     sut-hostile DEED
 *
 * Each test draws a number and some bytes, and fails if the number is above 900. What it does
 * before is its deed. A driver that lets a process go on after a failure must announce what it
 * would announce if each failure ended its process. SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>

enum { BAD = 900 };

static uint32_t drawn; /* of this run */
static unsigned left;  /* failures of this process */
static unsigned runs;  /* of this process */

/* ---- What a run does before it fails, or at its beginning; each returns what test() does ---- */

static bool plain(void) { return true; }

static frng *source;

static bool labels(void) {
    if (left > 0) frng_label(source, "after a failure");
    return true;
}

/* The driver learns how many runs of a batch were discarded, but not which. */
static bool assumes(void) {
    uint32_t other;
    FRNG_TRY(frng_assume(source, drawn % 5 != 0));
    FRNG_TRY(frng_u32(source, &other));
    FRNG_ASSERT(drawn > BAD || other % 600 != 5);
    return true;
}

/* Later runs fail elsewhere. */
static bool globals(void) {
    static bool is_bad;
    if (drawn > BAD) is_bad = true;
    FRNG_ASSERT(drawn > BAD || !is_bad, "a run before left this");
    return true;
}

/* Later runs fail at the place of the failure. */
static bool same_site(void) {
    static bool is_bad;
    if (drawn > BAD) is_bad = true;
    FRNG_ASSERT(!is_bad);
    return true;
}

/* Later runs pass. */
static bool forgives(void) {
    if (left > 0) drawn = 0;
    return true;
}

static bool later_passes_rarely(void) {
    if (left > 5) drawn = 0;
    return true;
}

static bool fails_only_warm(void) {
    FRNG_ASSERT(runs < 4);
    return true;
}

static bool fails_only_fresh(void) {
    if (runs > 1) drawn = 0;
    return true;
}

static bool crashes_after_failures(void) {
    if (left >= 5) raise(SIGSEGV);
    return true;
}

static bool lock(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    if (drawn <= BAD) pthread_mutex_unlock(&mutex);
    return true;
}

static bool leaks(void) {
    enum { SIZE = 2 << 20 };
    char *block = malloc(SIZE);
    if (block != NULL) memset(block, 1, SIZE);
    __asm__ volatile("" : : "r"(block) : "memory");
    if (drawn <= BAD) free(block);
    return true;
}

static bool opens(void) {
    const int file = open("/dev/null", O_RDONLY);
    FRNG_ASSERT(file >= 0);
    if (drawn <= BAD) close(file);
    return true;
}

static bool sets_alarm(void) {
    const struct itimerval soon = {.it_value.tv_usec = 20000};
    if (drawn > BAD) setitimer(ITIMER_REAL, &soon, NULL);
    return true;
}

static void *writes(void *to) {
    for (;;) {
        usleep(100);
        ++*(volatile uint64_t *)to;
    }
    return NULL;
}

/* A thread writes to the stack of a run that has ended. */
static bool starts_thread(void) {
    pthread_t thread;
    static uint64_t place;
    if (drawn > BAD) pthread_create(&thread, NULL, writes, &place);
    if (drawn > BAD) usleep(1000);
    return true;
}

static void catches(int number) {
    (void)number;
    _exit(7);
}

static bool handles_abort(void) {
    if (drawn > BAD) signal(SIGABRT, catches);
    return true;
}

static bool fails_in_child(void) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        FRNG_ASSERT(drawn <= BAD);
        _exit(0);
    }
    waitpid(child, &status, 0);
    drawn = 0;
    return status == 0;
}

static bool leaves_child(void) {
    if (drawn > BAD && fork() == 0)
        while (true) pause();
    return true;
}

static jmp_buf beginning;

/* A jump of its own over the frames of a failure. */
static bool jumps(void) {
    if (setjmp(beginning) != 0) return false;
    if (drawn > BAD) longjmp(beginning, 1);
    return true;
}

static void exits(void) { _exit(9); }

static bool at_exit(void) {
    if (drawn > BAD) atexit(exits);
    return drawn <= BAD;
}

static bool returns_false(void) { return drawn <= BAD; }

static bool blocks_signals(void) {
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, NULL, &old);
    FRNG_ASSERT(!sigismember(&old, SIGUSR1), "a run before left this");
    if (drawn > BAD) sigprocmask(SIG_SETMASK, &all, NULL);
    return true;
}

static bool closes(void) {
    for (int i = 3; drawn > BAD && i < 64; i++) close(i);
    return true;
}

static bool closes_far(void) {
    for (int i = 64; drawn > BAD && i < 1024; i++) close(i);
    return true;
}

/* What is written to the others never comes back. */
static bool replaces_far(void) {
    int ends[2];
    FRNG_ASSERT(drawn <= BAD || pipe(ends) == 0);
    for (int i = 64; drawn > BAD && i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0) dup2(ends[i % 2], i);
    return true;
}

/* The calls of a simulated disk go on failing after the run. */
static bool are_writes_broken, are_reads_broken;

ssize_t write(int file, const void *bytes, size_t size) {
    errno = EIO;
    return are_writes_broken ? -1 : (ssize_t)syscall(SYS_write, file, bytes, size);
}

ssize_t read(int file, void *bytes, size_t size) {
    errno = EIO;
    return are_reads_broken ? -1 : (ssize_t)syscall(SYS_read, file, bytes, size);
}

static bool breaks_writes(void) {
    are_writes_broken = drawn > BAD;
    return true;
}

static bool breaks_reads(void) {
    are_reads_broken = drawn > BAD;
    return true;
}

/* Two processes go on with the test, of which one passes. */
static bool forks_on(void) {
    if (drawn > BAD && left > 2 && fork() == 0) drawn = 0;
    return true;
}

static bool ends_server(void) {
    if (drawn > BAD && left > 2 && fork() == 0)
        while (true) pause();
    if (drawn > BAD && left > 2) kill(getppid(), SIGKILL);
    return true;
}

/* All runs begin at one depth of the stack. */
static uintptr_t *depth;

__attribute__((constructor)) static void share_depth(void) {
    depth = mmap(NULL, sizeof *depth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static bool at_depth(void) {
    const uintptr_t now = (uintptr_t)__builtin_frame_address(0);
    if (*depth == 0) *depth = now;
    FRNG_ASSERT(*depth == now, "another depth");
    return true;
}

/* State that is made once, and harms nobody. */

static bool fills_a_cache(void) {
    static uint8_t *squares;
    if (squares == NULL && (squares = malloc(256)) != NULL)
        for (int i = 0; i < 256; i++) squares[i] = (uint8_t)(i * i);
    return squares != NULL && squares[drawn % 256] == (uint8_t)(drawn * drawn);
}

static bool grows_a_list(void) {
    static struct item {
        struct item *next;
        uint32_t value;
    } * items;
    struct item *more = malloc(sizeof *more);
    FRNG_ASSERT(more != NULL);
    *more = (struct item){items, drawn};
    items = more;
    return true;
}

static unsigned handlers;

static void looks_around(void) {
    if (handlers != 1) _exit(9);
}

static bool at_exit_once(void) {
    if (handlers == 0 && atexit(looks_around) == 0) handlers++;
    return handlers == 1;
}

static void *sleeps(void *none) {
    for (;;) pause();
    return none;
}

static bool starts_thread_once(void) {
    static pthread_t thread;
    if (thread == 0 && pthread_create(&thread, NULL, sleeps, NULL) != 0) thread = 0;
    return thread != 0;
}

static bool opens_once(void) {
    static int file = -1;
    char byte;
    if (file < 0) file = open("/dev/zero", O_RDONLY);
    return read(file, &byte, 1) == 1 && byte == 0;
}

static volatile sig_atomic_t rings;

static void ring(int number) {
    (void)number;
    rings++;
}

/* An alarm of each run, which it waits for unless it fails. */
static bool handles_alarm(void) {
    const struct itimerval soon = {.it_value.tv_usec = 100};
    const int before = rings;
    signal(SIGALRM, ring);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (drawn <= BAD && rings == before) continue;
    return true;
}

/* Exceptions by jumps, as in some libraries of C. */
static bool catches_by_jump(void) {
    static jmp_buf handler;
    volatile unsigned thrown = 0;
    if (setjmp(handler) == 0) {
        if (drawn % 3 == 0) longjmp(handler, 1);
    } else {
        thrown++;
    }
    return thrown == (drawn % 3 == 0);
}

/* State that a failure leaves. */

static bool changes_folder(void) {
    static char first[4096];
    char now[4096];
    FRNG_ASSERT(getcwd(now, sizeof now) != NULL);
    if (first[0] == 0) memcpy(first, now, sizeof first);
    FRNG_ASSERT(strcmp(first, now) == 0, "a run before left this");
    return drawn <= BAD || chdir("/") == 0;
}

static bool fails_every_second_time(void) {
    if (drawn > BAD && left++ % 2 == 1) drawn = 0;
    return true;
}

static bool closes_stderr(void) { return drawn <= BAD || close(STDERR_FILENO) == 0; }

static const struct {
    const char *name;
    bool (*does)(void);
} deeds[] = {
    {"plain", plain},
    {"labels", labels},
    {"assumes", assumes},
    {"globals", globals},
    {"same-site", same_site},
    {"forgives", forgives},
    {"forgives-later", later_passes_rarely},
    {"fails-only-warm", fails_only_warm},
    {"fails-only-fresh", fails_only_fresh},
    {"crashes-after-failures", crashes_after_failures},
    {"lock", lock},
    {"leaks", leaks},
    {"opens", opens},
    {"sets-alarm", sets_alarm},
    {"starts-thread", starts_thread},
    {"handles-abort", handles_abort},
    {"fails-in-child", fails_in_child},
    {"leaves-child", leaves_child},
    {"jumps", jumps},
    {"at-exit", at_exit},
    {"returns-false", returns_false},
    {"blocks-signals", blocks_signals},
    {"closes", closes},
    {"closes-far", closes_far},
    {"replaces-far", replaces_far},
    {"breaks-writes", breaks_writes},
    {"breaks-reads", breaks_reads},
    {"forks-on", forks_on},
    {"ends-server", ends_server},
    {"at-depth", at_depth},
    {"cache", fills_a_cache},
    {"list", grows_a_list},
    {"at-exit-once", at_exit_once},
    {"thread-once", starts_thread_once},
    {"opens-once", opens_once},
    {"handles-alarm", handles_alarm},
    {"catches-by-jump", catches_by_jump},
    {"changes-folder", changes_folder},
    {"every-second", fails_every_second_time},
    {"closes-stderr", closes_stderr},
};

static bool (*does)(void);

static bool test(frng *f) {
    uint8_t more;
    runs++;
    source = f;
    FRNG_TRY(frng_u32_max(f, 1000, &drawn));
    frng_list(f, 0, 8, i) FRNG_TRY(frng_u8(f, &more));
    if (!does()) return false;
    if (drawn > BAD) left++;
    FRNG_ASSERT(drawn <= BAD);
    return true;
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (argc == 2 && strcmp(argv[1], deeds[i].name) == 0) does = deeds[i].does;
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) puts(deeds[i].name);
    return does != NULL ? frng_run(test) : 2;
}
