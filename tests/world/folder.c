/* A file system in memory.
 *
 * A file has its bytes and those that are safe, a folder its entries and those that are safe: fsync
 * makes the first the second, and a loss of power the other way round. A process that dies makes no
 * further call: each fails, so that its code unwinds, frees its memory, and changes nothing. Every
 * call is a point where another process may go on. */
#include "calls.h"

#include "folder.h"

#include <assert.h>

enum { NODES = 256, FOLDERS = 16, FDS = 24, ROOT = 0, ERROR_LONG = 40 };

typedef struct entry {
    char name[WORLD_NAME];
    int node;
} entry;

typedef struct entries {
    size_t count;
    entry list[WORLD_ENTRIES];
} entries;

/* A file, or a folder: then `folder` is its index in folders. */
typedef struct node {
    int folder; /* -1: a file */
    int parent; /* of a folder */
    struct timespec changed;
    size_t size, safe_size;
    char bytes[WORLD_BYTES], safe[WORLD_BYTES];
} node;

typedef struct process {
    int fds[FDS]; /* node + 1; 0: closed */
    size_t at[FDS];
    int until, long_left, error;
    world_fault fault;
    bool is_dead, has_done;
    entries listed;
    size_t next;
    int listing_fd;
    struct dirent shown;
} process;

static node nodes[NODES];
static struct {
    int node;
    entries now, safe;
} folders[FOLDERS];
static process processes[WORLD_PROCESSES];
static int node_count, folder_count;
static int64_t now_ns;
static uint64_t random_next;
static bool keeps_names, has_lost_power;
static int (*self)(void);
static void (*pause_at)(const char *what);

/* ---- Processes ---- */

void world_plan(int who, int when, world_fault what, int error) {
    processes[who].until = when;
    processes[who].fault = what;
    processes[who].error = error;
}

void world_calm(int who) { processes[who].until = processes[who].long_left = 0; }

void world_start(int who) { memset(&processes[who], 0, sizeof processes[who]); }

bool world_lost_power(void) { return has_lost_power; }

bool world_is_dead(int who) { return processes[who].is_dead; }

void world_hours_pass(void) { now_ns += INT64_C(7200) * 1000000000; }

void world_keep_names(bool are_kept) { keeps_names = are_kept; }

static void lose_power(void) {
    has_lost_power = true;
    for (int i = 1; i < WORLD_PROCESSES; i++) processes[i].is_dead = true;
    for (int i = 0; i < node_count; i++) {
        nodes[i].size = nodes[i].safe_size;
        memcpy(nodes[i].bytes, nodes[i].safe, nodes[i].safe_size);
    }
    for (int i = 0; i < folder_count; i++) {
        if (keeps_names) folders[i].safe = folders[i].now;
        folders[i].now = folders[i].safe;
    }
}

/* Begin a call. Return 0, or the errno of which it fails. */
static int enter(const char *what) {
    const int who = self();
    process *p = &processes[who];
    now_ns += 1000;
    p->has_done = false;
    if (who == 0) return 0;
    if (!p->is_dead) pause_at(what);
    if (p->is_dead) return EIO;
    if (p->long_left > 0 && p->long_left-- > 0) return p->error;
    if (p->until == 0 || --p->until > 0) return 0;
    switch (p->fault) {
    case FAULT_KILL: p->is_dead = true; return EIO;
    case FAULT_POWER: lose_power(); return EIO;
    case FAULT_LONG: p->long_left = ERROR_LONG; return p->error;
    case FAULT_DONE: p->has_done = true; return 0;
    case FAULT_ONCE:
    case FAULTS: break;
    }
    return p->error;
}

static int fails(int error) {
    errno = error;
    return -1;
}

/* End a call that did its work: it may fail all the same. */
static int leave(void) {
    const process *p = &processes[self()];
    return p->has_done ? fails(p->error) : 0;
}

/* ---- Nodes ---- */

