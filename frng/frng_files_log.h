/* frng_files_log.h: what was done to the files of frng_files.h, and what a power failure leaves.
 *
 * A file or folder is known by its inode, so names, descriptors and mappings are free to come and
 * go. `bytes` and `frng__files.names` are the disk as of the last recovery; the log has all that
 * was done since then, in order: writes, cut where pages end, with their data; sizes; names. To
 * recover is to mark operations as lost, to play the others over the disk, and to make the folder
 * anew from it. A sync marks as safe what it promises under the model; what must not be lost
 * though no sync has promised it is asked of frng__files_may_lose.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_FILES_LOG_H
#define FRNG_FILES_LOG_H
#include "frng_calls.h"
#include "frng_more.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

FRNG__WRAPS

typedef enum frng_files_model {
    FRNG_FILES_ORDERED,
    FRNG_FILES_EXT4,
    FRNG_FILES_POSIX
} frng_files_model;

typedef enum frng__files_kind {
    FRNG__WRITE,
    FRNG__SIZE,
    FRNG__CREATE,
    FRNG__MKDIR,
    FRNG__LINK,
    FRNG__UNLINK,
    FRNG__RMDIR,
    FRNG__RENAME,
    FRNG__FORCE, /* the data so far is written out before the journal goes on */
    FRNG__SYNC
} frng__files_kind;

typedef struct frng__file {
    ino_t inode; /* 0: it is gone */
    mode_t mode;
    bool is_folder, was_emptied; /* cut to 0 and not closed since then */
    size_t size;                 /* by the log */
    uint8_t *bytes;              /* on the disk */
    size_t count, view_size;
    uint8_t *view, *seen; /* of one that is mapped: as it is, and as it was at the last call */
    const char *path;     /* the newest one */
} frng__file;

typedef struct frng__name {
    size_t folder, file;
    const char *path; /* of frng__files.texts: equal ones are one */
} frng__name;

typedef struct frng__op {
    frng__files_kind kind;
    bool is_safe, is_lost, grows; /* of a rename: replaces a file */
    size_t call, file, at, size;  /* of FRNG__SIZE: the new size, and the one before */
    uint8_t *bytes;               /* of a write */
    const char *word, *path;      /* for the story */
    frng__name from, to;          /* of names; to.path is NULL but for links and renames */
} frng__op;

typedef struct frng__mapping { /* of the library's; it may be gone */
    uint8_t *at;
    size_t size, offset, file;
} frng__mapping;

#ifndef O_CLOEXEC
#error "include frng_files.h before other headers, or compile with -D_GNU_SOURCE"
#endif
enum { FRNG__AT_NOFOLLOW = 0x100, FRNG__AT_REMOVEDIR = 0x200 };

/* The system call itself, past all definitions of its name. */
typedef long (*frng__kernel_call)(long number, ...);
static frng__kernel_call frng__kernel(void) { return FRNG__NEXT(long, syscall, long, ...); }
#define FRNG__DO(name, ...) frng__kernel()((long)SYS_##name, __VA_ARGS__)

enum { FRNG__PAGE = 4096, FRNG__SECTOR = 512 };
#define FRNG__NO_FILE SIZE_MAX

typedef struct frng__files_state {
    char root[64];
    frng *f;                              /* or NULL: nobody listens */
    const char *thread, *refused, *owner; /* owner: the thread that has locked the log */
    frng_files_model model;
    dev_t device;
    int lock, process;
    bool is_active, is_off, is_new;           /* is_new: a call begins, which has no number yet */
    size_t until_off, calls, told, temporary; /* until_off: calls to come, 0: never */
    frng__file *files;                        /* the first is the folder */
    frng__name *names;
    frng__op *ops;
    frng__mapping *mappings;
    char **texts;
    size_t file_count, name_count, op_count, mapping_count, text_count;
} frng__files_state;

static frng__files_state frng__files;
static __thread char frng__files_thread; /* its address tells threads apart */

