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

void stream_wait(FILE *stream) {
    struct pollfd out = {fileno(stream), POLLOUT, 0};
    sigset_t before;
    if (!is_heeding || poll(&out, 1, 0) != 0) return;
    sigprocmask(SIG_UNBLOCK, &heeded, &before);
    while (poll(&out, 1, -1) < 0 && errno == EINTR) {
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

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

int stream_write_all(int fd, const void *bytes, size_t size) {
    const char *rest = bytes;
    assert(fd >= 0 && (bytes != NULL || size == 0));
    while (size > 0) {
        const ssize_t count = write(fd, rest, size);
        if (count < 0 && errno != EINTR) return errno;
        if (count <= 0) continue;
        rest += count;
        size -= (size_t)count;
    }
    return 0;
}
