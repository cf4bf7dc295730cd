/* work_folder.h: folders for files of runs: of a tool, of its jobs, and temporary ones (TMPDIR). */
#pragma once

#include "runner.h"

#include <limits.h>
#include <sys/types.h>

enum { WORK_NAME_MAX = 17 };

/* ---- The folder of a tool ---- */

/* Make a folder that only this user can access, in `folder`. Store its absolute path in `path`, and
 * in *lock_fd a descriptor that marks it as in use. Remove the folder first; then close the
 * descriptor here and in all processes forked meanwhile. Also remove this user's unused folders
 * there, whose users were killed. Returns 0 or an errno. */
int work_folder_make(const char *folder, char path[PATH_MAX], int *lock_fd);

/* Remove it with all its content, even if permissions deny that. Links are not followed, and mounts
 * are left alone. Returns 0, also if there is no such folder, or an errno. */
int work_folder_remove(const char *path);

/* A folder for the jobs of a tool. */
typedef struct work_folder {
    char path[PATH_MAX]; /* empty if it could not be made */
    uint64_t secret;     /* the names of the jobs' folders follow from it */
    int lock_fd;
} work_folder;

/* Make it by work_folder_make, but in /tmp if TMPDIR of runs would be too long for sockets. Root's
 * jobs may run programs as other users, for whom it can be searched, but not listed. Returns 0, or
 * an errno, and leaves `path` empty. */
int work_folder_open(work_folder *w, const char *folder);

/* Remove it, if it was made. Returns 0 or an errno. */
int work_folder_close(work_folder *w);

/* ---- The folder of a job ---- */

typedef struct job_folder {
    int root_fd, fd; /* of the tool and of the job; -1 if it could not be made */
    char path[PATH_MAX];
} job_folder;

/* Make the folder of this job; one that a killed worker left goes first. `fd` is -1 if it
 * cannot be made, or the tool has no folder. */
void job_folder_open(job_folder *j, const work_folder *w, unsigned job);

/* Make an empty folder in it, in the place of another. Returns its descriptor, or -1 with errno. */
int job_folder_make(const job_folder *j, const char *name);

/* Remove it. With `is_last` also that of the tool, if nothing else is in it: the tool is dead. */
void job_folder_close(job_folder *j, const work_folder *w, bool is_last);

/* ---- Temporary files ----
 *
 * A process that is started, with all that it starts, has its own folder for them; the next one may
 * have the same if it is empty. */

typedef struct temp_folder {
    const job_folder *job;    /* NULL if this folder cannot be made */
    char name[WORK_NAME_MAX]; /* in that of the job */
    dev_t device;
    ino_t inode;
    mode_t mode;             /* 0: it is not made yet */
    struct timespec changed; /* the time of its last change that was seen */
    int64_t settles_ns;      /* when a look tells that it is empty until that changes; 0: it did */
    char variable[PATH_MAX + 16]; /* TMPDIR=... */
} temp_folder;

/* Prepare one in the folder of a job, which may be NULL, by a short name. */
void temp_folder_open(temp_folder *t, const job_folder *job, const char *name);

/* Return an environment with its TMPDIR, a folder that is made if it is not there; the caller frees
 * the list of pointers. Where it cannot be made TMPDIR stays as it is. */
char **temp_folder_environment(temp_folder *t, char *const *envp);

/* Return the number of entries, up to `most`. */
unsigned temp_folder_count(const temp_folder *t, unsigned most);

/* Remove what processes have left in it, and make it again if they removed it. Costs some
 * microseconds if nothing was left. For a step of its own, which may take long. */
void temp_folder_empty(temp_folder *t, const runner_watch *watch);

/* ---- Entries ---- */

/* Time limit for making or removing the files of one run: it can leave very many. */
#define WORK_FOLDER_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* Return 16 digits that nobody can guess. */
const char *work_name(char name[WORK_NAME_MAX]);

/* Open a folder of a tool, if it is this user's, and no mount is on it. Returns -1 with errno. */
int work_folder_fd(const char *path);

/* Make the folders that a path below a folder leads through, with a mode. Returns 0 or an errno. */
int work_folder_make_above(int folder_fd, char *path, mode_t mode);

/* Remove an entry of a folder, with all its content, as work_folder_remove does. Returns 0 or an
 * errno. */
int work_folder_remove_entry(int folder_fd, const char *name);
