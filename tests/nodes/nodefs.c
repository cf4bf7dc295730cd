/* nodefs.c: a folder as one node of a cluster sees it, through a network file system.
 *
 *     nodefs BACKING MOUNTPOINT [cache=MS] [fsync=MS] [trip=MS] [seen=S] [given=S]
 *
 * Each node is a process and a mount of its own over the same folder BACKING. As with NFS and its
 * option nolock,
 *   - locks are those of this mount: other nodes neither see nor respect them;
 *   - a file that another node removed or replaced is ESTALE to those who have it open here. One
 *     that this node removed stays usable, as NFS keeps it under another name;
 *   - names, attributes of folders and listings are those of up to `cache` milliseconds ago;
 *   - files are looked at anew when they are opened;
 *   - syncing a file or a folder takes `fsync` milliseconds, and reading a file `trip`.
 * Clocks: all times that this node sees are `seen` seconds later than they are, as where its clock
 * is so much behind that of the server. What it writes gets times that are `given` seconds later,
 * as where the nodes give the times.
 *
 * Prints `mounted`, and then `removed NAME` for each file that this node removed and did not
 * make. Unmounts on SIGTERM, when its parent dies, and when it is killed itself.
 * SPDX-License-Identifier: MIT */
#define FUSE_USE_VERSION 34
#include <fuse_lowlevel.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* ---- Files that the kernel knows by number ---- */

/* A file or folder of BACKING. Its descriptor keeps the inode from being used again. */
typedef struct node {
    struct node *next; /* in its bucket */
    int fd;            /* O_PATH */
    dev_t device;
    ino_t inode;
    uint64_t lookups;  /* that the kernel has not forgotten */
    bool made_here;    /* by this node */
    bool removed_here; /* by this node, so that it stays usable */
    int64_t listed_ns; /* when a listing was last read, of a folder; 0: never */
} node;

enum { BUCKETS = 1024 };

typedef struct cluster_node {
    node root;
    node *buckets[BUCKETS];
    pthread_mutex_t mutex; /* of the buckets and the fields of their nodes */
    double cache_s;
    long cache_ms, fsync_ms, trip_ms; /* milliseconds */
    long seen_s, given_s;             /* seconds */
} cluster_node;

static cluster_node here = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static node *node_of(fuse_ino_t number) {
    return number == FUSE_ROOT_ID ? &here.root : (node *)(uintptr_t)number;
}

static node **bucket_of(const struct stat *status) {
    return &here.buckets[(status->st_ino ^ status->st_dev) % BUCKETS];
}

/* Return the known node of a file, or NULL. Call with the mutex. */
static node *find_node(const struct stat *status) {
    node *n = *bucket_of(status);
    while (n != NULL && (n->inode != status->st_ino || n->device != status->st_dev)) n = n->next;
    return n;
}

/* Return the node of an open file, with one lookup more; it owns the descriptor. NULL when out of
 * memory. */
static node *take_node(int fd, const struct stat *status) {
    pthread_mutex_lock(&here.mutex);
    node *n = find_node(status);
    if (n != NULL) {
        close(fd);
    } else if ((n = calloc(1, sizeof *n)) != NULL) {
        node **bucket = bucket_of(status);
        *n = (node){.next = *bucket, .fd = fd, .device = status->st_dev, .inode = status->st_ino};
        *bucket = n;
    }
    if (n != NULL) n->lookups++;
    pthread_mutex_unlock(&here.mutex);
    return n;
}

static void forget_node(node *n, uint64_t lookups) {
    if (n == &here.root) return;
    pthread_mutex_lock(&here.mutex);
    n->lookups -= lookups;
    const bool is_forgotten = n->lookups == 0;
    if (is_forgotten) {
        const struct stat status = {.st_dev = n->device, .st_ino = n->inode};
        node **link = bucket_of(&status);
        while (*link != n) link = &(*link)->next;
        *link = n->next;
    }
    pthread_mutex_unlock(&here.mutex);
    if (!is_forgotten) return;
    close(n->fd);
    free(n);
}

