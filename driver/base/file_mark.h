/* file_mark.h: which file a path names now, and whether it has been written since. */
#ifndef FILE_MARK_H
#define FILE_MARK_H

#include <stdbool.h>
#include <stdint.h>

/* All zero when it is unknown: there was no file, or nobody looked. */
typedef struct file_mark {
    uint64_t device, inode, size; /* size in bytes */
    int64_t written_ns;           /* of its modification time */
} file_mark;

/* Unknown where the path names no file. */
file_mark file_mark_of(const char *path);

bool file_mark_is_known(const file_mark *m);

/* The same file with the same content, as far as can be told without reading it. What is unknown
 * is equal to nothing. */
bool file_mark_equal(const file_mark *a, const file_mark *b);

#endif
