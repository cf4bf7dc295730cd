/* dirt.c: systems under test that speak the protocol, and misuse the machine in every run.
 *
 *     sut-dirt MODE N [ARGUMENT]
 *
 * Whatever else it does, a run aborts iff it draws N bytes (0: it never does). What should not
 * come to pass is exit status 3. SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

enum { MISLED = 3, USAGE = 64, BROKEN = 65, DESCRIPTORS = 16 };

static unsigned long needed;
static const char *argument;

static unsigned long number(void) { return strtoul(argument, NULL, 0); }

static void broken(const char *what) {
    perror(what);
    exit(BROKEN);
}

/* True when all the bytes that a failure takes are drawn. */
static bool draw_all(frng *f) {
    for (unsigned long i = needed; i > 0; i--) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
    }
    return needed > 0;
}

/* How most of them end: a program that exits otherwise is no different from one that passes. */
static bool end(frng *f) {
    if (draw_all(f)) abort();
    return true;
}

/* ---- Output and memory ---- */

/* So many KiB of text, escapes, invalid UTF-8 and NULs on stdout and on stderr, in turns. */
static bool test_floods(frng *f) {
    static const char dirt[] = "text \x1b[31mred\x1b[2J\x1b]0;title\a \xff\xfe\x80 \0 \r\b\x9b\n";
    static char block[1 << 14];
    for (size_t i = 0; i < sizeof block; i++) block[i] = dirt[i % (sizeof dirt - 1)];
    for (unsigned long i = 0; i < number() / 16; i++) {
        if (write(1 + (int)(i % 2), block, sizeof block) < 0) broken("output");
    }
    return end(f);
}

/* The same through buffers, and what is left in them is written when the process exits. */
static bool test_floods_late(frng *f) {
    for (unsigned long i = 0; i < number() * 32; i++) {
        if (printf("%31lu\n", i) < 0) broken("output");
    }
    return end(f);
}

static void *take(size_t size) {
    volatile char *memory = (volatile char *)malloc(size);
    if (memory == NULL) return NULL;
    for (size_t i = 0; i < size; i += 4096) memory[i] = 1;
    return (void *)(uintptr_t)memory;
}

/* So many MiB in one piece, and gives them back. */
static bool test_allocates(frng *f) {
    void *memory = take(number() << 20);
    if (memory == NULL) exit(MISLED);
    free(memory);
    return end(f);
}

/* Takes all there is, and cannot go on if a run before it has done so. */
static bool test_bomb(frng *f) {
    void *some = malloc((size_t)1 << 20);
    if (some == NULL) exit(MISLED);
    while (take((size_t)1 << 20) != NULL) continue;
    return end(f);
}

/* Four MiB that are never given back, with nothing to show for it until there are none left. */
static bool test_hoards(frng *f) {
    static void *volatile last;
    last = malloc((size_t)4 << 20);
    if (last == NULL) exit(MISLED);
    return end(f);
}

/* ---- Descriptors ---- */

/* Opens a file and never closes it. The limit is low, so that it is soon reached. */
static bool opens_another(void) {
    const struct rlimit limit = {DESCRIPTORS, DESCRIPTORS};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) broken("setrlimit");
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno != EMFILE) broken("/dev/null");
    return fd >= 0;
}

static bool test_leaks(frng *f) {
    if (!opens_another()) exit(MISLED);
    return end(f);
}

static bool test_leaks_and_aborts(frng *f) {
    if (!opens_another()) abort();
    return end(f);
}

static bool test_leaks_and_hangs(frng *f) {
    while (!opens_another()) usleep(10000);
    return end(f);
}

static bool test_leaks_at_the_end(frng *f) {
    if (draw_all(f)) abort();
    if (!opens_another()) exit(MISLED);
    return true;
}

static bool test_closes_all(frng *f) {
    for (int fd = 0; fd < 1024; fd++) close(fd);
    return end(f);
}

/* Whoever listens at one of them hears nonsense. */
static bool test_writes_to_all(frng *f) {
    static const char noise[200] = "noise";
    for (int fd = 0; fd < 1024; fd++) {
        if (write(fd, noise, sizeof noise / (1 + (size_t)fd % 3)) < 0) continue;
    }
    return end(f);
}

/* As many bytes as a message has, all of them the same. */
static bool test_answers(frng *f) {
    char message[sizeof(frng_message)];
    memset(message, (int)number(), sizeof message);
    for (int fd = 3; fd < 1024; fd++) {
        if (write(fd, message, sizeof message) < 0) continue;
    }
    return end(f);
}

