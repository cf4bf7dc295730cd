#include "overwrite.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 512 }; /* the unit of st_blocks */

/* True if a file can take a text of this size without more blocks. */
static bool has_room(const struct stat *file, size_t size) {
    if (file->st_size > OVERWRITE_MAX || size > OVERWRITE_MAX) return false;
    return (off_t)size <= file->st_size || (off_t)size <= (off_t)file->st_blocks * BLOCK;
}

/* Open a file that only this user's processes write. Return its descriptor, or -1 with errno. */
static int open_ours(int folder_fd, const char *name, struct stat *status) {
    const int fd = openat(folder_fd, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return -1;
    const bool is_read = fstat(fd, status) == 0;
    if (is_read && S_ISREG(status->st_mode) && status->st_nlink == 1 &&
        status->st_uid == geteuid()) {
        return fd;
    }
    const int error = is_read ? EPERM : errno;
    close(fd);
    errno = error;
    return -1;
}

/* Write the text and what fills it up, in one call. Return 0 or an errno. */
static int write_over(int fd, const struct stat *file, const char *text) {
    char whole[OVERWRITE_MAX];
    const size_t size = strlen(text), old_size = (size_t)file->st_size;
    const size_t whole_size = size > old_size ? size : old_size;
    assert(size > 0 && text[size - 1] == '\n');
    if (!has_room(file, size)) return ENOSPC;
    memset(whole, ' ', sizeof whole);
    memcpy(whole, text, size - 1);
    whole[whole_size - 1] = '\n';
    const ssize_t written = pwrite(fd, whole, whole_size, 0);
    if (written < 0) return errno;
    if ((size_t)written < whole_size) return ENOSPC;
    return fsync(fd) != 0 ? errno : 0;
}

int overwrite_file(int folder_fd, const char *name, const char *new_name, const char *text) {
    struct stat file;
    const int fd = open_ours(folder_fd, name, &file);
    if (fd < 0) return errno;
    const int error = write_over(fd, &file, text);
    close(fd); /* fsync has reported any error */
    if (error != 0) return error;
    if (renameat(folder_fd, name, folder_fd, new_name) != 0) return errno;
    return fsync(folder_fd) != 0 && errno != EINVAL ? errno : 0;
}
