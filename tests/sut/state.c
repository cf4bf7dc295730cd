/* state.c: systems under test that speak the protocol and misbehave, in a way chosen by arguments.
 *
 *     sut-state does WHAT N        draws N bytes, one by one, and then does it
 *     sut-state keeps WHAT         leaves something behind; a run that finds it draws otherwise
 *     sut-state counts-to N WHAT   does it in the Nth run of its process, and passes before
 *     sut-state draws-otherwise    as many bytes, but not the same draws, in all runs but the first
 *     sut-state shows              makes every kind of draw and note, and aborts
 *     sut-state shows-and-passes   the same, and passes
 *
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_more.h"

#include <inttypes.h>
#include <locale.h>
#include <pthread.h>

static frng *drawing; /* of this run */

/* ---- What a run may do; true: it goes on, and passes ---- */

static bool does_abort(void) { abort(); }
static bool does_exit0(void) { exit(0); }
static bool does_exit3(void) { exit(3); }
static bool does_quick_exit(void) { _exit(5); }
static bool does_return_false(void) { return false; }

static bool does_segv(void) {
    raise(SIGSEGV);
    return true;
}

static bool does_trap(void) {
    __builtin_trap();
    return true;
}

static bool does_misuse(void) {
    uint8_t byte;
    return frng_u8_range(drawing, 9, 3, &byte);
}

static bool does_kill(void) {
    kill(getpid(), SIGKILL);
    return true;
}

static bool does_term(void) {
    kill(getpid(), SIGTERM);
    return true;
}

/* Without end, and no tail call that a compiler could make a loop of. */
__attribute__((noinline)) static unsigned sink(unsigned depth) {
    volatile unsigned char room[4096];
    room[depth % sizeof room] = (unsigned char)depth;
    if (depth == UINT32_MAX) return 0;
    return sink(depth + 1) + room[depth % sizeof room];
}

static bool does_overflow(void) { return sink(0) != 1; }

static bool does_assert(void) {
    FRNG_ASSERT(getpid() == 0, "it never is");
    return true;
}

static bool does_sleep(void) {
    while (pause() != 0) continue;
    return true;
}

static bool does_nap(void) { return sleep(1) == 0; }

static bool does_spin(void) {
    for (volatile bool more = true; more;) continue;
    return true;
}

static bool does_stop(void) {
    while (raise(SIGSTOP) == 0) continue;
    return true;
}

static bool does_ignore(void) {
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    return does_sleep();
}

/* Whoever forked this process is a server of ours, or the driver's worker. */
static bool does_kill_parent(void) {
    kill(getppid(), SIGKILL);
    return does_sleep();
}

/* A process in a session of its own, that holds on to what it inherited and ignores signals. */
static bool does_leave(void) {
    const pid_t child = fork();
    if (child != 0) return child > 0;
    setsid();
    return does_ignore();
}

static bool does_leave_and_exit(void) {
    does_leave();
    exit(3);
}

static void exit_otherwise(void) { _exit(7); }
static bool does_atexit(void) { return atexit(exit_otherwise) == 0; }

/* Nobody has the address any more: a leak checker says so when the process ends. */
static bool does_leak(void) {
    uint8_t *volatile lost = (uint8_t *)malloc(100);
    if (lost != NULL) lost[0] = 1;
    lost = NULL;
    return true;
}

static bool does_read_past(void) {
    volatile uint8_t *bytes = (volatile uint8_t *)calloc(8, 1);
    volatile size_t index = 8;
    bytes[0] = bytes[index];
    free((void *)(uintptr_t)bytes);
    return true;
}

static bool does_overflow_int(void) {
    volatile int most = INT32_MAX;
    most += getpid() > 0 ? 1 : 0;
    return most != 0;
}

static volatile uint8_t *find_report(size_t *size) {
    char line[512];
    volatile uint8_t *found = NULL;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && found == NULL && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t from, to;
        if (strstr(line, "memfd:report") == NULL) continue;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2) continue;
        found = (volatile uint8_t *)from;
        *size = to - from;
    }
    if (maps != NULL) fclose(maps);
    return found;
}

