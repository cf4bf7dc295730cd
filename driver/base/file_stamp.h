/* file_stamp.h: which file a path names now, and whether it has been written since. */
#ifndef FILE_STAMP_H
#define FILE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

/* All zero when it is unknown: there was no file, or it was not looked at. */
typedef struct file_stamp {
    uint64_t device, inode, size; /* size in bytes */
    int64_t written_ns;           /* of its modification time */
} file_stamp;

/* Unknown where the path names no file. */
file_stamp file_stamp_of(const char *path);

bool file_stamp_is_known(const file_stamp *m);

/* The same file with the same content, as far as can be told without reading it. What is unknown
 * is equal to nothing. */
bool file_stamp_equal(const file_stamp *a, const file_stamp *b);

#endif