/* The answer that the server has not given: a run has passed, or was aborted. */
static bool test_forges(frng *f) {
    frng_message done;
    memset(&done, 0, sizeof done);
    done.type = FRNG_DONE;
    done.status = number();
    done.count = done.status == 0;
    for (int fd = 3; fd < 1024; fd++) {
        if (send(fd, &done, sizeof done, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) continue;
    }
    return end(f);
}

static bool test_hangs_up(frng *f) {
    for (int fd = 0; fd < 1024; fd++) shutdown(fd, SHUT_RDWR);
    return end(f);
}

/* Of a program that dies for reasons of its own, whatever its runs do: a while after the first of
 * them has ended. A timer is not inherited by what is forked. */
static void die_soon(int number) {
    const struct itimerval soon = {{0, 0}, {0, 3000}};
    struct itimerval now;
    if (getitimer(ITIMER_REAL, &now) != 0 || now.it_value.tv_usec != 0) return;
    setitimer(ITIMER_REAL, &soon, NULL);
    (void)number;
}

static bool test_mortal(frng *f) { return end(f); }

static bool test_empties_all(frng *f) {
    for (int fd = 0; fd < 1024; fd++) {
        if (ftruncate(fd, 0) != 0) continue;
    }
    return end(f);
}

/* ---- Stdin ---- */

/* Fails unless its stdin is what it is in a fresh process. */
static bool test_needs_stdin(frng *f) {
    struct stat s;
    if (fstat(STDIN_FILENO, &s) != 0 || S_ISCHR(s.st_mode)) exit(MISLED);
    return end(f);
}

/* ---- Runs that their bytes do not decide ---- */

static bool test_flaky(frng *f) {
    uint32_t luck;
    if (getrandom(&luck, sizeof luck, 0) != (ssize_t)sizeof luck) broken("getrandom");
    if (draw_all(f) && luck % 100 < number()) abort();
    return true;
}

static off_t count_run(const char *file) {
    struct stat s;
    const int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &s) != 0) broken(file);
    close(fd);
    return s.st_size;
}

/* Aborts in the first of all runs that come so far. */
static bool test_once(frng *f) {
    if (!draw_all(f)) return true;
    if (open(argument, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) >= 0) abort();
    return true;
}

/* Aborts in every second run that comes so far, beginning with the first. */
static bool test_alternates(frng *f) {
    if (draw_all(f) && count_run(argument) % 2 == 1) abort();
    return true;
}

/* Of "9/10:FILE": aborts in nine of ten runs that come so far, in turn; the file counts them. Of
 * "9/10:20:FILE" the same, but with 20 bytes it always exits with 3. */
static bool test_sometimes(frng *f) {
    const char *file = argument;
    unsigned failing, all, sure = 0;
    int length = 0;
    uint8_t byte;
    if (sscanf(file, "%u/%u:%n", &failing, &all, &length) != 2 || length == 0) broken(file);
    file += length;
    if (sscanf(file, "%u:%n", &sure, &length) == 1) file += length;
    if (!draw_all(f)) return true;
    size_t left = sure > 0 ? sure - needed : 1;
    while (sure > 0 && left > 0 && frng_u8(f, &byte)) left--;
    if (left == 0) exit(3);
    if (count_run(file) % all < failing) abort();
    return true;
}

/* Of "20:FOLDER": aborts for one of 20 inputs, by chance, in the first run that gets it alone. */
static bool test_once_each(frng *f) {
    const uint8_t *bytes;
    char *name = NULL;
    int length = 0;
    unsigned all;
    uint64_t hash = 0;
    if (sscanf(argument, "%u:%n", &all, &length) != 1 || length == 0) broken(argument);
    if (!frng_bytes(f, needed, &bytes)) return true;
    for (size_t i = 0; i < needed; i++) hash = (hash + bytes[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    if (hash % all != 0) return true;
    if (asprintf(&name, "%s/%llx", argument + length, (unsigned long long)hash) < 0) broken("name");
    if (open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) >= 0) abort();
    free(name);
    return true;
}

/* Aborts in the first run of a process, and in no later one. */
static bool test_fails_first(frng *f) {
    static bool later;
    const bool is_first = !later;
    later = true;
    if (draw_all(f) && is_first) abort();
    return true;
}

static const struct mode {
    const char *name;
    int arguments; /* after N */
    frng_test test;
} modes[] = {
    {"allocates", 1, test_allocates},
    {"alternates", 1, test_alternates},
    {"answers", 1, test_answers},
    {"bomb", 0, test_bomb},
    {"closes-all", 0, test_closes_all},
    {"empties-all", 0, test_empties_all},
    {"fails-first", 0, test_fails_first},
    {"flaky", 1, test_flaky},
    {"floods", 1, test_floods},
    {"floods-late", 1, test_floods_late},
    {"forges", 1, test_forges},
    {"hangs-up", 0, test_hangs_up},
    {"hoards", 0, test_hoards},
    {"leaks", 0, test_leaks},
    {"leaks-and-aborts", 0, test_leaks_and_aborts},
    {"leaks-and-hangs", 0, test_leaks_and_hangs},
    {"leaks-at-the-end", 0, test_leaks_at_the_end},
    {"mortal", 0, test_mortal},
    {"needs-stdin", 0, test_needs_stdin},
    {"once", 1, test_once},
    {"once-each", 1, test_once_each},
    {"sometimes", 1, test_sometimes},
    {"writes-to-all", 0, test_writes_to_all},
};

int main(int argc, char **argv) {
    const struct sigaction mortal = {.sa_handler = die_soon, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (argc != 3 + modes[i].arguments || strcmp(argv[1], modes[i].name) != 0) continue;
        needed = strtoul(argv[2], NULL, 0);
        argument = argv[3];
        if (modes[i].test == test_mortal && sigaction(SIGCHLD, &mortal, NULL) != 0) return BROKEN;
        return frng_run(modes[i].test);
    }
    fputs("sut-dirt: see dirt.c\n", stderr);
    return USAGE;
}
