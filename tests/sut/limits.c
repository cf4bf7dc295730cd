/* limits.c: systems under test that go to their limits of time and memory, in every mode.
 *
 *     sut-limits MODE N [ARGUMENT]
 *
 * A run that draws N bytes does what its mode says; all others pass. What a limit of memory should
 * stop stops by itself at 512 MiB. SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <sys/stat.h>
#include <time.h>

enum { USAGE = 64, BROKEN = 65 };

#define CAP ((size_t)512 << 20)
#define MIB ((size_t)1 << 20)

static unsigned long needed;
static const char *argument;

static unsigned long number(void) { return strtoul(argument, NULL, 0); }

static void *take(size_t size) {
    volatile char *memory = (volatile char *)malloc(size);
    if (memory == NULL) return NULL;
    for (size_t i = 0; i < size; i += 4096) memory[i] = 1;
    return (void *)(uintptr_t)memory;
}

/* ---- Memory ---- */

/* Takes all it gets, and cannot do with less. */
static void eats(void) {
    for (size_t taken = 0; taken < CAP; taken += MIB) {
        if (take(MIB) == NULL) abort();
    }
}

/* The same, by a list that doubles. */
static void doubles(void) {
    char *list = NULL;
    for (size_t size = MIB; size <= CAP; size *= 2) {
        char *longer = (char *)take(size);
        if (longer == NULL) abort();
        free(list);
        list = longer;
    }
}

/* Needs so many MiB, and no more. */
static void needs(void) {
    void *memory = take(number() * MIB);
    if (memory == NULL) abort();
    free(memory);
}

/* Holds so many MiB, and has a bug. */
static void holds(void) {
    if (take(number() * MIB) == NULL) _exit(3);
    abort();
}

/* Die as if another process had sent the signal. */
static void kills(void) { kill(getpid(), SIGKILL); }

/* ---- Time ---- */

/* Runs of all processes that came so far. */
static off_t count_run(void) {
    struct stat s;
    const int fd = open(argument, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &s) != 0) exit(BROKEN);
    close(fd);
    return s.st_size;
}

/* Hangs in the first run that comes so far, as on a machine that is busy just then. */
static void hangs_once(void) {
    while (count_run() == 1) pause();
}

/* Takes two seconds in the first two of them. */
static void dawdles(void) {
    const struct timespec span = {2, 0};
    if (count_run() <= 2) nanosleep(&span, NULL);
}

/* Hangs in every second of them. */
static void hangs_at_times(void) {
    if (count_run() % 2 == 1) pause();
}

/* Crashes after so many milliseconds: at its deadline. */
static void races(void) {
    const unsigned long ms = number();
    const struct timespec span = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&span, NULL);
    abort();
}

/* Waits for a child that shares its memory and sleeps: no signal but SIGKILL gets through to it. */
static void waits_for_vfork(void) {
    if (vfork() == 0) {
        for (;;) pause();
    }
}

static const struct mode {
    const char *name;
    int arguments; /* after N */
    void (*act)(void);
} modes[] = {
    {"eats", 0, eats},
    {"doubles", 0, doubles},
    {"needs", 1, needs},
    {"holds", 1, holds},
    {"kills", 0, kills},
    {"hangs-once", 1, hangs_once},
    {"hangs-at-times", 1, hangs_at_times},
    {"dawdles", 1, dawdles},
    {"races", 1, races},
    {"waits-for-vfork", 0, waits_for_vfork},
};

static const struct mode *chosen;

static bool test(frng *f) {
    for (unsigned long i = needed; i > 0; i--) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
    }
    chosen->act();
    return true;
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (argc != 3 + modes[i].arguments || strcmp(argv[1], modes[i].name) != 0) continue;
        chosen = &modes[i];
        needed = strtoul(argv[2], NULL, 0);
        argument = argv[3];
        return frng_run(test);
    }
    fputs("sut-limits: see limits.c\n", stderr);
    return USAGE;
}
