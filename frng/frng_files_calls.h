/* frng_files_calls.h: the calls that change files, on their way to real ones and to the log.
 *
 * A call is ours if its descriptor is that of a known inode, or its path ends in a known folder;
 * others go on untouched. Each of ours makes the real call, and is logged with a number if it
 * succeeds while the power is on. Before it, what was stored through mappings is. What the log
 * cannot follow is refused with an error that the manual pages have, and said.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_FILES_CALLS_H
#define FRNG_FILES_CALLS_H
#include "frng_files_log.h"
#include <sys/mman.h>
#include <sys/uio.h>

#ifndef O_DIRECT /* another header was first, without _GNU_SOURCE */
#define O_DIRECT __O_DIRECT
#endif
#ifndef O_TMPFILE
#define O_TMPFILE (__O_TMPFILE | O_DIRECTORY)
#endif
enum { FRNG__RWF_DSYNC = 2, FRNG__RWF_SYNC = 4, FRNG__RWF_APPEND = 16 };
enum { FRNG__NOREPLACE = 1, FRNG__KEEP_SIZE = 1 }; /* of renameat2, of fallocate */

/* ---- What is ours ---- */

/* The log is locked by one thread; calls that this makes meanwhile, in a crash, are not ours. */
static bool frng__files_is_here(void) {
    return __atomic_load_n(&frng__files.owner, __ATOMIC_RELAXED) == &frng__files_thread;
}
static void frng__files_take(void) {
    const char *nobody = NULL;
    while (!__atomic_compare_exchange_n(&frng__files.owner, &nobody, &frng__files_thread, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        nobody = NULL;
        (void)FRNG__DO(sched_yield, 0);
    }
}
static void frng__files_give(void) {
    frng__files_tell();
    __atomic_store_n(&frng__files.owner, NULL, __ATOMIC_RELEASE);
}

static size_t frng__files_known(const struct stat *st) {
    if (frng__files_is_here()) return FRNG__NO_FILE;
    frng__files_take();
    const size_t file = frng__files_find(st);
    frng__files_give();
    return file;
}

static size_t frng__files_of(int fd) {
    struct stat st;
    const int error = errno;
    const bool is_there = frng__files.is_active && fstat(fd, &st) == 0;
    errno = error;
    return is_there ? frng__files_known(&st) : FRNG__NO_FILE;
}

static bool frng__files_stat(int at, const char *path, int flags, struct stat *st) {
    const int error = errno;
    const bool is_there = FRNG__DO(newfstatat, at, path, st, flags) == 0;
    errno = error;
    return is_there;
}

/* The folder that a path is to have an entry in, and the name of that. */
static size_t frng__files_folder(int at, const char *path, char *name) {
    char folder[PATH_MAX];
    struct stat st;
    size_t size = frng__files.is_active && path != NULL ? strlen(path) : 0, first;
    while (size > 1 && path[size - 1] == '/') size--;
    for (first = size; first > 0 && path[first - 1] != '/';) first--;
    if (size == 0 || size >= sizeof folder || size - first > NAME_MAX) return FRNG__NO_FILE;
    memcpy(name, path + first, size - first), name[size - first] = 0;
    memcpy(folder, path, first), strcpy(folder + first, ".");
    return frng__files_stat(at, folder, 0, &st) ? frng__files_known(&st) : FRNG__NO_FILE;
}

/* A call of ours begins. True: the power is on, and the call is logged. */
static bool frng__files_enter(void) {
    frng__files_take();
    frng__files_log_stores();
    if (!frng__files.is_off && frng__files.until_off > 0)
        frng__files.is_off = --frng__files.until_off == 0;
    if (!frng__files.is_off) frng__files.calls++;
    return !frng__files.is_off;
}

static int frng__files_refuse(const char *what, int error) {
    if (frng__files.refused != what) {
        fprintf(stderr, "frng_files.h: %s is refused\n", what);
        if (frng__files.f != NULL && frng__files.thread == &frng__files_thread)
            frng_say(frng__files.f, "%s is refused", what);
    }
    frng__files.refused = what;
    errno = error;
    return -1;
}

/* ---- Data ---- */

static int frng__files_open(int at, const char *path, int flags, mode_t mode) {
    char name[NAME_MAX + 1];
    struct stat st;
    const bool may_change = (flags & (O_CREAT | O_TRUNC | O_DIRECT | O_TMPFILE)) != 0;
    const size_t folder = may_change ? frng__files_folder(at, path, name) : FRNG__NO_FILE;
    const bool is_there = may_change && frng__files_stat(at, path, 0, &st);
    if ((flags & O_TMPFILE) == O_TMPFILE && is_there && frng__files_known(&st) != FRNG__NO_FILE)
        return frng__files_refuse("O_TMPFILE", EOPNOTSUPP);
    if (folder == FRNG__NO_FILE) return (int)FRNG__DO(openat, at, path, flags, mode);
    const bool empties = is_there && (flags & O_TRUNC) != 0 && st.st_size > 0;
    const bool changes = empties || (!is_there && (flags & O_CREAT) != 0);
    const bool is_on = changes && frng__files_enter();
    const int fd = (int)FRNG__DO(openat, at, path, flags & ~O_DIRECT, mode);
    if (is_on && fd >= 0 && fstat(fd, &st) == 0) {
        const size_t file = is_there ? frng__files_find(&st) : frng__files_new(&st);
        if (!is_there) frng__files_log_name(FRNG__CREATE, file, folder, name);
        if (is_there && file != FRNG__NO_FILE) frng__files_log_size(file, 0);
    }
    if (changes) frng__files_give();
    return fd;
}

static int frng__files_close(int fd) {
    const size_t file = frng__files_of(fd);
    if (file != FRNG__NO_FILE) {
        frng__files_take();
        if (frng__files.files[file].was_emptied && !frng__files.is_off)
            frng__files_log(FRNG__FORCE, file);
        frng__files.files[file].was_emptied = false;
        frng__files_give();
    }
    return (int)FRNG__DO(close, fd);
}

/* A write at an offset, or at -1 where the descriptor stands; `how` has flags of pwritev2. */
static ssize_t frng__files_write(int fd, const struct iovec *parts, int count, off_t at, int how) {
    const size_t file = frng__files_of(fd);
    const long high = at < 0 ? -1 : 0; /* of the offset, on machines of 32 bits */
    if (file == FRNG__NO_FILE && how == 0)
        return at < 0 ? FRNG__DO(writev, fd, parts, count)
                      : FRNG__DO(pwritev, fd, parts, count, at, high);
    if (file == FRNG__NO_FILE) return FRNG__DO(pwritev2, fd, parts, count, at, high, how);
    const int flags = (int)FRNG__DO(fcntl, fd, F_GETFL);
    const bool appends = (flags & O_APPEND) != 0 || (how & FRNG__RWF_APPEND) != 0;
    const bool is_on = frng__files_enter();
    const off_t from = appends  ? (off_t)frng__files.files[file].size
                       : at < 0 ? lseek(fd, 0, SEEK_CUR)
                                : at;
    const ssize_t done = FRNG__DO(pwritev2, fd, parts, count, at, high, how);
    const char *const word = (size_t)from < frng__files.files[file].size ? "write" : "append";
    size_t next = (size_t)from;
    for (ssize_t left = is_on ? done : 0; left > 0; parts++) {
        const size_t size = (size_t)left < parts->iov_len ? (size_t)left : parts->iov_len;
        frng__files_log_write(file, (const uint8_t *)parts->iov_base, next, size, word);
        next += size, left -= (ssize_t)size;
    }
    const bool all = (flags & O_SYNC) == O_SYNC || (how & FRNG__RWF_SYNC) != 0;
    if (is_on && done > 0 && (all || (flags & O_DSYNC) != 0 || (how & FRNG__RWF_DSYNC) != 0))
        frng__files_sync(file, !all, 0, SIZE_MAX, "write through");
    frng__files_give();
    return done;
}

static ssize_t frng__files_write_one(int fd, const void *bytes, size_t size, off_t at) {
    struct iovec part;
    part.iov_base = (void *)(uintptr_t)bytes, part.iov_len = size;
    return frng__files_write(fd, &part, 1, at, 0);
}

static int frng__files_truncate(int fd, off_t size) {
    const size_t file = frng__files_of(fd);
    const bool is_on = file != FRNG__NO_FILE && frng__files_enter();
    const int result = (int)FRNG__DO(ftruncate, fd, size);
    if (is_on && result == 0) frng__files_log_size(file, (size_t)size);
    if (file != FRNG__NO_FILE) frng__files_give();
    return result;
}

static int frng__files_truncate_path(const char *path, off_t size) {
    const int fd = (int)FRNG__DO(openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (fd < 0) return -1;
    const int result = frng__files_truncate(fd, size), error = errno;
    (void)FRNG__DO(close, fd);
    errno = error;
    return result;
}

static int frng__files_allocate(int fd, int mode, off_t at, off_t size) {
    struct stat st;
    if (frng__files_of(fd) == FRNG__NO_FILE) return (int)FRNG__DO(fallocate, fd, mode, at, size);
    if ((mode & ~FRNG__KEEP_SIZE) != 0)
        return frng__files_refuse("a hole by fallocate", EOPNOTSUPP);
    if (mode != 0 || fstat(fd, &st) != 0 || at + size <= st.st_size) return 0;
    return frng__files_truncate(fd, at + size);
}

static int frng__files_flush(int fd, bool only_data) {
    const size_t file = frng__files_of(fd);
    if (file == FRNG__NO_FILE)
        return (int)(only_data ? FRNG__DO(fdatasync, fd) : FRNG__DO(fsync, fd));
    if (frng__files_enter())
        frng__files_sync(file, only_data, 0, SIZE_MAX, only_data ? "fdatasync" : "fsync");
    frng__files_give();
    return 0;
}

static void frng__files_flush_all(const char *word) {
    if (frng__files_enter()) frng__files_sync(FRNG__NO_FILE, false, 0, SIZE_MAX, word);
    frng__files_give();
}

/* ---- Names ---- */

/* Make the call of this kind; `more` has its flags or mode. */
static int frng__files_do_name(frng__files_kind kind, int at, const char *path, int at2,
                               const char *to, unsigned more) {
    return (int)(kind == FRNG__MKDIR    ? FRNG__DO(mkdirat, at, path, more)
                 : kind == FRNG__RENAME ? FRNG__DO(renameat2, at, path, at2, to, more)
                 : kind == FRNG__LINK   ? FRNG__DO(linkat, at, path, at2, to, more)
                                        : FRNG__DO(unlinkat, at, path, more));
}

static int frng__files_change_name(frng__files_kind kind, int at, const char *path, int at2,
                                   const char *to, unsigned more) {
    char name[NAME_MAX + 1], name2[NAME_MAX + 1];
    struct stat st, over;
    memset(&st, 0, sizeof st), memset(&over, 0, sizeof over);
    const size_t folder = frng__files_folder(at, path, name);
    const size_t folder2 = to != NULL ? frng__files_folder(at2, to, name2) : folder;
    if (folder == FRNG__NO_FILE && folder2 == FRNG__NO_FILE)
        return frng__files_do_name(kind, at, path, at2, to, more);
    const bool is_there = frng__files_stat(at, path, FRNG__AT_NOFOLLOW, &st);
    const bool replaces = to != NULL && frng__files_stat(at2, to, FRNG__AT_NOFOLLOW, &over);
    if (folder == FRNG__NO_FILE || folder2 == FRNG__NO_FILE)
        return frng__files_refuse("a rename or link out of the folder or into it", EXDEV);
    if (kind == FRNG__RENAME && S_ISDIR(st.st_mode))
        return frng__files_refuse("a rename of a folder", EXDEV);
    if (kind == FRNG__RENAME && (more & ~(unsigned)FRNG__NOREPLACE) != 0)
        return frng__files_refuse("an exchange of names", EINVAL);
    if (is_there == (kind == FRNG__MKDIR) || (replaces && st.st_ino == over.st_ino))
        return frng__files_do_name(kind, at, path, at2, to, more); /* changes nothing */
    const bool is_on = frng__files_enter();
    const int result = frng__files_do_name(kind, at, path, at2, to, more);
    size_t file = frng__files_find(&st);
    if (is_on && kind == FRNG__MKDIR && result == 0 && frng__files_stat(at, path, 0, &st))
        file = frng__files_new(&st);
    if (is_on && result == 0 && file != FRNG__NO_FILE) {
        frng__op *o = frng__files_log_name(kind, file, folder, name);
        o->grows = replaces;
        if (to == NULL) name2[0] = 0;
        if (to != NULL)
            o->to.text = frng__files_text(name2), o->to.folder = folder2, o->to.file = file;
    }
    frng__files_give();
    return result;
}

static int frng__files_unlink(int at, const char *path, int flags) {
    return frng__files_change_name((flags & FRNG__AT_REMOVEDIR) != 0 ? FRNG__RMDIR : FRNG__UNLINK,
                                   at, path, 0, NULL, (unsigned)flags);
}

static int frng__files_remove(const char *path) {
    struct stat st;
    const bool is_folder =
        frng__files_stat(AT_FDCWD, path, FRNG__AT_NOFOLLOW, &st) && S_ISDIR(st.st_mode);
    return frng__files_unlink(AT_FDCWD, path, is_folder ? FRNG__AT_REMOVEDIR : 0);
}

static int frng__files_symlink(const char *target, int at, const char *path) {
    char name[NAME_MAX + 1];
    if (frng__files_folder(at, path, name) == FRNG__NO_FILE)
        return (int)FRNG__DO(symlinkat, target, at, path);
    return frng__files_refuse("a symbolic link", EPERM);
}

/* Replace the six X before a suffix: the names come in order, so that a run can be repeated.
 * False: the path is not ours. */
static bool frng__files_temporary(char *path, int suffix, int flags, bool is_folder, int *result) {
    char name[NAME_MAX + 1];
    const size_t size = strlen(path), end = size - (size_t)suffix;
    if (frng__files_folder(AT_FDCWD, path, name) == FRNG__NO_FILE) return false;
    *result = -1, errno = EINVAL;
    if (suffix < 0 || size < 6 + (size_t)suffix || memcmp(path + end - 6, "XXXXXX", 6) != 0)
        return true;
    do {
        size_t number = frng__files.temporary++;
        for (size_t i = 1; i <= 6; i++, number /= 26) path[end - i] = (char)('a' + number % 26);
        *result = is_folder
                      ? frng__files_change_name(FRNG__MKDIR, AT_FDCWD, path, 0, NULL, 0700)
                      : frng__files_open(AT_FDCWD, path, O_CREAT | O_EXCL | O_RDWR | flags, 0600);
    } while (*result < 0 && errno == EEXIST);
    return true;
}

static int frng__files_mkstemp(char *path, int suffix, int flags) {
    int result;
    if (frng__files_temporary(path, suffix, flags, false, &result)) return result;
    return FRNG__NEXT(int, mkostemps, char *, int, int)(path, suffix, flags);
}

/* ---- Mappings ---- */

/* From now on a mapping may be stored to. */
static void frng__files_watch(frng__mapping *m) {
    const size_t all = frng__files.files[m->file].size;
    const size_t rest = all > m->offset ? all - m->offset : 0;
    if (frng__files.is_off) return;
    free(m->seen);
    m->seen = (uint8_t *)calloc(1, m->size + FRNG__PAGE);
    FRNG_ASSERT(m->seen != NULL, "out of memory for a copy of a mapping");
    memcpy(m->seen, m->at, rest < m->size ? rest : m->size);
}

static void *frng__files_map(void *at, size_t size, int protection, int flags, int fd,
                             off_t offset) {
    const size_t file = (flags & MAP_SHARED) != 0 ? frng__files_of(fd) : FRNG__NO_FILE;
    const bool stores = file != FRNG__NO_FILE && (protection & PROT_WRITE) != 0;
    if (stores) protection |= PROT_READ; /* we read it, too */
    void *const result = FRNG__NEXT(void *, mmap, void *, size_t, int, int, int,
                                    off_t)(at, size, protection, flags, fd, offset);
    if (file == FRNG__NO_FILE || result == MAP_FAILED) return result;
    frng__files_take();
    FRNG__GROW(frng__mapping, frng__files.mappings, frng__files.mapping_count);
    frng__mapping *const m = &frng__files.mappings[frng__files.mapping_count++];
    memset(m, 0, sizeof *m);
    m->at = (uint8_t *)result, m->size = size, m->offset = (size_t)offset, m->file = file;
    if (stores) frng__files_watch(m);
    frng__files_give();
    return result;
}

static size_t frng__files_pages(size_t size) {
    return (size + FRNG__PAGE - 1) / FRNG__PAGE * FRNG__PAGE;
}

static bool frng__files_overlaps(const frng__mapping *m, const void *at, size_t size) {
    return m->at < (const uint8_t *)at + size && (const uint8_t *)at < m->at + m->size;
}

static bool frng__files_maps(void) {
    return frng__files.mapping_count > 0 && !frng__files_is_here();
}

static int frng__files_unmap(void *at, size_t size) {
    uint8_t *const end = (uint8_t *)at + frng__files_pages(size);
    if (!frng__files_maps()) return (int)FRNG__DO(munmap, at, size);
    frng__files_take();
    frng__files_log_stores();
    for (size_t i = frng__files.mapping_count; i-- > 0;) {
        frng__mapping *m = &frng__files.mappings[i];
        if (!frng__files_overlaps(m, at, (size_t)(end - (uint8_t *)at))) continue;
        frng__mapping behind = *m;
        behind.at = end, behind.offset += (size_t)(end - m->at), behind.seen = NULL;
        behind.size = m->at + m->size > end ? (size_t)(m->at + m->size - end) : 0;
        if (behind.size > 0 && m->seen != NULL) frng__files_watch(&behind);
        m->size = m->at < (uint8_t *)at ? (size_t)((uint8_t *)at - m->at) : 0;
        if (behind.size > 0) {
            FRNG__GROW(frng__mapping, frng__files.mappings, frng__files.mapping_count);
            frng__files.mappings[frng__files.mapping_count++] = behind;
            m = &frng__files.mappings[i];
        }
        if (m->size > 0) continue;
        free(m->seen);
        *m = frng__files.mappings[--frng__files.mapping_count];
    }
    const int result = (int)FRNG__DO(munmap, at, size);
    frng__files_give();
    return result;
}

static void *frng__files_remap(void *at, size_t size, size_t new_size, int flags, void *to) {
    if (!frng__files_maps()) return (void *)FRNG__DO(mremap, at, size, new_size, flags, to);
    frng__files_take();
    frng__files_log_stores();
    void *const result = (void *)FRNG__DO(mremap, at, size, new_size, flags, to);
    for (size_t i = 0; i < frng__files.mapping_count && result != MAP_FAILED; i++) {
        frng__mapping *const m = &frng__files.mappings[i];
        if (m->at != at) continue;
        m->at = (uint8_t *)result, m->size = new_size;
        if (m->seen != NULL) frng__files_watch(m);
    }
    frng__files_give();
    return result;
}

static int frng__files_protect(void *at, size_t size, int protection) {
    const int result = (int)FRNG__DO(mprotect, at, size, protection);
    if (!frng__files_maps() || (protection & PROT_WRITE) == 0 || result != 0) return result;
    frng__files_take();
    for (size_t i = 0; i < frng__files.mapping_count; i++) {
        frng__mapping *const m = &frng__files.mappings[i];
        if (m->seen == NULL && frng__files_overlaps(m, at, size)) frng__files_watch(m);
    }
    frng__files_give();
    return result;
}

static int frng__files_sync_mapping(void *at, size_t size, int flags) {
    const int result = (int)FRNG__DO(msync, at, size, flags);
    bool is_on = false, is_ours = false;
    const size_t count = frng__files_maps() && result == 0 ? frng__files.mapping_count : 0;
    for (size_t i = 0; i < count; i++) {
        const frng__mapping m = frng__files.mappings[i];
        if (!frng__files_overlaps(&m, at, size)) continue;
        if (!is_ours) is_on = frng__files_enter();
        is_ours = true;
        const size_t first = (uint8_t *)at > m.at ? (size_t)((uint8_t *)at - m.at) : 0;
        const size_t end = (size_t)((uint8_t *)at - m.at) + frng__files_pages(size);
        if (is_on && (flags & MS_SYNC) != 0)
            frng__files_sync(m.file, true, m.offset + first, m.offset + end, "msync");
    }
    if (is_ours) frng__files_give();
    return result;
}

/* ---- Streams ---- */

/* The C library writes to the file of a stream by itself: those of ours have functions of ours. */
typedef struct frng__stream {
    FILE *stream;
    int fd;
} frng__stream;
typedef struct frng__stream_calls {
    ssize_t (*read)(void *fd, char *bytes, size_t size);
    ssize_t (*write)(void *fd, const char *bytes, size_t size);
    int (*seek)(void *fd, int64_t *at, int whence);
    int (*close)(void *fd);
} frng__stream_calls;
static frng__stream *frng__streams;
static size_t frng__stream_count;

static ssize_t frng__stream_read(void *fd, char *bytes, size_t size) {
    return read((int)(intptr_t)fd, bytes, size);
}
static ssize_t frng__stream_write(void *fd, const char *bytes, size_t size) {
    return frng__files_write_one((int)(intptr_t)fd, bytes, size, -1);
}
static int frng__stream_seek(void *fd, int64_t *at, int whence) {
    *at = lseek((int)(intptr_t)fd, *at, whence);
    return *at < 0 ? -1 : 0;
}
static int frng__stream_close(void *fd) {
    frng__files_take();
    for (size_t i = 0; i < frng__stream_count; i++)
        if (frng__streams[i].fd == (int)(intptr_t)fd)
            frng__streams[i] = frng__streams[--frng__stream_count];
    frng__files_give();
    return frng__files_close((int)(intptr_t)fd);
}

static FILE *frng__stream_open(int fd, const char *mode) {
    const frng__stream_calls calls = {frng__stream_read, frng__stream_write, frng__stream_seek,
                                      frng__stream_close};
    if (frng__files_of(fd) == FRNG__NO_FILE)
        return FRNG__NEXT(FILE *, fdopen, int, const char *)(fd, mode);
    if (*mode == 'a') (void)FRNG__DO(fcntl, fd, F_SETFL, FRNG__DO(fcntl, fd, F_GETFL) | O_APPEND);
    FILE *const stream = FRNG__NEXT(FILE *, fopencookie, void *, const char *,
                                    frng__stream_calls)((void *)(intptr_t)fd, mode, calls);
    if (stream == NULL) return NULL;
    frng__files_take();
    FRNG__GROW(frng__stream, frng__streams, frng__stream_count);
    frng__streams[frng__stream_count].stream = stream, frng__streams[frng__stream_count++].fd = fd;
    frng__files_give();
    return stream;
}

static FILE *frng__stream_open_path(const char *path, const char *mode) {
    char name[NAME_MAX + 1];
    const bool writes = *mode != 'r' || strchr(mode, '+') != NULL;
    if (!writes || frng__files_folder(AT_FDCWD, path, name) == FRNG__NO_FILE)
        return FRNG__NEXT(FILE *, fopen, const char *, const char *)(path, mode);
    const int flags = (strchr(mode, '+') != NULL ? O_RDWR : O_WRONLY) |
                      (*mode == 'w'   ? O_CREAT | O_TRUNC
                       : *mode == 'a' ? O_CREAT | O_APPEND
                                      : 0) |
                      (strchr(mode, 'x') != NULL ? O_EXCL : 0) |
                      (strchr(mode, 'e') != NULL ? O_CLOEXEC : 0);
    const int fd = frng__files_open(AT_FDCWD, path, flags, 0666);
    FILE *const stream = fd >= 0 ? frng__stream_open(fd, mode) : NULL;
    if (fd >= 0 && stream == NULL) (void)FRNG__DO(close, fd);
    return stream;
}

static FILE *frng__stream_reopen(const char *path, const char *mode, FILE *stream) {
    char name[NAME_MAX + 1];
    if (path == NULL || frng__files_folder(AT_FDCWD, path, name) == FRNG__NO_FILE)
        return FRNG__NEXT(FILE *, freopen, const char *, const char *, FILE *)(path, mode, stream);
    (void)frng__files_refuse("freopen", EINVAL);
    (void)fclose(stream);
    return NULL;
}

static int frng__stream_number(FILE *stream) {
    int fd = -1;
    frng__files_take();
    for (size_t i = 0; i < frng__stream_count; i++)
        if (frng__streams[i].stream == stream) fd = frng__streams[i].fd;
    frng__files_give();
    return fd >= 0 ? fd : FRNG__NEXT(int, fileno, FILE *)(stream);
}

/* ---- The symbols ---- */

#define FRNG__CALLS(type, name, other, result, ...)                                                \
    FRNG__CALL(type, name, __VA_ARGS__) { return result; }                                         \
    FRNG__CALL(type, other, __VA_ARGS__) { return result; }

FRNG__CALLS(int, open, open64, frng__files_open(AT_FDCWD, path, flags, mode), const char *path,
            int flags, mode_t mode)
FRNG__CALLS(int, __open_2, __open64_2, frng__files_open(AT_FDCWD, path, flags, 0), const char *path,
            int flags)
FRNG__CALLS(int, openat, openat64, frng__files_open(at, path, flags, mode), int at,
            const char *path, int flags, mode_t mode)
FRNG__CALLS(int, __openat_2, __openat64_2, frng__files_open(at, path, flags, 0), int at,
            const char *path, int flags)
FRNG__CALLS(int, creat, creat64,
            frng__files_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode), const char *path,
            mode_t mode)
FRNG__CALL(int, close, int fd) { return frng__files_close(fd); }
FRNG__CALL(ssize_t, write, int fd, const void *bytes, size_t size) {
    if (!frng__files.is_active) return FRNG__DO(write, fd, bytes, size);
    return frng__files_write_one(fd, bytes, size, -1);
}
FRNG__CALLS(ssize_t, pwrite, pwrite64,
            at < 0 ? (errno = EINVAL, -1) : frng__files_write_one(fd, bytes, size, at), int fd,
            const void *bytes, size_t size, off_t at)
FRNG__CALL(ssize_t, writev, int fd, const struct iovec *parts, int count) {
    return frng__files_write(fd, parts, count, -1, 0);
}
FRNG__CALLS(ssize_t, pwritev, pwritev64,
            at < 0 ? (errno = EINVAL, -1) : frng__files_write(fd, parts, count, at, 0), int fd,
            const struct iovec *parts, int count, off_t at)
FRNG__CALLS(ssize_t, pwritev2, pwritev64v2, frng__files_write(fd, parts, count, at, how), int fd,
            const struct iovec *parts, int count, off_t at, int how)
FRNG__CALLS(int, ftruncate, ftruncate64, frng__files_truncate(fd, size), int fd, off_t size)
FRNG__CALLS(int, truncate, truncate64, frng__files_truncate_path(path, size), const char *path,
            off_t size)
FRNG__CALLS(int, fallocate, fallocate64, frng__files_allocate(fd, mode, at, size), int fd, int mode,
            off_t at, off_t size)
FRNG__CALLS(int, posix_fallocate, posix_fallocate64,
            frng__files_allocate(fd, 0, at, size) == 0 ? 0 : errno, int fd, off_t at, off_t size)
FRNG__CALL(int, fsync, int fd) { return frng__files_flush(fd, false); }
FRNG__CALL(int, fdatasync, int fd) { return frng__files_flush(fd, true); }
FRNG__CALL(int, syncfs, int fd) {
    if (frng__files_of(fd) == FRNG__NO_FILE) return (int)FRNG__DO(syncfs, fd);
    return frng__files_flush_all("syncfs"), 0;
}
FRNG__CALL(void, sync, void) {
    if (frng__files.is_active)
        frng__files_flush_all("sync");
    else
        (void)FRNG__DO(sync, 0);
}
FRNG__CALL(int, sync_file_range, int fd, off_t at, off_t size, unsigned flags) {
    if (frng__files_of(fd) != FRNG__NO_FILE) return 0; /* promises nothing */
    return (int)FRNG__DO(sync_file_range, fd, at, size, flags);
}
FRNG__CALL(int, rename, const char *path, const char *to) {
    return frng__files_change_name(FRNG__RENAME, AT_FDCWD, path, AT_FDCWD, to, 0);
}
FRNG__CALL(int, renameat, int at, const char *path, int at2, const char *to) {
    return frng__files_change_name(FRNG__RENAME, at, path, at2, to, 0);
}
FRNG__CALL(int, renameat2, int at, const char *path, int at2, const char *to, unsigned flags) {
    return frng__files_change_name(FRNG__RENAME, at, path, at2, to, flags);
}
FRNG__CALL(int, link, const char *path, const char *to) {
    return frng__files_change_name(FRNG__LINK, AT_FDCWD, path, AT_FDCWD, to, 0);
}
FRNG__CALL(int, linkat, int at, const char *path, int at2, const char *to, int flags) {
    return frng__files_change_name(FRNG__LINK, at, path, at2, to, (unsigned)flags);
}
FRNG__CALL(int, symlink, const char *target, const char *path) {
    return frng__files_symlink(target, AT_FDCWD, path);
}
FRNG__CALL(int, symlinkat, const char *target, int at, const char *path) {
    return frng__files_symlink(target, at, path);
}
FRNG__CALL(int, unlink, const char *path) { return frng__files_unlink(AT_FDCWD, path, 0); }
FRNG__CALL(int, unlinkat, int at, const char *path, int flags) {
    return frng__files_unlink(at, path, flags);
}
FRNG__CALL(int, rmdir, const char *path) {
    return frng__files_unlink(AT_FDCWD, path, FRNG__AT_REMOVEDIR);
}
FRNG__CALL(int, remove, const char *path) { return frng__files_remove(path); }
FRNG__CALL(int, mkdir, const char *path, mode_t mode) {
    return frng__files_change_name(FRNG__MKDIR, AT_FDCWD, path, 0, NULL, mode);
}
FRNG__CALL(int, mkdirat, int at, const char *path, mode_t mode) {
    return frng__files_change_name(FRNG__MKDIR, at, path, 0, NULL, mode);
}
FRNG__CALLS(int, mkstemp, mkstemp64, frng__files_mkstemp(path, 0, 0), char *path)
FRNG__CALLS(int, mkostemp, mkostemp64, frng__files_mkstemp(path, 0, flags), char *path, int flags)
FRNG__CALLS(int, mkstemps, mkstemps64, frng__files_mkstemp(path, suffix, 0), char *path, int suffix)
FRNG__CALLS(int, mkostemps, mkostemps64, frng__files_mkstemp(path, suffix, flags), char *path,
            int suffix, int flags)
FRNG__CALL(char *, mkdtemp, char *path) {
    int result;
    if (!frng__files_temporary(path, 0, 0, true, &result))
        return FRNG__NEXT(char *, mkdtemp, char *)(path);
    return result == 0 ? path : NULL;
}
FRNG__CALLS(void *, mmap, mmap64, frng__files_map(at, size, protection, flags, fd, offset),
            void *at, size_t size, int protection, int flags, int fd, off_t offset)
FRNG__CALL(int, munmap, void *at, size_t size) { return frng__files_unmap(at, size); }
FRNG__CALL(void *, mremap, void *at, size_t size, size_t new_size, int flags, void *to) {
    return frng__files_remap(at, size, new_size, flags, to);
}
FRNG__CALL(int, mprotect, void *at, size_t size, int protection) {
    return frng__files_protect(at, size, protection);
}
FRNG__CALL(int, msync, void *at, size_t size, int flags) {
    return frng__files_sync_mapping(at, size, flags);
}
FRNG__CALLS(FILE *, fopen, fopen64, frng__stream_open_path(path, mode), const char *path,
            const char *mode)
FRNG__CALL(FILE *, fdopen, int fd, const char *mode) { return frng__stream_open(fd, mode); }
FRNG__CALLS(FILE *, freopen, freopen64, frng__stream_reopen(path, mode, stream), const char *path,
            const char *mode, FILE *stream)
FRNG__CALLS(int, fileno, fileno_unlocked, frng__stream_number(stream), FILE *stream)

/* Copies inside the kernel: callers have another way. */
FRNG__CALL(ssize_t, copy_file_range, int from, off_t *at, int to, off_t *at2, size_t size,
           unsigned flags) {
    if (frng__files_of(to) != FRNG__NO_FILE) return errno = EXDEV, -1;
    return FRNG__DO(copy_file_range, from, at, to, at2, size, flags);
}
FRNG__CALLS(ssize_t, sendfile, sendfile64,
            frng__files_of(to) != FRNG__NO_FILE ? (errno = EINVAL, -1)
                                                : FRNG__DO(sendfile, to, from, at, size),
            int to, int from, off_t *at, size_t size)
FRNG__CALL(ssize_t, splice, int from, off_t *at, int to, off_t *at2, size_t size, unsigned flags) {
    if (frng__files_of(to) != FRNG__NO_FILE) return errno = EINVAL, -1;
    return FRNG__DO(splice, from, at, to, at2, size, flags);
}

/* Queues of the kernel, and those of threads of the C library: their writes would not come here. */
static bool frng__files_syscall(long number, const long *arguments, void *caller, long *result) {
    (void)arguments, (void)caller;
    const bool is_queue = number == SYS_io_uring_setup || number == SYS_io_setup;
    if (frng__files.is_active && is_queue)
        *result =
            frng__files_refuse(number == SYS_io_setup ? "io_setup" : "io_uring_setup", ENOSYS);
    return frng__files.is_active && is_queue;
}
__attribute__((constructor, unused)) static void frng__files_start(void) {
    frng__files_hook = frng__files_syscall;
}
#define FRNG__REFUSED(name, call, ...)                                                             \
    FRNG__CALL(int, name, __VA_ARGS__) {                                                           \
        if (frng__files.is_active) return frng__files_refuse(#name, ENOSYS), -ENOSYS;              \
        return FRNG__NEXT(int, name, __VA_ARGS__) call;                                            \
    }
FRNG__REFUSED(io_setup, (count, queue), unsigned count, void *queue)
FRNG__REFUSED(io_queue_init, (count, queue), int count, void *queue)
FRNG__REFUSED(io_uring_queue_init, (count, ring, flags), unsigned count, void *ring, unsigned flags)
FRNG__REFUSED(io_uring_queue_init_params, (count, ring, how), unsigned count, void *ring, void *how)
#undef FRNG__REFUSED
/* A request begins with its descriptor. */
#define FRNG__REFUSED(name, other, fd, call, ...)                                                  \
    FRNG__CALLS(int, name, other,                                                                  \
                frng__files_of(fd) != FRNG__NO_FILE ? frng__files_refuse(#name, ENOSYS)            \
                                                    : FRNG__NEXT(int, name, __VA_ARGS__) call,     \
                __VA_ARGS__)
FRNG__REFUSED(aio_write, aio_write64, *request, (request), int *request)
FRNG__REFUSED(aio_fsync, aio_fsync64, *request, (how, request), int how, int *request)
FRNG__REFUSED(lio_listio, lio_listio64, count > 0 && requests[0] ? *requests[0] : -1,
              (how, requests, count, event), int how, int **requests, int count, void *event)
#undef FRNG__REFUSED
#endif
