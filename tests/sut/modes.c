/* modes.c: systems under test that misbehave, one mode each, chosen by the first argument.
 *
 *     sut-modes [MODE [ARGUMENT...]]
 *
 * Without arguments it is `at-least 41`. Where N is given, the mode fails with exit status 1 iff
 * it gets at least N bytes, whatever else it does. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PASS = 0, FAIL = 1, OTHER_FAIL = 3, SAW_OLD_BYTES = 9, USAGE = 64, BROKEN = 65 };

/* Everything that stdin gave. */
typedef struct input {
    unsigned char *bytes;
    size_t size;
} input;

static void broken(const char *what) {
    perror(what);
    exit(BROKEN);
}

static input read_all(void) {
    size_t capacity = 1 << 16;
    input in = {malloc(capacity), 0};
    for (;;) {
        if (in.size == capacity) in.bytes = realloc(in.bytes, capacity *= 2);
        if (in.bytes == NULL) broken("memory");
        const ssize_t count = read(0, in.bytes + in.size, capacity - in.size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) broken("stdin");
        if (count == 0) return in;
        in.size += (size_t)count;
    }
}

static uint64_t number(const char *text) { return strtoull(text, NULL, 0); }

static int at_least(const char *text) { return read_all().size >= number(text) ? FAIL : PASS; }

/* Append to a file that runs share, in one write. */
static void append(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) broken(path);
    close(fd);
}

/* ---- What the bytes decide ---- */

static int run_at_least(char **a) { return at_least(a[0]); }
static int run_exactly(char **a) { return read_all().size == number(a[0]) ? FAIL : PASS; }

static int run_byte(char **a) {
    const input in = read_all();
    return in.size > 0 && memchr(in.bytes, (int)number(a[0]), in.size) != NULL ? FAIL : PASS;
}

/* The more bytes, the more often: about size / 1024 of all runs fail. */
static int run_staircase(char **a) {
    const input in = read_all();
    (void)a;
    return in.size >= 2 && (size_t)(in.bytes[0] * 256 + in.bytes[1]) < in.size * 64 ? FAIL : PASS;
}

/* SIGABRT from A bytes on, exit status 3 from B bytes on. */
static int run_two(char **a) {
    const size_t size = read_all().size;
    if (size >= number(a[1])) return OTHER_FAIL;
    if (size >= number(a[0])) abort();
    return PASS;
}

static int run_log(char **a) {
    const size_t size = read_all().size;
    char line[32];
    snprintf(line, sizeof line, "%zu\n", size);
    append(a[0], line);
    return size >= number(a[1]) ? FAIL : PASS;
}

/* ---- How it ends ---- */

static int run_always(char **a) { return (void)a, FAIL; }
static int run_never(char **a) { return (void)a, (void)read_all(), PASS; }

static int run_naps(char **a) {
    (void)a;
    read_all();
    usleep(10000);
    return PASS;
}

static int run_exit(char **a) { return (void)read_all(), (int)number(a[0]); }

static int run_signal(char **a) {
    read_all();
    raise((int)number(a[0]));
    return PASS;
}

static int run_says(char **a) {
    const int verdict = at_least(a[0]);
    printf("%s\n", a[1]);
    fprintf(stderr, "%s\n", a[2]);
    return verdict;
}

/* ---- What it does to its stdin ---- */

static int run_half(char **a) {
    struct stat s;
    char byte;
    (void)a;
    if (fstat(0, &s) != 0) broken("stdin");
    for (off_t left = S_ISREG(s.st_mode) ? s.st_size / 2 : 100; left > 0; left--) {
        if (read(0, &byte, 1) != 1) break;
    }
    return PASS;
}

static int run_closes(char **a) {
    (void)a;
    close(0);
    usleep(1000);
    return PASS;
}

/* The bug of one who thinks that read gives all there is: only a pipe shows it. */
static int run_short_read(char **a) {
    static char buffer[1 << 20];
    (void)a;
    if (read(0, buffer, sizeof buffer) < 0) broken("stdin");
    return read(0, buffer, sizeof buffer) > 0 ? FAIL : PASS;
}

static int reopen_stdin(void) {
    const int fd = open("/proc/self/fd/0", O_RDWR | O_CLOEXEC);
    if (fd < 0) broken("/proc/self/fd/0");
    return fd;
}

/* Reads, then sets the length of what it was given. */
static int run_truncate(char **a) {
    const int verdict = at_least(a[0]);
    if (ftruncate(reopen_stdin(), (off_t)number(a[1])) != 0) broken("ftruncate");
    return verdict;
}

/* Overwrites what it was given with zeros, and tells when it gets to see them. */
static int run_scribble(char **a) {
    const input in = read_all();
    size_t zeros = 0;
    while (zeros < in.size && in.bytes[zeros] == 0) zeros++;
    memset(in.bytes, 0, in.size);
    if (pwrite(reopen_stdin(), in.bytes, in.size, 0) < 0 && errno != EPERM) broken("pwrite");
    if (zeros >= 16) return SAW_OLD_BYTES;
    return in.size >= number(a[0]) ? FAIL : PASS;
}

