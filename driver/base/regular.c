#include "regular.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int regular_open(int folder_fd, const char *path, int flags, uint64_t *size) {
    const int at_flags = (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0;
    struct stat status;
    int fd = -1, error = 0;
    if (fstatat(folder_fd, path, &status, at_flags) != 0) return -1;
    if (S_ISREG(status.st_mode)) {
        fd = openat(folder_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
        if (fd < 0 || fstat(fd, &status) != 0) error = errno;
    }
    if (error == 0 && !S_ISREG(status.st_mode)) error = EINVAL; /* it was replaced */
    if (error == 0) {
        *size = (uint64_t)status.st_size;
        return fd;
    }
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

int64_t regular_deadline(void) {
    return clock_after(clock_now_ns(), REGULAR_READ_S * CLOCK_NS_PER_S);
}

bool regular_should_stop(int64_t deadline_ns) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t pending;
    if (clock_now_ns() >= deadline_ns) return true;
    if (sigpending(&pending) != 0) return false;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigismember(&pending, numbers[i]) == 1) return true;
    }
    return false;
}

ssize_t regular_read(int fd, uint64_t offset, void *bytes, size_t size) {
    size_t done = 0;
    assert(fd >= 0);
    while (done < size) {
        const ssize_t count = pread(fd, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -1;
        if (count == 0) break;
        done += (size_t)count;
    }
    return (ssize_t)done;
}

bool regular_holds(int fd, uint64_t offset, uint64_t size, const void *words, size_t words_size) {
    enum { PIECE = 4 * 1024 };
    char bytes[REGULAR_WORDS_MAX + PIECE];
    const int64_t deadline_ns = regular_deadline();
    size_t kept = 0; /* bytes of the previous piece, in which the words may begin */
    assert(words != NULL && words_size > 0 && words_size <= REGULAR_WORDS_MAX);
    if (size > REGULAR_SIZE_MAX) return false;
    while (size > 0 && !regular_should_stop(deadline_ns)) {
        const ssize_t count = regular_read(fd, offset, bytes + kept, size < PIECE ? size : PIECE);
        if (count <= 0) return false;
        const size_t held = kept + (size_t)count;
        if (memmem(bytes, held, words, words_size) != NULL) return true;
        kept = held < words_size - 1 ? held : words_size - 1;
        memmove(bytes, bytes + held - kept, kept);
        offset += (uint64_t)count;
        size -= (uint64_t)count;
    }
    return false;
}