/* Room for one more of `count` elements, which double at powers of 2. */
#define FRNG__GROW(type, array, count)                                                             \
    do {                                                                                           \
        const size_t room_ = (count) == 0 ? 1 : 2 * (count);                                       \
        if (((count) & ((count)-1)) == 0)                                                          \
            (array) = (type *)frng__files_room((array), room_ * sizeof(type));                     \
    } while (0)

static void *frng__files_room(void *array, size_t size) {
    void *const grown = realloc(array, size > 0 ? size : 1);
    FRNG_ASSERT(grown != NULL, "out of memory for a log of files");
    return grown;
}

static const char *frng__files_text(const char *text) {
    for (size_t i = 0; i < frng__files.text_count; i++)
        if (strcmp(frng__files.texts[i], text) == 0) return frng__files.texts[i];
    FRNG__GROW(char *, frng__files.texts, frng__files.text_count);
    char *const copy = (char *)frng__files_room(NULL, strlen(text) + 1);
    return frng__files.texts[frng__files.text_count++] = strcpy(copy, text);
}

/* ---- Files ---- */

/* The path of a name in a folder. */
static const char *frng__files_path(size_t folder, const char *name) {
    char path[PATH_MAX];
    const char *const parent = frng__files.files[folder].path;
    snprintf(path, sizeof path, "%s%s%s", parent, parent[0] != 0 ? "/" : "", name);
    return frng__files_text(path);
}

static size_t frng__files_find(const struct stat *st) {
    for (size_t i = frng__files.file_count; i-- > 0 && st->st_dev == frng__files.device;)
        if (frng__files.files[i].inode == st->st_ino) {
            frng__files.files[i].mode = st->st_mode;
            return i;
        }
    return FRNG__NO_FILE;
}

static size_t frng__files_new(const struct stat *st) {
    FRNG__GROW(frng__file, frng__files.files, frng__files.file_count);
    frng__file *file = &frng__files.files[frng__files.file_count];
    memset(file, 0, sizeof *file);
    file->inode = st->st_ino, file->mode = st->st_mode, file->is_folder = S_ISDIR(st->st_mode);
    file->path = "";
    return frng__files.file_count++;
}

/* ---- The story ---- */

/* Describe operation `i` and those of the same write that follow. Return the next one. */
static size_t frng__files_describe(size_t i, char *line, size_t room) {
    const frng__op *const o = &frng__files.ops[i], *const end =
                                                       frng__files.ops + frng__files.op_count;
    const frng__op *next = o + 1;
    size_t size = o->size;
    for (; o->kind == FRNG__WRITE && next < end && next->kind == FRNG__WRITE; size += next++->size)
        if (next->call != o->call || next->file != o->file || next->at != o->at + size ||
            next->is_lost != o->is_lost)
            break;
    const int used = snprintf(line, room, "#%zu %s ", o->call, o->word);
    line += used, room -= (size_t)used;
    if (o->kind == FRNG__WRITE)
        snprintf(line, room, "%zu bytes at %zu of %s", size, o->at, o->path);
    else if (o->kind == FRNG__SIZE)
        snprintf(line, room, "%s to %zu", o->path, o->at);
    else
        snprintf(line, room, "%s%s%s", o->path, o->to.path != NULL ? " -> " : "",
                 o->to.path != NULL ? o->to.path : "");
    return (size_t)(next - frng__files.ops);
}

/* Tell the trace what is new in the log. Other threads leave that to the test's own. */
static void frng__files_tell(void) {
    char line[300];
    if (frng__files.thread != &frng__files_thread) return;
    const bool is_heard = frng__files.f != NULL && frng_listens(frng__files.f);
    while (is_heard && frng__files.told < frng__files.op_count) {
        const bool is_told = frng__files.ops[frng__files.told].kind != FRNG__FORCE;
        frng__files.told = frng__files_describe(frng__files.told, line, sizeof line);
        if (is_told) frng_say(frng__files.f, "%s", line);
    }
    frng__files.told = frng__files.op_count;
}

