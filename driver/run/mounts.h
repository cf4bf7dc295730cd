/* mounts.h: entries of a folder that mounts may be on: opened without crossing one, and freed of
 * them. What a run mounts below its folder is not ours, nor are the files in it. */
#ifndef MOUNTS_H
#define MOUNTS_H

#include <limits.h>

/* A mount that stays. Begins as zeroes. */
typedef struct mounts_left {
    int error; /* errno of what kept it from being taken off; 0: none stays */
    char path[PATH_MAX];
} mounts_left;

/* Open an entry of a folder, by its name (no path), with flags of open; links are not followed.
 * Returns a descriptor, or -1 with errno: EXDEV where a mount is on the entry, ENOTSUP where the
 * kernel tells neither by openat2 nor in /proc. */
int mounts_open_below(int folder_fd, const char *name, int flags);

/* Take all mounts off an entry, lazily, so that no process that uses one keeps it there. Returns 0,
 * also where there is no such entry; or EBUSY, with *left (may be NULL) where it was empty; or what
 * mounts_open_below may say. */
int mounts_take_off(int folder_fd, const char *name, mounts_left *left);

/* Say that a mount stays on `path`, unless one was noted before. `left` may be NULL. */
void mounts_note(mounts_left *left, const char *path, int error);

/* The path of what a descriptor (O_PATH will do) is open on, for calls that take no descriptor: no
 * name is looked up again on the way. */
enum { MOUNTS_FD_PATH_MAX = 32 };
void mounts_fd_path(int fd, char path[MOUNTS_FD_PATH_MAX]);

#endif
