/* atomic_file.h: files that are never seen half written: beside their place first, then renamed. */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Put a file into an open folder, in the place of one that may be there. It is on disk when this
 * returns 0; else an errno, and the folder is as before. */
int atomic_file_write(int folder_fd, const char *name, const void *bytes, size_t size);

/* Remove the temporary files that writers left who were killed: those for a name that is_ours. Such
 * a file has 64 random bits in its name, belongs to this user, and is locked as long as its writer
 * lives; where files cannot be locked it stays. */
void atomic_file_tidy(int folder_fd, bool (*is_ours)(const void *context, const char *name),
                      const void *context);

/* At the end of the name of a file that is kept beside an atomic_file. */
#define WHOLE_KNOWN_SUFFIX ".known"

/* A file that is written again and again, each time as a whole. */
typedef struct atomic_file {
    const char *path; /* as it was said; borrowed */
    char *name;       /* in the folder */
    int folder_fd;
    bool is_stream; /* a device or a pipe: bytes are appended to what they got */
} atomic_file;

/* 0, or an errno where it could not be written; nothing is there yet. Symbolic links are followed.
 * What an earlier writer left who was killed is tidied up. atomic_file_close in any case. */
int atomic_file_open(atomic_file *f, const char *path);
int atomic_file_put(const atomic_file *f, const void *bytes, size_t size);
void atomic_file_close(atomic_file *f);

/* Write a file under a name that is free: `name`, or else with -2, -3 and so on at its end; *taken
 * is the name, freed by the caller. 0 or an errno. */
int atomic_file_write_new(const char *name, const void *bytes, size_t size, char **taken);

#endif
