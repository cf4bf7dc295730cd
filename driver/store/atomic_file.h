/* atomic_file.h: write files atomically: a temporary file in the same folder, then a rename. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Write or replace a file in an open folder. Return 0 when it is on disk; else an errno, and the
 * folder is as before. */
int atomic_file_write(int folder_fd, const char *name, const void *bytes, size_t size);

/* The same, but the name is not on disk then; with `made` the bytes neither, which spares a file
 * server: it gets the status of the file. */
int atomic_file_replace(int folder_fd, const char *name, const void *bytes, size_t size,
                        struct stat *made);

/* The same of a file that is not there yet. On an error it is not left. */
int atomic_file_write_new(int folder_fd, const char *name, const void *bytes, size_t size,
                          struct stat *made);

/* Sync a folder: the names in it are on disk then. Return 0 or an errno. */
int atomic_file_sync(int folder_fd);

/* Read a whole file of at most size_max bytes; once more if it is gone, or was replaced meanwhile.
 * Return its bytes, which the caller frees. On failure return NULL; *why is a short constant text
 * for the user, and errno is that of the system, EISDIR for a folder, EINVAL for another file that
 * is not regular, EFBIG for one that is too large. */
char *atomic_file_read(int folder_fd, const char *path, size_t size_max, size_t *size,
                       const char **why);

/* A temporary file that is older is an orphan: an hour, by which the clock of a machine may be
 * wrong where the clients of a file system give the times, and a second for its writer. */
enum { ATOMIC_FILE_ORPHAN_S = 60 * 60 + 1 };

/* Remove the temporary files that killed writers left, if `is_ours` accepts the names that they
 * were made for. A temporary file has 64 random bits in its name, and belongs to this user. It goes
 * if it is older than ATOMIC_FILE_ORPHAN_S by the clock of its file system. */
void atomic_file_tidy(int folder_fd, bool (*is_ours)(const void *context, const char *name),
                      const void *context);

/* A file that is rewritten as a whole each time. */
typedef struct atomic_file {
    const char *path; /* as the caller wrote it; borrowed */
    char *name;       /* of the file in its folder; owned */
    int folder_fd;
    bool is_stream; /* it is a device or a pipe, to which bytes are appended */
} atomic_file;

/* Check that a file can be written, without writing it. Return 0 or an errno. Follow symbolic
 * links, and remove the temporary files of killed writers. Call atomic_file_close in any case. */
int atomic_file_open(atomic_file *f, const char *path);

/* Open the folder of a file that may be missing, and name it there. Return 0 or an errno. */
int atomic_file_open_folder(atomic_file *f, const char *path);

/* Hold a name in a folder until this process has ended. False if another process holds it. */
bool atomic_file_hold(int folder_fd, const char *name);

/* Write the whole file. Return 0 or an errno. */
int atomic_file_put(const atomic_file *f, const void *bytes, size_t size);
void atomic_file_close(atomic_file *f);
