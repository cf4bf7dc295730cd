#include "feed.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int feed_open(feed *f, const uint8_t *bytes, uint64_t size, int *reader) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *f = (feed){ends[1], bytes, size};
    *reader = ends[0];
    return 0;
}

void feed_write(feed *f) {
    while (f->left > 0) {
        const ssize_t count = write(f->fd, f->bytes, f->left);
        if (count < 0 && errno == EAGAIN) return;
        if (count < 0 && errno != EINTR) break;
        if (count <= 0) continue;
        f->bytes += count;
        f->left -= (uint64_t)count;
    }
    feed_close(f);
}

void feed_close(feed *f) {
    if (f->fd >= 0) close(f->fd);
    f->fd = -1;
}
