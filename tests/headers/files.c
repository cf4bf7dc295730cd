/* files.c: calls under the names that headers and options give them, and a stream: a name that is
 * missing fails the audit. SPDX-License-Identifier: MIT */
#include "frng_files.h"
#include "frng_main.h"

static bool test(frng *f) {
    char path[100], to[110], bytes[4];
    const int flags = f->size < 100 ? O_RDWR | O_CREAT : 0; /* known at run time alone */
    snprintf(path, sizeof path, "%s/a", frng_files_begin(FRNG_FILES_EXT4));
    snprintf(to, sizeof to, "%s/b", path);
    FRNG_ASSERT(open(to, flags, 0644) < 0 && errno == ENOENT);
    const int fd = open(path, flags, 0644);
    FRNG_ASSERT(fd >= 0 && write(fd, "ab", 2) == 2 && pwrite(fd, "c", 1, 2) == 1);
    FRNG_ASSERT(ftruncate(fd, 4) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    FRNG_ASSERT(read(fd, bytes, sizeof bytes) == 4 && memcmp(bytes, "abc", 4) == 0);
    char *const map = (char *)mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    FRNG_ASSERT(map != MAP_FAILED);
    map[3] = 'd';
    FRNG_ASSERT(munmap(map, 4) == 0 && close(fd) == 0);
    FILE *const s = fopen(path, "r+");
    FRNG_ASSERT(s != NULL && fprintf(s, "%s", "xyz") == 3 && fflush(s) == 0);
    FRNG_ASSERT(fsync(fileno(s)) == 0 && fclose(s) == 0);
    snprintf(to, sizeof to, "%s2", path);
    FRNG_ASSERT(rename(path, to) == 0);
    frng_files_audit();
    return frng_files_recover(f) && access(path, F_OK) == 0;
}

FRNG_MAIN(test)
