/* A run may leave anything in its folder: trees of any depth, folders that deny access, mounts. All
 * of it goes, but mounts and what is in them: those belong to others. Unlinking and renaming never
 * enter a mount; only opening can, so each folder is opened below its parent, without crossing one
 * (openat2). Trees of any depth need only two descriptors, since what is deep moves up first. */
#include "scratch_dir.h"

#include "clock.h"
#include "files.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Removing ---- */

/* Open an entry of a folder; no link. Returns -1 with errno: EXDEV if a mount is on it. */
static int open_below(int folder_fd, const char *name, int flags) {
    const struct open_how how = {.flags = (unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
                                 .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, folder_fd, name, &how, sizeof how);
}

/* Permit access to a folder that denies it. */
static void allow(int parent_fd, const char *name) {
    char path[32];
    const int fd = open_below(parent_fd, name, O_PATH | O_DIRECTORY);
    if (fd < 0) return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    fchmodat(AT_FDCWD, path, S_IRWXU, 0);
    close(fd);
}

/* Open a folder for reading, even if its permissions deny that. NULL with errno if it is none, is
 * gone, or has a mount on it. */
static DIR *open_folder(int parent_fd, const char *name) {
    int fd = open_below(parent_fd, name, O_RDONLY | O_DIRECTORY);
    if (fd < 0 && errno == EACCES) {
        allow(parent_fd, name);
        fd = open_below(parent_fd, name, O_RDONLY | O_DIRECTORY);
    }
    if (fd < 0) return NULL;
    fchmod(fd, S_IRWXU);
    DIR *folder = fdopendir(fd);
    if (folder == NULL) close(fd);
    return folder;
}

/* Return the name of the next entry, or NULL. */
static const char *next_name(DIR *folder) {
    const struct dirent *entry = readdir(folder);
    while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = readdir(folder);
    return entry != NULL ? entry->d_name : NULL;
}

/* Remove the files of a folder, and move its folders up to `top_fd` under free numbers. */
static void lift_out(DIR *folder, int top_fd, unsigned long *number) {
    char lifted[32];
    for (const char *name; (name = next_name(folder)) != NULL;) {
        if (unlinkat(dirfd(folder), name, 0) == 0) continue;
        do {
            snprintf(lifted, sizeof lifted, "lifted-%lu", (*number)++);
        } while (faccessat(top_fd, lifted, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
        if (renameat(dirfd(folder), name, top_fd, lifted) == 0 || errno != EACCES) continue;
        allow(dirfd(folder), name); /* moving a folder writes its ".." */
        renameat(dirfd(folder), name, top_fd, lifted);
    }
}

/* Remove the folder's present entries, and lift out the content of its folders. Returns the number
 * of removed entries. */
static size_t thin_out(DIR *top, unsigned long *number) {
    size_t removed = 0;
    rewinddir(top);
    for (const char *name; (name = next_name(top)) != NULL;) {
        if (unlinkat(dirfd(top), name, 0) == 0) {
            removed++;
            continue;
        }
        DIR *folder = open_folder(dirfd(top), name);
        if (folder != NULL) {
            lift_out(folder, dirfd(top), number);
            closedir(folder);
        }
        removed += unlinkat(dirfd(top), name, AT_REMOVEDIR) == 0;
    }
    return removed;
}

/* Remove the entry of a folder, with all its content. Returns 0 or an errno. */
static int remove_entry(int folder_fd, const char *name) {
    unsigned long number = 0;
    if (unlinkat(folder_fd, name, 0) == 0) return 0;
    DIR *top = open_folder(folder_fd, name);
    if (top != NULL) {
        while (thin_out(top, &number) > 0) {
        }
        closedir(top);
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

int scratch_dir_remove(const char *path) {
    const char *name;
    const int parent_fd = open_parent(path, &name);
    if (parent_fd < 0) return errno == ENOENT ? 0 : errno;
    const int error = remove_entry(parent_fd, name);
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

/* Remove the roots whose users have died: those of this user that are not locked. */
static void tidy(const char *path) {
    DIR *list = opendir(path);
    struct stat status;
    if (list == NULL) return;
    for (const char *name; (name = next_name(list)) != NULL;) {
        const int fd =
            is_root_name(name) ? open_below(dirfd(list), name, O_RDONLY | O_DIRECTORY) : -1;
        if (fd < 0) continue;
        if (fstat(fd, &status) == 0 && is_private(&status) && flock(fd, LOCK_EX | LOCK_NB) == 0)
            remove_entry(dirfd(list), name);
        close(fd);
    }
    closedir(list);
}

/* Make a root with a free name that cannot be guessed, and lock it. EAGAIN: another process has the
 * name, or removed the root as stale before the lock. Returns 0 or an errno. */
static int try_root(const char *folder, char path[PATH_MAX], int *lock_fd) {
    struct stat status;
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) return EIO;
    const int length = snprintf(path, PATH_MAX, "%s/" ROOT_NAME "%016" PRIx64, folder, number);
    if (length < 0 || length >= PATH_MAX) return ENAMETOOLONG;
    if (mkdir(path, S_IRWXU) != 0) return errno == EEXIST ? EAGAIN : errno;
    *lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*lock_fd < 0) return errno == ENOENT ? EAGAIN : errno;
    flock(*lock_fd, LOCK_EX); /* without support for locks, no root is removed as stale either */
    if (lstat(path, &status) == 0 || errno != ENOENT) return 0;
    close(*lock_fd);
    return EAGAIN;
}

int scratch_dir_make_root(const char *folder, char path[PATH_MAX], int *lock_fd) {
    enum { TRIES = 100 };
    char whole[PATH_MAX];
    int error = EAGAIN;
    if (folder == NULL || folder[0] == '\0') folder = "/tmp";
    if (realpath(folder, whole) == NULL) return errno;
    tidy(whole);
    for (int i = 0; i < TRIES && error == EAGAIN; i++) error = try_root(whole, path, lock_fd);
    if (error != 0) {
        path[0] = '\0';
        *lock_fd = -1;
    }
    return error;
}

/* ---- One run's ---- */

int scratch_dir_init(scratch_dir *w, const char *root, const char *name, mode_t mode) {
    assert(root[0] == '/' && strchr(name, '/') == NULL);
    *w = (scratch_dir){.root = root, .name = name, .mode = mode};
    return strlen(root) + sizeof "/XXXXXX/" + strlen(name) <= PATH_MAX ? 0 : ENAMETOOLONG;
}

static int write_file(const scratch_dir *w, const uint8_t *bytes, size_t size) {
    const int fd = open(w->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, w->mode);
    if (fd < 0) return errno;
    int error = stream_write_all(fd, bytes, size);
    if (close(fd) != 0 && error == 0) error = errno;
    return error;
}

/* Open the root if no mount is on it. Returns -1 with errno. */
static int open_root(const scratch_dir *w) {
    const char *name;
    const int parent_fd = open_parent(w->root, &name);
    if (parent_fd < 0) return -1;
    const int fd = open_below(parent_fd, name, O_RDONLY | O_DIRECTORY), error = errno;
    close(parent_fd);
    errno = error;
    return fd;
}

/* Ensure that the root is there and belongs to this user. A run can remove or cover it, and a
 * process that knows its name can make another in its place. Another worker may recreate it at the
 * same time. */
static int check_root(const scratch_dir *w) {
    struct stat status;
    int fd = open_root(w);
    if (fd < 0 && errno == ENOENT && (mkdir(w->root, S_IRWXU) == 0 || errno == EEXIST))
        fd = open_root(w);
    if (fd < 0) return errno;
    const bool is_ours = fstat(fd, &status) == 0 && is_private(&status);
    close(fd);
    return is_ours ? 0 : EPERM;
}

static int make_folder(scratch_dir *w) {
    const int error = check_root(w);
    if (error != 0) return error;
    snprintf(w->folder, sizeof w->folder, "%s/XXXXXX", w->root);
    w->is_open = mkdtemp(w->folder) != NULL;
    if (!w->is_open) return errno;
    const int length = snprintf(w->file, sizeof w->file, "%s/%s", w->folder, w->name);
    return length > 0 && (size_t)length < sizeof w->file ? 0 : ENAMETOOLONG;
}

/* True for temporary errors: another process has briefly filled the disk, or has just removed the
 * root. */
static bool is_passing(int error) {
    return error == ENOENT || error == ENOSPC || error == EDQUOT || backoff_helps(error);
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
    const int root_fd = w->is_open ? open_root(w) : -1;
    w->is_open = false; /* what cannot be removed stays: the next folder has another name */
    if (root_fd < 0) return;
    remove_entry(root_fd, strrchr(w->folder, '/') + 1);
    close(root_fd);
}