static void fill_report(uint8_t byte) {
    size_t size = 0;
    volatile uint8_t *report = find_report(&size);
    for (size_t i = 0; i < size; i++) report[i] = byte;
}

static bool does_scribble(void) {
    fill_report(0x5a);
    abort();
}

static bool does_fill(void) {
    fill_report(0xff);
    abort();
}

static bool does_zero(void) {
    fill_report(0);
    abort();
}

/* Those that spoil the report and pass. The generator is in it: nothing is drawn any more. */
static bool does_zero_and_exit0(void) {
    fill_report(0);
    exit(0);
}

static const struct deed {
    const char *name;
    bool (*act)(void);
} deeds[] = {
    {"abort", does_abort},
    {"assert", does_assert},
    {"atexit", does_atexit},
    {"exit0", does_exit0},
    {"exit3", does_exit3},
    {"fill", does_fill},
    {"ignore", does_ignore},
    {"kill", does_kill},
    {"kill-parent", does_kill_parent},
    {"leak", does_leak},
    {"leave", does_leave},
    {"leave-and-exit", does_leave_and_exit},
    {"misuse", does_misuse},
    {"nap", does_nap},
    {"overflow", does_overflow},
    {"overflow-int", does_overflow_int},
    {"quick-exit", does_quick_exit},
    {"read-past", does_read_past},
    {"return-false", does_return_false},
    {"scribble", does_scribble},
    {"segv", does_segv},
    {"sleep", does_sleep},
    {"spin", does_spin},
    {"stop", does_stop},
    {"term", does_term},
    {"trap", does_trap},
    {"zero", does_zero},
    {"zero-and-exit0", does_zero_and_exit0},
};

/* ---- What a run may leave: true if the last run of this process has left it ---- */

static bool keeps_count(void) {
    static bool later;
    const bool was = later;
    later = true;
    return was;
}

static bool keeps_memory(void) {
    static void *left;
    const bool was = left != NULL;
    left = malloc(100);
    return was;
}

static bool keeps_file(void) {
    enum { HIGH = 200 };
    const bool was = fcntl(HIGH, F_GETFD) >= 0;
    const int fd = open("/dev/null", O_RDONLY);
    if (fd >= 0) dup2(fd, HIGH);
    return was;
}

static bool keeps_locale(void) {
    const bool was = MB_CUR_MAX > 1;
    setlocale(LC_ALL, "C.UTF-8");
    return was;
}

static bool keeps_mask(void) {
    sigset_t mask, old;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    sigprocmask(SIG_BLOCK, &mask, &old);
    return sigismember(&old, SIGUSR2) == 1;
}

/* Already closed by the run before: it was open to begin with. */
static bool keeps_stdin_closed(void) { return close(STDIN_FILENO) != 0; }

static bool keeps_folder(void) {
    char folder[16] = "";
    const bool was = getcwd(folder, sizeof folder) != NULL && strcmp(folder, "/") == 0;
    if (chdir("/") != 0) abort();
    return was;
}

static void *rest(void *argument) {
    while (pause() != 0) continue;
    return argument;
}

static bool keeps_thread(void) {
    static bool runs;
    const bool was = runs;
    pthread_t thread;
    runs = runs || pthread_create(&thread, NULL, rest, NULL) == 0;
    return was;
}

/* It is found without looking for it: by the driver. */
static bool keeps_process(void) {
    static bool left;
    if (!left) left = does_leave();
    return false;
}

static const struct keepsake {
    const char *name;
    bool (*keep)(void);
} keepsakes[] = {
    {"count", keeps_count},     {"file", keeps_file},          {"folder", keeps_folder},
    {"locale", keeps_locale},   {"mask", keeps_mask},          {"memory", keeps_memory},
    {"process", keeps_process}, {"stdin", keeps_stdin_closed}, {"thread", keeps_thread},
};

