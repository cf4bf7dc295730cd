#include "mounts.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Return the number of a descriptor's mount, or -1; no other mount has the number meanwhile. st_dev
 * does not identify mounts, since a bind mount has the device of its source. */
static long mount_id(int fd) {
    char path[64], line[128];
    long id = -1;
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    FILE *info = fopen(path, "re");
    if (info == NULL) return -1;
    while (id < 0 && fgets(line, sizeof line, info) != NULL) sscanf(line, "mnt_id: %ld", &id);
    fclose(info);
    return id;
}

/* As openat2, for kernels before 5.6, and if a system call filter refuses openat2. */
static int open_and_compare(int folder_fd, const char *name, int flags) {
    const int fd = openat(folder_fd, name, flags);
    if (fd < 0) return -1;
    const long ours = mount_id(folder_fd), found = mount_id(fd);
    if (ours >= 0 && ours == found) return fd;
    close(fd);
    errno = ours < 0 || found < 0 ? ENOTSUP : EXDEV;
    return -1;
}

int mounts_open_below(int folder_fd, const char *name, int flags) {
    assert(folder_fd >= 0 && strchr(name, '/') == NULL);
    flags |= O_NOFOLLOW | O_CLOEXEC;
    struct open_how how = {.flags = (unsigned)flags,
                           .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS};
    const int fd = (int)syscall(SYS_openat2, folder_fd, name, &how, sizeof how);
    if (fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != EAGAIN)) return fd;
    return open_and_compare(folder_fd, name, flags);
}

void mounts_fd_path(int fd, char path[MOUNTS_FD_PATH_MAX]) {
    snprintf(path, MOUNTS_FD_PATH_MAX, "/proc/self/fd/%d", fd);
}

void mounts_note(mounts_left *left, const char *path, int error) {
    if (left == NULL || left->error != 0) return;
    left->error = error;
    snprintf(left->path, sizeof left->path, "%s", path);
}

/* Unmount the mount of a descriptor. It is first made private: if the run has bound a tree of
 * shared mounts, unmounting one of them would otherwise unmount it outside as well. Returns 0 or an
 * errno. */
static int detach(int fd) {
    char path[MOUNTS_FD_PATH_MAX];
    mounts_fd_path(fd, path);
    if (mount(NULL, path, NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
    return umount2(path, MNT_DETACH) == 0 ? 0 : errno;
}

/* Take off the topmost mount. Returns 0 or an errno: EINVAL also if another worker was faster. */
static int take_off_one(int folder_fd, const char *name) {
    const int fd = openat(folder_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return errno;
    const int error = detach(fd);
    close(fd);
    return error;
}

static void note_entry(mounts_left *left, int folder_fd, const char *name, int error) {
    char path[MOUNTS_FD_PATH_MAX], whole[PATH_MAX];
    mounts_fd_path(folder_fd, path);
    const ssize_t length = readlink(path, whole, sizeof whole);
    const bool fits = length > 0 && (size_t)length + strlen(name) + 2 < sizeof whole;
    if (fits) snprintf(whole + length, sizeof whole - (size_t)length, "/%s", name);
    mounts_note(left, fits ? whole : name, error);
}

int mounts_take_off(int folder_fd, const char *name, mounts_left *left) {
    enum { MOUNTS_MAX = 100000 }; /* the kernel's limit for a namespace */
    int error = 0;
    for (int i = 0; i < MOUNTS_MAX; i++) {
        const int fd = mounts_open_below(folder_fd, name, O_PATH);
        if (fd >= 0) close(fd);
        if (fd >= 0 || errno == ENOENT) return 0;
        if (errno != EXDEV) return errno;
        if (error != 0) break;
        error = take_off_one(folder_fd, name);
    }
    note_entry(left, folder_fd, name, error);
    return EBUSY;
}
