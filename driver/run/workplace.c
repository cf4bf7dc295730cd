#include "workplace.h"

#include "patience.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Removing ---- */

/* Open a folder, no link, that may deny it. -1 where it is none, or is gone. */
static int open_folder(int parent_fd, const char *name) {
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    const int fd = openat(parent_fd, name, FLAGS);
    if (fd >= 0 || errno != EACCES) return fd;
    fchmodat(parent_fd, name, S_IRWXU, 0);
    return openat(parent_fd, name, FLAGS);
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* Empty a folder but for its own folders, which go up to `top_fd` under numbers that nobody has:
 * so trees of any depth take no more than two descriptors. Closes it. */
static void lift_out(int fd, int top_fd, unsigned long *number) {
    const struct dirent *entry;
    char name[32];
    fchmod(fd, S_IRWXU);
    DIR *folder = fdopendir(fd);
    if (folder == NULL) {
        close(fd);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (is_dots(entry->d_name) || unlinkat(fd, entry->d_name, 0) == 0) continue;
        do {
            snprintf(name, sizeof name, "lifted-%lu", (*number)++);
        } while (faccessat(top_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
        if (renameat(fd, entry->d_name, top_fd, name) == 0 || errno != EACCES) continue;
        fchmodat(fd, entry->d_name, S_IRWXU, 0); /* what moves is written to, for its ".." */
        renameat(fd, entry->d_name, top_fd, name);
    }
    closedir(folder);
}

/* Remove what is in the folder now, or lift it out of folders. Returns how much that was. */
static size_t thin_out(DIR *top, unsigned long *number) {
    const int top_fd = dirfd(top);
    const struct dirent *entry;
    size_t changed = 0;
    rewinddir(top);
    while ((entry = readdir(top)) != NULL) {
        if (is_dots(entry->d_name)) continue;
        if (unlinkat(top_fd, entry->d_name, 0) == 0) {
            changed++;
            continue;
        }
        const int fd = open_folder(top_fd, entry->d_name);
        if (fd >= 0) lift_out(fd, top_fd, number);
        changed += unlinkat(top_fd, entry->d_name, AT_REMOVEDIR) == 0;
    }
    return changed;
}

int workplace_remove(const char *path) {
    unsigned long number = 0;
    const int fd = open_folder(AT_FDCWD, path);
    DIR *top = fd >= 0 ? fdopendir(fd) : NULL;
    if (top != NULL) {
        fchmod(fd, S_IRWXU);
        while (thin_out(top, &number) > 0) {
        }
        closedir(top);
    }
    if (rmdir(path) == 0 || unlink(path) == 0 || errno == ENOENT) return 0;
    return errno;
}

/* ---- Roots ---- */

#define ROOT_NAME "frng-work-"
enum { ROOT_DIGIT_COUNT = 16 };

static bool is_root_name(const char *name) {
    const size_t length = sizeof ROOT_NAME - 1;
    return strncmp(name, ROOT_NAME, length) == 0 && strlen(name + length) == ROOT_DIGIT_COUNT &&
           strspn(name + length, "0123456789abcdef") == ROOT_DIGIT_COUNT;
}

static bool is_private(const struct stat *status) {
    return S_ISDIR(status->st_mode) && status->st_uid == geteuid() &&
           (status->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* Remove a root if it is ours and nobody has locked it: those who used it have died. */
static void remove_stale(const char *folder, int folder_fd, const char *name) {
    struct stat status;
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) return;
    const int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &status) == 0 && is_private(&status) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        workplace_remove(path);
    }
    close(fd);
}

static void tidy(const char *folder) {
    DIR *list = opendir(folder);
    const struct dirent *entry;
    if (list == NULL) return;
    while ((entry = readdir(list)) != NULL) {
        if (is_root_name(entry->d_name)) remove_stale(folder, dirfd(list), entry->d_name);
    }
    closedir(list);
}

/* Make a folder under a name that nobody has or can guess. Returns 0 or an errno. */
static int make_unguessable(const char *folder, char path[PATH_MAX]) {
    enum { TRIES = 100 };
    char wanted[PATH_MAX];
    for (int i = 0; i < TRIES; i++) {
        uint64_t number;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) return EIO;
        const int length =
            snprintf(wanted, sizeof wanted, "%s/" ROOT_NAME "%016" PRIx64, folder, number);
        if (length < 0 || (size_t)length >= sizeof wanted) return ENAMETOOLONG;
        if (mkdir(wanted, S_IRWXU) == 0) {
            memcpy(path, wanted, sizeof wanted);
            return 0;
        }
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

/* Lock it: *lock_fd, or -1 where it is gone, taken for stale before it was locked. */
static int lock_root(const char *path, int *lock_fd) {
    struct stat status;
    *lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*lock_fd < 0) return errno == ENOENT ? 0 : errno;
    flock(*lock_fd, LOCK_EX); /* where there are no locks, nothing is tidied up either */
    if (lstat(path, &status) == 0 || errno != ENOENT) return 0;
    close(*lock_fd);
    *lock_fd = -1;
    return 0;
}

int workplace_make_root(const char *folder, char path[PATH_MAX], int *lock_fd) {
    enum { TRIES = 100 };
    char whole[PATH_MAX];
    *lock_fd = -1;
    if (folder == NULL || folder[0] == '\0') folder = "/tmp";
    if (realpath(folder, whole) == NULL) return errno;
    tidy(whole);
    for (int i = 0; i < TRIES && *lock_fd < 0; i++) {
        int error = make_unguessable(whole, path);
        if (error == 0) error = lock_root(path, lock_fd);
        if (error != 0) return error;
    }
    return *lock_fd >= 0 ? 0 : EAGAIN;
}

/* ---- One run's ---- */

static int name_folder(workplace *w) {
    const int length = snprintf(w->folder, sizeof w->folder, "%s/%u", w->root, w->number);
    const int whole = snprintf(w->file, sizeof w->file, "%s/%u/%s", w->root, w->number, w->name);
    const bool fits = length > 0 && whole > 0 && (size_t)whole < sizeof w->file;
    return fits ? 0 : ENAMETOOLONG;
}

int workplace_init(workplace *w, const char *root, const char *name, mode_t mode) {
    *w = (workplace){.root = root, .name = name, .mode = mode};
    return name_folder(w);
}

static int write_all(int fd, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR) return errno;
        if (written <= 0) continue;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

static int write_file(const workplace *w, const uint8_t *bytes, size_t size) {
    const int fd = open(w->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, w->mode);
    if (fd < 0) return errno;
    int error = write_all(fd, bytes, size);
    if (close(fd) != 0 && error == 0) error = errno;
    return error;
}

/* See that the root is there, and nobody else's: a run can remove what it likes, and who knows its
 * name make another in its place. So may another worker, at the same time. */
static int check_root(const workplace *w) {
    struct stat status;
    if (lstat(w->root, &status) != 0) {
        if (errno != ENOENT) return errno;
        if (mkdir(w->root, S_IRWXU) != 0 && errno != EEXIST) return errno;
    }
    if (lstat(w->root, &status) != 0) return errno;
    return is_private(&status) ? 0 : EPERM;
}

static int make_folder(workplace *w) {
    enum { NAMES = 1000 };
    const int wrong = check_root(w);
    if (wrong != 0) return wrong;
    for (unsigned i = 0; i < NAMES; i++, w->number++) { /* others' are there, and what resists */
        const int error = name_folder(w);
        if (error != 0) return error;
        w->is_open = mkdir(w->folder, S_IRWXU) == 0;
        if (w->is_open) return 0;
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

/* Errors that pass: somebody else has filled the disk for a moment, or removed the root just now.
 */
static bool is_passing(int error) {
    return error == ENOENT || error == ENOSPC || error == EDQUOT || patience_helps(error);
}

int workplace_open(workplace *w, const uint8_t *bytes, size_t size) {
    patience waits = {0};
    for (;;) {
        int error = make_folder(w);
        if (error == 0 && bytes != NULL) error = write_file(w, bytes, size);
        if (error == 0 || !is_passing(error) || !patience_wait(&waits)) return error;
        workplace_close(w);
    }
}

void workplace_close(workplace *w) {
    if (w->is_open) workplace_remove(w->folder);
    w->is_open = false;
}
