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
    size_t count;
    char *first; /* its path while the folder is made */
} frng__file;

typedef struct frng__name {
    size_t folder, file;
    char *text;
} frng__name;

typedef struct frng__op {
    frng__files_kind kind;
    bool is_safe, is_lost, grows; /* of a rename: replaces a file */
    size_t call, file, at, size;  /* of FRNG__SIZE: the new size, and the one before */
    uint8_t *bytes;               /* of a write */
    const char *word;             /* of a write or sync, for the story */
    frng__name from, to;          /* of names; to.text is NULL but for links and renames */
} frng__op;

typedef struct frng__mapping {
    uint8_t *at, *seen; /* what it held at the last call; NULL: it is not writable */
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
    bool is_active, is_off;
    size_t until_off, calls, told, temporary; /* until_off: calls to come, 0: never */
    frng__file *files;                        /* the first is the folder */
    frng__name *names;
    frng__op *ops;
    frng__mapping *mappings;
    size_t file_count, name_count, op_count, mapping_count;
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

static char *frng__files_text(const char *text) {
    return (char *)memcpy(frng__files_room(NULL, strlen(text) + 1), text, strlen(text) + 1);
}

/* ---- Files ---- */

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
    return frng__files.file_count++;
}

/* The newest name that the first `count` operations give a file. */
static const frng__name *frng__files_name_of(size_t file, size_t count) {
    for (size_t i = count; i-- > 0;) {
        const frng__op *o = &frng__files.ops[i];
        if (o->file == file && o->from.text != NULL) return o->to.text != NULL ? &o->to : &o->from;
    }
    for (size_t i = 0; i < frng__files.name_count; i++)
        if (frng__files.names[i].file == file) return &frng__files.names[i];
    return NULL;
}

static void frng__files_path(const frng__name *name, size_t count, char *path, size_t room) {
    size_t used = 0;
    path[0] = 0;
    if (name == NULL) return;
    if (name->folder != 0) {
        frng__files_path(frng__files_name_of(name->folder, count), count, path, room);
        used = strlen(path);
        if (used + 1 < room) path[used++] = '/';
    }
    snprintf(path + used, room - used, "%s", name->text);
}

/* ---- The story ---- */

