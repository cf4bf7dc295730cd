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

FRNG__WRAPS

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
    memset(st, 0, sizeof *st); /* MemorySanitizer does not see what a system call fills */
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
    frng__files.is_new = !frng__files.is_off;
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

/* A call that is another one with some arguments given. */
#define FRNG__ROW(type, name, result, ...)                                                         \
    FRNG__CALL(type, name, __VA_ARGS__) { return result; }
#define FRNG__ROW64(type, name, result, ...)                                                       \
    FRNG__CALL64(type, name, __VA_ARGS__) { return result; }
#define FRNG__IF_OURS(fd, ours, other) (frng__files_of(fd) != FRNG__NO_FILE ? (ours) : (other))
#define FRNG__FAIL(error) (errno = (error), -1)

/* ---- Data ---- */

FRNG__CALL64(int, openat, int at, const char *path, int flags, mode_t mode) {
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
        const frng__name from = {folder, file, frng__files_path(folder, name)}, none = {0, 0, NULL};
        if (!is_there) frng__files_log_name(FRNG__CREATE, file, from, none, false);
        if (is_there && file != FRNG__NO_FILE) frng__files_log_size(file, 0);
    }
    if (changes) frng__files_give();
    return fd;
}

FRNG__ROW64(int, open, frng__call_openat(AT_FDCWD, path, flags, mode), const char *path, int flags,
            mode_t mode)
FRNG__ROW64(int, creat, frng__call_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode), const char *path,
            mode_t mode)
/* Those of fortified programs have no mode, and create nothing. */
FRNG__SAME(__open_2, open)
FRNG__SAME(__open64_2, open)
FRNG__SAME(__openat_2, openat)
FRNG__SAME(__openat64_2, openat)

FRNG__CALL(int, close, int fd) {
    const size_t file = frng__files_of(fd);
    if (file != FRNG__NO_FILE) {
        frng__files_take();
        if (frng__files.files[file].was_emptied && !frng__files.is_off)
            (void)frng__files_log(FRNG__FORCE, file, "force");
        frng__files.files[file].was_emptied = false;
        frng__files_give();
    }
    return (int)FRNG__DO(close, fd);
}

