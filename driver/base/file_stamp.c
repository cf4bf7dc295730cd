#include "file_stamp.h"

#include "clock.h"

#include <sys/stat.h>

file_stamp file_stamp_of(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return (file_stamp){0, 0, 0, 0};
    return (file_stamp){s.st_dev, s.st_ino, (uint64_t)s.st_size,
                        s.st_mtim.tv_sec * CLOCK_NS_PER_S + s.st_mtim.tv_nsec};
}

bool file_stamp_is_known(const file_stamp *m) { return m->inode != 0; }

bool file_stamp_equal(const file_stamp *a, const file_stamp *b) {
    return file_stamp_is_known(a) && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->written_ns == b->written_ns;
}