/* Describe operation `i` and those of the same write that follow. Return the next one. */
static size_t frng__files_describe(size_t i, char *line, size_t room) {
    static const char *const words[] = {"write",  "truncate", "create", "mkdir", "link",
                                        "unlink", "rmdir",    "rename", "force", "sync"};
    const frng__op *o = &frng__files.ops[i], *next = o + 1;
    char path[120], to[120];
    size_t size = o->size;
    frng__files_path(o->from.text != NULL ? &o->from : frng__files_name_of(o->file, i), i, path,
                     sizeof path);
    frng__files_path(o->to.text != NULL ? &o->to : NULL, i, to, sizeof to);
    if (o->kind == FRNG__WRITE) {
        const frng__op *const end = frng__files.ops + frng__files.op_count;
        for (; next < end && next->kind == FRNG__WRITE && next->call == o->call; next++) {
            if (next->file != o->file || next->at != o->at + size || next->is_lost != o->is_lost)
                break;
            size += next->size;
        }
        snprintf(line, room, "#%zu %s %zu bytes at %zu of %s", o->call, o->word, size, o->at, path);
    } else if (o->kind == FRNG__SIZE) {
        snprintf(line, room, "#%zu %s %s to %zu", o->call, o->grows ? "extend" : "truncate", path,
                 o->at);
    } else if (o->kind == FRNG__SYNC) {
        snprintf(line, room, "#%zu %s %s", o->call, o->word,
                 o->file == FRNG__NO_FILE ? "everything"
                 : path[0] != 0           ? path
                                          : "the folder");
    } else {
        snprintf(line, room, "#%zu %s %s%s%s", o->call, words[o->kind], path,
                 o->to.text != NULL ? " -> " : "", to);
    }
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

static frng__op *frng__files_log(frng__files_kind kind, size_t file) {
    FRNG__GROW(frng__op, frng__files.ops, frng__files.op_count);
    frng__op *o = &frng__files.ops[frng__files.op_count++];
    memset(o, 0, sizeof *o);
    o->kind = kind, o->file = file, o->call = frng__files.calls;
    return o;
}

static frng__op *frng__files_log_name(frng__files_kind kind, size_t file, size_t folder,
                                      const char *name) {
    frng__op *o = frng__files_log(kind, file);
    o->from.folder = folder, o->from.file = file, o->from.text = frng__files_text(name);
    return o;
}

/* Log bytes that a file has now. A mapping of it shows them at once. */
static void frng__files_log_write(size_t file, const uint8_t *bytes, size_t at, size_t size,
                                  const char *word) {
    const size_t unit = frng__files.model == FRNG_FILES_POSIX ? FRNG__SECTOR : FRNG__PAGE;
    for (size_t i = 0; i < frng__files.mapping_count; i++) {
        const frng__mapping *m = &frng__files.mappings[i];
        const size_t first = at > m->offset ? at : m->offset;
        const size_t end = at + size < m->offset + m->size ? at + size : m->offset + m->size;
        if (m->file == file && m->seen != NULL && first < end)
            memcpy(m->seen + (first - m->offset), bytes + (first - at), end - first);
    }
    while (size > 0) {
        const size_t rest = unit - at % unit, part = rest < size ? rest : size;
        frng__op *o = frng__files_log(FRNG__WRITE, file);
        o->at = at, o->size = part, o->word = word;
        o->bytes = (uint8_t *)memcpy(frng__files_room(NULL, part), bytes, part);
        o->grows = at + part > frng__files.files[file].size;
        if (o->grows) frng__files.files[file].size = at + part;
        at += part, bytes += part, size -= part;
    }
}

static void frng__files_log_size(size_t file, size_t size) {
    frng__file *const n = &frng__files.files[file];
    if (size == n->size) return;
    frng__op *o = frng__files_log(FRNG__SIZE, file);
    o->at = size, o->size = n->size, o->grows = size > n->size;
    if (size == 0) n->was_emptied = true;
    n->size = size;
    for (size_t i = 0; i < frng__files.mapping_count; i++) { /* what is cut off is zeros later */
        const frng__mapping *m = &frng__files.mappings[i];
        const size_t first = size > m->offset ? size - m->offset : 0;
        const size_t rest = o->size > m->offset ? o->size - m->offset : 0;
        const size_t end = rest < m->size ? rest : m->size;
        if (m->file == file && m->seen != NULL && first < end)
            memset(m->seen + first, 0, end - first);
    }
}

/* Log what was stored through mappings since the last call: of each page from the first byte that
 * differs to the last. */
static void frng__files_log_stores(void) {
    bool is_first = true;
    for (size_t i = 0; i < frng__files.mapping_count && !frng__files.is_off; i++) {
        const frng__mapping *m = &frng__files.mappings[i];
        const size_t all = frng__files.files[m->file].size;
        const size_t rest = all > m->offset && m->seen != NULL ? all - m->offset : 0;
        const size_t size = rest < m->size ? rest : m->size;
        for (size_t page = 0; page < size; page += FRNG__PAGE) {
            size_t first = page, end = size - page < FRNG__PAGE ? size : page + FRNG__PAGE;
            if (memcmp(m->at + page, m->seen + page, end - page) == 0) continue;
            while (m->at[first] == m->seen[first]) first++;
            while (m->at[end - 1] == m->seen[end - 1]) end--;
            if (is_first) frng__files.calls++;
            is_first = false;
            frng__files_log_write(m->file, m->at + first, m->offset + first, end - first, "store");
        }
    }
}

/* ---- What a sync promises, and what a failure of the power may take ---- */

static bool frng__files_is_data(const frng__op *o) {
    return o->kind == FRNG__WRITE ||
           (o->kind == FRNG__SIZE && frng__files.model == FRNG_FILES_POSIX);
}
static bool frng__files_is_name(const frng__op *o) { return o->from.text != NULL; }

/* True if a sync of `file` makes the journal safe, as there is something of this file in it. */
static bool frng__files_commits(const frng__op *o, size_t file, bool only_data) {
    if (file == FRNG__NO_FILE) return true;
    if (frng__files_is_name(o) && frng__files.files[file].is_folder)
        return o->from.folder == file || (o->to.text != NULL && o->to.folder == file);
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
    frng__op *const o = frng__files_log(FRNG__SYNC, file);
    o->word = word, o->is_safe = true;
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

static void frng__files_unbind(const frng__name *name) {
    for (size_t i = 0; i < frng__files.name_count; i++) {
        frng__name *const at = &frng__files.names[i];
        if (at->folder != name->folder || strcmp(at->text, name->text) != 0) continue;
        free(at->text);
        memmove(at, at + 1, (--frng__files.name_count - i) * sizeof *at);
        return;
    }
}

static void frng__files_bind(const frng__name *name) {
    frng__files_unbind(name);
    FRNG__GROW(frng__name, frng__files.names, frng__files.name_count);
    frng__name *const at = &frng__files.names[frng__files.name_count++];
    *at = *name;
    at->text = frng__files_text(name->text);
}

static bool frng__files_is_bound(const frng__name *name) {
    for (size_t i = 0; i < frng__files.name_count; i++) {
        const frng__name *at = &frng__files.names[i];
        if (at->folder == name->folder && at->file == name->file && !strcmp(at->text, name->text))
            return true;
    }
    return false;
}

static void frng__files_resize(frng__file *n, size_t size) {
    n->bytes = (uint8_t *)frng__files_room(n->bytes, size);
    if (size > n->count) memset(n->bytes + n->count, 0, size - n->count);
    n->count = size;
}

/* Do to the disk what an operation did. */
static void frng__files_play(const frng__op *o) {
    if (o->kind == FRNG__WRITE || o->kind == FRNG__SIZE) {
        frng__file *const n = &frng__files.files[o->file];
        const size_t end = o->kind == FRNG__SIZE ? o->at : o->at + o->size;
        if (o->kind == FRNG__SIZE || end > n->count) frng__files_resize(n, end);
        if (o->kind == FRNG__WRITE) memcpy(n->bytes + o->at, o->bytes, o->size);
    } else if (o->kind == FRNG__CREATE || o->kind == FRNG__MKDIR) {
        frng__files_bind(&o->from);
    } else if (frng__files_is_name(o)) {
        const bool goes = o->kind != FRNG__LINK && frng__files_is_bound(&o->from);
        if (goes) frng__files_unbind(&o->from);
        if (o->to.text != NULL) frng__files_bind(&o->to);
    }
}

static void frng__files_wipe(const char *folder) {
    char path[PATH_MAX];
    DIR *const names = opendir(folder);
    for (struct dirent *e; names != NULL && (e = readdir(names)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (FRNG__DO(unlinkat, AT_FDCWD, path, 0) == 0) continue;
        frng__files_wipe(path);
        (void)FRNG__DO(unlinkat, AT_FDCWD, path, FRNG__AT_REMOVEDIR);
    }
    if (names != NULL) closedir(names);
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

/* Make what has a name in the folder `file`, at `folder`, and let its inodes be known. */
static void frng__files_build(size_t file, const char *folder) {
    char path[PATH_MAX];
    for (size_t i = 0; i < frng__files.name_count; i++) {
        const frng__name *const name = &frng__files.names[i];
        frng__file *const n = &frng__files.files[name->file];
        struct stat st;
        if (name->folder != file) continue;
        snprintf(path, sizeof path, "%s/%s", folder, name->text);
        if (n->first != NULL) {
            (void)FRNG__DO(linkat, AT_FDCWD, n->first, AT_FDCWD, path, 0);
            continue;
        }
        if (n->is_folder) (void)FRNG__DO(mkdirat, AT_FDCWD, path, n->mode & 07777);
        if (!n->is_folder) frng__files_put(path, n);
        FRNG_ASSERT(stat(path, &st) == 0, "%s cannot be made: %s", path, strerror(errno));
        n->inode = st.st_ino, n->size = n->count, n->was_emptied = false;
        n->first = frng__files_text(path);
        if (n->is_folder) frng__files_build(name->file, path);
    }
}

/* Forget files that have no name in a folder that is there, and their names. */
static void frng__files_forget(void) {
    size_t files = 0, names = 0;
    size_t *const moved = (size_t *)frng__files_room(NULL, frng__files.file_count * sizeof(size_t));
    for (size_t i = 0; i < frng__files.file_count; i++) {
        frng__file *const n = &frng__files.files[i];
        moved[i] = n->first != NULL || i == 0 ? files : FRNG__NO_FILE;
        if (moved[i] == FRNG__NO_FILE) free(n->bytes);
        free(n->first), n->first = NULL;
        if (moved[i] != FRNG__NO_FILE) frng__files.files[files++] = *n;
    }
    for (size_t i = 0; i < frng__files.name_count; i++) {
        frng__name *const name = &frng__files.names[i];
        name->folder = moved[name->folder], name->file = moved[name->file];
        if (name->folder == FRNG__NO_FILE || name->file == FRNG__NO_FILE)
            free(name->text);
        else
            frng__files.names[names++] = *name;
    }
    frng__files.file_count = files, frng__files.name_count = names;
    free(moved);
}
#endif
