/* scratch_dir.h: a fresh folder for each run, which is removed whatever the run left in it, but for
 * mounts: those stay. */
#ifndef SCRATCH_DIR_H
#define SCRATCH_DIR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Make a folder that only this user can access, in `folder` or, if that is NULL or empty, in /tmp.
 * Store its absolute path in `path`, and in *lock_fd a descriptor that marks it as in use. Remove
 * the folder first; then close the descriptor here and in all processes forked meanwhile. Also
 * remove this user's unused folders there, whose users were killed. Returns 0 or an errno. */
int scratch_dir_make_root(const char *folder, char path[PATH_MAX], int *lock_fd);

/* Remove a folder, by its absolute path, with all its content, even if permissions deny that. Links
 * are not followed, and mounts are left alone. Returns 0, also if there is no such folder, or an
 * errno. */
int scratch_dir_remove(const char *path);

/* The folder of one worker's runs. */
typedef struct scratch_dir {
    const char *root; /* borrowed */
    const char *name; /* name of the file; borrowed */
    mode_t mode;      /* mode of the file */
    bool is_open;     /* the folder was made */
    char folder[PATH_MAX];
    char file[PATH_MAX]; /* path of the file in the folder */
} scratch_dir;

/* Initialize for a worker, without making the folder. Returns 0, or ENAMETOOLONG. */
int scratch_dir_init(scratch_dir *w, const char *root, const char *name, mode_t mode);

/* Make the folder, and the file unless `bytes` is NULL. Returns 0 or an errno. */
int scratch_dir_open(scratch_dir *w, const uint8_t *bytes, size_t size);

/* True if the folder was made and is gone, removed by another process. Then a program may fail to
 * start in it without being at fault. */
bool scratch_dir_is_gone(const scratch_dir *w);

/* Remove the folder, if it was made. */
void scratch_dir_close(scratch_dir *w);

#endif
