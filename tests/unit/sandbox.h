/* sandbox.h: for unit tests: a folder for each case, and what was written to standard error. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A folder ---- */

static char sandbox_folder[64];

/* Unchecked fixtures run in the parent of the tests, which outlives each of them: the folder is
 * removed however a test ends. */
static inline void sandbox_make(void) {
    const char *tmp = getenv("TMPDIR");
    if (tmp == NULL || tmp[0] == '\0' || strlen(tmp) > 32) tmp = "/tmp";
    snprintf(sandbox_folder, sizeof sandbox_folder, "%s/frng-unit-XXXXXX", tmp);
    if (mkdtemp(sandbox_folder) == NULL) abort();
}

static inline int sandbox_remove_entry(const char *path, const struct stat *status, int type,
                                       struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* Again, for as long as processes of a failed test are still being killed, and write. */
static inline void sandbox_remove(void) {
    for (int tries = 0; tries < 100 && access(sandbox_folder, F_OK) == 0; tries++) {
        if (tries > 0) usleep(20000);
        nftw(sandbox_folder, sandbox_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
}

/* A path in the folder; in one of four buffers, taken in turn. */
static inline const char *sandbox_path(const char *name) {
    static char paths[4][PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", sandbox_folder, name);
    return path;
}

static inline const char *sandbox_file(const char *name, const void *bytes, size_t size,
                                       mode_t mode) {
    const char *path = sandbox_path(name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    if (size > 0) ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    ck_assert_int_eq(close(fd), 0);
    return path;
}

static inline const char *sandbox_text(const char *name, const char *text, mode_t mode) {
    return sandbox_file(name, text, strlen(text), mode);
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

/* What was written since capture_begin, ended by a zero; valid until the next capture_end. */
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

/* ---- Strings ---- */

static inline void assert_contains(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in '%s'", part, text);
}

static inline void assert_lacks(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) == NULL, "a '%s' in '%s'", part, text);
}

/* ---- Main ---- */

static inline int sandbox_run(Suite *suite) {
    SRunner *all = srunner_create(suite);
    srunner_run_all(all, CK_NORMAL);
    const int failed = srunner_ntests_failed(all);
    srunner_free(all);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