/* A write at an offset, or at -1 where the descriptor stands. */
FRNG__CALL(ssize_t, pwritev2, int fd, const struct iovec *parts, int count, off_t at, int how) {
    const size_t file = frng__files_of(fd);
    if (file == FRNG__NO_FILE) return FRNG__DO(pwritev2, fd, parts, count, at, 0L, how);
    const int flags = (int)FRNG__DO(fcntl, fd, F_GETFL);
    const bool appends = (flags & O_APPEND) != 0 || (how & FRNG__RWF_APPEND) != 0;
    const bool is_on = frng__files_enter();
    const off_t from = appends  ? (off_t)frng__files.files[file].size
                       : at < 0 ? lseek(fd, 0, SEEK_CUR)
                                : at;
    const ssize_t done = FRNG__DO(pwritev2, fd, parts, count, at, 0L, how);
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

static ssize_t frng__files_write(int fd, const void *bytes, size_t size, off_t at) {
    struct iovec part;
    part.iov_base = (void *)(uintptr_t)bytes, part.iov_len = size;
    return frng__call_pwritev2(fd, &part, 1, at, 0);
}

FRNG__ROW(ssize_t, write, frng__files_write(fd, bytes, size, -1), int fd, const void *bytes,
          size_t size)
FRNG__ROW64(ssize_t, pwrite, at < 0 ? FRNG__FAIL(EINVAL) : frng__files_write(fd, bytes, size, at),
            int fd, const void *bytes, size_t size, off_t at)
FRNG__ROW(ssize_t, writev, frng__call_pwritev2(fd, parts, count, -1, 0), int fd,
          const struct iovec *parts, int count)
FRNG__ROW64(ssize_t, pwritev,
            at < 0 ? FRNG__FAIL(EINVAL) : frng__call_pwritev2(fd, parts, count, at, 0), int fd,
            const struct iovec *parts, int count, off_t at)
FRNG__SAME(pwritev64v2, pwritev2)

FRNG__CALL64(int, ftruncate, int fd, off_t size) {
    const size_t file = frng__files_of(fd);
    const bool is_on = file != FRNG__NO_FILE && frng__files_enter();
    const int result = (int)FRNG__DO(ftruncate, fd, size);
    if (is_on && result == 0) frng__files_log_size(file, (size_t)size);
    if (file != FRNG__NO_FILE) frng__files_give();
    return result;
}

FRNG__CALL64(int, truncate, const char *path, off_t size) {
    const int fd = (int)FRNG__DO(openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (fd < 0) return -1;
    const int result = frng__call_ftruncate(fd, size), error = errno;
    (void)FRNG__DO(close, fd);
    errno = error;
    return result;
}

FRNG__CALL64(int, fallocate, int fd, int mode, off_t at, off_t size) {
    struct stat st;
    if (frng__files_of(fd) == FRNG__NO_FILE) return (int)FRNG__DO(fallocate, fd, mode, at, size);
    if ((mode & ~FRNG__KEEP_SIZE) != 0)
        return frng__files_refuse("a hole by fallocate", EOPNOTSUPP);
    if (mode != 0 || fstat(fd, &st) != 0 || at + size <= st.st_size) return 0;
    return frng__call_ftruncate(fd, at + size);
}

FRNG__ROW64(int, posix_fallocate, frng__call_fallocate(fd, 0, at, size) == 0 ? 0 : errno, int fd,
            off_t at, off_t size)

/* A copy inside of the kernel is a read and a write here. It may copy less than is asked for; of a
 * pipe, what one read gives. `at` is moved, or NULL where the descriptor stands. */
static ssize_t frng__files_copy(int fd, off_t *at, int to, off_t *at2, size_t size) {
    uint8_t bytes[4096];
    struct stat st;
    const bool is_file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    size_t total = 0;
    memset(bytes, 0, sizeof bytes); /* MemorySanitizer does not see what a system call fills */
    while (total < size) {
        struct iovec part;
        part.iov_base = bytes;
        part.iov_len = size - total < sizeof bytes ? size - total : sizeof bytes;
        const ssize_t got = FRNG__DO(preadv2, fd, &part, 1, at != NULL ? *at : -1, 0L, 0);
        if (got <= 0) return total > 0 ? (ssize_t)total : got;
        const ssize_t done = frng__files_write(to, bytes, (size_t)got, at2 != NULL ? *at2 : -1);
        const int error = errno;
        if (done < got && at == NULL && is_file)
            (void)lseek(fd, (done > 0 ? done : 0) - got, SEEK_CUR);
        errno = error;
        if (done <= 0) return total > 0 ? (ssize_t)total : done;
        if (at != NULL) *at += done;
        if (at2 != NULL) *at2 += done;
        total += (size_t)done;
        if (done < got || !is_file) break;
    }
    return (ssize_t)total;
}

/* True if a descriptor is of that kind (S_IFREG). */
static bool frng__files_is(int fd, mode_t kind) {
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

static bool frng__files_appends(int fd) { return (FRNG__DO(fcntl, fd, F_GETFL) & O_APPEND) != 0; }

FRNG__CALL(ssize_t, copy_file_range, int fd, off_t *at, int to, off_t *at2, size_t size,
           unsigned flags) {
    if (frng__files_of(to) == FRNG__NO_FILE)
        return FRNG__DO(copy_file_range, fd, at, to, at2, size, flags);
    const off_t from = at != NULL ? *at : lseek(fd, 0, SEEK_CUR);
    const off_t into = at2 != NULL ? *at2 : lseek(to, 0, SEEK_CUR);
    const off_t apart = from < into ? into - from : from - into;
    if (flags != 0 || !frng__files_is(fd, S_IFREG)) return FRNG__FAIL(EINVAL);
    if (frng__files_appends(to)) return FRNG__FAIL(EBADF);
    if (frng__files_of(fd) == frng__files_of(to) && (size_t)apart < size) return FRNG__FAIL(EINVAL);
    return frng__files_copy(fd, at, to, at2, size);
}

FRNG__CALL64(ssize_t, sendfile, int to, int fd, off_t *at, size_t size) {
    if (frng__files_of(to) == FRNG__NO_FILE) return FRNG__DO(sendfile, to, fd, at, size);
    if (frng__files_appends(to)) return FRNG__FAIL(EINVAL);
    return frng__files_copy(fd, at, to, NULL, size);
}

FRNG__CALL(ssize_t, splice, int fd, off_t *at, int to, off_t *at2, size_t size, unsigned flags) {
    if (frng__files_of(to) == FRNG__NO_FILE) return FRNG__DO(splice, fd, at, to, at2, size, flags);
    if (!frng__files_is(fd, S_IFIFO) || frng__files_appends(to)) return FRNG__FAIL(EINVAL);
    return at != NULL ? FRNG__FAIL(ESPIPE) : frng__files_copy(fd, NULL, to, at2, size);
}

/* Clones share blocks, which the log does not have: programs copy where they are refused. */
FRNG__CALL(int, ioctl, int fd, unsigned long request, long argument) {
    enum { CLONE = 0x40049409, CLONE_RANGE = 0x4020940d };
    if ((request == CLONE || request == CLONE_RANGE) && frng__files_of(fd) != FRNG__NO_FILE)
        return frng__files_refuse("a clone by ioctl", EOPNOTSUPP);
    return FRNG__NEXT(int, ioctl, int, unsigned long, long)(fd, request, argument);
}

static int frng__files_flush(size_t file, bool only_data, const char *word) {
    if (frng__files_enter()) frng__files_sync(file, only_data, 0, SIZE_MAX, word);
    frng__files_give();
    return 0;
}

FRNG__CALL(int, fsync, int fd) {
    const size_t file = frng__files_of(fd);
    if (file == FRNG__NO_FILE) return (int)FRNG__DO(fsync, fd);
    return frng__files_flush(file, false, "fsync");
}
FRNG__CALL(int, fdatasync, int fd) {
    const size_t file = frng__files_of(fd);
    if (file == FRNG__NO_FILE) return (int)FRNG__DO(fdatasync, fd);
    return frng__files_flush(file, true, "fdatasync");
}
FRNG__CALL(void, sync, void) {
    (void)(frng__files.is_active ? frng__files_flush(FRNG__NO_FILE, false, "sync")
                                 : FRNG__DO(sync, 0));
}
FRNG__ROW(int, syncfs,
          FRNG__IF_OURS(fd, frng__files_flush(FRNG__NO_FILE, false, "syncfs"),
                        (int)FRNG__DO(syncfs, fd)),
          int fd)
FRNG__ROW(int, sync_file_range, /* promises nothing */
          FRNG__IF_OURS(fd, 0, (int)FRNG__DO(sync_file_range, fd, at, size, flags)), int fd,
          off_t at, off_t size, unsigned flags)

/* ---- Names ---- */

/* Make the call of this kind; `more` has its flags or mode. */
static int frng__files_do_name(frng__files_kind kind, int at, const char *path, int at2,
                               const char *to, unsigned more) {
    return (int)(kind == FRNG__MKDIR    ? FRNG__DO(mkdirat, at, path, more)
                 : kind == FRNG__RENAME ? FRNG__DO(renameat2, at, path, at2, to, more)
                 : kind == FRNG__LINK   ? FRNG__DO(linkat, at, path, at2, to, more)
                                        : FRNG__DO(unlinkat, at, path, more));
}

static int frng__files_name(frng__files_kind kind, int at, const char *path, int at2,
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
        const frng__name from = {folder, file, frng__files_path(folder, name)};
        const frng__name into = {folder2, file,
                                 to != NULL ? frng__files_path(folder2, name2) : NULL};
        frng__files_log_name(kind, file, from, into, replaces);
    }
    frng__files_give();
    return result;
}

FRNG__ROW(int, renameat2, frng__files_name(FRNG__RENAME, at, path, at2, to, flags), int at,
          const char *path, int at2, const char *to, unsigned flags)
FRNG__ROW(int, renameat, frng__call_renameat2(at, path, at2, to, 0), int at, const char *path,
          int at2, const char *to)
FRNG__ROW(int, rename, frng__call_renameat2(AT_FDCWD, path, AT_FDCWD, to, 0), const char *path,
          const char *to)
FRNG__ROW(int, linkat, frng__files_name(FRNG__LINK, at, path, at2, to, flags), int at,
          const char *path, int at2, const char *to, unsigned flags)
FRNG__ROW(int, link, frng__call_linkat(AT_FDCWD, path, AT_FDCWD, to, 0), const char *path,
          const char *to)
FRNG__ROW(int, mkdirat, frng__files_name(FRNG__MKDIR, at, path, 0, NULL, mode), int at,
          const char *path, mode_t mode)
FRNG__ROW(int, mkdir, frng__call_mkdirat(AT_FDCWD, path, mode), const char *path, mode_t mode)
FRNG__ROW(int, unlinkat,
          frng__files_name(flags != 0 ? FRNG__RMDIR : FRNG__UNLINK, at, path, 0, NULL, flags),
          int at, const char *path, unsigned flags)
FRNG__ROW(int, unlink, frng__call_unlinkat(AT_FDCWD, path, 0), const char *path)
FRNG__ROW(int, rmdir, frng__call_unlinkat(AT_FDCWD, path, FRNG__AT_REMOVEDIR), const char *path)

FRNG__CALL(int, remove, const char *path) {
    struct stat st;
    const bool is_folder =
        frng__files_stat(AT_FDCWD, path, FRNG__AT_NOFOLLOW, &st) && S_ISDIR(st.st_mode);
    return frng__call_unlinkat(AT_FDCWD, path, is_folder ? FRNG__AT_REMOVEDIR : 0);
}

FRNG__CALL(int, symlinkat, const char *target, int at, const char *path) {
    char name[NAME_MAX + 1];
    if (frng__files_folder(at, path, name) == FRNG__NO_FILE)
        return (int)FRNG__DO(symlinkat, target, at, path);
    return frng__files_refuse("a symbolic link", EPERM);
}
FRNG__ROW(int, symlink, frng__call_symlinkat(target, AT_FDCWD, path), const char *target,
          const char *path)

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
        *result = is_folder ? frng__call_mkdir(path, 0700)
                            : frng__call_open(path, O_CREAT | O_EXCL | O_RDWR | flags, 0600);
    } while (*result < 0 && errno == EEXIST);
    return true;
}

