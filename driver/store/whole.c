#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t count = write(fd, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes += count;
        size -= (size_t)count;
    }
    return 0;
}

/* Write a new file and see it on disk. Returns 0 or an errno, and leaves no file then. */
static int write_file(int folder_fd, const char *name, const void *bytes, size_t size) {
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    const int fd = openat(folder_fd, name, flags, 0666);
    if (fd < 0) return errno;
    int error = write_all(fd, bytes, size);
    if (error == 0 && fsync(fd) != 0) error = errno;
    if (close(fd) != 0 && error == 0) error = errno;
    if (error != 0) unlinkat(folder_fd, name, 0);
    return error;
}

static void name_temporary(const char *name, char temporary[NAME_MAX + 1]) {
    enum { KEPT = NAME_MAX - 18 }; /* a dot before it; a dot and sixteen digits after it */
    uint64_t number;
    randombytes_buf(&number, sizeof number);
    snprintf(temporary, NAME_MAX + 1, ".%.*s.%016" PRIx64, KEPT, name, number);
}

/* Some file systems cannot sync a folder, and need not. */
static int sync_folder(int fd) { return fsync(fd) != 0 && errno != EINVAL ? errno : 0; }

int whole_write(int folder_fd, const char *name, const void *bytes, size_t size) {
    char temporary[NAME_MAX + 1];
    name_temporary(name, temporary);
    int error = write_file(folder_fd, temporary, bytes, size);
    if (error != 0) return error;
    if (renameat(folder_fd, temporary, folder_fd, name) != 0) {
        error = errno;
        unlinkat(folder_fd, temporary, 0);
        return error;
    }
    return sync_folder(folder_fd);
}

/* ---- A file by its path ---- */

/* Where a file is, or will be: its folder and, at the end of *path, its name. */
static int open_folder(whole_file *f, const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    f->name = strdup(slash != NULL ? slash + 1 : path);
    int error = folder != NULL && f->name != NULL ? 0 : ENOMEM;
    if (error == 0 && f->name[0] == '\0') error = EISDIR;
    if (error == 0) f->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (error == 0 && f->folder_fd < 0) error = errno;
    free(folder);
    return error;
}

/* Whether a file can be made in the folder: the one way to know is to make one. */
static int try_folder(const whole_file *f) {
    char temporary[NAME_MAX + 1];
    name_temporary(f->name, temporary);
    const int error = write_file(f->folder_fd, temporary, "", 0);
    if (error == 0) unlinkat(f->folder_fd, temporary, 0);
    return error;
}

int whole_open(whole_file *f, const char *path) {
    struct stat status;
    *f = (whole_file){.path = path, .folder_fd = -1};
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return EISDIR;
        f->is_stream = !S_ISREG(status.st_mode);
        if (f->is_stream) return access(path, W_OK) == 0 ? 0 : errno;
    } else if (errno != ENOENT) {
        return errno;
    }
    char *real = realpath(path, NULL); /* NULL where nothing is */
    int error = open_folder(f, real != NULL ? real : path);
    free(real);
    return error == 0 ? try_folder(f) : error;
}

int whole_put(const whole_file *f, const void *bytes, size_t size) {
    if (!f->is_stream) return whole_write(f->folder_fd, f->name, bytes, size);
    /* A pipe that nobody reads is an error, and nothing to wait for. */
    const int fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return errno;
    fcntl(fd, F_SETFL, 0);
    const int error = write_all(fd, bytes, size);
    return close(fd) != 0 && error == 0 ? errno : error;
}

void whole_close(whole_file *f) {
    if (f->folder_fd >= 0) close(f->folder_fd);
    free(f->name);
    f->folder_fd = -1;
    f->name = NULL;
}

int whole_write_new(const char *name, const void *bytes, size_t size, char **taken) {
    enum { TRIES = 10000 };
    int error = EEXIST;
    *taken = NULL;
    for (int i = 1; error == EEXIST && i <= TRIES; i++) {
        free(*taken);
        const int length = i == 1 ? asprintf(taken, "%s", name) : asprintf(taken, "%s-%d", name, i);
        if (length < 0) {
            *taken = NULL;
            return ENOMEM;
        }
        error = write_file(AT_FDCWD, *taken, bytes, size);
    }
    return error;
}