/* Tries to have what it was given keep its length for ever. */
static int run_seal(char **a) {
    const int verdict = at_least(a[0]);
    if (fcntl(reopen_stdin(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 &&
        errno != EPERM && errno != EINVAL) {
        broken("seals");
    }
    return verdict;
}

/* ---- Those that do not end ---- */

static int run_sleeps(char **a) {
    (void)a;
    while (pause() != 0) continue;
    return PASS;
}

static int run_spins(char **a) {
    (void)a;
    for (volatile bool more = true; more;) continue;
    return PASS;
}

static int run_stops(char **a) {
    (void)a;
    while (raise(SIGSTOP) == 0) continue;
    return PASS;
}

static int run_ignores(char **a) {
    for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
    return run_sleeps(a);
}

/* Hangs iff it gets at least N bytes. */
static int run_hangs(char **a) { return at_least(a[0]) == FAIL ? run_sleeps(a) : PASS; }

/* ---- What it does to the machine ---- */

/* MIB of text, escapes, invalid UTF-8 and NULs on stdout and on stderr. */
static int run_flood(char **a) {
    static const char dirt[] = "text \x1b[31mred\x1b[2J\x1b]0;title\a \xff\xfe\x80 \0 \r\b\x9b\n";
    static char block[1 << 16];
    const int verdict = at_least(a[1]);
    for (size_t i = 0; i < sizeof block; i++) block[i] = dirt[i % (sizeof dirt - 1)];
    for (uint64_t i = 0; i < number(a[0]) * 16; i++) {
        if (write(1 + (int)(i % 2), block, sizeof block) < 0) break;
    }
    return verdict;
}

/* Leaves a process in its group that ignores what asks it to go, and holds stdout and stderr. */
static int run_child(char **a) {
    const int verdict = at_least(a[0]);
    const pid_t child = fork();
    if (child < 0) broken("fork");
    if (child == 0) return run_ignores(a);
    return verdict;
}

/* The same, and does not end either. */
static int run_hangs_child(char **a) {
    if (at_least(a[0]) == PASS) return PASS;
    if (fork() < 0) broken("fork");
    return run_ignores(a);
}

static int run_allocate(char **a) {
    const size_t size = number(a[0]) << 20;
    char *memory = malloc(size);
    read_all();
    if (memory == NULL) return OTHER_FAIL;
    for (size_t i = 0; i < size; i += 4096) ((volatile char *)memory)[i] = 1;
    return PASS;
}

/* Takes its time, and keeps a list of who came and went. */
static int run_slow(char **a) {
    const int verdict = at_least(a[2]);
    append(a[1], "+");
    usleep((useconds_t)number(a[0]) * 1000);
    append(a[1], "-");
    return verdict;
}

/* ---- Those whose input does not decide ---- */

static int run_flaky(char **a) {
    const bool asked = at_least(a[1]) == FAIL;
    uint32_t luck;
    if (getrandom(&luck, sizeof luck, 0) != sizeof luck) broken("getrandom");
    return asked && luck % 100 < number(a[0]) ? FAIL : PASS;
}

/* Fails in the first of all its runs that gets at least N bytes. */
static int run_once(char **a) {
    if (at_least(a[1]) == PASS) return PASS;
    return open(a[0], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) >= 0 ? FAIL : PASS;
}

/* Fails in every second run that gets at least N bytes, beginning with the first. */
static int run_alternate(char **a) {
    struct stat s;
    if (at_least(a[1]) == PASS) return PASS;
    append(a[0], ".");
    if (stat(a[0], &s) != 0) broken(a[0]);
    return s.st_size % 2 == 1 ? FAIL : PASS;
}

static const struct mode {
    const char *name;
    int arguments;
    int (*run)(char **arguments);
    const char *help;
} modes[] = {
    {"at-least", 1, run_at_least, "N"},
    {"exactly", 1, run_exactly, "N: fails only at that size"},
    {"byte", 1, run_byte, "V: fails iff some byte is V"},
    {"staircase", 0, run_staircase, "fails more often the more bytes it gets"},
    {"two", 2, run_two, "A B: two bugs"},
    {"log", 2, run_log, "FILE N: keeps a list of sizes"},
    {"always", 0, run_always, "fails without reading"},
    {"never", 0, run_never, "reads everything and passes"},
    {"naps", 0, run_naps, "reads everything, waits for 10 ms and passes"},
    {"exit", 1, run_exit, "CODE"},
    {"signal", 1, run_signal, "NUMBER: dies of it"},
    {"says", 3, run_says, "N OUT ERR: prints two lines"},
    {"half", 0, run_half, "reads half and passes"},
    {"closes", 0, run_closes, "closes stdin and passes"},
    {"short-read", 0, run_short_read, "fails iff one read does not give all"},
    {"truncate", 2, run_truncate, "N LENGTH"},
    {"scribble", 1, run_scribble, "N"},
    {"seal", 1, run_seal, "N"},
    {"sleeps", 0, run_sleeps, "for ever"},
    {"spins", 0, run_spins, "for ever"},
    {"stops", 0, run_stops, "by SIGSTOP, again and again"},
    {"ignores", 0, run_ignores, "every signal it can, and sleeps"},
    {"hangs", 1, run_hangs, "N: hangs instead of failing"},
    {"flood", 2, run_flood, "MIB N"},
    {"child", 1, run_child, "N"},
    {"hangs-child", 1, run_hangs_child, "N"},
    {"allocate", 1, run_allocate, "MIB: exit status 3 when it gets none"},
    {"slow", 3, run_slow, "MS FILE N"},
    {"flaky", 2, run_flaky, "PERCENT N"},
    {"once", 2, run_once, "FILE N"},
    {"alternate", 2, run_alternate, "FILE N"},
};

int main(int argc, char **argv) {
    static char *standard[] = {"41", NULL};
    const size_t count = sizeof modes / sizeof modes[0];
    if (argc == 1) return run_at_least(standard);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argv[1], modes[i].name) == 0 && argc == 2 + modes[i].arguments) {
            return modes[i].run(argv + 2);
        }
    }
    for (size_t i = 0; i < count; i++) fprintf(stderr, "%s %s\n", modes[i].name, modes[i].help);
    return USAGE;
}