/* ---- The log ---- */

static frng__op *frng__files_log(frng__files_kind kind, size_t file, const char *word) {
    FRNG__GROW(frng__op, frng__files.ops, frng__files.op_count);
    frng__op *o = &frng__files.ops[frng__files.op_count++];
    memset(o, 0, sizeof *o);
    if (frng__files.is_new && kind != FRNG__FORCE) frng__files.calls++, frng__files.is_new = false;
    o->kind = kind, o->file = file, o->call = frng__files.calls, o->word = word;
    o->path = file == FRNG__NO_FILE ? "everything" : frng__files.files[file].path;
    if (file == 0) o->path = "the folder";
    return o;
}

/* Log a name, and for a link or rename another one, `to`. */
static void frng__files_log_name(frng__files_kind kind, size_t file, frng__name from, frng__name to,
                                 bool replaces) {
    static const char *const words[] = {"create", "mkdir", "link", "unlink", "rmdir", "rename"};
    frng__op *const o = frng__files_log(kind, file, words[kind - FRNG__CREATE]);
    o->from = from, o->to = to, o->grows = replaces;
    o->from.file = o->to.file = file, o->path = from.path;
    frng__files.files[file].path = to.path != NULL ? to.path : from.path;
}

/* Return the bytes to map for a file of this size: twice as many, so that the view seldom moves. */
static size_t frng__files_view_size(size_t size) {
    return 2 * (size / FRNG__PAGE + 1) * FRNG__PAGE;
}

/* See `size` bytes of a file that is mapped; what is new is zeros. */
static void frng__files_see(frng__file *n, size_t size) {
    const size_t wanted = frng__files_view_size(size);
    if (n->seen == NULL) return;
    if (size > n->view_size) {
        void *const view = (void *)FRNG__DO(mremap, n->view, n->view_size, wanted, 1L /* moves */);
        n->seen = (uint8_t *)frng__files_room(n->seen, wanted);
        n->view = (uint8_t *)view, n->view_size = wanted;
        FRNG_ASSERT(view != (void *)-1, "no room to see a file: %s", strerror(errno));
    }
    if (size < n->size) memset(n->seen + size, 0, n->size - size);
    if (size > n->size) memset(n->seen + n->size, 0, size - n->size);
}

/* Log bytes that a file has now. */
static void frng__files_log_write(size_t file, const uint8_t *bytes, size_t at, size_t size,
                                  const char *word) {
    const size_t unit = frng__files.model == FRNG_FILES_POSIX ? FRNG__SECTOR : FRNG__PAGE;
    frng__file *const n = &frng__files.files[file];
    if (at + size > n->size) frng__files_see(n, at + size);
    if (n->seen != NULL) memcpy(n->seen + at, bytes, size);
    while (size > 0) {
        const size_t rest = unit - at % unit, part = rest < size ? rest : size;
        frng__op *o = frng__files_log(FRNG__WRITE, file, word);
        o->at = at, o->size = part;
        o->bytes = (uint8_t *)memcpy(frng__files_room(NULL, part), bytes, part);
        o->grows = at + part > n->size;
        if (o->grows) n->size = at + part;
        at += part, bytes += part, size -= part;
    }
}

static void frng__files_log_size(size_t file, size_t size) {
    frng__file *const n = &frng__files.files[file];
    if (size == n->size) return;
    frng__op *o = frng__files_log(FRNG__SIZE, file, size > n->size ? "extend" : "truncate");
    o->at = size, o->size = n->size, o->grows = size > n->size;
    if (size == 0) n->was_emptied = true;
    frng__files_see(n, size);
    n->size = size;
}

/* Log what was stored through mappings since the last call: of each page from the first byte that
 * differs to the last. */