/* Return 0, or ESTALE for what another node has removed, or an errno. */
static int look(const node *n, struct stat *status) {
    if (fstat(n->fd, status) != 0) return errno;
    return status->st_nlink == 0 && !n->removed_here ? ESTALE : 0;
}

static int check(fuse_ino_t number) {
    struct stat status;
    return look(node_of(number), &status);
}

/* The path of a node, to open it and to change what an O_PATH descriptor cannot. */
typedef struct node_path {
    char text[32];
} node_path;

static node_path path_of(const node *n) {
    node_path path;
    snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", n->fd);
    return path;
}

/* ---- Times ---- */

static void shift(struct stat *status) {
    status->st_atim.tv_sec += here.seen_s;
    status->st_mtim.tv_sec += here.seen_s;
    status->st_ctim.tv_sec += here.seen_s;
}

/* Give a file that was written the time by the clock of this node. */
static void stamp(int fd) {
    struct timespec times[2];
    if (here.given_s == 0) return;
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec += here.given_s;
    times[1] = times[0];
    futimens(fd, times);
}

static void wait_ms(long ms) {
    const struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&wait, NULL);
}

/* ---- Names and attributes ---- */

static double kept_s(const struct stat *status) {
    return S_ISDIR(status->st_mode) ? here.cache_s : 0;
}

/* Look a name up, and write its entry. Return 0 or an errno. */
static int enter(const node *folder, const char *name, struct fuse_entry_param *entry) {
    const int fd = openat(folder->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    *entry = (struct fuse_entry_param){.entry_timeout = here.cache_s};
    if (fd < 0) return errno;
    if (fstat(fd, &entry->attr) != 0) {
        const int error = errno;
        close(fd);
        return error;
    }
    node *n = take_node(fd, &entry->attr);
    if (n == NULL) return ENOMEM;
    entry->ino = (uintptr_t)n;
    entry->attr_timeout = kept_s(&entry->attr);
    shift(&entry->attr);
    return 0;
}

/* Answer with an entry, after an operation that ended with `error`. */
static void reply_entered(fuse_req_t request, int error, fuse_ino_t parent, const char *name) {
    struct fuse_entry_param entry;
    if (error == 0) error = enter(node_of(parent), name, &entry);
    if (error != 0) {
        fuse_reply_err(request, error);
    } else if (fuse_reply_entry(request, &entry) != 0) {
        forget_node(node_of(entry.ino), 1);
    }
}

static void do_lookup(fuse_req_t request, fuse_ino_t parent, const char *name) {
    struct fuse_entry_param entry;
    int error = check(parent);
    if (error == 0) error = enter(node_of(parent), name, &entry);
    if (error == ENOENT) {
        fuse_reply_entry(request, &entry); /* that it is missing is known for a while, too */
    } else if (error != 0) {
        fuse_reply_err(request, error);
    } else if (fuse_reply_entry(request, &entry) != 0) {
        forget_node(node_of(entry.ino), 1);
    }
}

static void do_forget(fuse_req_t request, fuse_ino_t number, uint64_t lookups) {
    forget_node(node_of(number), lookups);
    fuse_reply_none(request);
}

static void reply_status(fuse_req_t request, fuse_ino_t number) {
    struct stat status;
    const int error = look(node_of(number), &status);
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    shift(&status);
    fuse_reply_attr(request, &status, kept_s(&status));
}

static void do_getattr(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    (void)file;
    reply_status(request, number);
}

static struct timespec time_to_set(struct timespec time, bool is_set, bool is_now) {
    if (!is_set) return (struct timespec){.tv_nsec = UTIME_OMIT};
    if (is_now) return (struct timespec){.tv_nsec = UTIME_NOW};
    time.tv_sec -= here.seen_s;
    return time;
}

/* Return 0 or an errno. */
static int change(const node *n, const struct stat *wanted, int which) {
    const node_path path = path_of(n);
    const struct timespec times[2] = {
        time_to_set(wanted->st_atim, which & FUSE_SET_ATTR_ATIME, which & FUSE_SET_ATTR_ATIME_NOW),
        time_to_set(wanted->st_mtim, which & FUSE_SET_ATTR_MTIME, which & FUSE_SET_ATTR_MTIME_NOW)};
    const uid_t user = which & FUSE_SET_ATTR_UID ? wanted->st_uid : (uid_t)-1;
    const gid_t group = which & FUSE_SET_ATTR_GID ? wanted->st_gid : (gid_t)-1;
    const bool has_owner = which & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID);
    const bool has_times = which & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME);
    if (which & FUSE_SET_ATTR_MODE && chmod(path.text, wanted->st_mode) != 0) return errno;
    if (has_owner && chown(path.text, user, group) != 0) return errno;
    if (which & FUSE_SET_ATTR_SIZE && truncate(path.text, wanted->st_size) != 0) return errno;
    return has_times && utimensat(AT_FDCWD, path.text, times, 0) != 0 ? errno : 0;
}

