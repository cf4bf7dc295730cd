/* A folder of findings, which others write, too.
 *
 * It is held open, so that a rename of it or of a folder above makes no difference while writing.
 * Each look at its path may find that it went away, on NFS with ESTALE, or that another folder has
 * come to its place, which is opened then. In between a call may fail: its caller tries again
 * later. Files are written by atomic_file. Nobody locks anything: a name says what the finding is,
 * so two writers of one name write the same. */
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
    enum { ROOM_FIRST = 64 };
    if (names->count == names->room) {
        const size_t room = names->room > 0 ? 2 * names->room : ROOM_FIRST;
        void *longer = reallocarray(names->list, room, sizeof *names->list);
        if (longer == NULL) return false;
        names->list = longer;
        names->room = room;
    }
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

/* List the names of the findings in an open folder, by readdir alone. Return 0 or an errno. */
static int list_names(store_names *names, int folder_fd) {
    *names = (store_names){.list = NULL};
    const int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    int error = 0;
    if (folder == NULL) {
        error = errno;
        if (fd >= 0) close(fd);
        return error;
    }
    while (error == 0) {
        errno = 0; /* only errno distinguishes an error from the end of the folder */
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) break;
        if (store_is_name(entry->d_name) && !append(names, entry->d_name)) error = ENOMEM;
    }
    if (error == 0) error = errno;
    closedir(folder);
    if (error == 0 && names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_name);
    if (error != 0) store_names_free(names);
    return error;
}

/* ---- A folder ---- */

struct store {
    const char *path;
    int fd;
    dev_t device; /* of the folder that is open */
    ino_t inode;
};

/* ---- Making a folder ---- */

/* Sync the parent of a folder that may be new: the folder is on disk once its parent is. */
static void sync_parent(int fd) {
    const int parent = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) return;
    fsync(parent);
    close(parent);
}

/* Make a folder in one that is there. Return 0, also if it is there already, or an errno. */
static int make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return errno;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return 0; /* opening it says why */
    sync_parent(fd); /* also if another process made it, which may have been killed before this */
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
    if (s->fd >= 0) {
        close(s->fd);
        sync_parent(fd);
    }
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

/* After an error which may mean that the open folder is gone, let the next look open the one at the
 * path, even if that seems to be the same. ENOTCONN: the process that served it has ended. */
static int note(store *s, int error) {
    if (atomic_file_is_gone(error) || error == ENOTCONN) s->inode = 0;
    return error;
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
    return note(s, atomic_file_write(s->fd, name, text, size));
}

int store_remove(store *s, const char *name) {
    int error = unlinkat(s->fd, name, 0) != 0 ? errno : 0;
    if (error == ESTALE && unlinkat(s->fd, name, 0) == 0) error = 0;
    return error == ENOENT ? 0 : note(s, error);
}

/* ---- Reading ---- */

int store_list(store *s, store_names *names) {
    const int error = list_names(names, s->fd);
    return error == ESTALE ? note(s, list_names(names, s->fd)) : note(s, error);
}

bool store_read(store *s, const char *name, finding *f, const char **why) {
    struct stat status; /* of a link to nothing, too */
    if (finding_read(s->fd, name, f, why)) return true;
    const int failed = errno;
    const bool is_there = fstatat(s->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!is_there && errno == ENOENT) *why = NULL;
    errno = *why == NULL ? ENOENT : failed;
    if (!is_there) note(s, errno);
    return false;
}
