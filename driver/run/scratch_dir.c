#include "scratch_dir.h"

#include "backoff.h"
#include "stream.h"

#include <assert.h>
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

/* Permit access to a folder that denies it, unless a mount is on it. */
static void allow(int parent_fd, const char *name) {
    char path[MOUNTS_FD_PATH_MAX];
    const int fd = mounts_open_below(parent_fd, name, O_PATH | O_DIRECTORY);
    if (fd < 0) return;
    mounts_fd_path(fd, path);
    fchmodat(AT_FDCWD, path, S_IRWXU, 0);
    close(fd);
}

/* Open a folder, not a link, even if its permissions deny that, after taking off mounts on it.
 * Returns -1 with errno if it is no folder or is gone, or if a mount stays. */
static int open_folder(int parent_fd, const char *name, mounts_left *left) {
    enum { FLAGS = O_RDONLY | O_DIRECTORY };
    int fd = mounts_open_below(parent_fd, name, FLAGS);
    if (fd < 0 && errno == EXDEV) {
        errno = mounts_take_off(parent_fd, name, left);
        if (errno == 0) fd = mounts_open_below(parent_fd, name, FLAGS);
    }
    if (fd >= 0 || errno != EACCES) return fd;
    allow(parent_fd, name);
    return mounts_open_below(parent_fd, name, FLAGS);
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* Unlink an entry that is no folder, after taking off mounts on it. */
static bool remove_file(int folder_fd, const char *name, mounts_left *left) {
    if (unlinkat(folder_fd, name, 0) == 0) return true;
    if (errno != EBUSY || mounts_take_off(folder_fd, name, left) != 0) return false;
    return unlinkat(folder_fd, name, 0) == 0;
}

/* Move an entry of a folder to `top_fd`, even if it denies access or has mounts on it. */
static void lift(int fd, const char *name, int top_fd, const char *lifted, mounts_left *left) {
    if (renameat(fd, name, top_fd, lifted) == 0) return;
    if (errno == EBUSY && mounts_take_off(fd, name, left) != 0) return;
    if (errno == EACCES) allow(fd, name); /* moving a folder writes its ".." */
    renameat(fd, name, top_fd, lifted);
}

/* Empty a folder and close it. Its own folders move up to `top_fd` under free numbers, so that
 * trees of any depth need only two descriptors. */
static void lift_out(int fd, int top_fd, unsigned long *number, mounts_left *left) {
    const struct dirent *entry;
    char name[32];
    fchmod(fd, S_IRWXU);
    DIR *folder = fdopendir(fd);
    if (folder == NULL) {
        close(fd);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (is_dots(entry->d_name) || remove_file(fd, entry->d_name, left)) continue;
        do {
            snprintf(name, sizeof name, "lifted-%lu", (*number)++);
        } while (faccessat(top_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
        lift(fd, entry->d_name, top_fd, name, left);
    }
    closedir(folder);
}

/* Remove the folder's present entries, and lift out the content of its folders. Returns the number
 * of removed entries. */
static size_t thin_out(DIR *top, unsigned long *number, mounts_left *left) {
    const int top_fd = dirfd(top);
    const struct dirent *entry;
    size_t changed = 0;
    rewinddir(top);
    while ((entry = readdir(top)) != NULL) {
        if (is_dots(entry->d_name)) continue;
        if (remove_file(top_fd, entry->d_name, left)) {
            changed++;
            continue;
        }
        const int fd = open_folder(top_fd, entry->d_name, left);
        if (fd >= 0) lift_out(fd, top_fd, number, left);
        changed += unlinkat(top_fd, entry->d_name, AT_REMOVEDIR) == 0;
    }
    return changed;
}

/* Remove the entry of a folder, with all its content. Unlinking and renaming never enter a mount;
 * only opening can, and each folder is opened below its parent, without crossing one. */
static int remove_entry(int folder_fd, const char *name, mounts_left *left) {
    unsigned long number = 0;
    if (remove_file(folder_fd, name, left)) return 0;
    const int fd = open_folder(folder_fd, name, left);
    DIR *top = fd >= 0 ? fdopendir(fd) : NULL;
    if (top != NULL) {
        fchmod(fd, S_IRWXU);
        while (thin_out(top, &number, left) > 0) {
        }
        closedir(top);
    } else if (fd >= 0) {
        close(fd);
    }
    return unlinkat(folder_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

/* Open the parent folder of an absolute path; *name is the path's last component. */
static int open_parent(const char *path, const char **name) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    assert(slash != NULL);
    *name = slash + 1;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash + 1 - path), path);
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int scratch_dir_remove(const char *path, mounts_left *left) {
    const char *name;
    const int parent_fd = open_parent(path, &name);
    if (parent_fd < 0) return errno == ENOENT ? 0 : errno;
    const int error = remove_entry(parent_fd, name, left);
    close(parent_fd);
    return error;
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

/* Remove a root if it belongs to this user and is not locked: then its users have died. If a mount
 * hides the owner, the root stays. */
static void remove_stale(const char *folder, int folder_fd, const char *name, mounts_left *left) {
    struct stat status;
    char path[PATH_MAX];
    const int fd = mounts_open_below(folder_fd, name, O_RDONLY | O_DIRECTORY);
    if (fd < 0 && errno == EXDEV) {
        const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (length > 0 && (size_t)length < sizeof path) mounts_note(left, path, EBUSY);
    }
    if (fd < 0) return;
    if (fstat(fd, &status) == 0 && is_private(&status) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        remove_entry(folder_fd, name, left);
    }
    close(fd);
}

static void tidy(const char *folder, mounts_left *left) {
    DIR *list = opendir(folder);
    const struct dirent *entry;
    if (list == NULL) return;
    while ((entry = readdir(list)) != NULL) {
        if (is_root_name(entry->d_name)) remove_stale(folder, dirfd(list), entry->d_name, left);
    }
    closedir(list);
}

/* Make a folder with a free name that cannot be guessed. Returns 0 or an errno. */
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

/* Lock a root. *lock_fd is -1 if the root is gone: another process removed it as stale before the
 * lock. Returns 0 or an errno. */
static int lock_root(const char *path, int *lock_fd) {
    struct stat status;
    *lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*lock_fd < 0) return errno == ENOENT ? 0 : errno;
    flock(*lock_fd, LOCK_EX); /* without support for locks, no root is removed as stale either */
    if (lstat(path, &status) == 0 || errno != ENOENT) return 0;
    close(*lock_fd);
    *lock_fd = -1;
    return 0;
}

int scratch_dir_make_root(const char *folder, char path[PATH_MAX], int *lock_fd,
                          mounts_left *left) {
    enum { TRIES = 100 };
    char whole[PATH_MAX];
    *lock_fd = -1;
    if (folder == NULL || folder[0] == '\0') folder = "/tmp";
    if (realpath(folder, whole) == NULL) return errno;
    tidy(whole, left);
    for (int i = 0; i < TRIES && *lock_fd < 0; i++) {
        int error = make_unguessable(whole, path);
        if (error == 0) error = lock_root(path, lock_fd);
        if (error != 0) return error;
    }
    return *lock_fd >= 0 ? 0 : EAGAIN;
}

/* ---- One run's ---- */

static int name_folder(scratch_dir *w) {
    const int length = snprintf(w->folder, sizeof w->folder, "%s/%u", w->root, w->number);
    const int whole = snprintf(w->file, sizeof w->file, "%s/%u/%s", w->root, w->number, w->name);
    const bool fits = length > 0 && whole > 0 && (size_t)whole < sizeof w->file;
    return fits ? 0 : ENAMETOOLONG;
}

int scratch_dir_init(scratch_dir *w, const char *root, const char *name, mode_t mode) {
    assert(root[0] == '/' && strchr(name, '/') == NULL);
    *w = (scratch_dir){.root = root, .name = name, .mode = mode};
    return name_folder(w);
}

static int write_file(const scratch_dir *w, const uint8_t *bytes, size_t size) {
    const int fd = open(w->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, w->mode);
    if (fd < 0) return errno;
    int error = stream_write_all(fd, bytes, size);
    if (close(fd) != 0 && error == 0) error = errno;
    return error;
}

/* Take off a mount that a run may have put over the root, since the driver does not own its
 * content. */
static int uncover_root(const scratch_dir *w) {
    const char *name;
    const int parent_fd = open_parent(w->root, &name);
    if (parent_fd < 0) return errno;
    const int error = mounts_take_off(parent_fd, name, NULL);
    close(parent_fd);
    return error;
}

/* Ensure that the root exists and belongs to this user. A run can remove it, and a process that
 * knows its name can make another in its place. Another worker may recreate it at the same time. */
static int check_root(const scratch_dir *w) {
    struct stat status;
    const int error = uncover_root(w);
    if (error != 0) return error;
    if (lstat(w->root, &status) != 0) {
        if (errno != ENOENT) return errno;
        if (mkdir(w->root, S_IRWXU) != 0 && errno != EEXIST) return errno;
    }
    if (lstat(w->root, &status) != 0) return errno;
    return is_private(&status) ? 0 : EPERM;
}

static int make_folder(scratch_dir *w) {
    enum { NAMES = 1000 };
    const int wrong = check_root(w);
    if (wrong != 0) return wrong;
    for (unsigned i = 0; i < NAMES; i++, w->number++) { /* other folders exist */
        const int error = name_folder(w);
        if (error != 0) return error;
        w->is_open = mkdir(w->folder, S_IRWXU) == 0;
        if (w->is_open) return 0;
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

/* True for temporary errors: another process has briefly filled the disk, just removed the root, or
 * put a mount over it. */
static bool is_passing(int error) {
    return error == ENOENT || error == ENOSPC || error == EDQUOT || error == EBUSY ||
           backoff_helps(error);
}

int scratch_dir_open(scratch_dir *w, const uint8_t *bytes, size_t size) {
    assert(!w->is_open);
    backoff waits = {0};
    for (;;) {
        int error = make_folder(w);
        if (error == 0 && bytes != NULL) error = write_file(w, bytes, size);
        if (error == 0 || !is_passing(error) || !backoff_wait(&waits)) return error;
        scratch_dir_close(w);
    }
}

bool scratch_dir_is_gone(const scratch_dir *w) {
    return w->is_open && access(w->folder, F_OK) != 0 && errno == ENOENT;
}

void scratch_dir_close(scratch_dir *w) {
    const char *name;
    if (!w->is_open) return;
    w->is_open = false;
    const int parent_fd = open_parent(w->root, &name);
    if (parent_fd < 0) return;
    const int root_fd = open_folder(parent_fd, name, NULL);
    close(parent_fd);
    if (root_fd < 0) return;
    remove_entry(root_fd, strrchr(w->folder, '/') + 1, NULL);
    close(root_fd);
}