static void do_setattr(fuse_req_t request, fuse_ino_t number, struct stat *wanted, int which,
                       struct fuse_file_info *file) {
    int error = check(number);
    (void)file;
    if (error == 0) error = change(node_of(number), wanted, which);
    if (error == 0) {
        reply_status(request, number);
    } else {
        fuse_reply_err(request, error);
    }
}

static void do_statfs(fuse_req_t request, fuse_ino_t number) {
    struct statvfs status;
    (void)number;
    if (fstatvfs(here.root.fd, &status) == 0) {
        fuse_reply_statfs(request, &status);
    } else {
        fuse_reply_err(request, errno);
    }
}

/* ---- Changing folders ---- */

static void do_mkdir(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode) {
    int error = check(parent);
    if (error == 0 && mkdirat(node_of(parent)->fd, name, mode) != 0) error = errno;
    reply_entered(request, error, parent, name);
}

static void do_link(fuse_req_t request, fuse_ino_t number, fuse_ino_t parent, const char *name) {
    const node_path path = path_of(node_of(number));
    int error = check(number);
    if (error == 0) error = check(parent);
    if (error == 0 &&
        linkat(AT_FDCWD, path.text, node_of(parent)->fd, name, AT_SYMLINK_FOLLOW) != 0) {
        error = errno;
    }
    reply_entered(request, error, parent, name);
}

/* Note that this node, and no other, takes a name off a file. Call it before that. Return true if
 * this node made the file. */
