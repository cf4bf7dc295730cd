/* How the files of runs are kept together, and go.
 *
 * A run may leave anything in a folder: trees of any depth, folders that deny access, mounts. All
 * of it goes, but mounts and what is in them: those belong to others. Unlinking and renaming never
 * enter a mount; only opening can, so each folder is opened below its parent, without crossing one
 * (openat2). Trees of any depth need only two descriptors, since what is deep moves up first.
 *
 * The folder of a tool is locked as long as the tool lives, so a later one recognizes those of
 * killed tools. Folders of jobs are in it, under names that other users cannot guess: root's can be
 * entered by all, for programs that give up root's rights and still need temporary files. */
#include "work_folder.h"

#include "clock.h"
#include "memory.h"
#include "proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Removing ---- */

/* Open an entry of a folder; no link. Returns -1 with errno: EXDEV if a mount is on it. */
static int open_below(int folder_fd, const char *name, int flags) {
    const struct open_how how = {.flags = (unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
                                 .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, folder_fd, name, &how, sizeof how);
}

/* Permit access to a folder that denies it. */
static void allow(int parent_fd, const char *name) {
    char path[32];
    const int fd = open_below(parent_fd, name, O_PATH | O_DIRECTORY);
    if (fd < 0) return;
    snprintf(path, sizeof path, "self/fd/%d", fd);
    fchmodat(procfs(), path, S_IRWXU, 0);
    close(fd);
}

static const char *next_name(DIR *folder) {
    const struct dirent *entry = readdir(folder);
    while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = readdir(folder);
    return entry != NULL ? entry->d_name : NULL;
}

/* Move a folder to `top_fd`, under a free number. */
static void lift(int parent_fd, const char *name, int top_fd, unsigned long *number) {
    char lifted[32];
    do {
        snprintf(lifted, sizeof lifted, "lifted-%lu", (*number)++);
    } while (faccessat(top_fd, lifted, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    allow(parent_fd, name); /* moving a folder writes its ".." */
    renameat(parent_fd, name, top_fd, lifted);
}

/* Remove the present entries of a folder. Lift the folders in its folders out of these, into it.
 * Return the number of removed entries. */
static size_t thin_out(int parent_fd, const char *name, int top_fd, unsigned long *number) {
    size_t removed = 0;
    allow(parent_fd, name);
    const int fd = open_below(parent_fd, name, O_RDONLY | O_DIRECTORY);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && folder == NULL) close(fd);
    for (const char *entry; folder != NULL && (entry = next_name(folder)) != NULL;) {
        const bool is_gone = unlinkat(fd, entry, 0) == 0 || unlinkat(fd, entry, AT_REMOVEDIR) == 0;
        if (!is_gone && top_fd >= 0) lift(fd, entry, top_fd, number);
        if (!is_gone && top_fd < 0) thin_out(fd, entry, fd, number);
        removed += is_gone || unlinkat(fd, entry, AT_REMOVEDIR) == 0;
    }
    if (folder != NULL) closedir(folder);
    return removed;
}

int work_folder_remove_entry(int folder_fd, const char *name) {
    unsigned long number = 0;
    if (unlinkat(folder_fd, name, 0) == 0 || unlinkat(folder_fd, name, AT_REMOVEDIR) == 0) return 0;
    while (thin_out(folder_fd, name, -1, &number) > 0) {
    }
    return unlinkat(folder_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

int work_folder_make_above(int folder_fd, char *path, mode_t mode) {
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_there = mkdirat(folder_fd, path, mode) == 0 || errno == EEXIST;
        *slash = '/';
        if (!is_there) return errno;
    }
    return 0;
}

/* Open the folder that an absolute path is in. Returns -1 with errno. */
static int open_parent(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(path_base(path) - path), path);
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* ---- The folder of a tool ---- */

int work_folder_remove(const char *path) {
    const int parent_fd = open_parent(path);
    if (parent_fd < 0) return errno == ENOENT ? 0 : errno;
    const int error = work_folder_remove_entry(parent_fd, path_base(path));
    close(parent_fd);
    return error;
}

#define WORK_NAME "frng-work-"
enum { WORK_DIGITS = 8 };

const char *work_name(char name[WORK_NAME_MAX]) {
    uint8_t bytes[(WORK_NAME_MAX - 1) / 2];
    randombytes_buf(bytes, sizeof bytes);
    bytes_to_hex(bytes, sizeof bytes, name);
    return name;
}

static bool is_work_name(const char *name) {
    const size_t length = sizeof WORK_NAME - 1;
    return strncmp(name, WORK_NAME, length) == 0 && strlen(name + length) == WORK_DIGITS &&
           strspn(name + length, "0123456789abcdef") == WORK_DIGITS;
}

/* Others may at most search it. */
static bool is_private(int folder_fd) {
    const mode_t denied = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    struct stat status;
    return fstat(folder_fd, &status) == 0 && status.st_uid == geteuid() &&
           (status.st_mode & denied) == 0;
}

/* Remove the folders whose users have died: those of this user that are not locked. */
static void tidy(const char *path) {
    DIR *list = opendir(path);
    for (const char *name; list != NULL && (name = next_name(list)) != NULL;) {
        if (!is_work_name(name)) continue;
        const int fd = open_below(dirfd(list), name, O_RDONLY | O_DIRECTORY);
        if (fd < 0) continue;
        if (is_private(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0)
            work_folder_remove_entry(dirfd(list), name);
        close(fd);
    }
    if (list != NULL) closedir(list);
}

int work_folder_make(const char *folder, char path[PATH_MAX], int *lock_fd) {
    enum { TRIES = 10 };
    char whole[PATH_MAX], name[WORK_NAME_MAX];
    int error = EEXIST;
    path[0] = '\0';
    *lock_fd = -1;
    if (realpath(folder, whole) == NULL) return errno;
    tidy(whole);
    for (int i = 0; i < TRIES; i++) { /* another may tidy before the lock */
        const int length =
            snprintf(path, PATH_MAX, "%s/" WORK_NAME "%.*s", whole, WORK_DIGITS, work_name(name));
        if (length >= PATH_MAX) return ENAMETOOLONG;
        error = mkdir(path, S_IRWXU) != 0 ? errno : 0;
        if (error == EEXIST) continue;
        if (error != 0) return error;
        *lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (*lock_fd >= 0) flock(*lock_fd, LOCK_EX); /* without support, none is stale either */
        error = *lock_fd >= 0 && access(path, F_OK) == 0 ? 0 : errno;
        if (error == 0) return 0;
        unlinkat(AT_FDCWD, path, AT_REMOVEDIR); /* if it is there */
        if (*lock_fd >= 0) close(*lock_fd), *lock_fd = -1;
        if (error != ENOENT) return error;
    }
    return error;
}

/* Names of sockets have 107 bytes, of which programs need some 25 below TMPDIR. */
static bool is_short_enough(const char *folder) {
    enum { TEMP_MAX = 80, OURS = sizeof "/" WORK_NAME "01234567/0123456789ab/t" - 1 };
    char whole[PATH_MAX];
    return realpath(folder, whole) == NULL || strlen(whole) + OURS <= TEMP_MAX;
}

int work_folder_open(work_folder *w, const char *folder) {
    static const char brief[] = "/tmp";
    const bool is_root = geteuid() == 0;
    *w = (work_folder){.lock_fd = -1};
    randombytes_buf(&w->secret, sizeof w->secret);
    const bool fits = is_short_enough(folder) || access(brief, W_OK | X_OK) != 0;
    int error = work_folder_make(fits ? folder : brief, w->path, &w->lock_fd);
    if (error == 0 && is_root && fchmod(w->lock_fd, S_IRWXU | S_IXGRP | S_IXOTH) != 0)
        error = errno;
    if (error != 0) work_folder_close(w);
    return error;
}

int work_folder_close(work_folder *w) {
    if (w->path[0] == '\0') return 0;
    const int error = work_folder_remove(w->path);
    if (w->lock_fd >= 0) close(w->lock_fd);
    w->path[0] = '\0';
    w->lock_fd = -1;
    return error;
}

int work_folder_fd(const char *path) {
    const int parent_fd = open_parent(path);
    if (parent_fd < 0) return -1;
    const int fd = open_below(parent_fd, path_base(path), O_RDONLY | O_DIRECTORY);
    int error = fd < 0 ? errno : is_private(fd) ? 0 : EPERM;
    close(parent_fd);
    if (error == 0) return fd;
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

/* ---- The folder of a job ---- */

/* Make an empty folder for this user, and of root for all. Returns its descriptor, or -1. */
static int make_folder(int parent_fd, const char *name, mode_t mode_of_root) {
    if (mkdirat(parent_fd, name, S_IRWXU) != 0 &&
        (errno != EEXIST || work_folder_remove_entry(parent_fd, name) != 0 ||
         mkdirat(parent_fd, name, S_IRWXU) != 0))
        return -1;
    const int fd = open_below(parent_fd, name, O_RDONLY | O_DIRECTORY);
    if (fd >= 0 && fchmod(fd, geteuid() == 0 ? mode_of_root : S_IRWXU) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

void job_folder_open(job_folder *j, const work_folder *w, unsigned job) {
    *j = (job_folder){.root_fd = -1, .fd = -1};
    if (w == NULL || w->path[0] == '\0') return;
    const uint64_t number = (w->secret + job) & UINT64_C(0xffffffffffff);
    const int length = snprintf(j->path, sizeof j->path, "%s/%012" PRIx64, w->path, number);
    j->root_fd = work_folder_fd(w->path);
    if (j->root_fd < 0 || length >= (int)sizeof j->path) return;
    char *name = strrchr(j->path, '/') + 1;
    const mode_t mode_of_root = S_IRWXU | S_IXGRP | S_IXOTH;
    j->fd = make_folder(j->root_fd, name, mode_of_root);
    if (j->fd < 0) j->fd = make_folder(j->root_fd, work_name(name), mode_of_root); /* a mount */
}

int job_folder_make(const job_folder *j, const char *name) {
    return make_folder(j->fd, name, S_IRWXU | S_IXGRP | S_IXOTH);
}

void job_folder_close(job_folder *j, const work_folder *w, bool is_last) {
    if (j->fd >= 0) {
        work_folder_remove_entry(j->root_fd, path_base(j->path));
        close(j->fd);
    }
    if (j->root_fd >= 0) close(j->root_fd);
    if (is_last && w != NULL && w->path[0] != '\0') rmdir(w->path);
    j->root_fd = j->fd = -1;
}

/* ---- Temporary files ---- */

#define TEMP_VARIABLE "TMPDIR="

/* Make it empty. Where a mount is in the way, it gets another name. False if it cannot be made. */
static bool make_temp(temp_folder *t) {
    const mode_t mode_of_root = S_ISVTX | S_IRWXU | S_IRWXG | S_IRWXO;
    struct stat status;
    int fd = make_folder(t->job->fd, t->name, mode_of_root);
    if (fd < 0) fd = make_folder(t->job->fd, work_name(t->name), mode_of_root);
    const bool ok = fd >= 0 && fstat(fd, &status) == 0;
    if (fd >= 0) close(fd);
    if (!ok) return false;
    t->device = status.st_dev;
    t->inode = status.st_ino;
    t->mode = status.st_mode;
    return snprintf(t->variable, sizeof t->variable, TEMP_VARIABLE "%s/%s", t->job->path, t->name) <
           (int)sizeof t->variable;
}

void temp_folder_open(temp_folder *t, const job_folder *job, const char *name) {
    *t = (temp_folder){.job = job};
    strcpy(t->name, name);
    if (job == NULL || job->fd < 0) t->job = NULL;
}

static bool is_made(const temp_folder *t) { return t->job != NULL && t->mode != 0; }

char **temp_folder_environment(temp_folder *t, char *const *envp) {
    if (t->job != NULL && !is_made(t) && !make_temp(t)) t->job = NULL;
    size_t count = text_count(envp), to = 0;
    char **changed = memory_zeroed(count + 2, sizeof *changed);
    for (size_t i = 0; i < count; i++) {
        const bool is_old = strncmp(envp[i], TEMP_VARIABLE, strlen(TEMP_VARIABLE)) == 0;
        if (t->job == NULL || !is_old) changed[to++] = envp[i];
    }
    if (t->job != NULL) changed[to] = (char *)(uintptr_t)t->variable;
    return changed;
}

/* Count the entries by few calls to the system, and without memory. */
static unsigned count_entries(int fd, unsigned most) {
    enum { RECORD_SIZE_AT = 16, RECORD_NAME_AT = 19 }; /* of getdents64(2) */
    char records[1024];
    unsigned count = 0;
    long size;
    while (count < most && (size = syscall(SYS_getdents64, fd, records, sizeof records)) > 0) {
        for (long at = 0; at < size && count < most;) {
            const char *name = records + at + RECORD_NAME_AT;
            uint16_t record_size;
            memcpy(&record_size, records + at + RECORD_SIZE_AT, sizeof record_size);
            count += strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
            at += record_size;
        }
    }
    return count;
}

unsigned temp_folder_count(const temp_folder *t, unsigned most) {
    if (!is_made(t)) return 0;
    const int fd = open_below(t->job->fd, t->name, O_RDONLY | O_DIRECTORY);
    const unsigned count = fd >= 0 ? count_entries(fd, most) : 0;
    if (fd >= 0) close(fd);
    return count;
}

/* True if it is as it was made. Later changes show in its time, once the clock of the file system
 * has gone on from that time while it was empty; whole seconds may be all that this clock has. */
static bool is_as_made(temp_folder *t) {
    enum { TICK_MS = 20 };
    struct stat status;
    if (fstatat(t->job->fd, t->name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        status.st_dev != t->device || status.st_ino != t->inode || status.st_mode != t->mode)
        return false;
    const struct timespec changed = status.st_mtim;
    const int64_t now_ns = clock_now_ns();
    if (memcmp(&changed, &t->changed, sizeof changed) != 0) {
        t->changed = changed;
        t->settles_ns = clock_after(now_ns, TICK_MS * CLOCK_NS_PER_MS);
    }
    if (t->settles_ns == 0) return true;
    const bool is_empty = temp_folder_count(t, 1) == 0;
    if (is_empty && changed.tv_nsec != 0 && now_ns >= t->settles_ns) t->settles_ns = 0;
    return is_empty;
}

void temp_folder_empty(temp_folder *t, const runner_watch *watch) {
    if (!is_made(t) || is_as_made(t)) return;
    runner_go_on(watch, WORK_FOLDER_NS);
    make_temp(t);
}
