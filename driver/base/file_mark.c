#include "file_mark.h"

#include "clock.h"

#include <sys/stat.h>

file_mark file_mark_of(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return (file_mark){0, 0, 0, 0};
    return (file_mark){s.st_dev, s.st_ino, (uint64_t)s.st_size,
                       s.st_mtim.tv_sec * CLOCK_NS_PER_S + s.st_mtim.tv_nsec};
}

bool file_mark_is_known(const file_mark *m) { return m->inode != 0; }

bool file_mark_equal(const file_mark *a, const file_mark *b) {
    return file_mark_is_known(a) && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->written_ns == b->written_ns;
}
