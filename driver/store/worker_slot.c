#include "worker_slot.h"

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Paths ---- */

__attribute__((format(printf, 1, 2))) static char *print(const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) text = NULL;
    va_end(list);
    return text;
}

bool worker_slot_init(worker_slot *s, const char *findings, const char *name) {
    uint64_t number;
    randombytes_buf(&number, sizeof number);
    *s = (worker_slot){.folder = print("%s/" WORKER_FOLDER, findings),
                       .path = print("%s/" WORKER_FOLDER "/%s" WORKER_SUFFIX, findings, name),
                       .temporary = print("%s/" WORKER_FOLDER "/.%s" WORKER_SUFFIX ".%016" PRIx64,
                                          findings, name, number)};
    return s->folder != NULL && s->path != NULL && s->temporary != NULL;
}

void worker_slot_finish(worker_slot *s) {
    free(s->folder);
    free(s->path);
    free(s->temporary);
}

/* ---- Looking ---- */

bool worker_slot_is_of_another(const worker_slot *s) {
    struct stat status;
    if (s->inode == 0 || lstat(s->path, &status) != 0) return false;
    return status.st_dev != s->device || status.st_ino != s->inode;
}

bool worker_slot_read(const worker_slot *s, worker_file *w, const char **why) {
    struct stat status;
    if (worker_file_read(AT_FDCWD, s->path, w, why)) return true;
    if (lstat(s->path, &status) != 0 && errno == ENOENT) *why = NULL;
    return false;
}

int worker_slot_set_aside(const worker_slot *s, char **to) {
    enum { TRIES = 1000 };
    struct stat status;
    for (int i = 1; i <= TRIES; i++) {
        *to = i == 1 ? print("%s.aside", s->path) : print("%s.aside-%d", s->path, i);
        if (*to == NULL) return ENOMEM;
        if (lstat(*to, &status) != 0) return rename(s->path, *to) == 0 ? 0 : errno;
        free(*to);
    }
    *to = NULL;
    return EEXIST;
}

/* ---- Writing ---- */

/* Write the new version beside. Return 0 or an errno. */
static int write_beside(worker_slot *s, const char *text, struct stat *status) {
    const int fd = open(s->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) return errno;
    int error = stream_write_all(fd, text, strlen(text));
    if (error == 0 && fstat(fd, status) != 0) error = errno;
    if (close(fd) != 0 && error == 0) error = errno;
    return error;
}

static int write_once(worker_slot *s, const char *text) {
    struct stat status;
    int error = write_beside(s, text, &status);
    if (error == 0 && rename(s->temporary, s->path) != 0) error = errno;
    if (error != 0) {
        unlink(s->temporary);
        return error;
    }
    s->device = status.st_dev;
    s->inode = status.st_ino;
    return 0;
}

int worker_slot_write(worker_slot *s, const char *text) {
    int error = write_once(s, text);
    if (error != ENOENT && error != ESTALE) return error;
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) return errno;
    error = write_once(s, text);
    return error;
}
