/* dirt.c: a system under test that speaks the protocol, and misuses the machine or its process.
 *
 *     sut-dirt DEED N [ARGUMENT]
 *
 * Deeds of three kinds: an end comes when a run has drawn N bytes, and other runs pass; a habit is
 * what every run has, that aborts when it has drawn N bytes (0: never), and what should not come to
 * pass is exit status 3; a memory is what runs of a process leave to the next, which then draws
 * otherwise. SPDX-License-Identifier: MIT */
#include "deeds.h"
#include "frng_main.h"

#include <inttypes.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

enum { MISLED = 3, DESCRIPTORS = 16 };

#define CAP (512 * MIB) /* what a limit of memory should stop stops by itself there */

static frng *drawing; /* of this run */
static unsigned long needed;
static const char *argument;

static unsigned long number(void) { return strtoul(argument, NULL, 0); }

/* Runs of all processes that have come so far, counted in a file. */
static off_t count_run(const char *file) {
    struct stat s;
    const int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &s) != 0) broken(file);
    close(fd);
    return s.st_size;
}

static void nap(unsigned long ms) {
    const struct timespec span = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&span, NULL);
}

/* ---- Ends; a run whose end returns passes ---- */

static void does_exit0(void) { exit(0); }
static void does_exit3(void) { exit(3); }
static void does_quick_exit(void) { _exit(5); }
static void does_segv(void) { raise(SIGSEGV); }
static void does_trap(void) { __builtin_trap(); }
static void does_kill(void) { kill(getpid(), SIGKILL); }
static void does_term(void) { kill(getpid(), SIGTERM); }
static void does_nap(void) { nap(1000); }

static void does_misuse(void) {
    uint8_t byte;
    if (frng_u8_range(drawing, 9, 3, &byte)) abort();
}

/* Without end, and no tail call that a compiler could make a loop of. */
__attribute__((noinline)) static unsigned sink(unsigned depth) {
    volatile unsigned char room[4096];
    room[depth % sizeof room] = (unsigned char)depth;
    if (depth == UINT32_MAX) return 0;
    return sink(depth + 1) + room[depth % sizeof room];
}

static void does_overflow(void) { sink(0); }

/* Wait for a child that shares the memory and sleeps: only SIGKILL gets through. */
static void does_wait_for_vfork(void) {
    if (vfork() == 0) hang();
}

/* A process in a session of its own, that holds on to what it inherited and ignores signals. */
static void does_leave(void) {
    const pid_t child = fork();
    if (child < 0) broken("fork");
    if (child > 0) return;
    setsid();
    ignore_all();
}

static void does_leave_and_exit(void) {
    does_leave();
    exit(4);
}

static void exit_otherwise(void) { _exit(7); }
static void does_atexit(void) { atexit(exit_otherwise); }

/* Fill the report, in whose place the driver knows what was drawn. */
static void spoil(uint8_t byte) {
    char line[512];
    uintptr_t from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "memfd:report") == NULL) continue;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2) broken("maps");
        volatile uint8_t *report = (volatile uint8_t *)from;
        for (size_t i = 0; i < to - from; i++) report[i] = byte;
        break;
    }
    if (maps != NULL) fclose(maps);
}

static void does_spoil(void) {
    spoil((uint8_t)number());
    abort();
}

/* True in the Nth run of this process. */
static bool is_nth(void) {
    static unsigned long runs;
    return ++runs == number();
}

static unsigned runs; /* of this process */
static void counts_runs(void) { runs++; }
static void does_abort_first(void) {
    if (runs == 1) abort();
}

static void does_abort_at(void) {
    if (is_nth()) abort();
}

/* Kill the parent, a server of ours or a worker, in the Nth run. */
static void does_kill_parent_at(void) {
    if (is_nth() && kill(getppid(), SIGKILL) == 0) hang();
}

/* Take all there is, and cannot do with less. */
static void does_eat(void) {
    for (size_t taken = 0; taken < CAP; taken += MIB) {
        if (take(MIB) == NULL) abort();
    }
}

/* Need so many MiB, and no more. */
static void does_need(void) {
    void *memory = take(number() * MIB);
    if (memory == NULL) abort();
    free(memory);
}

static void does_hold(void) {
    if (take(number() * MIB) == NULL) _exit(MISLED);
    abort();
}

/* Hang in the first run that comes so far, as on a machine that is busy just then. */
static void does_hang_once(void) {
    if (count_run(argument) == 1) hang();
}

