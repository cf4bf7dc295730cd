/* How files are read and written.
 *
 * A file is opened only after a look that it is regular, and looked at again after that: opening a
 * device may have effects, and a pipe would wait. Searching a large file for words stops at a
 * deadline, and when a signal waits that will end the tool.
 *
 * The tool keeps the signals that stop it blocked, and looks for them itself. It cannot do so while
 * a write to a full pipe waits: so before each piece of at most PIPE_BUF bytes it waits for room
 * with these signals unblocked, and they end it. */
#include "files.h"

#include "clock.h"

#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sigset_t heeded; /* signals that stop the tool */
static bool is_heeding;

/* ---- Stamps ---- */

file_stamp file_stamp_of(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return (file_stamp){0, 0, 0, 0};
    const struct timespec *t = S_ISDIR(s.st_mode) ? &s.st_ctim : &s.st_mtim; /* rsync sets those */
    return (file_stamp){s.st_dev, s.st_ino, (uint64_t)s.st_size,
                        t->tv_sec * CLOCK_NS_PER_S + t->tv_nsec};
}

bool file_stamp_is_known(const file_stamp *m) { return m->inode != 0; }

bool file_stamp_equal(const file_stamp *a, const file_stamp *b) {
    return file_stamp_is_same_file(a, b) && a->size == b->size && a->written_ns == b->written_ns;
}

bool file_stamp_is_same_file(const file_stamp *a, const file_stamp *b) {
    return file_stamp_is_known(a) && a->device == b->device && a->inode == b->inode;
}

bool file_is_same(const char *path, const char *other) {
    const file_stamp a = file_stamp_of(path), b = file_stamp_of(other);
    return file_stamp_is_same_file(&a, &b);
}

/* ---- Regular files ---- */

int regular_open(int folder_fd, const char *path, int flags, uint64_t *size) {
    const int at_flags = (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0;
    struct stat status;
    int fd = -1, error = 0;
    if (fstatat(folder_fd, path, &status, at_flags) != 0) return -1;
    if (S_ISREG(status.st_mode)) {
        fd = openat(folder_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
        if (fd < 0 || fstat(fd, &status) != 0) error = errno;
    }
    if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
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
    sigset_t pending, both;
    if (clock_now_ns() >= deadline_ns) return true;
    if (!is_heeding || sigpending(&pending) != 0) return false;
    sigandset(&both, &pending, &heeded);
    return !sigisemptyset(&both);
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
    enum { PIECE = 16 * 1024 };
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

/* ---- Writes to pipes and terminals ---- */

void stream_heed_signals(const sigset_t *stopping) {
    heeded = *stopping;
    is_heeding = true;
}

static void wait_for(int fd) {
    struct pollfd out = {fd, POLLOUT, 0};
    sigset_t before;
    if (!is_heeding || poll(&out, 1, 0) != 0) return;
    sigprocmask(SIG_UNBLOCK, &heeded, &before);
    UNINTERRUPTED(poll(&out, 1, -1));
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void stream_wait(FILE *stream) { wait_for(fileno(stream)); }

int stream_send(int fd, const char *text, size_t size) {
    struct stat status;
    const bool is_whole = size <= PIPE_BUF || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode));
    int error = 0;
    while (size > 0 && error == 0) { /* a writable pipe accepts PIPE_BUF bytes without waiting */
        const size_t count = is_whole || size < PIPE_BUF ? size : PIPE_BUF;
        wait_for(fd);
        error = stream_write_all(fd, text, count);
        text += count;
        size -= count;
    }
    return error;
}

bool stream_write(FILE *stream, const char *text) {
    if (fflush(stream) != 0) return false;
    errno = stream_send(fileno(stream), text, strlen(text));
    return errno == 0;
}

int stream_write_all(int fd, const void *bytes, size_t size) {
    const char *at = bytes, *const end = at + size;
    assert(fd >= 0 && (bytes != NULL || size == 0));
    while (at < end) {
        const ssize_t count = write(fd, at, (size_t)(end - at));
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) at += count;
    }
    return 0;
}
