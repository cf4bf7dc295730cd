/* A folder of findings, which others write, too.
 *
 * Each call goes by the path: whatever folder is there now is used, so that one which went away and
 * came back, or another one in its place, needs no care here; but what depends on an earlier look
 * is done only in the folder that was seen. A call may fail meanwhile: it is tried again later.
 * Files are written by atomic_file, without a lock: a name says what the finding is, so two writers
 * of one name write the same. */
#include "store.h"

#include "atomic_file.h"
#include "bytes.h"
#include "seed_input.h"

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

/* ---- Names ---- */

enum { SIZE_DIGITS = 10, SEED_DIGITS = 16, STEM_LENGTH = SIZE_DIGITS + 1 + SEED_DIGITS };

bool store_is_name(const char *name) {
    if (strspn(name, "0123456789") != SIZE_DIGITS || name[SIZE_DIGITS] != '-') return false;
    if (strspn(name + SIZE_DIGITS + 1, "0123456789abcdef") != SEED_DIGITS) return false;
    return strcmp(name + STEM_LENGTH, ".json") == 0 || strcmp(name + STEM_LENGTH, "s.json") == 0;
}

uint64_t store_name_size(const char *name) { return strtoull(name, NULL, 10); }

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

/* Add a name behind all others. False when out of memory. */
static bool append(store_names *names, const char *name) {
    void *list = with_room(names->list, names->count, sizeof *names->list);
    if (list == NULL) return false;
    names->list = list;
    strcpy(names->list[names->count++], name);
    return true;
}

void store_names_free(store_names *names) {
    free(names->list);
    *names = (store_names){.list = NULL};
}

bool store_names_has(const store_names *names, const char *name) {
    return names->count > 0 &&
           bsearch(name, names->list, names->count, sizeof *names->list, by_name) != NULL;
}

bool store_names_add(store_names *names, const char *name) {
    char added[STORE_NAME_MAX];
    if (store_names_has(names, name)) return true;
    if (!append(names, name)) return false;
    size_t i = names->count - 1;
    memcpy(added, names->list[i], sizeof added);
    for (; i > 0 && strcmp(names->list[i - 1], added) > 0; i--)
        memcpy(names->list[i], names->list[i - 1], STORE_NAME_MAX);
    memcpy(names->list[i], added, STORE_NAME_MAX);
    return true;
}

/* ---- Making a folder ---- */

static int open_folder(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

/* Make a folder in one that is there. Return 0, also if it is there already, or an errno. The name
 * is on disk then, also if another process made the folder, which may have been killed. */
static int make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return errno;
    const int fd = open_folder(path);
    if (fd < 0) return errno;
    const int above = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (above >= 0) {
        fsync(above);
        close(above);
    }
    close(fd);
    return 0;
}

/* Return the path of the folder above, which the caller frees. NULL if the path has one name. */
static char *path_above(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    return length > 0 ? strndup(path, length) : NULL;
}

/* Make a folder, and those above it if they are missing. Return 0 or an errno. */
static int make_folders(const char *path) {
    int error = make_folder(path);
    char *above = error == ENOENT ? path_above(path) : NULL;
    if (above == NULL) return error;
    error = make_folders(above);
    free(above);
    return error == 0 ? make_folder(path) : error;
}

static bool is_finding(const void *context, const char *name) {
    (void)context;
    return store_is_name(name);
}

int store_make(const char *folder) {
    int error = make_folders(folder);
    const int fd = error == 0 ? open_folder(folder) : -1;
    if (error == 0 && fd < 0) error = errno;
    if (fd < 0) return error;
    atomic_file_tidy(fd, is_finding, NULL);
    close(fd);
    return 0;
}

/* ---- Looking for changes ---- */

int store_look(const char *folder, file_stamp *seen) {
    *seen = file_stamp_of(folder);
    return file_stamp_is_known(seen) ? 0 : errno;
}

/* ---- Writing ---- */

static uint64_t digest_of(const void *bytes, size_t size) {
    uint8_t digest[crypto_generichash_BYTES_MIN];
    uint64_t key;
    crypto_generichash(digest, sizeof digest, bytes, size, NULL, 0);
    memcpy(&key, digest, sizeof key);
    return key;
}

void store_name(const finding *f, char name[STORE_NAME_MAX]) {
    uint64_t key = f->input.seed;
    const bool is_styled = f->bytes == NULL && f->input.style == SEED_STYLED;
    if (f->bytes != NULL) key = digest_of(f->bytes, f->input.size); /* there is no seed */
    snprintf(name, STORE_NAME_MAX, "%010" PRIu64 "-%016" PRIx64 "%s.json", f->input.size, key,
             is_styled ? "s" : "");
}

static void mix(uint64_t *key, const char *word) {
    const uint64_t both[] = {*key, digest_of(word, strlen(word))};
    *key = digest_of(both, sizeof both);
}

void store_name_apart(const char *sut, const char *const *args, char name[STORE_NAME_MAX]) {
    uint64_t key = 0;
    mix(&key, name);
    mix(&key, path_base(sut));
    for (size_t i = 0; args[i] != NULL; i++) mix(&key, args[i]);
    snprintf(name, STORE_NAME_MAX, "%010" PRIu64 "-%016" PRIx64 ".json", store_name_size(name),
             key);
}

/* Open the folder that a stamp is of, if it is still at the path. Return -1 with errno if not. */
static int open_same(const char *folder, const file_stamp *of) {
    struct stat status;
    const int fd = open_folder(folder);
    if (fd < 0 || of == NULL) return fd;
    if (fstat(fd, &status) == 0 && status.st_dev == of->device && status.st_ino == of->inode)
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

int store_write(const char *folder, const file_stamp *of, const char *name, const char *text,
                size_t size) {
    const int fd = open_same(folder, of);
    if (fd < 0) return errno;
    const int error = text != NULL ? atomic_file_write(fd, name, text, size) : atomic_file_sync(fd);
    close(fd);
    return error;
}

void store_remove(const char *folder, const file_stamp *of, const char *name) {
    const int fd = open_same(folder, of);
    if (fd < 0) return;
    unlinkat(fd, name, 0);
    close(fd);
}

/* ---- Reading ---- */

int store_list(const char *folder, store_names *names) {
    const int fd = open_folder(folder);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    int error = 0;
    *names = (store_names){.list = NULL};
    if (entries == NULL) {
        error = errno;
        if (fd >= 0) close(fd);
        return error;
    }
    while (error == 0 && (errno = 0, entry = readdir(entries)) != NULL) {
        if (store_is_name(entry->d_name) && !append(names, entry->d_name)) error = ENOMEM;
    }
    if (error == 0) error = errno; /* 0 at the end of the folder */
    closedir(entries);
    if (error == 0 && names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_name);
    if (error != 0) store_names_free(names);
    return error;
}

bool store_read(const char *folder, const char *name, finding *f, const char **why) {
    struct stat status; /* of a link to nothing, too */
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) path = NULL;
    *why = "out of memory";
    errno = ENOMEM;
    const bool ok = path != NULL && finding_read(AT_FDCWD, path, f, why);
    if (!ok && errno == ENOENT && lstat(path, &status) != 0) *why = NULL;
    if (!ok && *why == NULL) errno = ENOENT;
    free(path);
    return ok;
}
