/* How a file is watched.
 *
 * The kernel tells of each opening of the file, by whichever name (inotify). What a run reads or
 * maps it must open first. Times of access would cost less, but many file systems do not keep
 * them. */
#include "file_watch.h"

#include <errno.h>
#include <stdalign.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Events that are asked for, and those that come unasked. */
#define OPENED IN_OPEN
#define CHANGED (IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
#define LOST (IN_IGNORED | IN_Q_OVERFLOW | IN_UNMOUNT)

file_watch file_watch_begin(const char *path) {
    file_watch w = {.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    if (w.fd >= 0 && inotify_add_watch(w.fd, path, OPENED | CHANGED) < 0) file_watch_end(&w);
    return w;
}

void file_watch_end(file_watch *w) {
    if (w->fd >= 0) close(w->fd);
    w->fd = -1;
}

reading_state file_watch_take(file_watch *w) {
    alignas(struct inotify_event) char bytes[4096];
    reading_state seen = READING_NONE;
    ssize_t size = -1;
    while (w->fd >= 0 && (size = read(w->fd, bytes, sizeof bytes)) > 0) {
        for (const char *at = bytes; at < bytes + size;) {
            const struct inotify_event *e = (const void *)at;
            const bool is_file = (e->mask & IN_ISDIR) == 0;
            if (is_file && (e->mask & (OPENED | LOST)) != 0) seen = READING_SEEN;
            w->is_changed |= (e->mask & (CHANGED | LOST)) != 0;
            at += sizeof *e + e->len;
        }
    }
    if (w->fd >= 0 && size < 0 && errno == EAGAIN) return seen;
    w->is_changed = true;
    return READING_UNKNOWN;
}
