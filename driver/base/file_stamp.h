/* file_stamp.h: identifies the file behind a path, and detects writes to it. */
#ifndef FILE_STAMP_H
#define FILE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

/* The identity of a file. All zero if unknown: there was no file, or it was not examined. */
typedef struct file_stamp {
    uint64_t device, inode, size; /* size in bytes */
    int64_t written_ns;           /* its modification time */
} file_stamp;

/* Return the stamp of the file at `path`; unknown if there is none. */
file_stamp file_stamp_of(const char *path);

bool file_stamp_is_known(const file_stamp *m);

/* True if both stamps are of the same file with the same content, as far as metadata shows. An
 * unknown stamp equals nothing. */
bool file_stamp_equal(const file_stamp *a, const file_stamp *b);

#endif