static struct timespec clock_now(void) {
    return (struct timespec){now_ns / 1000000000, now_ns % 1000000000};
}

static int make_node(void) {
    if (node_count == NODES) return -1;
    node *n = &nodes[node_count];
    n->folder = -1;
    n->changed = clock_now();
    n->size = n->safe_size = 0;
    return node_count++;
}

static int make_folder(int parent) {
    const int made = folder_count < FOLDERS ? make_node() : -1;
    if (made < 0) return -1;
    nodes[made].folder = folder_count;
    nodes[made].parent = parent;
    folders[folder_count].node = made;
    folders[folder_count].now.count = folders[folder_count].safe.count = 0;
    folder_count++;
    return made;
}

static entry *find(entries *in, const char *name) {
    for (size_t i = 0; i < in->count; i++) {
        if (strcmp(in->list[i].name, name) == 0) return &in->list[i];
    }
    return NULL;
}

static entries *entries_of(int folder) { return &folders[nodes[folder].folder].now; }

static void touch(int folder) { nodes[folder].changed = clock_now(); }

static bool add(int folder, const char *name, int of) {
    entries *in = entries_of(folder);
    if (in->count == WORLD_ENTRIES) return false;
    entry *e = &in->list[in->count++];
    snprintf(e->name, sizeof e->name, "%s", name);
    e->node = of;
    touch(folder);
    return true;
}

static void drop(int folder, entry *e) {
    entries *in = entries_of(folder);
    *e = in->list[--in->count];
    touch(folder);
}

/* Find the folder that a path is in, and the last name of it. Return the folder, or -1 with errno.
 */
static int walk(int at, const char *path, char name[WORLD_NAME]) {
    const process *p = &processes[self()];
    int folder = at == AT_FDCWD ? ROOT : p->fds[at] - 1;
    assert(folder >= 0 && nodes[folder].folder >= 0);
    while (true) {
        const size_t length = strcspn(path, "/");
        assert(length < WORLD_NAME);
        snprintf(name, WORLD_NAME, "%.*s", (int)length, path);
        path += length;
        if (*path == '\0') return folder;
        while (*path == '/') path++;
        if (*path == '\0') return folder; /* a slash at the end */
        const entry *e = find(entries_of(folder), name);
        if (e == NULL) return fails(ENOENT);
        if (nodes[e->node].folder < 0) return fails(ENOTDIR);
        folder = e->node;
    }
}

/* Return the node of a path, or -1 with errno. */
static int look_up(int at, const char *path) {
    char name[WORLD_NAME];
    const int folder = walk(at, path, name);
    if (folder < 0) return -1;
    if (strcmp(name, ".") == 0) return folder;
    if (strcmp(name, "..") == 0) return nodes[folder].parent;
    const entry *e = find(entries_of(folder), name);
    return e != NULL ? e->node : fails(ENOENT);
}

static world_file file_of(const char *name, int folder, int of, world_view view) {
    const node *n = &nodes[of];
    return (world_file){.name = name,
                        .bytes = view == VIEW_NOW ? n->bytes : n->safe,
                        .size = view == VIEW_NOW ? n->size : n->safe_size,
                        .folder = folder};
}

/* ---- Calls ---- */

/* Return a free descriptor, which gets this node. */
static int describe(int of) {
    process *p = &processes[self()];
    int fd = 1;
    while (fd < FDS && p->fds[fd] != 0) fd++;
    assert(fd < FDS); /* or a descriptor leaks */
    p->fds[fd] = of + 1;
    p->at[fd] = 0;
    return fd;
}

int world_memfd_create(const char *name, unsigned flags) {
    const int error = enter("makes a file in memory"), of = error == 0 ? make_node() : -1;
    (void)name;
    (void)flags;
    return of < 0 ? fails(error != 0 ? error : ENOMEM) : describe(of);
}

