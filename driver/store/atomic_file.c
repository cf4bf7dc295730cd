/* Files that are there as a whole or not at all.
 *
 * A file is written under a temporary name, synced and renamed, and then its folder is synced: so a
 * kill or a loss of power at any instant leaves the old file or the new one. What a killed writer
 * leaves is removed by a later one. It should not take the file of a writer that lives, perhaps on
 * another machine whose clock is wrong: so only an old file goes, by the clock of the file system,
 * which is the time that a file gets which is made now. A writer that was suspended for so long
 * misses its file, and writes another one. */
#include "atomic_file.h"

#include "files.h"
#include "memory.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { NEW_FILE = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW };

int atomic_file_write_new(int folder_fd, const char *name, const void *bytes, size_t size,
                          struct stat *made) {
    const int fd = openat(folder_fd, name, NEW_FILE, 0666);
    if (fd < 0) return errno;
    int error = stream_write_all(fd, bytes, size);
    if (error == 0 && (made != NULL ? fstat(fd, made) : fsync(fd)) != 0) error = errno;
    if (close(fd) != 0 && error == 0) error = errno;
    if (error != 0) unlinkat(folder_fd, name, 0);
    return error;
}

/* ---- Temporary files ---- */

/* The format of a temporary name: a dot, as much of the name as fits, a dot and sixteen digits. */
enum { DIGIT_COUNT = 16, KEPT_MAX = NAME_MAX - DIGIT_COUNT - 2 };

static void name_temporary(const char *name, char temporary[NAME_MAX + 1]) {
    uint64_t number;
    randombytes_buf(&number, sizeof number);
    snprintf(temporary, NAME_MAX + 1, ".%.*s.%016" PRIx64, KEPT_MAX, name, number);
}

/* Some file systems cannot (EINVAL), and do not need to. */
int atomic_file_sync(int fd) { return fsync(fd) != 0 && errno != EINVAL ? errno : 0; }

int atomic_file_replace(int folder_fd, const char *name, const void *bytes, size_t size,
                        struct stat *made) {
    char temporary[NAME_MAX + 1];
    name_temporary(name, temporary);
    int error = atomic_file_write_new(folder_fd, temporary, bytes, size, made);
    if (error != 0 || renameat(folder_fd, temporary, folder_fd, name) == 0) return error;
    error = errno;
    unlinkat(folder_fd, temporary, 0);
    return error;
}

/* True if an error says that a file, or its folder, is not there any more. ESTALE: another machine
 * has removed it, or put another in its place. */
static bool is_gone(int error) { return error == ENOENT || error == ESTALE; }

int atomic_file_write(int folder_fd, const char *name, const void *bytes, size_t size) {
    enum { TRIES = 4 }; /* another process may take it for an orphan */
    assert(strchr(name, '/') == NULL);
    int error = ENOENT;
    for (int i = 0; i < TRIES && is_gone(error); i++) {
        error = atomic_file_replace(folder_fd, name, bytes, size, NULL);
    }
    return error == 0 ? atomic_file_sync(folder_fd) : error;
}

/* ---- Reading ---- */

/* Read it once. Return its bytes, or NULL with an errno in *error. */
static char *read_once(int folder_fd, const char *path, size_t size_max, size_t *size, int *error) {
    uint64_t said;
    const int fd = regular_open(folder_fd, path, 0, &said);
    if (fd >= 0 && said > size_max) errno = EFBIG;
    char *bytes = fd >= 0 && said <= size_max ? malloc((size_t)said + 1) : NULL;
    const ssize_t count = bytes != NULL ? regular_read(fd, 0, bytes, (size_t)said) : -1;
    *error = count < 0 ? errno : 0;
    *size = (size_t)count;
    if (fd >= 0) close(fd);
    if (count >= 0) return bytes;
    free(bytes);
    return NULL;
}

char *atomic_file_read(int folder_fd, const char *path, size_t size_max, size_t *size,
                       const char **why) {
    int error;
    char *bytes = read_once(folder_fd, path, size_max, size, &error);
    if (is_gone(error)) bytes = read_once(folder_fd, path, size_max, size, &error);
    *why = error == 0        ? NULL
           : error == EISDIR ? "it is a folder"
           : error == EINVAL ? "it is not a regular file"
           : error == EFBIG  ? "it is too large"
                             : strerror(error);
    errno = error;
    return bytes;
}

/* ---- Temporary files of killed writers ---- */

/* Write the name that a temporary file was made for to `name`. False if it is not a temporary
 * file. */
