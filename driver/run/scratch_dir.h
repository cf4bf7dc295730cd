/* scratch_dir.h: private folders in which programs work on a file: one for each run, fresh, and
 * gone after it in spite of anything that the run did to it. */
#ifndef SCRATCH_DIR_H
#define SCRATCH_DIR_H

#include "mounts.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Make a folder that only this user can look into, in `folder` or, where that is NULL or empty, in
 * /tmp. Its absolute path goes to `path`, and to *lock_fd a descriptor that says that it is in use:
 * until it is closed here and in all processes forked meanwhile, which is to be done once the
 * folder was removed. Such folders of this user there that are not in use any more, since all who
 * did were killed, are removed, but for one with a mount on it: that goes to *left (may be NULL).
 * Returns 0 or an errno. */
int scratch_dir_make_root(const char *folder, char path[PATH_MAX], int *lock_fd, mounts_left *left);

/* Remove a folder, by its absolute path, and all that is in it; what denies that by its permissions
 * too. Links are not followed. Mounts on it and below it are taken off, and what is in them is left
 * as it is; the first one that stays goes to *left (may be NULL). Returns 0, also where there is no
 * such folder, or an errno. */
int scratch_dir_remove(const char *path, mounts_left *left);

/* The folder in which one worker's runs find their file. */
typedef struct scratch_dir {
    const char *root; /* borrowed */
    const char *name; /* of the file; borrowed */
    mode_t mode;      /* of the file */
    unsigned number;  /* of the folder: in one root all are different */
    bool is_open;     /* the folder is ours, and not another worker's of the same name */
    char folder[PATH_MAX];
    char file[PATH_MAX]; /* in it */
} scratch_dir;

/* For a worker of this process. Nothing is there yet. Returns 0, or ENAMETOOLONG. */
int scratch_dir_init(scratch_dir *w, const char *root, const char *name, mode_t mode);

/* Make the folder, with the file or (NULL) without. Returns 0 or an errno. */
int scratch_dir_open(scratch_dir *w, const uint8_t *bytes, size_t size);

/* True if it was made and is gone, removed by others: then what cannot be started in it may be
 * whole. */
bool scratch_dir_is_gone(const scratch_dir *w);

/* Remove it, if it was made. What cannot be removed is left, and the next one has another name. */
void scratch_dir_close(scratch_dir *w);

#endif