static void frng__files_log_stores(void) {
    bool is_first = true;
    for (size_t i = 0; i < frng__files.file_count && !frng__files.is_off; i++) {
        const frng__file *n = &frng__files.files[i];
        for (size_t page = 0; n->seen != NULL && page < n->size; page += FRNG__PAGE) {
            size_t at = page, end = n->size - page < FRNG__PAGE ? n->size : page + FRNG__PAGE;
            if (memcmp(n->view + page, n->seen + page, end - page) == 0) continue;
            while (end - at > 64 && memcmp(n->view + at, n->seen + at, 64) == 0) at += 64;
            while (end - at > 64 && memcmp(n->view + end - 64, n->seen + end - 64, 64) == 0)
                end -= 64;
            while (n->view[at] == n->seen[at]) at++;
            while (n->view[end - 1] == n->seen[end - 1]) end--;
            frng__files.is_new |= is_first, is_first = false;
            frng__files_log_write(i, n->view + at, at, end - at, "store");
        }
    }
}

/* ---- What a sync promises, and what a failure of the power may take ---- */

static bool frng__files_is_data(const frng__op *o) {
    return o->kind == FRNG__WRITE ||
           (o->kind == FRNG__SIZE && frng__files.model == FRNG_FILES_POSIX);
}
static bool frng__files_is_name(const frng__op *o) { return o->from.path != NULL; }

/* True if a sync of `file` makes the journal safe, as there is something of this file in it. */
static bool frng__files_commits(const frng__op *o, size_t file, bool only_data) {
    if (file == FRNG__NO_FILE) return true;
    if (frng__files_is_name(o) && frng__files.files[file].is_folder)
        return o->from.folder == file || (o->to.path != NULL && o->to.folder == file);
    if (o->file != file || o->kind == FRNG__SYNC || o->kind == FRNG__FORCE) return false;
    return o->kind != FRNG__WRITE || o->grows || !only_data;
}

/* A sync of the bytes `from` to `end` of a file, or of everything. */
static void frng__files_sync(size_t file, bool only_data, size_t from, size_t end,
                             const char *word) {
    bool commits = frng__files.model == FRNG_FILES_ORDERED || file == FRNG__NO_FILE;
    for (size_t i = 0; i < frng__files.op_count; i++) {
        frng__op *o = &frng__files.ops[i];
        if (o->is_safe) continue;
        const bool is_of = frng__files_commits(o, file, only_data);
        if (frng__files.model == FRNG_FILES_POSIX && frng__files_is_name(o))
            o->is_safe = file == FRNG__NO_FILE || (is_of && frng__files.files[file].is_folder);
        else if (frng__files_is_data(o) && (file == FRNG__NO_FILE || o->file == file))
            o->is_safe = o->kind != FRNG__WRITE || (o->at < end && o->at + o->size > from);
        commits = commits || (is_of && (o->is_safe || o->kind != FRNG__WRITE));
    }
    for (size_t i = 0; i < frng__files.op_count && commits; i++) {
        frng__op *o = &frng__files.ops[i];
        if (frng__files.model == FRNG_FILES_ORDERED) o->is_safe = true;
        if (frng__files.model == FRNG_FILES_EXT4 && !frng__files_is_data(o)) o->is_safe = true;
    }
    frng__files_log(FRNG__SYNC, file, word)->is_safe = true;
}

/* On ext4, a rename over a file, and closing one that was cut to 0, write its data first; to cut
 * within a page writes that page in order, too. */
static bool frng__files_is_forced(size_t i) {
    const frng__op *const o = &frng__files.ops[i];
    for (size_t k = i + 1; k < frng__files.op_count; k++) {
        const frng__op *p = &frng__files.ops[k];
        if (p->is_lost || p->file != o->file) continue;
        if (p->kind == FRNG__FORCE || (p->kind == FRNG__RENAME && p->grows)) return true;
        if (p->kind == FRNG__SIZE && !p->grows && p->at % FRNG__PAGE != 0 &&
            p->at / FRNG__PAGE == o->at / FRNG__PAGE)
            return true;
    }
    return false;
}

static bool frng__files_may_lose(size_t i) {
    const frng__op *const o = &frng__files.ops[i];
    if (o->is_safe || o->is_lost || o->kind >= FRNG__FORCE) return false;
    return frng__files.model != FRNG_FILES_EXT4 || o->kind != FRNG__WRITE ||
           !frng__files_is_forced(i);
}

