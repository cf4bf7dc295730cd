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

static void read_worker(fleet *f, const char *folder, int fd, const char *file,
                        store_skipped skipped, void *context) {
    fleet_worker w = {.folder = folder};
    const char *why;
    if (!name_of(file, w.name)) return;
    if (worker_file_read(fd, file, &w.file, &w.modified_ns, &why)) {
        fleet_add(f, &w);
    } else if (!is_gone(fd, file)) {
        skipped(context, file, why);
    }
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

/* The files of a folder that are named as those of workers are. */
typedef struct name_list {
    char **list;
    size_t count, room;
} name_list;

static void free_names(name_list *names) {
    for (size_t i = 0; i < names->count; i++) free(names->list[i]);
    free(names->list);
}

/* Add a name. Return 0 or an errno. */
static int add_name(name_list *names, const char *name) {
    if (names->count == names->room) {
        const size_t room = names->room > 0 ? 2 * names->room : 64;
        char **list = reallocarray(names->list, room, sizeof *list);
        if (list == NULL) return ENOMEM;
        names->list = list;
        names->room = room;
    }
    names->list[names->count] = strdup(name);
    return names->list[names->count] != NULL ? (names->count++, 0) : ENOMEM;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* List the files in their order. Return 0 or an errno. */
static int list_names(DIR *workers, name_list *names) {
    char name[WORKER_NAME_MAX + 1];
    int error = 0;
    while (error == 0) {
        errno = 0; /* only errno distinguishes an error from the end of the folder */
        const struct dirent *entry = readdir(workers);
        if (entry == NULL) return errno;
        if (name_of(entry->d_name, name)) error = add_name(names, entry->d_name);
    }
    return error;
}

int fleet_folder_read_workers(fleet *f, const char *folder, store_skipped skipped, void *context) {
    DIR *workers = open_workers(folder);
    name_list names = {.list = NULL};
    if (workers == NULL) return errno == ENOENT ? 0 : errno;
    const int error = list_names(workers, &names);
    if (names.count > 0) qsort(names.list, names.count, sizeof *names.list, by_name);
    for (size_t i = 0; i < names.count; i++) {
        read_worker(f, folder, dirfd(workers), names.list[i], skipped, context);
    }
    free_names(&names);
    closedir(workers);
    return error;
}
