#include "store_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A name ---- */

enum { SIZE_DIGITS = 10, SEED_DIGITS = 16, STEM_LENGTH = SIZE_DIGITS + 1 + SEED_DIGITS };

bool store_is_name(const char *name) {
    if (strspn(name, "0123456789") != SIZE_DIGITS || name[SIZE_DIGITS] != '-') return false;
    if (strspn(name + SIZE_DIGITS + 1, "0123456789abcdef") != SEED_DIGITS) return false;
    return strcmp(name + STEM_LENGTH, ".json") == 0 || strcmp(name + STEM_LENGTH, "s.json") == 0;
}

uint64_t store_name_size(const char *name) { return strtoull(name, NULL, 10); }

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

/* ---- Names of a folder ---- */

/* A list that grows. */
typedef struct growing {
    store_names *names;
    size_t room;
} growing;

/* False when out of memory. */
static bool add(growing *g, const char *name) {
    enum { ROOM_INITIAL = 64 };
    store_names *names = g->names;
    if (names->count == g->room) {
        const size_t room = g->room > 0 ? 2 * g->room : ROOM_INITIAL;
        void *longer = realloc(names->list, room * sizeof *names->list);
        if (longer == NULL) return false;
        names->list = longer;
        g->room = room;
    }
    strcpy(names->list[names->count++], name);
    return true;
}

/* Add the names of findings. Return 0 or an errno. */
static int add_all(growing *g, DIR *folder) {
    while (true) {
        errno = 0; /* only errno distinguishes an error from the end of the folder */
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) return errno;
        if (store_is_name(entry->d_name) && !add(g, entry->d_name)) return ENOMEM;
    }
}

int store_names_read(store_names *names, int folder_fd) {
    *names = (store_names){.list = NULL};
    const int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno;
    DIR *folder = fdopendir(fd);
    if (folder == NULL) {
        const int error = errno;
        close(fd);
        return error;
    }
    growing g = {names, 0};
    const int error = add_all(&g, folder);
    closedir(folder);
    if (error == 0 && names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_name);
    if (error != 0) store_names_free(names);
    return error;
}

void store_names_free(store_names *names) {
    free(names->list);
    *names = (store_names){.list = NULL};
}

size_t store_names_find(const store_names *names, const char *name) {
    size_t low = 0, high = names->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(names->list[middle], name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