/* Is a write lost because an operation before it is? On ext4 the journal has the size that an
 * append gives its file, and a late append ends the file. */
static bool frng__files_follows(const frng__op *lost, const frng__op *later) {
    const bool is_same = lost->file == later->file;
    const size_t end = later->at + later->size;
    if (lost->kind == FRNG__WRITE) return is_same && lost->grows && end > lost->at;
    return later->grows || (is_same && lost->kind == FRNG__SIZE &&
                            end > (lost->at < lost->size ? lost->at : lost->size));
}

/* Lose an operation, and what cannot be there without it: later writes of the same page, or of the
 * whole file; on ext4, what is later in the journal. */
static void frng__files_lose(size_t i, bool whole_file) {
    const size_t unit = frng__files.model == FRNG_FILES_POSIX ? FRNG__SECTOR : FRNG__PAGE;
    const bool is_ext4 = frng__files.model == FRNG_FILES_EXT4;
    frng__op *const ops = frng__files.ops, *const first = &ops[i];
    first->is_lost = true;
    for (size_t k = i + 1; k < frng__files.op_count && is_ext4 && !frng__files_is_data(first); k++)
        ops[k].is_lost = ops[k].is_lost || (!ops[k].is_safe && !frng__files_is_data(&ops[k]));
    for (size_t k = i + 1; k < frng__files.op_count; k++) {
        const bool are_writes = first->kind == FRNG__WRITE && ops[k].kind == FRNG__WRITE;
        bool goes = frng__files_is_data(first) && frng__files_is_data(&ops[k]) &&
                    ops[k].file == first->file &&
                    (whole_file || (are_writes && ops[k].at / unit == first->at / unit));
        for (size_t n = i; n < k && is_ext4 && !goes && ops[k].kind == FRNG__WRITE; n++)
            goes = ops[n].is_lost && frng__files_follows(&ops[n], &ops[k]);
        if (goes && frng__files_may_lose(k)) ops[k].is_lost = true;
    }
}

/* What one call appends is there as a whole or not at all, unless FRNG_FILES_TEAR is defined. */
#ifdef FRNG_FILES_TEAR
static bool frng__files_tears = true;
#else
static bool frng__files_tears = false;
#endif
static bool frng__files_is_same_call(const frng__op *a, const frng__op *b) {
    return frng__files_tears ? a == b : a->call == b->call && a->file == b->file;
}

static void frng__files_lose_whole_appends(void) {
    const frng__op *const ops = frng__files.ops;
    for (size_t i = 0; i < frng__files.op_count; i++)
        for (size_t k = i; k-- > 0 && ops[i].is_lost && ops[i].grows &&
                           ops[i].kind == FRNG__WRITE &&
                           frng__files_is_same_call(&ops[i], &ops[k]);)
            if (frng__files_may_lose(k)) frng__files.ops[k].is_lost = true;
}

/* ---- The disk ---- */

static frng__name *frng__files_bound(size_t folder, const char *path) {
    for (size_t i = 0; i < frng__files.name_count; i++) {
        frng__name *const at = &frng__files.names[i];
        if (at->folder == folder && at->path == path) return at;
    }
    return NULL;
}

static void frng__files_unbind(frng__name *at) {
    const size_t next = (size_t)(at + 1 - frng__files.names);
    memmove(at, at + 1, (frng__files.name_count-- - next) * sizeof *at);
}

/* Do to the names of the disk what an operation did. */
static void frng__files_play_name(const frng__op *o) {
    const bool is_new = o->kind == FRNG__CREATE || o->kind == FRNG__MKDIR;
    const frng__name name = is_new ? o->from : o->to;
    frng__name *at = frng__files_bound(o->from.folder, o->from.path);
    if (!is_new && o->kind != FRNG__LINK && at != NULL && at->file == o->file)
        frng__files_unbind(at);
    if (name.path == NULL) return;
    if ((at = frng__files_bound(name.folder, name.path)) != NULL) frng__files_unbind(at);
    FRNG__GROW(frng__name, frng__files.names, frng__files.name_count);
    frng__files.names[frng__files.name_count++] = name;
}

