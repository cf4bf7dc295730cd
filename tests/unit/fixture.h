/* fixture.h: for unit tests: a folder for each test, standard error as text, and nothing left
 * behind. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "suite.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Folders and processes ---- */

static char fixture_root[64];
static char test_dir[64]; /* empty at the start of each test */

static inline void fixture_begin(void) {
    char real[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    if (tmp == NULL || realpath(tmp, real) == NULL || strlen(real) > 32) strcpy(real, "/tmp");
    snprintf(fixture_root, sizeof fixture_root, "%.32s/frng-unit-XXXXXX", real);
    if (mkdtemp(fixture_root) == NULL) abort();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGPIPE, SIG_IGN); /* as the driver has it */
}

static inline void fixture_begin_test(void) {
    snprintf(test_dir, sizeof test_dir, "%.49s/%d", fixture_root, (int)getpid());
    if (mkdir(test_dir, 0700) != 0) abort();
}

/* Kill the processes that a failed test left running: they became children of this one. */
static inline void fixture_end_children(void) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (;;) {
        FILE *file = fopen(path, "re");
        if (file == NULL) return; /* a kernel without the list */
        const bool some = fgets(text, sizeof text, file) != NULL;
        fclose(file);
        if (!some) return;
        char *rest = text, *end;
        for (long pid; (pid = strtol(rest, &end, 10)) > 0; rest = end) {
            kill((pid_t)pid, SIGKILL);
            waitpid((pid_t)pid, NULL, 0);
        }
    }
}

static inline int fixture_remove_entry(const char *path, const struct stat *status, int type,
                                       struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static inline void fixture_end(void) {
    fixture_end_children();
    for (int tries = 0; tries < 100 && access(fixture_root, F_OK) == 0; tries++) {
        if (tries > 0) usleep(20000); /* processes that ended elsewhere may still write */
        nftw(fixture_root, fixture_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
}

__attribute__((constructor)) static void fixture_register(void) {
    suite_before_all = fixture_begin;
    suite_before_each = fixture_begin_test;
    suite_after_all = fixture_end;
}

/* A path in the folder; in one of four buffers, taken in turn. */
static inline const char *test_dir_path(const char *name) {
    static char paths[4][PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", test_dir, name);
    return path;
}

/* Write a file in the folder, and return its path. */
static inline const char *test_dir_file(const char *name, const void *bytes, size_t size,
                                        mode_t mode) {
    const char *path = test_dir_path(name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    if (size > 0) ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    ck_assert_int_eq(close(fd), 0);
    return path;
}

static inline const char *test_dir_text(const char *name, const char *text, mode_t mode) {
    return test_dir_file(name, text, strlen(text), mode);
}

/* ---- Text ---- */

/* All that comes out of `fd` until its end, which no other process may hold open for ever. */
static inline size_t read_all(int fd, void *bytes, size_t size_max) {
    size_t size = 0;
    ssize_t count;
    while (size < size_max && (count = read(fd, (char *)bytes + size, size_max - size)) > 0) {
        size += (size_t)count;
    }
    return size;
}

static inline void assert_contains(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in '%s'", part, text);
}

/* ---- Standard error ---- */

static int capture_saved_fd = -1;
static char capture_text[256 * 1024];

static inline void capture_begin(void) {
    const int fd = memfd_create("captured", MFD_CLOEXEC);
    fflush(stderr);
    capture_saved_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_ge(capture_saved_fd, 0);
    ck_assert_int_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
    close(fd);
}

/* The text written since capture_begin, ended by a zero; valid until the next capture_end. */
static inline const char *capture_end(void) {
    fflush(stderr);
    const ssize_t size = pread(STDERR_FILENO, capture_text, sizeof capture_text - 1, 0);
    dup2(capture_saved_fd, STDERR_FILENO);
    close(capture_saved_fd);
    ck_assert_int_ge(size, 0);
    ck_assert_msg(memchr(capture_text, 0, (size_t)size) == NULL, "a zero byte was printed");
    capture_text[size] = '\0';
    return capture_text;
}

#endif
