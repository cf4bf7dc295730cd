/* scratch.h: a folder for one test program, and what many tests ask of processes. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <check.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch_folder[] = "/tmp/frng-unit-XXXXXX";

static inline int scratch_remove(const char *path, const struct stat *status, int kind,
                                 struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

/* What a failing test left running has become a child of this process: end it. */
static inline void scratch_end_children(void) {
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

/* Run the suite, with a scratch folder that is removed whatever happens, as are processes that
 * were left. Returns main's value. */
static inline int scratch_run(Suite *suite) {
    if (mkdtemp(scratch_folder) == NULL) {
        perror(scratch_folder);
        return EXIT_FAILURE;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGPIPE, SIG_IGN); /* as the driver has it */
    SRunner *tests = srunner_create(suite);
    srunner_run_all(tests, CK_NORMAL);
    const int failed = srunner_ntests_failed(tests);
    srunner_free(tests);
    scratch_end_children();
    nftw(scratch_folder, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A file in the folder. Its path lives until the next call. */
static inline const char *scratch_file(const char *name, const char *text, mode_t mode) {
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, mode), 0);
    return path;
}

/* All that comes out of `fd` until its end, which nobody else may hold open for ever. */
static inline size_t scratch_read_all(int fd, void *bytes, size_t size_max) {
    size_t size = 0;
    ssize_t count;
    while (size < size_max && (count = read(fd, (char *)bytes + size, size_max - size)) > 0) {
        size += (size_t)count;
    }
    return size;
}

#endif
