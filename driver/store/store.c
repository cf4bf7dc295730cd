#include "store.h"

#include "atomic_file.h"
#include "seed_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct store {
    const char *folder;
    int fd;
};

/* True if a file's name has the format of store_name. */
static bool is_finding_name(const char *name) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 27; i++) {
        const bool is_dash = i == 10;
        if (is_dash ? name[i] != '-' : name[i] == '\0' || strchr(digits, name[i]) == NULL) {
            return false;
        }
        if (i < 10 && name[i] > '9') return false;
    }
    return strcmp(name + 27, ".json") == 0 || strcmp(name + 27, "s.json") == 0;
}

/* Sync the folder's parent: a new folder is on disk once its parent is. */
static void sync_parent(int fd) {
    const int parent = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) return;
    fsync(parent);
    close(parent);
}

static bool is_finding(const void *context, const char *name) {
    (void)context;
    return is_finding_name(name);
}

store *store_open_there(const char *folder) {
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return NULL;
    store *s = malloc(sizeof *s);
    if (s == NULL) {
        close(fd);
        return NULL;
    }
    *s = (store){folder, fd};
    return s;
}

store *store_open(const char *folder) {
    const bool made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST) return NULL;
    store *s = store_open_there(folder);
    if (s == NULL) return NULL;
    if (made) sync_parent(s->fd);
    atomic_file_tidy(s->fd, is_finding, NULL);
    return s;
}

void store_close(store *s) {
    if (s == NULL) return;
    close(s->fd);
    free(s);
}

static uint64_t digest_of(const void *bytes, size_t size) {
    uint8_t digest[crypto_generichash_BYTES_MIN];
    uint64_t key;
    crypto_generichash(digest, sizeof digest, bytes, size, NULL, 0);
    memcpy(&key, digest, sizeof key);
    return key;
}

void store_name(const finding *f, char name[STORE_NAME_MAX]) {
    uint64_t key = f->input.seed;
    const bool is_chain = f->bytes == NULL && f->input.prefix.count > 0;
    const bool is_styled = f->bytes == NULL && !is_chain && f->input.style == SEED_STYLED;
    if (f->bytes != NULL) key = digest_of(f->bytes, f->input.size); /* there is no seed */
    if (is_chain) {
        char text[SEED_TEXT_MAX];
        seed_text_format(text, &f->input);
        key = digest_of(text, strlen(text));
    }
    snprintf(name, STORE_NAME_MAX, "%010" PRIu64 "-%016" PRIx64 "%s.json", f->input.size, key,
             is_styled ? "s" : "");
}

int store_save(store *s, const finding *f) {
    char name[STORE_NAME_MAX];
    char *text = finding_to_json(f);
    if (text == NULL) return ENOMEM;
    store_name(f, name);
    const int error = atomic_file_write(s->fd, name, text, strlen(text));
    free(text);
    return error;
}

static int by_input(const void *a, const void *b) {
    const seed_input x = ((const finding *)a)->input, y = ((const finding *)b)->input;
    return seed_input_less(x, y) ? -1 : seed_input_less(y, x) ? 1 : 0;
}

/* Read an entry of the folder, and append it to *list if it is a finding. False when out of
 * memory. */
static bool load_entry(const store *s, const char *name, store_skipped skipped, finding **list,
                       size_t *count) {
    const char *why;
    finding f;
    if (!is_finding_name(name)) return true;
    if (!finding_read(s->fd, name, &f, &why)) {
        skipped(s->folder, name, why);
        return true;
    }
    finding *longer = realloc(*list, (*count + 1) * sizeof **list);
    if (longer == NULL) {
        finding_free(&f);
        return false;
    }
    *list = longer;
    (*list)[(*count)++] = f;
    return true;
}

finding *store_load(store *s, store_skipped skipped, size_t *count) {
    const int fd = openat(s->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && folder == NULL) close(fd);
    finding *list = malloc(sizeof *list);
    bool ok = folder != NULL && list != NULL;
    *count = 0;
    while (ok) {
        errno = 0; /* only errno distinguishes an error from the end of the folder */
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) break;
        ok = load_entry(s, entry->d_name, skipped, &list, count);
    }
    ok = ok && errno == 0;
    const int error = errno;
    if (folder != NULL) closedir(folder);
    if (ok) {
        qsort(list, *count, sizeof *list, by_input);
        return list;
    }
    for (size_t i = 0; i < *count; i++) finding_free(&list[i]);
    free(list);
    errno = error;
    return NULL;
}