int world_openat(int at, const char *path, int flags, mode_t mode) {
    char name[WORLD_NAME];
    const int error = enter("opens");
    int of;
    (void)mode;
    if (error != 0) return fails(error);
    of = look_up(at, path);
    if (of < 0 && (errno != ENOENT || (flags & O_CREAT) == 0)) return -1;
    if (of >= 0 && (flags & O_EXCL) != 0) return fails(EEXIST);
    if (of >= 0 && (flags & O_DIRECTORY) != 0 && nodes[of].folder < 0) return fails(ENOTDIR);
    if (of >= 0 && (flags & O_TRUNC) != 0) nodes[of].size = 0;
    if (of < 0) {
        const int folder = walk(at, path, name);
        if (folder < 0) return -1;
        of = make_node();
        if (of < 0 || !add(folder, name, of)) return fails(ENOSPC);
    }
    return describe(of);
}

static node *node_of(int fd) {
    const process *p = &processes[self()];
    assert(fd >= 0 && fd < FDS && p->fds[fd] > 0);
    return &nodes[p->fds[fd] - 1];
}

int world_close(int fd) {
    node_of(fd);
    processes[self()].fds[fd] = 0;
    return 0;
}

static int examine(int of, struct stat *status) {
    const node *n = &nodes[of];
    bool is_linked = of == ROOT;
    for (int i = 0; i < folder_count && !is_linked; i++) {
        for (size_t j = 0; j < folders[i].now.count; j++) {
            is_linked |= folders[i].now.list[j].node == of;
        }
    }
    *status = (struct stat){.st_dev = 1,
                            .st_ino = (ino_t)(of + 1),
                            .st_mode = n->folder < 0 ? S_IFREG | 0600 : S_IFDIR | 0700,
                            .st_nlink = is_linked,
                            .st_uid = geteuid(),
                            .st_size = (off_t)n->size,
                            .st_mtim = n->changed,
                            .st_ctim = n->changed};
    return leave();
}

int world_fstat(int fd, struct stat *status) {
    const int error = enter("examines");
    return error != 0 ? fails(error) : examine(processes[self()].fds[fd] - 1, status);
}

int world_fstatat(int at, const char *path, struct stat *status, int flags) {
    const int error = enter("looks");
    const int of = error == 0 ? look_up(at, path) : fails(error);
    (void)flags;
    return of < 0 ? -1 : examine(of, status);
}

int world_fsync(int fd) {
    const int error = enter("syncs");
    if (error != 0) return fails(error);
    node *n = node_of(fd);
    n->safe_size = n->size;
    memcpy(n->safe, n->bytes, n->size);
    if (n->folder >= 0) folders[n->folder].safe = folders[n->folder].now;
    return leave();
}

int world_renameat(int at, const char *from, int to_at, const char *to) {
    char old_name[WORLD_NAME], name[WORLD_NAME];
    const int error = enter("renames");
    if (error != 0) return fails(error);
    const int source = walk(at, from, old_name), target = walk(to_at, to, name);
    entry *e = source >= 0 ? find(entries_of(source), old_name) : NULL;
    if (e == NULL || target < 0) return fails(ENOENT);
    const int moved = e->node;
    entry *there = find(entries_of(target), name);
    if (there != NULL && nodes[there->node].folder >= 0) return fails(EISDIR);
    const world_file made = file_of(name, target, moved, VIEW_NOW);
    const world_file old = file_of(name, target, there != NULL ? there->node : 0, VIEW_NOW);
    world_sees_rename(self(), &made, there != NULL ? &old : NULL);
    if (there == NULL && !add(target, name, moved)) return fails(ENOSPC);
    if (there != NULL) there->node = moved;
    touch(target);
    drop(source, find(entries_of(source), old_name));
    if (nodes[moved].folder >= 0) nodes[moved].parent = target;
    return leave();
}