/* Do to a file what an operation did. */
static void frng__files_play(frng__file *n, const frng__op *o) {
    const size_t end = o->kind == FRNG__SIZE ? o->at : o->at + o->size;
    if (o->kind != FRNG__WRITE && o->kind != FRNG__SIZE) return;
    if (o->kind == FRNG__SIZE || end > n->count) {
        n->bytes = (uint8_t *)frng__files_room(n->bytes, end);
        if (end > n->count) memset(n->bytes + n->count, 0, end - n->count);
        n->count = end;
    }
    if (o->kind == FRNG__WRITE) memcpy(n->bytes + o->at, o->bytes, o->size);
}

/* For each name in a folder. */
#define FRNG__EACH(e, path)                                                                        \
    DIR *const names_ = opendir(path);                                                             \
    for (struct dirent * e;                                                                        \
         names_ != NULL && ((e = readdir(names_)) != NULL || closedir(names_));)                   \
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)

static void frng__files_wipe(const char *folder) {
    char path[PATH_MAX];
    FRNG__EACH(e, folder) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (FRNG__DO(unlinkat, AT_FDCWD, path, 0) == 0) continue;
        frng__files_wipe(path);
        (void)FRNG__DO(unlinkat, AT_FDCWD, path, FRNG__AT_REMOVEDIR);
    }
}

static void frng__files_put(const char *path, frng__file *n) {
    const int fd = (int)FRNG__DO(openat, AT_FDCWD, path, O_CREAT | O_WRONLY, n->mode & 07777);
    for (size_t done = 0; done < n->count;) {
        const ssize_t part = FRNG__DO(write, fd, n->bytes + done, n->count - done);
        FRNG_ASSERT(part > 0, "%s cannot be written: %s", path, strerror(errno));
        done += (size_t)part;
    }
    (void)FRNG__DO(close, fd);
}

/* Make what has a name in a folder, and let its inodes be known. */
static void frng__files_build(size_t folder) {
    char path[PATH_MAX], first[PATH_MAX];
    for (size_t i = 0; i < frng__files.name_count; i++) {
        const frng__name *const name = &frng__files.names[i];
        frng__file *const n = &frng__files.files[name->file];
        struct stat st;
        if (name->folder != folder) continue;
        snprintf(path, sizeof path, "%s/%s", frng__files.root, name->path);
        if (n->inode != 0) {
            snprintf(first, sizeof first, "%s/%s", frng__files.root, n->path);
            (void)FRNG__DO(linkat, AT_FDCWD, first, AT_FDCWD, path, 0);
            continue;
        }
        if (n->is_folder) (void)FRNG__DO(mkdirat, AT_FDCWD, path, n->mode & 07777);
        if (!n->is_folder) frng__files_put(path, n);
        FRNG_ASSERT(stat(path, &st) == 0, "%s cannot be made: %s", path, strerror(errno));
        n->inode = st.st_ino, n->size = n->count, n->was_emptied = false, n->path = name->path;
        if (n->is_folder) frng__files_build(name->file);
    }
}

/* Forget the bytes of files without a name in a folder that is there, and names of such. */
static void frng__files_forget(void) {
    frng__file *const files = frng__files.files;
    size_t names = 0;
    for (size_t i = 0; i < frng__files.name_count; i++) {
        const frng__name name = frng__files.names[i];
        if (files[name.folder].inode != 0 && files[name.file].inode != 0)
            frng__files.names[names++] = name;
    }
    frng__files.name_count = names;
    for (size_t i = 1; i < frng__files.file_count; i++)
        if (files[i].inode == 0) free(files[i].bytes), files[i].bytes = NULL;
}
FRNG__WRAPS_END
#endif