static bool parse_temporary(const char *temporary, char name[NAME_MAX + 1]) {
    const size_t length = strlen(temporary);
    const char *digits = temporary + length - DIGIT_COUNT;
    if (length < DIGIT_COUNT + 3 || length > NAME_MAX || temporary[0] != '.') return false;
    if (digits[-1] != '.' || strspn(digits, "0123456789abcdef") != DIGIT_COUNT) return false;
    snprintf(name, NAME_MAX + 1, "%.*s", (int)(length - DIGIT_COUNT - 2), temporary + 1);
    return true;
}

/* Make an empty file in a folder and remove it: the one sure test that files can be made there.
 * *now is its time by the clock of the file system, perhaps a server's. Return 0 or an errno. */
static int probe(int folder_fd, const char *name, time_t *now) {
    char temporary[NAME_MAX + 1];
    struct stat status;
    name_temporary(name, temporary);
    const int fd = openat(folder_fd, temporary, NEW_FILE, 0600);
    if (fd < 0) return errno;
    if (fstat(fd, &status) == 0) *now = status.st_mtim.tv_sec;
    close(fd);
    unlinkat(folder_fd, temporary, 0);
    return 0;
}

/* Remove a temporary file if it is an orphan: it belongs to this user, has one name, and was not
 * written for an hour. */
static void remove_orphan(time_t now, int folder_fd, const char *temporary) {
    struct stat status;
    if (fstatat(folder_fd, temporary, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_nlink == 1 &&
        now - status.st_mtim.tv_sec > ATOMIC_FILE_ORPHAN_S)
        unlinkat(folder_fd, temporary, 0);
}

void atomic_file_tidy(int folder_fd, bool (*is_ours)(const void *context, const char *name),
                      const void *context) {
    time_t now = 0; /* not known, so that nothing is old */
    const int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    char name[NAME_MAX + 1];
    const struct dirent *entry;
    if (folder == NULL) {
        if (fd >= 0) close(fd);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (!parse_temporary(entry->d_name, name) || !is_ours(context, name)) continue;
        if (now == 0 && probe(folder_fd, name, &now) != 0) break;
        remove_orphan(now, folder_fd, entry->d_name);
    }
    closedir(folder);
}

/* ---- A file by its path ---- */

int atomic_file_open_folder(atomic_file *f, const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = memory_text("%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
                               slash != NULL ? path : ".");
    f->name = memory_text("%s", slash != NULL ? slash + 1 : path);
    int error = f->name[0] == '\0' ? EISDIR : 0;
    if (error == 0) f->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (error == 0 && f->folder_fd < 0) error = errno;
    free(folder);
    return error;
}

/* True if a temporary file was made for the file. */
static bool is_for(const void *context, const char *name) {
    const atomic_file *f = context;
    return strncmp(f->name, name, KEPT_MAX) == 0;
}

int atomic_file_open(atomic_file *f, const char *path) {
    struct stat status;
    time_t now;
    *f = (atomic_file){.path = path, .folder_fd = -1};
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return EISDIR;
        f->is_stream = !S_ISREG(status.st_mode);
        if (f->is_stream) return access(path, W_OK) == 0 ? 0 : errno;
    } else if (errno != ENOENT) {
        return errno;
    }
    char *real = realpath(path, NULL); /* NULL if there is no file */
    int error = atomic_file_open_folder(f, real != NULL ? real : path);
    free(real);
    if (error == 0) atomic_file_tidy(f->folder_fd, is_for, f);
    return error == 0 ? probe(f->folder_fd, f->name, &now) : error;
}

/* A lock would be gone with the file, which is replaced each time. The name of a socket stays, and
 * the kernel frees it however the process ends. */
bool atomic_file_hold(int folder_fd, const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char text[NAME_MAX + 80];
    struct stat folder;
    if (fstat(folder_fd, &folder) != 0) return true;
    const int length = snprintf(text, sizeof text, "frng %ju %ju %s", (uintmax_t)folder.st_dev,
                                (uintmax_t)folder.st_ino, name);
    crypto_generichash((uint8_t *)address.sun_path + 1, crypto_generichash_BYTES, (uint8_t *)text,
                       (unsigned long long)length, NULL, 0);
    const socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + crypto_generichash_BYTES;
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) == 0) return true; /* stays open */
    const bool is_free = errno != EADDRINUSE;
    close(fd);
    return is_free;
}

int atomic_file_put(const atomic_file *f, const void *bytes, size_t size) {
    if (!f->is_stream) return atomic_file_write(f->folder_fd, f->name, bytes, size);
    /* A pipe without a reader is an error: do not wait for a reader. */
    const int fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return errno;
    fcntl(fd, F_SETFL, 0);
    const int error = stream_write_all(fd, bytes, size);
    return close(fd) != 0 && error == 0 ? errno : error;
}

void atomic_file_close(atomic_file *f) {
    if (f->folder_fd >= 0) close(f->folder_fd);
    free(f->name);
}
