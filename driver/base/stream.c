#include "stream.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static sigset_t heeded;
static bool is_heeding;

void stream_heed_signals(const sigset_t *stopping) {
    heeded = *stopping;
    is_heeding = true;
}

static void wait_for(int fd) {
    struct pollfd out = {fd, POLLOUT, 0};
    sigset_t before;
    if (!is_heeding || poll(&out, 1, 0) != 0) return;
    sigprocmask(SIG_UNBLOCK, &heeded, &before);
    while (poll(&out, 1, -1) < 0 && errno == EINTR) {
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void stream_wait(FILE *stream) { wait_for(fileno(stream)); }

bool stream_write(FILE *stream, const char *text) {
    size_t left = strlen(text);
    while (left > 0) { /* a writable pipe accepts PIPE_BUF bytes without waiting */
        const size_t size = left < PIPE_BUF ? left : PIPE_BUF;
        stream_wait(stream);
        if (fwrite(text, 1, size, stream) != size || fflush(stream) != 0) return false;
        text += size;
        left -= size;
    }
    return fflush(stream) == 0;
}

int stream_send(int fd, const char *text, size_t size) {
    int error = 0;
    while (size > 0 && error == 0) {
        const size_t count = size < PIPE_BUF ? size : PIPE_BUF;
        wait_for(fd);
        error = stream_write_all(fd, text, count);
        text += count;
        size -= count;
    }
    return error;
}

int stream_write_counted(int fd, const void *bytes, size_t size, size_t *done) {
    const char *all = bytes;
    assert(fd >= 0 && (bytes != NULL || size == 0));
    *done = 0;
    while (*done < size) {
        const ssize_t count = write(fd, all + *done, size - *done);
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) *done += (size_t)count;
    }
    return 0;
}

int stream_write_all(int fd, const void *bytes, size_t size) {
    size_t done;
    return stream_write_counted(fd, bytes, size, &done);
}
