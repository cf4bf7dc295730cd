/* mounts.h: opens a folder's entries without crossing a mount, and takes mounts off them. The
 * driver owns neither the mounts that a run makes below its folder, nor the files in them. */
#ifndef MOUNTS_H
#define MOUNTS_H

#include <limits.h>

/* A mount that could not be taken off. Initialize with zeroes. */
typedef struct mounts_left {
    int error; /* the cause, an errno; 0: there is no such mount */
    char path[PATH_MAX];
} mounts_left;

/* Open an entry of a folder, by its name (no path), with flags of open(2); links are not followed.
 * Returns a descriptor, or -1 with errno: EXDEV if a mount is on the entry, ENOTSUP if the kernel
 * reveals mounts neither by openat2 nor in /proc. */
int mounts_open_below(int folder_fd, const char *name, int flags);

/* Take all mounts off an entry, lazily, so that a process that uses a mount does not keep it there.
 * Returns 0, also if there is no such entry; EBUSY if a mount stays, which is noted in *left (may
 * be NULL); or another errno of mounts_open_below. */
int mounts_take_off(int folder_fd, const char *name, mounts_left *left);

/* Note a mount that stays on `path`, unless *left has one already. `left` may be NULL. */
void mounts_note(mounts_left *left, const char *path, int error);

/* Set `path` to a path of the file of a descriptor (O_PATH is enough), for system calls that take
 * no descriptor. Its use looks up no name of that file again. */
enum { MOUNTS_FD_PATH_MAX = 32 };
void mounts_fd_path(int fd, char path[MOUNTS_FD_PATH_MAX]);

#endif
