/* versioned.c: a program whose every copy is another version. The last byte of its file is N, a
 * letter from 'a' (0) on: it aborts if it draws N bytes, and never for 0. */
#include "frng_main.h"

#include <unistd.h>

#include <fcntl.h>

static size_t needed;

static bool test(frng *f) {
    const uint8_t *bytes;
    if (needed > 0 && frng_bytes(f, needed, &bytes)) abort();
    return true;
}

/* When it starts: a server that stays keeps its version, whatever becomes of the file. */
static bool read_version(void) {
    char letter;
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && lseek(fd, -1, SEEK_END) >= 0 && read(fd, &letter, 1) == 1;
    if (fd >= 0) close(fd);
    if (ok && letter >= 'a' && letter <= 'z') needed = (size_t)(letter - 'a');
    return ok;
}

int main(void) {
    enum { BROKEN = 65 };
    return read_version() ? frng_run(test) : BROKEN;
}