static bool note_removal(const node *folder, const char *name) {
    struct stat status;
    if (fstatat(folder->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
    pthread_mutex_lock(&here.mutex);
    node *n = find_node(&status);
    if (n != NULL && status.st_nlink == 1) n->removed_here = true;
    const bool is_ours = n != NULL && n->made_here;
    pthread_mutex_unlock(&here.mutex);
    return is_ours;
}

static void say_removed(const char *name) {
    printf("removed %s\n", name);
    fflush(stdout);
}

static void take_off(fuse_req_t request, fuse_ino_t parent, const char *name, int flags) {
    const node *folder = node_of(parent);
    int error = check(parent);
    const bool is_ours = error == 0 && note_removal(folder, name);
    if (error == 0 && unlinkat(folder->fd, name, flags) != 0) error = errno;
    if (error == 0 && !is_ours) say_removed(name);
    fuse_reply_err(request, error);
}

static void do_unlink(fuse_req_t request, fuse_ino_t parent, const char *name) {
    take_off(request, parent, name, 0);
}

static void do_rmdir(fuse_req_t request, fuse_ino_t parent, const char *name) {
    take_off(request, parent, name, AT_REMOVEDIR);
}

static void do_rename(fuse_req_t request, fuse_ino_t from, const char *name, fuse_ino_t to,
                      const char *new_name, unsigned flags) {
    int error = check(from);
    if (error == 0) error = check(to);
    if (error == 0 && flags == 0) note_removal(node_of(to), new_name);
    if (error == 0 && renameat2(node_of(from)->fd, name, node_of(to)->fd, new_name, flags) != 0) {
        error = errno;
    }
    fuse_reply_err(request, error);
}

/* ---- Files ---- */

static int handle_of(const struct fuse_file_info *file) { return (int)file->fh; }

static void do_create(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
                      struct fuse_file_info *file) {
    struct fuse_entry_param entry;
    int error = check(parent), fd = -1;
    if (error == 0) {
        fd = openat(node_of(parent)->fd, name, (file->flags | O_CREAT | O_CLOEXEC) & ~O_NOFOLLOW,
                    mode);
        if (fd < 0) error = errno;
    }
    if (error == 0) stamp(fd);
    if (error == 0) error = enter(node_of(parent), name, &entry);
    if (error == 0) node_of(entry.ino)->made_here = true;
    if (error != 0) {
        if (fd >= 0) close(fd);
        fuse_reply_err(request, error);
        return;
    }
    file->fh = (uint64_t)fd;
    if (fuse_reply_create(request, &entry, file) == 0) return;
    close(fd);
    forget_node(node_of(entry.ino), 1);
}

static void do_open(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    const node_path path = path_of(node_of(number));
    const int error = check(number);
    const int fd = error == 0 ? open(path.text, (file->flags | O_CLOEXEC) & ~O_NOFOLLOW) : -1;
    if (fd < 0) {
        fuse_reply_err(request, error != 0 ? error : errno);
        return;
    }
    file->fh = (uint64_t)fd;
    if (fuse_reply_open(request, file) != 0) close(fd);
}

static void do_read(fuse_req_t request, fuse_ino_t number, size_t size, off_t offset,
                    struct fuse_file_info *file) {
    struct fuse_bufvec buffers = FUSE_BUFVEC_INIT(size);
    wait_ms(here.trip_ms);
    const int error = check(number);
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    buffers.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK;
    buffers.buf[0].fd = handle_of(file);
    buffers.buf[0].pos = offset;
    fuse_reply_data(request, &buffers, 0);
}

static void do_write(fuse_req_t request, fuse_ino_t number, const char *bytes, size_t size,
                     off_t offset, struct fuse_file_info *file) {
    const int error = check(number);
    const ssize_t count = error == 0 ? pwrite(handle_of(file), bytes, size, offset) : -1;
    if (count < 0) {
        fuse_reply_err(request, error != 0 ? error : errno);
        return;
    }
    stamp(handle_of(file));
    fuse_reply_write(request, (size_t)count);
}

static void do_release(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    (void)number;
    close(handle_of(file));
    fuse_reply_err(request, 0);
}

/* It takes its time before it can fail, as a server does. */
static void do_fsync(fuse_req_t request, fuse_ino_t number, int data_only,
                     struct fuse_file_info *file) {
    (void)data_only, (void)file;
    wait_ms(here.fsync_ms);
    fuse_reply_err(request, check(number));
}

/* ---- Listings ---- */

/* True if the kernel may still use the listing that it has, or begins one that it may keep. */
static bool keeps_listing(node *folder) {
    const int64_t now = now_ns();
    pthread_mutex_lock(&here.mutex);
    const bool is_fresh = now - folder->listed_ns < here.cache_ms * INT64_C(1000000);
    if (!is_fresh) folder->listed_ns = now;
    pthread_mutex_unlock(&here.mutex);
    return is_fresh;
}

static void do_opendir(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    const node_path path = path_of(node_of(number));
    const int error = check(number);
    DIR *folder = error == 0 ? opendir(path.text) : NULL;
    if (folder == NULL) {
        fuse_reply_err(request, error != 0 ? error : errno);
        return;
    }
    file->fh = (uintptr_t)folder;
    file->cache_readdir = here.cache_ms > 0;
    file->keep_cache = keeps_listing(node_of(number));
    if (fuse_reply_open(request, file) != 0) closedir(folder);
}

static void do_readdir(fuse_req_t request, fuse_ino_t number, size_t size, off_t offset,
                       struct fuse_file_info *file) {
    DIR *folder = (DIR *)(uintptr_t)file->fh;
    char *bytes = malloc(size);
    size_t used = 0;
    (void)number;
    if (bytes == NULL) {
        fuse_reply_err(request, ENOMEM);
        return;
    }
    if (telldir(folder) != offset) seekdir(folder, offset);
    for (;;) {
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) break;
        const struct stat status = {.st_ino = entry->d_ino,
                                    .st_mode = DTTOIF((mode_t)entry->d_type)};
        const size_t took = fuse_add_direntry(request, bytes + used, size - used, entry->d_name,
                                              &status, entry->d_off);
        if (took > size - used) break; /* the next call asks for it again */
        used += took;
    }
    fuse_reply_buf(request, bytes, used);
    free(bytes);
}

static void do_releasedir(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    (void)number;
    closedir((DIR *)(uintptr_t)file->fh);
    fuse_reply_err(request, 0);
}

/* No flock, getlk or setlk: then the kernel keeps the locks of this mount. */
static const struct fuse_lowlevel_ops operations = {
    .lookup = do_lookup,
    .forget = do_forget,
    .getattr = do_getattr,
    .setattr = do_setattr,
    .statfs = do_statfs,
    .mkdir = do_mkdir,
    .link = do_link,
    .unlink = do_unlink,
    .rmdir = do_rmdir,
    .rename = do_rename,
    .create = do_create,
    .open = do_open,
    .read = do_read,
    .write = do_write,
    .release = do_release,
    .fsync = do_fsync,
    .opendir = do_opendir,
    .readdir = do_readdir,
    .releasedir = do_releasedir,
    .fsyncdir = do_fsync,
};

/* ---- Mounting ---- */

/* False if the word is no setting. */
static bool take_setting(const char *word) {
    const struct {
        const char *name;
        long *value;
    } settings[] = {{"cache=", &here.cache_ms},
                    {"fsync=", &here.fsync_ms},
                    {"trip=", &here.trip_ms},
                    {"seen=", &here.seen_s},
                    {"given=", &here.given_s}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const size_t length = strlen(settings[i].name);
        char *end;
        if (strncmp(word, settings[i].name, length) != 0) continue;
        *settings[i].value = strtol(word + length, &end, 10);
        return end != word + length && *end == '\0';
    }
    return false;
}

static bool open_root(const char *folder) {
    struct stat status;
    here.root.fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (here.root.fd < 0 || fstat(here.root.fd, &status) != 0) return false;
    here.root.device = status.st_dev;
    here.root.inode = status.st_ino;
    return true;
}

/* Serve the mount point until a signal. Return the exit status. */
static int serve(struct fuse_session *session, const char *mount_point) {
    struct fuse_loop_config config = {.max_idle_threads = 10};
    if (fuse_set_signal_handlers(session) != 0) return 1;
    if (fuse_session_mount(session, mount_point) != 0) return 1;
    puts("mounted");
    fflush(stdout);
    const int status = fuse_session_loop_mt(session, &config);
    fuse_session_unmount(session);
    fuse_remove_signal_handlers(session);
    return status < 0 ? 1 : 0;
}

int main(int argc, char **argv) {
    char *words[] = {argv[0], "-oauto_unmount,default_permissions,fsname=nodefs", NULL};
    struct fuse_args args = FUSE_ARGS_INIT(2, words);
    const pid_t parent = getppid();
    bool is_right = argc >= 3;
    for (int i = 3; i < argc; i++) is_right = take_setting(argv[i]) && is_right;
    if (!is_right) {
        fprintf(stderr, "usage: nodefs BACKING MOUNTPOINT [cache=MS] [fsync=MS] [trip=MS] [seen=S] "
                        "[given=S]\n");
        return 2;
    }
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent) return 1;
    if (!open_root(argv[1])) {
        perror(argv[1]);
        return 1;
    }
    umask(0);
    here.cache_s = (double)here.cache_ms / 1000;
    struct fuse_session *session = fuse_session_new(&args, &operations, sizeof operations, NULL);
    if (session == NULL) return 1;
    const int status = serve(session, argv[2]);
    fuse_session_destroy(session);
    fuse_opt_free_args(&args);
    return status;
}
