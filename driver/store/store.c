#include "store.h"

#include "atomic_file.h"
#include "bytes.h"
#include "seed_input.h"

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
    const char *path;
    int fd;
    dev_t device; /* of the folder that is open */
    ino_t inode;
};

/* ---- Making a folder ---- */

/* Sync the parent of a new folder: the folder is on disk once its parent is. */
static void sync_parent(const char *path) {
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    const int parent = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(fd);
    if (parent < 0) return;
    fsync(parent);
    close(parent);
}

/* Make a folder in one that is there. Return 0, also if it is there already, or an errno. */
static int make_folder(const char *path) {
    if (mkdir(path, 0777) != 0) return errno == EEXIST ? 0 : errno;
    sync_parent(path);
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

/* ---- Opening ---- */

/* Open the folder at the path, in place of the one that is open. Return 0 or an errno; *s is as
 * before then. */
static int open_path(store *s) {
    struct stat status;
    const int fd = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno;
    if (fstat(fd, &status) != 0) {
        const int error = errno;
        close(fd);
        return error;
    }
    if (s->fd >= 0) close(s->fd);
    s->fd = fd;
    s->device = status.st_dev;
    s->inode = status.st_ino;
    return 0;
}

store *store_open_there(const char *folder) {
    store *s = malloc(sizeof *s);
    if (s == NULL) return NULL;
    *s = (store){.path = folder, .fd = -1};
    const int error = open_path(s);
    if (error == 0) return s;
    free(s);
    errno = error;
    return NULL;
}

static bool is_finding(const void *context, const char *name) {
    (void)context;
    return store_is_name(name);
}

store *store_open(const char *folder) {
    const int error = make_folders(folder);
    if (error != 0) {
        errno = error;
        return NULL;
    }
    store *s = store_open_there(folder);
    if (s != NULL) atomic_file_tidy(s->fd, is_finding, NULL);
    return s;
}

void store_close(store *s) {
    if (s == NULL) return;
    close(s->fd);
    free(s);
}

int store_fd(const store *s) { return s->fd; }

/* ---- Looking for changes ---- */

int store_look(store *s, store_stamp *seen) {
    struct stat status;
    if (stat(s->path, &status) != 0) return errno;
    if (!S_ISDIR(status.st_mode)) return ENOTDIR;
    *seen = (store_stamp){status.st_dev, status.st_ino, status.st_mtim, status.st_ctim};
    const bool is_open = s->device == status.st_dev && s->inode == status.st_ino;
    return is_open ? 0 : open_path(s);
}

static bool is_same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool store_stamp_is_same_folder(const store_stamp *a, const store_stamp *b) {
    return a->device == b->device && a->inode == b->inode;
}

bool store_stamp_equal(const store_stamp *a, const store_stamp *b) {
    return store_stamp_is_same_folder(a, b) && is_same_time(a->changed, b->changed) &&
           is_same_time(a->status_changed, b->status_changed);
}

/* True if an error may mean that the open folder is gone. ENOTCONN: the process that served it has
 * ended. */
static bool is_gone(int error) { return atomic_file_is_gone(error) || error == ENOTCONN; }

/* True if the open folder is gone, and the one that has come to its path is open now. */
static bool has_returned(store *s, int error) {
    struct stat status;
    if (!is_gone(error)) return false;
    if (fstat(s->fd, &status) == 0 && status.st_nlink > 0) return false;
    return open_path(s) == 0;
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

static void add_word(crypto_generichash_state *state, const char *word) {
    crypto_generichash_update(state, (const uint8_t *)word, strlen(word) + 1);
}

void store_name_apart(const finding *f, char name[STORE_NAME_MAX]) {
    crypto_generichash_state state;
    uint8_t digest[crypto_generichash_BYTES_MIN];
    uint64_t key;
    store_name(f, name);
    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    add_word(&state, name);
    if (f->sut != NULL) add_word(&state, path_base(f->sut));
    for (size_t i = 0; f->args != NULL && f->args[i] != NULL; i++) add_word(&state, f->args[i]);
    crypto_generichash_final(&state, digest, sizeof digest);
    memcpy(&key, digest, sizeof key);
    snprintf(name, STORE_NAME_MAX, "%010" PRIu64 "-%016" PRIx64 ".json", f->input.size, key);
}

int store_write(store *s, const char *name, const char *text, size_t size) {
    const int error = atomic_file_write(s->fd, name, text, size);
    return has_returned(s, error) ? atomic_file_write(s->fd, name, text, size) : error;
}

static int remove_file(const store *s, const char *name) {
    return unlinkat(s->fd, name, 0) != 0 ? errno : 0;
}

int store_remove(store *s, const char *name) {
    int error = remove_file(s, name);
    if (error == ESTALE || has_returned(s, error)) error = remove_file(s, name);
    return error == ENOENT ? 0 : error;
}

/* ---- Reading ---- */

int store_list(store *s, store_names *names) {
    const int error = store_names_read(names, s->fd);
    const bool is_empty = error == 0 && names->count == 0; /* so seems one that was removed */
    const bool is_other = has_returned(s, is_empty ? ENOENT : error);
    return is_other || is_gone(error) ? store_names_read(names, s->fd) : error;
}

/* Return 0 if there is such a file, or a link to nothing; else an errno. */
static int look_for(const store *s, const char *name) {
    struct stat status;
    return fstatat(s->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ? errno : 0;
}

bool store_read(store *s, const char *name, finding *f, const char **why) {
    if (finding_read(s->fd, name, f, why)) return true;
    int failed = errno, error = look_for(s, name);
    if (has_returned(s, error)) {
        if (finding_read(s->fd, name, f, why)) return true;
        failed = errno;
        error = look_for(s, name);
    }
    if (error == ENOENT) *why = NULL;
    errno = error == ENOENT ? ENOENT : failed;
    return false;
}