/* Take two seconds in the first two of them. */
static void does_dawdle(void) {
    if (count_run(argument) <= 2) nap(2000);
}

/* Hang in every second of them. */
static void does_hang_at_times(void) {
    if (count_run(argument) % 2 == 1) hang();
}

/* Crash after so many milliseconds: at its deadline. */
static void does_race(void) {
    nap(number());
    abort();
}

/* Each way to fail, and one to pass, as one more byte says. */
static void does_any(void) {
    static void (*const ways[])(void) = {
        abort,     does_exit3, does_quick_exit,     does_segv,   does_trap, does_kill,
        does_term, does_exit0, does_leave_and_exit, does_atexit, does_leave};
    uint8_t which;
    if (frng_u8_max(drawing, sizeof ways / sizeof ways[0] - 1, &which)) ways[which]();
}

/* Abort by chance. */
static void does_flaky(void) {
    if (is_lucky(number())) abort();
}

/* Abort in the first of all runs that come so far. */
static void does_once(void) {
    if (!is_new(argument)) return;
    fputs("never again\n", stderr);
    abort();
}

/* Of "9/10:FILE": abort in nine of ten runs that come so far, in turn; the file counts them. */
static void does_sometimes(void) {
    unsigned failing, all;
    int length = 0;
    if (sscanf(argument, "%u/%u:%n", &failing, &all, &length) != 2 || length == 0) {
        broken(argument);
    }
    if (count_run(argument + length) % all < failing) abort();
}

/* ---- Habits ---- */

static void floods(void) { flood(number()); }

/* Four MiB that are never given back, with nothing to show for it until there are none left. */
static void hoards(void) {
    static void *volatile last;
    last = malloc(4 * MIB);
    if (last == NULL) exit(MISLED);
}

/* Open a file and never close it. The limit is low, so that it is soon reached. */
static bool opens_another(void) {
    const struct rlimit limit = {DESCRIPTORS, DESCRIPTORS};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) broken("setrlimit");
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno != EMFILE) broken("/dev/null");
    return fd >= 0;
}

static void leaks(void) {
    if (!opens_another()) exit(MISLED);
}

static void leaks_and_hangs(void) {
    while (!opens_another()) usleep(10000);
}

static void closes_all(void) {
    for (int fd = 0; fd < 1024; fd++) close(fd);
}

static void empties_all(void) {
    for (int fd = 0; fd < 1024; fd++) {
        if (ftruncate(fd, 0) != 0) continue;
    }
}

static void unmounts(void) { umount2("/proc", MNT_DETACH); }

static void hangs_up(void) {
    for (int fd = 0; fd < 1024; fd++) shutdown(fd, SHUT_RDWR);
}

/* Whoever listens at one of them hears nonsense. */
static void writes_to_all(void) {
    static const char noise[200] = "noise";
    for (int fd = 0; fd < 1024; fd++) {
        if (write(fd, noise, sizeof noise / (1 + (size_t)fd % 3)) < 0) continue;
    }
}

