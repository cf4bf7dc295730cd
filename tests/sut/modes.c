/* modes.c: plain systems under test that misbehave, in a mode chosen by the first argument.
 *
 *     sut-modes [MODE [ARGUMENT...]]
 *
 * Without arguments it is `at-least 41`. A mode whose last argument is N fails with exit status 1
 * iff it gets at least N bytes, whatever else it does.
 * SPDX-License-Identifier: MIT */
#include "deeds.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PASS = 0, FAIL = 1, OTHER_FAIL = 3, SAW_OLD_BYTES = 9 };

static unsigned char *bytes; /* everything that stdin gave */
static size_t size;
static char **arguments;

static void read_all(void) {
    size_t capacity = 1 << 16;
    bytes = malloc(capacity);
    for (;;) {
        if (size == capacity) bytes = realloc(bytes, capacity *= 2);
        if (bytes == NULL) broken("memory");
        const ssize_t count = read(0, bytes + size, capacity - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) broken("stdin");
        if (count == 0) return;
        size += (size_t)count;
    }
}

static uint64_t number(int index) { return strtoull(arguments[index], NULL, 0); }

/* Append to a file that runs share, in one write. */
static void append(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) broken(path);
    close(fd);
}

/* ---- What modes do to pass or fail: `verdict` is what N says ---- */

static int run_plain(int verdict) { return verdict; }
static int run_always(int verdict) { return (void)verdict, FAIL; }
static int run_exactly(int verdict) { return (void)verdict, size == number(0) ? FAIL : PASS; }
static int run_exit(int verdict) { return (void)verdict, (int)number(0); }
static int run_signal(int verdict) { return (void)verdict, raise((int)number(0)); }

static int run_naps(int verdict) { return (void)verdict, usleep(10000); }

static int run_byte(int verdict) {
    (void)verdict;
    return size > 0 && memchr(bytes, (int)number(0), size) != NULL ? FAIL : PASS;
}

/* The more bytes, the more often: about size / 1024 of all runs fail. */
static int run_staircase(int verdict) {
    (void)verdict;
    return size >= 2 && (size_t)(bytes[0] * 256 + bytes[1]) < size * 64 ? FAIL : PASS;
}

/* SIGABRT from A bytes on, exit status 3 from B bytes on. */
static int run_two(int verdict) {
    if (verdict == FAIL) return OTHER_FAIL;
    if (size >= number(0)) abort();
    return PASS;
}

static int run_log(int verdict) {
    char line[32];
    snprintf(line, sizeof line, "%zu\n", size);
    append(arguments[0], line);
    return verdict;
}

static int run_says(int verdict) {
    printf("%s\n", arguments[1]);
    fprintf(stderr, "%s\n", arguments[2]);
    return size >= number(0) ? FAIL : verdict;
}

/* Takes its time, and keeps a list of who came and went. */
static int run_slow(int verdict) {
    append(arguments[1], "+");
    usleep((useconds_t)number(0) * 1000);
    append(arguments[1], "-");
    return verdict;
}

/* ---- Those whose input does not decide ---- */

static int run_flaky(int verdict) { return is_lucky(number(0)) ? verdict : PASS; }

/* Fails in the first of all its runs that gets at least N bytes. */
static int run_once(int verdict) { return verdict == FAIL && is_new(arguments[0]) ? FAIL : PASS; }

/* Fails in every second run that gets at least N bytes, beginning with the first. */
static int run_alternate(int verdict) {
    struct stat s;
    if (verdict == PASS) return PASS;
    append(arguments[0], ".");
    if (stat(arguments[0], &s) != 0) broken(arguments[0]);
    return s.st_size % 2 == 1 ? FAIL : PASS;
}

/* ---- What it does to its stdin ---- */

static int run_half(int verdict) {
    struct stat s;
    char byte;
    if (fstat(0, &s) != 0) broken("stdin");
    for (off_t left = S_ISREG(s.st_mode) ? s.st_size / 2 : 100; left > 0; left--) {
        if (read(0, &byte, 1) != 1) break;
    }
    return verdict;
}

static int run_closes(int verdict) {
    close(0);
    usleep(1000);
    return verdict;
}

/* The bug of one who thinks that read gives all there is: only a pipe shows it. */
static int run_short_read(int verdict) {
    static char buffer[1 << 20];
    if (read(0, buffer, sizeof buffer) < 0) broken("stdin");
    return read(0, buffer, sizeof buffer) > 0 ? FAIL : verdict;
}

static int reopen_stdin(void) {
    const int fd = open("/proc/self/fd/0", O_RDWR | O_CLOEXEC);
    if (fd < 0) broken("/proc/self/fd/0");
    return fd;
}

