#include "fleet_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Write the name of the worker whose file this is. False if it is no such file. */
static bool name_of(const char *file, char name[WORKER_NAME_MAX + 1]) {
    const size_t length = strlen(file), suffix = strlen(WORKER_SUFFIX);
    if (file[0] == '.' || length <= suffix || length - suffix > WORKER_NAME_MAX) return false;
    if (strcmp(file + length - suffix, WORKER_SUFFIX) != 0) return false;
    snprintf(name, WORKER_NAME_MAX + 1, "%.*s", (int)(length - suffix), file);
    return true;
}

static bool is_gone(int fd, const char *file) {
    struct stat status;
    return fstatat(fd, file, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

/* Read a worker into *w, whose folder is known. Return NULL, or the reason why the file is
 * skipped, "" if it is none of a worker or gone. */
static const char *read_worker(int fd, const char *file, fleet_worker *w) {
    const char *why;
    if (!name_of(file, w->name)) return "";
    if (worker_file_read(fd, file, &w->file, &why)) return NULL;
    return is_gone(fd, file) ? "" : why;
}

/* Open the folder of the workers. Return NULL with errno. */
static DIR *open_workers(const char *folder) {
    char *path;
    if (asprintf(&path, "%s/" WORKER_FOLDER, folder) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(path);
    DIR *workers = fd >= 0 ? fdopendir(fd) : NULL;
    const int error = errno;
    if (fd >= 0 && workers == NULL) close(fd);
    errno = error;
    return workers;
}

int fleet_folder_read_workers(fleet *f, const char *folder, store_skipped skipped) {
    DIR *workers = open_workers(folder);
    const struct dirent *entry;
    if (workers == NULL) return errno == ENOENT ? 0 : errno;
    while (errno = 0, (entry = readdir(workers)) != NULL) {
        fleet_worker w = {.folder = folder};
        const char *why = read_worker(dirfd(workers), entry->d_name, &w);
        if (why == NULL) {
            fleet_add(f, &w);
        } else if (why[0] != '\0') {
            skipped.take(skipped.context, entry->d_name, why);
        }
    }
    const int error = errno; /* 0 at the end of the folder */
    closedir(workers);
    return error;
}