static void send_to_all(const frng_message *m) {
    for (int fd = 3; fd < 1024; fd++) {
        if (send(fd, m, sizeof *m, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) continue;
    }
}

/* As many bytes as a message has, all of them the same. */
static void answers(void) {
    frng_message m;
    memset(&m, (int)number(), sizeof m);
    send_to_all(&m);
}

/* The answer that the server has not given: a run has passed, or had that status. */
static void forges(void) {
    frng_message done;
    memset(&done, 0, sizeof done);
    done.type = FRNG_DONE;
    done.status = number();
    done.count = done.status == 0;
    send_to_all(&done);
}

/* Of a program that dies for reasons of its own: a while after the first of its runs has ended. A
 * timer is not inherited by what is forked. */
static void die_soon(int signal_) {
    const struct itimerval soon = {{0, 0}, {0, 3000}};
    struct itimerval now;
    if (getitimer(ITIMER_REAL, &now) != 0 || now.it_value.tv_usec != 0) return;
    setitimer(ITIMER_REAL, &soon, NULL);
    (void)signal_;
}

static void is_mortal(void) {}

/* ---- Memories: another count of bytes, other draws of as many, and a process ---- */

static bool is_second(void) {
    static bool later;
    const bool was = later;
    later = true;
    return was;
}

/* True in each second run of a process. */
static bool is_even(void) {
    static bool even = true;
    even = !even;
    return even;
}

static bool counts_otherwise(frng *f) {
    uint16_t more;
    return !is_even() || frng_u16(f, &more);
}

static bool draws_otherwise(frng *f) {
    bool coin;
    uint8_t byte;
    return is_even() ? frng_bool(f, &coin) : frng_u8(f, &byte);
}

static bool settles(frng *f) {
    uint16_t more;
    uint8_t byte;
    return is_second() ? frng_u8(f, &byte) : frng_u16(f, &more);
}

static bool leaves_once(frng *f) {
    uint8_t byte;
    if (!is_second()) does_leave();
    return frng_u8(f, &byte);
}

/* ---- The table ---- */

static const struct deed {
    const char *name;
    int arguments; /* after N */
    void (*end)(void), (*habit)(void);
    frng_test memory;
} deeds[] = {
    {"abort-at", 1, does_abort_at, NULL, NULL},
    {"any", 0, does_any, NULL, NULL},
    {"dawdles", 1, does_dawdle, NULL, NULL},
    {"eats", 0, does_eat, NULL, NULL},
    {"exit0", 0, does_exit0, NULL, NULL},
    {"fails-first", 0, does_abort_first, counts_runs, NULL},
    {"flaky", 1, does_flaky, NULL, NULL},
    {"hangs-at-times", 1, does_hang_at_times, NULL, NULL},
    {"hangs-once", 1, does_hang_once, NULL, NULL},
    {"holds", 1, does_hold, NULL, NULL},
    {"ignores", 0, ignore_all, NULL, NULL},
    {"kill-parent-at", 1, does_kill_parent_at, NULL, NULL},
    {"kills", 0, does_kill, NULL, NULL},
    {"leaves", 0, does_leave, NULL, NULL},
    {"leaves-and-exits", 0, does_leave_and_exit, NULL, NULL},
    {"misuses", 0, does_misuse, NULL, NULL},
    {"naps", 0, does_nap, NULL, NULL},
    {"needs", 1, does_need, NULL, NULL},
    {"once", 1, does_once, NULL, NULL},
    {"overflows", 0, does_overflow, NULL, NULL},
    {"races", 1, does_race, NULL, NULL},
    {"segv", 0, does_segv, NULL, NULL},
    {"sometimes", 1, does_sometimes, NULL, NULL},
    {"spins", 0, spin, NULL, NULL},
    {"unmounts-and-hangs", 0, hang, unmounts, NULL},
    {"spoils", 1, does_spoil, NULL, NULL},
    {"stops", 0, stop, NULL, NULL},
    {"waits-for-vfork", 0, does_wait_for_vfork, NULL, NULL},
    {"answers", 1, NULL, answers, NULL},
    {"closes-all", 0, NULL, closes_all, NULL},
    {"empties-all", 0, NULL, empties_all, NULL},
    {"floods", 1, NULL, floods, NULL},
    {"forges", 1, NULL, forges, NULL},
    {"hangs-up", 0, NULL, hangs_up, NULL},
    {"hoards", 0, NULL, hoards, NULL},
    {"leaks", 0, NULL, leaks, NULL},
    {"leaks-and-hangs", 0, NULL, leaks_and_hangs, NULL},
    {"mortal", 0, NULL, is_mortal, NULL},
    {"unmounts", 0, NULL, unmounts, NULL},
    {"writes-to-all", 0, NULL, writes_to_all, NULL},
    {"counts-otherwise", 0, NULL, NULL, counts_otherwise},
    {"draws-otherwise", 0, NULL, NULL, draws_otherwise},
    {"leaves-once", 0, NULL, NULL, leaves_once},
    {"settles", 0, NULL, NULL, settles},
};

static const struct deed *chosen;

static bool test(frng *f) {
    drawing = f;
    if (chosen->memory != NULL && !chosen->memory(f)) return true;
    if (chosen->habit != NULL) chosen->habit();
    if (chosen->end == NULL && needed == 0) return true;
    for (unsigned long i = needed; i > 0; i--) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
    }
    if (chosen->end == NULL) abort();
    chosen->end();
    return true;
}

int main(int argc, char **argv) {
    const struct sigaction mortal = {.sa_handler = die_soon, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        if (argc != 3 + deeds[i].arguments || strcmp(argv[1], deeds[i].name) != 0) continue;
        chosen = &deeds[i];
        needed = strtoul(argv[2], NULL, 0);
        argument = argv[3];
        if (chosen->habit == is_mortal && sigaction(SIGCHLD, &mortal, NULL) != 0) return BROKEN;
        return frng_run(test);
    }
    fputs("sut-dirt: see dirt.c\n", stderr);
    return USAGE;
}