/* ---- The tests ---- */

static char **arguments;

static bool act(const char *name) {
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        if (strcmp(deeds[i].name, name) == 0) return deeds[i].act();
    }
    exit(64);
}

static bool keep(const char *name) {
    for (size_t i = 0; i < sizeof keepsakes / sizeof keepsakes[0]; i++) {
        if (strcmp(keepsakes[i].name, name) == 0) return keepsakes[i].keep();
    }
    exit(64);
}

static bool test_does(frng *f) {
    drawing = f;
    for (unsigned long i = strtoul(arguments[1], NULL, 0); i > 0; i--) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
    }
    return act(arguments[0]);
}

static bool test_keeps(frng *f) {
    uint8_t byte;
    uint16_t more;
    FRNG_TRY(frng_u8(f, &byte));
    if (keep(arguments[0])) FRNG_TRY(frng_u16(f, &more));
    return true;
}

static bool test_counts_to(frng *f) {
    static unsigned long runs;
    uint8_t byte;
    FRNG_TRY(frng_u8(f, &byte));
    return ++runs == strtoul(arguments[0], NULL, 0) ? act(arguments[1]) : true;
}

/* As many bytes each time, and other draws in all runs but the first. */
static bool test_draws_otherwise(frng *f) {
    bool b;
    uint8_t byte;
    if (keeps_count()) {
        FRNG_TRY(frng_bool(f, &b));
    } else {
        FRNG_TRY(frng_u8(f, &byte));
    }
    return true;
}

static bool show(frng *f) {
    static const uint32_t weights[] = {1, 0, 3};
    const uint8_t *bytes;
    bool b;
    uint8_t u8;
    uint16_t u16;
    uint64_t u64;
    int8_t i8;
    int32_t i32;
    int64_t i64;
    size_t index;
    double d;
    frng_note(f, "first");
    FRNG_TRY(frng_bytes(f, 3, &bytes));
    FRNG_TRY(frng_bytes(f, 20, &bytes));
    FRNG_TRY(frng_bool(f, &b));
    FRNG_TRY(frng_u8(f, &u8));
    frng_note(f, "\x1b[31mred\x1b]0;t\a\n");
    FRNG_TRY(frng_u16_max(f, 1000, &u16));
    FRNG_TRY(frng_u64_range(f, 1, UINT64_MAX - 1, &u64));
    FRNG_TRY(frng_i8_range(f, -3, 3, &i8));
    FRNG_TRY(frng_i32_range(f, INT32_MIN, INT32_MAX, &i32));
    FRNG_TRY(frng_i64_range(f, -1, 1, &i64));
    frng_note(f, "a name that is far longer than what is copied of it");
    FRNG_TRY(frng_index(f, 10, &index));
    FRNG_TRY(frng_weighted(f, weights, 3, &index));
    FRNG_TRY(frng_f64(f, &d));
    FRNG_TRY(frng_chance(f, 1, 3, &b));
    for (int i = 0; i < 64; i++) FRNG_TRY(frng_u8_max(f, 128, &u8)); /* half of all rejected */
    frng_note(f, "last");
    return true;
}

static bool test_shows(frng *f) {
    FRNG_TRY(show(f));
    abort();
}

static const struct way {
    const char *name;
    int count; /* of arguments */
    frng_test test;
} ways[] = {
    {"does", 2, test_does},           {"keeps", 1, test_keeps},
    {"counts-to", 2, test_counts_to}, {"draws-otherwise", 0, test_draws_otherwise},
    {"shows", 0, test_shows},         {"shows-and-passes", 0, show},
};

int main(int argc, char **argv) {
    arguments = argv + 2;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (argc == 2 + ways[i].count && strcmp(argv[1], ways[i].name) == 0) {
            return frng_run(ways[i].test);
        }
    }
    fputs("sut-state: see state.c\n", stderr);
    return 64;
}
