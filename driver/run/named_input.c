/* How runs get a file with their input.
 *
 * A job writes each input to one file in a folder of its own; only where a run has changed, moved
 * or added an entry, or where that cannot be seen, is the folder made anew. The file stays open,
 * so that no file system writes it to the disk at each closing. Extensions that arguments want are
 * further names of the file.
 *
 * The kernel tells of each opening of the file, by whichever name (inotify). What a run reads or
 * maps it must open first. Times of access would cost less, but many file systems do not keep
 * them. */
#include "named_input.h"

#include "bytes.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define FOLDER "i"
#define NAME "entropy"
#define OF_STDIN "/dev/stdin"

/* ---- Watching ---- */

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

/* ---- Names ---- */

/* Return the length of the extension at this place; 0: there is none. */
static size_t extension_length(const char *at) {
    size_t length = 1;
    if (at[0] != '.' || !isalnum((unsigned char)at[1])) return 0;
    while (isalnum((unsigned char)at[length]) || (at[length] != '\0' && strchr("._-", at[length])))
        length++;
    return length;
}

/* Return a word with each @@ replaced. */
static char *replaced(const char *word, const char *path) {
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    for (const char *at; (at = strstr(word, "@@")) != NULL; word = at + 2)
        fprintf(out, "%.*s%s", (int)(at - word), word, path);
    fputs(word, out);
    return memory_close(out, &text);
}

char **named_argv(char *const *argv, const char *path) {
    char **named = memory_zeroed(text_count(argv) + 1, sizeof *named);
    for (size_t i = 0; argv[i] != NULL; i++) {
        const bool is_named = i > 0 && strstr(argv[i], "@@") != NULL;
        named[i] = is_named ? replaced(argv[i], path) : argv[i];
    }
    return named;
}

int named_links(int folder_fd, const char *name, char *const *argv) {
    char link[NAME_MAX + 1];
    for (size_t i = 1; argv[0] != NULL && argv[i] != NULL; i++) {
        for (const char *at = argv[i]; (at = strstr(at, "@@")) != NULL;) {
            at += 2;
            const int length = (int)extension_length(at);
            if (length == 0) continue;
            if (snprintf(link, sizeof link, "%s%.*s", name, length, at) >= (int)sizeof link)
                return ENAMETOOLONG;
            if (linkat(folder_fd, name, folder_fd, link, 0) != 0 && errno != EEXIST) return errno;
        }
    }
    return 0;
}

/* ---- The file of a job ---- */

static void forget(named_input *n) {
    file_watch_end(&n->watch);
    if (n->fd >= 0) close(n->fd);
    n->fd = -1;
}

/* Make the folder and the file, for this user, and of root for all. Returns 0 or an errno. */
static int make_file(named_input *n) {
    char path[PATH_MAX + sizeof "/" FOLDER];
    const mode_t mode = geteuid() == 0 ? 0644 : 0600;
    const int folder_fd = job_folder_make(n->job, FOLDER);
    if (folder_fd < 0) return errno;
    n->fd = openat(folder_fd, NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    int error = n->fd < 0 ? errno : named_links(folder_fd, NAME, n->asked);
    close(folder_fd);
    snprintf(path, sizeof path, "%s/" FOLDER, n->job->path);
    if (error == 0) n->watch = file_watch_begin(path);
    return error;
}

void named_input_open(named_input *n, const job_folder *job, char *const *argv) {
    char path[PATH_MAX + sizeof "/" FOLDER "/" NAME] = OF_STDIN;
    *n = (named_input){.asked = argv, .fd = -1, .watch = {.fd = -1}};
    if (argv[0] == NULL || !texts_name_input(argv + 1)) return;
    if (job != NULL && job->fd >= 0) n->job = job;
    if (n->job != NULL && make_file(n) != 0) {
        forget(n);
        n->job = NULL;
    }
    if (n->job != NULL) snprintf(path, sizeof path, "%s/" FOLDER "/" NAME, job->path);
    n->argv = named_argv(argv, path);
}

void named_input_close(named_input *n) {
    for (size_t i = 0; n->argv != NULL && n->argv[i] != NULL; i++) {
        if (n->argv[i] != n->asked[i]) free(n->argv[i]);
    }
    free(n->argv);
    n->argv = NULL;
    forget(n);
}

int named_input_write(named_input *n, const uint8_t *bytes, uint64_t size) {
    if (n->job == NULL) return 0;
    file_watch_take(&n->watch); /* of this process */
    if (n->watch.is_changed) forget(n);
    int error = n->fd < 0 ? make_file(n) : 0;
    if (error == 0 && lseek(n->fd, 0, SEEK_SET) != 0) error = errno;
    if (error == 0) error = stream_write_all(n->fd, bytes, size);
    if (error == 0 && UNINTERRUPTED(ftruncate(n->fd, (off_t)size)) != 0) error = errno;
    n->watch.is_changed = false;
    return error;
}