FRNG__CALL64(int, mkostemps, char *path, int suffix, int flags) {
    int result;
    if (frng__files_temporary(path, suffix, flags, false, &result)) return result;
    return FRNG__NEXT(int, mkostemps, char *, int, int)(path, suffix, flags);
}
FRNG__ROW64(int, mkstemps, frng__call_mkostemps(path, suffix, 0), char *path, int suffix)
FRNG__ROW64(int, mkostemp, frng__call_mkostemps(path, 0, flags), char *path, int flags)
FRNG__ROW64(int, mkstemp, frng__call_mkostemps(path, 0, 0), char *path)

FRNG__CALL(char *, mkdtemp, char *path) {
    int result;
    if (!frng__files_temporary(path, 0, 0, true, &result))
        return FRNG__NEXT(char *, mkdtemp, char *)(path);
    return result == 0 ? path : NULL;
}

/* ---- Mappings ---- */

/* A file that a library maps to store in is mapped here as well, from then on, and compared at each
 * call. So nobody asks what becomes of its mappings, but for msync: which file, and where? */
static void frng__files_view(frng__file *n, int fd) {
    if (n->seen != NULL) return;
    n->view_size = frng__files_view_size(n->size);
    n->view = (uint8_t *)FRNG__NEXT(void *, mmap, void *, size_t, int, int, int, off_t)(
        NULL, n->view_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    FRNG_ASSERT(n->view != MAP_FAILED, "no room to see a file: %s", strerror(errno));
    n->seen = (uint8_t *)frng__files_room(NULL, n->view_size);
    memcpy(n->seen, n->view, n->size);
}

static void frng__files_add_mapping(void *at, size_t size, size_t offset, size_t file) {
    const frng__mapping m = {(uint8_t *)at, size, offset, file};
    FRNG__GROW(frng__mapping, frng__files.mappings, frng__files.mapping_count);
    frng__files.mappings[frng__files.mapping_count++] = m;
}

/* The newest mapping at an address, or NULL. */
static const frng__mapping *frng__files_mapping(const void *at) {
    for (size_t i = frng__files_is_here() ? 0 : frng__files.mapping_count; i-- > 0;) {
        const frng__mapping *const m = &frng__files.mappings[i];
        if (m->at <= (const uint8_t *)at && (const uint8_t *)at < m->at + m->size) return m;
    }
    return NULL;
}

FRNG__CALL64(void *, mmap, void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    const size_t file = (flags & MAP_SHARED) != 0 ? frng__files_of(fd) : FRNG__NO_FILE;
    void *const result = FRNG__NEXT(void *, mmap, void *, size_t, int, int, int,
                                    off_t)(at, size, protection, flags, fd, offset);
    if (file == FRNG__NO_FILE || result == MAP_FAILED) return result;
    frng__files_take();
    if (!frng__files.is_off && (protection & PROT_WRITE) != 0)
        frng__files_view(&frng__files.files[file], fd);
    frng__files_add_mapping(result, size, (size_t)offset, file);
    frng__files_give();
    return result;
}

FRNG__CALL(void *, mremap, void *at, size_t size, size_t new_size, int flags, void *to) {
    void *const result = (void *)FRNG__DO(mremap, at, size, new_size, flags, to);
    const frng__mapping *const m = frng__files_mapping(at);
    if (m == NULL || result == MAP_FAILED) return result;
    frng__files_take();
    frng__files_add_mapping(result, new_size, m->offset + (size_t)((uint8_t *)at - m->at), m->file);
    frng__files_give();
    return result;
}

FRNG__CALL(int, mprotect, void *at, size_t size, int protection) {
    const int result = (int)FRNG__DO(mprotect, at, size, protection);
    const frng__mapping *const m = frng__files_mapping(at);
    char path[PATH_MAX];
    if (m == NULL || (protection & PROT_WRITE) == 0 || result != 0) return result;
    frng__files_take();
    frng__file *const n = &frng__files.files[m->file];
    snprintf(path, sizeof path, "%s/%s", frng__files.root, n->path);
    const int fd = (int)FRNG__DO(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (!frng__files.is_off) frng__files_view(n, fd);
    (void)FRNG__DO(close, fd);
    frng__files_give();
    return result;
}

FRNG__CALL(int, msync, void *at, size_t size, int flags) {
    const int result = (int)FRNG__DO(msync, at, size, flags);
    const frng__mapping *const m = frng__files_mapping(at);
    if (m == NULL || result != 0) return result;
    const bool is_on = frng__files_enter();
    const size_t from = m->offset + (size_t)((uint8_t *)at - m->at);
    const size_t end = from + (size + FRNG__PAGE - 1) / FRNG__PAGE * FRNG__PAGE;
    if (is_on && (flags & MS_SYNC) != 0) frng__files_sync(m->file, true, from, end, "msync");
    frng__files_give();
    return result;
}

/* ---- Streams ---- */

/* The C library writes to the file of a stream by itself: those of ours have functions of ours. */
typedef struct frng__stream {
    FILE *stream; /* NULL: it is free */
    int fd;
} frng__stream;
typedef struct frng__stream_calls {
    ssize_t (*read)(void *s, char *bytes, size_t size);
    ssize_t (*write)(void *s, const char *bytes, size_t size);
    int (*seek)(void *s, int64_t *at, int whence);
    int (*close)(void *s);
} frng__stream_calls;
enum { FRNG__STREAMS = 256 };
static frng__stream frng__streams[FRNG__STREAMS];

static ssize_t frng__stream_read(void *s, char *bytes, size_t size) {
    return read(((frng__stream *)s)->fd, bytes, size);
}
static ssize_t frng__stream_write(void *s, const char *bytes, size_t size) {
    return frng__files_write(((frng__stream *)s)->fd, bytes, size, -1);
}
static int frng__stream_seek(void *s, int64_t *at, int whence) {
    *at = lseek(((frng__stream *)s)->fd, *at, whence);
    return *at < 0 ? -1 : 0;
}
static int frng__stream_close(void *s) {
    ((frng__stream *)s)->stream = NULL;
    return frng__call_close(((frng__stream *)s)->fd);
}

FRNG__CALL(FILE *, fdopen, int fd, const char *mode) {
    const frng__stream_calls calls = {frng__stream_read, frng__stream_write, frng__stream_seek,
                                      frng__stream_close};
    frng__stream *s = frng__streams;
    if (frng__files_of(fd) == FRNG__NO_FILE)
        return FRNG__NEXT(FILE *, fdopen, int, const char *)(fd, mode);
    if (*mode == 'a') (void)FRNG__DO(fcntl, fd, F_SETFL, FRNG__DO(fcntl, fd, F_GETFL) | O_APPEND);
    frng__files_take();
    while (s < frng__streams + FRNG__STREAMS && s->stream != NULL) s++;
    FRNG_ASSERT(s < frng__streams + FRNG__STREAMS, "more than %d streams", FRNG__STREAMS);
    s->fd = fd;
    s->stream =
        FRNG__NEXT(FILE *, fopencookie, void *, const char *, frng__stream_calls)(s, mode, calls);
    frng__files_give();
    return s->stream;
}

FRNG__CALL64(FILE *, fopen, const char *path, const char *mode) {
    char name[NAME_MAX + 1];
    const bool writes = *mode != 'r' || strchr(mode, '+') != NULL;
    if (!writes || frng__files_folder(AT_FDCWD, path, name) == FRNG__NO_FILE)
        return FRNG__NEXT(FILE *, fopen, const char *, const char *)(path, mode);
    int flags = strchr(mode, '+') != NULL ? O_RDWR : O_WRONLY;
    if (*mode != 'r') flags |= O_CREAT | (*mode == 'w' ? O_TRUNC : O_APPEND);
    if (strchr(mode, 'x') != NULL) flags |= O_EXCL;
    if (strchr(mode, 'e') != NULL) flags |= O_CLOEXEC;
    const int fd = frng__call_open(path, flags, 0666);
    FILE *const stream = fd >= 0 ? frng__call_fdopen(fd, mode) : NULL;
    if (fd >= 0 && stream == NULL) (void)FRNG__DO(close, fd);
    return stream;
}

FRNG__CALL64(FILE *, freopen, const char *path, const char *mode, FILE *stream) {
    char name[NAME_MAX + 1];
    if (path == NULL || frng__files_folder(AT_FDCWD, path, name) == FRNG__NO_FILE)
        return FRNG__NEXT(FILE *, freopen, const char *, const char *, FILE *)(path, mode, stream);
    (void)frng__files_refuse("freopen", EINVAL);
    (void)fclose(stream);
    return NULL;
}

FRNG__CALL(int, fileno, FILE *stream) {
    for (const frng__stream *s = frng__streams; s < frng__streams + FRNG__STREAMS; s++)
        if (stream != NULL && s->stream == stream) return s->fd;
    return FRNG__NEXT(int, fileno, FILE *)(stream);
}

FRNG__SAME(fileno_unlocked, fileno)

/* ---- What is refused ---- */

/* Queues of the kernel, and those of threads of the C library: their writes would not come here.
 * Copies are made by number where a C library has no function for them. */
static bool frng__files_syscall(long number, const long *arguments, void *caller, long *result) {
    const long *const a = arguments;
    (void)caller;
    if (!frng__files.is_active) return false;
    switch (number) {
    case SYS_copy_file_range:
        *result = frng__call_copy_file_range((int)a[0], (off_t *)a[1], (int)a[2], (off_t *)a[3],
                                             (size_t)a[4], (unsigned)a[5]);
        return true;
    case SYS_sendfile:
        *result = frng__call_sendfile((int)a[0], (int)a[1], (off_t *)a[2], (size_t)a[3]);
        return true;
    case SYS_splice:
        *result = frng__call_splice((int)a[0], (off_t *)a[1], (int)a[2], (off_t *)a[3],
                                    (size_t)a[4], (unsigned)a[5]);
        return true;
    case SYS_renameat2:
        *result = frng__call_renameat2((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3],
                                       (unsigned)a[4]);
        return true;
    case SYS_io_setup: *result = frng__files_refuse("io_setup", ENOSYS); return true;
    case SYS_io_uring_setup: *result = frng__files_refuse("io_uring_setup", ENOSYS); return true;
    default: return false;
    }
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
#define FRNG__REFUSED(name, fd, call, ...)                                                         \
    FRNG__ROW64(int, name,                                                                         \
                FRNG__IF_OURS(fd, frng__files_refuse(#name, ENOSYS),                               \
                              FRNG__NEXT(int, name, __VA_ARGS__) call),                            \
                __VA_ARGS__)
FRNG__REFUSED(aio_write, *request, (request), int *request)
FRNG__REFUSED(aio_fsync, *request, (how, request), int how, int *request)
FRNG__REFUSED(lio_listio, count > 0 && requests[0] ? *requests[0] : -1,
              (how, requests, count, event), int how, int **requests, int count, void *event)
#undef FRNG__REFUSED
FRNG__WRAPS_END
#endif