/* Sets the length of what it was given. */
static int run_truncate(int verdict) {
    if (ftruncate(reopen_stdin(), (off_t)number(1)) != 0) broken("ftruncate");
    return size >= number(0) ? FAIL : verdict;
}

/* Overwrites what it was given with zeros, and tells when it gets to see them. */
static int run_scribble(int verdict) {
    size_t zeros = 0;
    while (zeros < size && bytes[zeros] == 0) zeros++;
    memset(bytes, 0, size);
    if (pwrite(reopen_stdin(), bytes, size, 0) < 0 && errno != EPERM) broken("pwrite");
    return zeros >= 16 ? SAW_OLD_BYTES : verdict;
}

/* Tries to have what it was given keep its length for ever. */
static int run_seal(int verdict) {
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (fcntl(reopen_stdin(), F_ADD_SEALS, seals) != 0 && errno != EPERM && errno != EINVAL) {
        broken("seals");
    }
    return verdict;
}

/* ---- Those that do not end ---- */

static int run_sleeps(int verdict) { return hang(), verdict; }
static int run_spins(int verdict) { return spin(), verdict; }
static int run_stops(int verdict) { return stop(), verdict; }
static int run_ignores(int verdict) { return ignore_all(), verdict; }
static int run_hangs(int verdict) { return verdict == FAIL ? run_sleeps(verdict) : PASS; }

/* ---- What it does to the machine ---- */

/* So many MIB. */
static int run_flood(int verdict) { return flood(1024 * number(0)), verdict; }

/* Leaves a process in its group that ignores what asks it to go, and holds stdout and stderr. */
static int run_child(int verdict) {
    const pid_t child = fork();
    if (child < 0) broken("fork");
    return child == 0 ? run_ignores(verdict) : verdict;
}

/* The same, and does not end either. */
static int run_hangs_child(int verdict) {
    if (verdict == PASS) return PASS;
    if (fork() < 0) broken("fork");
    return run_ignores(verdict);
}

/* MIB: exit status 3 when it gets none. */
static int run_allocate(int verdict) {
    return take(number(0) * MIB) == NULL ? OTHER_FAIL : verdict;
}

static const struct mode {
    const char *name, *usage; /* an argument a word; N is the last one, - means that it reads not */
    int (*run)(int verdict);
} modes[] = {
    {"allocate", "MIB", run_allocate},
    {"alternate", "FILE N", run_alternate},
    {"always", "-", run_always},
    {"at-least", "N", run_plain},
    {"byte", "VALUE", run_byte},
    {"child", "N", run_child},
    {"closes", "-", run_closes},
    {"exactly", "SIZE", run_exactly},
    {"exit", "CODE", run_exit},
    {"flaky", "PERCENT N", run_flaky},
    {"flood", "MIB N", run_flood},
    {"half", "-", run_half},
    {"hangs", "N", run_hangs},
    {"hangs-child", "N", run_hangs_child},
    {"ignores", "-", run_ignores},
    {"log", "FILE N", run_log},
    {"naps", "", run_naps},
    {"never", "", run_plain},
    {"once", "FILE N", run_once},
    {"says", "SIZE OUT ERR", run_says},
    {"scribble", "N", run_scribble},
    {"seal", "N", run_seal},
    {"short-read", "-", run_short_read},
    {"signal", "NUMBER", run_signal},
    {"sleeps", "-", run_sleeps},
    {"slow", "MS FILE N", run_slow},
    {"spins", "-", run_spins},
    {"staircase", "", run_staircase},
    {"stops", "-", run_stops},
    {"truncate", "SIZE LENGTH", run_truncate},
    {"two", "A N", run_two},
};

static int words_in(const char *usage) {
    int count = 0;
    for (const char *at = usage; *at != '\0'; at++)
        count += *at != '-' && strchr(" ", at[1]) != NULL;
    return count;
}

int main(int argc, char **argv) {
    static char at_least[] = "at-least", size_41[] = "41";
    static char *standard[] = {NULL, at_least, size_41, NULL};
    if (argc == 1) argc = 3, argv = standard;
    arguments = argv + 2;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const char *usage = modes[i].usage;
        if (strcmp(argv[1], modes[i].name) != 0 || argc != 2 + words_in(usage)) continue;
        if (usage[0] != '-') read_all();
        const bool has_n = usage[0] != '\0' && usage[strlen(usage) - 1] == 'N';
        return modes[i].run(has_n && size >= number(argc - 3) ? FAIL : PASS);
    }
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        fprintf(stderr, "%s %s\n", modes[i].name, modes[i].usage);
    }
    return USAGE;
}