int world_unlinkat(int at, const char *path, int flags) {
    char name[WORLD_NAME];
    const int error = enter("removes");
    if (error != 0) return fails(error);
    const int folder = walk(at, path, name);
    entry *e = folder >= 0 ? find(entries_of(folder), name) : NULL;
    (void)flags;
    if (e == NULL) return fails(ENOENT);
    const world_file old = file_of(e->name, folder, e->node, VIEW_NOW);
    world_sees_unlink(self(), &old);
    drop(folder, e);
    return leave();
}

int world_mkdir(const char *path, mode_t mode) {
    char name[WORLD_NAME];
    const int error = enter("makes a folder");
    if (error != 0) return fails(error);
    const int folder = walk(AT_FDCWD, path, name);
    (void)mode;
    if (folder < 0) return -1;
    if (find(entries_of(folder), name) != NULL) return fails(EEXIST);
    const int made = make_folder(folder);
    return made < 0 || !add(folder, name, made) ? fails(ENOSPC) : leave();
}

ssize_t world_write(int fd, const void *bytes, size_t size) {
    const int error = enter("writes");
    if (error != 0) return fails(error);
    node *n = node_of(fd);
    if (size > sizeof n->bytes - n->size) return fails(ENOSPC);
    const size_t part = size > 1 && processes[self()].has_done ? size / 2 : size;
    memcpy(n->bytes + n->size, bytes, part); /* a full disk takes a part */
    n->size += part;
    n->changed = clock_now();
    return leave() != 0 ? -1 : (ssize_t)part;
}

ssize_t world_pread(int fd, void *bytes, size_t size, off_t at) {
    const int error = enter("reads");
    if (error != 0) return fails(error);
    const node *n = node_of(fd);
    const size_t left = n->size > (size_t)at ? n->size - (size_t)at : 0;
    const size_t count = size < left ? size : left;
    memcpy(bytes, n->bytes + at, count);
    return leave() != 0 ? -1 : (ssize_t)count;
}

/* A listing is of one moment. */
DIR *world_fdopendir(int fd) {
    const int error = enter("lists");
    process *p = &processes[self()];
    errno = error;
    if (error != 0) return NULL;
    p->listed = folders[node_of(fd)->folder].now;
    p->next = 0;
    p->listing_fd = fd;
    return (DIR *)(void *)&p->listed;
}

struct dirent *world_readdir(DIR *listing) {
    process *p = &processes[self()];
    (void)listing;
    if (p->is_dead) {
        errno = EIO;
        return NULL;
    }
    if (p->next == p->listed.count) return NULL;
    memcpy(p->shown.d_name, p->listed.list[p->next++].name, WORLD_NAME);
    return &p->shown;
}

int world_closedir(DIR *listing) {
    (void)listing;
    return world_close(processes[self()].listing_fd);
}

time_t world_time(time_t *now) {
    (void)now;
    return (time_t)(now_ns / 1000000000);
}

void world_random(void *bytes, size_t size) {
    assert(size == sizeof random_next);
    random_next++;
    memcpy(bytes, &random_next, size);
}

/* ---- The whole ---- */

void world_begin(int (*who)(void), void (*point)(const char *what)) {
    self = who;
    pause_at = point;
    node_count = folder_count = 0;
    random_next = 0;
    now_ns = INT64_C(1700000000) * 1000000000;
    keeps_names = has_lost_power = false;
    memset(processes, 0, sizeof processes);
    make_folder(ROOT);
}

/* Folders that nothing leads to are seen, too: what becomes of a folder as a whole is up to the
 * user. */
void world_each(world_view view, void (*take)(void *context, const world_file *f), void *context) {
    for (int i = 0; i < folder_count; i++) {
        const entries *in = view == VIEW_NOW ? &folders[i].now : &folders[i].safe;
        for (size_t j = 0; j < in->count; j++) {
            const entry *e = &in->list[j];
            const world_file f = file_of(e->name, folders[i].node, e->node, view);
            if (nodes[e->node].folder < 0) take(context, &f);
        }
    }
}
