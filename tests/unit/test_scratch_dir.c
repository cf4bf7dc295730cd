/* scratch_dir.h: the folders of runs go, whatever is in them, but for what belongs to others: their
 * roots, folders and mounts. Tests of mounts are in a mount namespace of their own. */
#include "fixture.h"
#include "scratch_dir.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char root[PATH_MAX], victim[PATH_MAX];
static int lock_fd;
static scratch_dir place;

static void make_root(void) {
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(scratch_dir_init(&place, root, "f", 0600), 0);
}

static int open_place(scratch_dir *w) { return scratch_dir_open(w, (const uint8_t *)"x", 1); }

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* Paths in it are longer than any path may be. */
TEST(a_tree_of_any_depth) {
    char name[201];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    make_root();
    int fd = open(root, O_RDONLY | O_DIRECTORY);
    for (int depth = 0; depth < 40; depth++) {
        ck_assert_int_eq(mkdirat(fd, name, 0700), 0);
        ck_assert_int_eq(mkdirat(fd, "beside", 0), 0);
        const int next = openat(fd, name, O_RDONLY | O_DIRECTORY);
        ck_assert_int_ge(next, 0);
        close(fd);
        fd = next;
    }
    close(fd);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    ck_assert(!exists(root));
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    ck_assert_int_eq(scratch_dir_make_root(test_dir_path("none"), root, &lock_fd), ENOENT);
}

/* A name that is taken, by another worker too, is left to its owner. A root that another process
 * has replaced, by one that everybody can write to or a link, gets no folder. */
TEST(what_is_in_the_way_is_left_alone) {
    scratch_dir other;
    char taken[PATH_MAX];
    make_root();
    ck_assert_int_eq(scratch_dir_init(&other, root, "f", 0600), 0);
    ck_assert_int_eq(open_place(&other), 0);
    strcpy(taken, other.folder);
    ck_assert_int_eq(open_place(&place), 0);
    ck_assert_str_ne(place.folder, taken);
    ck_assert(exists(place.file));
    scratch_dir_close(&place);
    ck_assert(!exists(place.folder));
    ck_assert_int_eq(scratch_dir_open(&place, NULL, 0), 0);
    ck_assert(exists(place.folder) && !exists(place.file));
    scratch_dir_close(&place);
    ck_assert_int_eq(scratch_dir_init(&place, root, "f", 0600), 0);
    ck_assert_int_eq(chmod(root, 0777), 0);
    ck_assert_int_eq(open_place(&place), EPERM);
    scratch_dir_close(&place); /* it has none, and that of the other has its name */
    ck_assert(exists(other.file));
    scratch_dir_close(&other);
    ck_assert(!exists(taken));
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    ck_assert_int_eq(symlink("/", root), 0);
    ck_assert_int_eq(open_place(&place), ENOTDIR);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
}

/* ---- What others left ---- */

/* A process that makes a root, forks, and dies: its child has the root for `child_ms`. */
static void make_and_die(int child_ms) {
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        if (scratch_dir_make_root(test_dir, root, &lock_fd) != 0) _exit(1);
        if (chdir(root) != 0 || mkdir("1-0", 0700) != 0 || mkdir("1-0/deep", 0) != 0) _exit(2);
        if (child_ms > 0 && fork() == 0) usleep((useconds_t)child_ms * 1000);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

static unsigned count_roots(void) {
    unsigned count = 0;
    DIR *folder = opendir(test_dir);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += strncmp(entry->d_name, "frng-work-", 10) == 0;
    }
    closedir(folder);
    return count;
}

static void make_another(void) {
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    close(lock_fd);
}

TEST(what_the_killed_left_goes_at_the_next_start_and_what_is_in_use_stays) {
    char other[PATH_MAX];
    int other_fd;
    make_and_die(0);
    make_and_die(0);
    ck_assert_uint_eq(count_roots(), 1); /* the second removed the first one's */
    make_another();
    ck_assert_uint_eq(count_roots(), 0);
    ck_assert_int_eq(scratch_dir_make_root(test_dir, other, &other_fd), 0);
    make_another();
    ck_assert(exists(other));
    close(other_fd);
    make_another();
    ck_assert(!exists(other));
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    make_and_die(1000); /* its worker lives on */
    make_another();
    ck_assert_uint_eq(count_roots(), 1);
    ck_assert_int_gt(waitpid(-1, NULL, 0), 0);
    make_another();
    ck_assert_uint_eq(count_roots(), 0);
}

/* For all to look into, a file, a link, and names that are not quite ours. */
TEST(what_is_not_ours_stays) {
    static const char *const folders[] = {"frng-work-0123456789abcdeF", "frng-work-0123456789abcde",
                                          "frng-work-0123456789abcdeff", "frng-work-backup",
                                          "target"};
    ck_assert_int_eq(mkdir(test_dir_path("frng-work-0000000000000001"), 0755), 0);
    test_dir_text("frng-work-0000000000000002", "precious", 0600);
    ck_assert_int_eq(symlink("target", test_dir_path("frng-work-0000000000000003")), 0);
    for (size_t i = 0; i < 5; i++) ck_assert_int_eq(mkdir(test_dir_path(folders[i]), 0700), 0);
    make_another();
    ck_assert_uint_eq(count_roots(), 7);
    ck_assert(exists(test_dir_path("target")));
}

/* ---- Mounts ---- */

static void write_text(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* False, and said, where no namespace is granted: then there is nothing to test. */
static bool enter(void) {
    const unsigned user = geteuid();
    char users[32], groups[32];
    snprintf(users, sizeof users, "0 %u 1", user);
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) {
        fprintf(stderr, "skipped: mounting is not permitted here (%s)\n", strerror(errno));
        return false;
    }
    if (user != 0) {
        write_text("/proc/self/uid_map", users);
        write_text("/proc/self/setgroups", "deny");
        write_text("/proc/self/gid_map", groups);
    }
    ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
    return true;
}

/* A folder with something that a cleaner would remove, in folders that have names of ours too. */
static void make_victim(void) {
    static const char *const folders[] = {"victim", "victim/sub"};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        char name[64];
        ck_assert_int_eq(mkdir(test_dir_path(folders[i]), 0700), 0);
        snprintf(name, sizeof name, "%s/precious", folders[i]);
        test_dir_text(name, "precious", 0640);
    }
    strcpy(victim, test_dir_path("victim"));
}

/* True if the victim has all that it had. */
static bool is_whole(void) {
    struct stat folder, file;
    return stat(victim, &folder) == 0 && (folder.st_mode & 0777) == 0700 &&
           stat(test_dir_path("victim/precious"), &file) == 0 && file.st_size == 8 &&
           stat(test_dir_path("victim/sub/precious"), &file) == 0 && file.st_size == 8;
}

/* Whether a mount is below the root, or on it. */
static bool is_mounted(void) {
    char line[2 * PATH_MAX];
    bool found = false;
    FILE *list = fopen("/proc/self/mountinfo", "re");
    ck_assert_ptr_nonnull(list);
    while (fgets(line, sizeof line, list) != NULL) found |= strstr(line, root) != NULL;
    fclose(list);
    return found;
}

static void bind(const char *from, const char *to, unsigned long more) {
    ck_assert_msg(mount(from, to, NULL, MS_BIND | more, NULL) == 0, "%s on %s: %s", from, to,
                  strerror(errno));
}

/* A path in the run's folder, where a folder is made. */
static const char *folder_in(const char *name) {
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
    return path;
}

static void nowhere(void) {}
static void on_a_folder(void) { bind(victim, folder_in("m"), 0); }
static void on_its_file(void) { bind(test_dir_path("victim/precious"), place.file, 0); }

static void on_the_root(void) {
    bind(victim, root, 0);
    bind(victim, root, 0);
}

static void in_folders_that_deny(void) {
    folder_in("a");
    folder_in("a/b");
    bind(victim, folder_in("a/b/c"), 0);
    ck_assert_int_eq(chmod(folder_in("a/b"), 0), 0);
    ck_assert_int_eq(chmod(folder_in("a"), 0500), 0);
}

static void (*const mountings[])(void) = {nowhere, on_a_folder, on_its_file, on_the_root,
                                          in_folders_that_deny};

/* What is mounted stays, and all that is in it, when a run ends, and when the next driver tidies up
 * after a killed one; all else goes. */
TEST_EACH(mounts_stay_and_what_is_in_them, COUNT_OF(mountings)) {
    char other[PATH_MAX];
    int other_fd;
    if (!enter()) return;
    make_victim();
    make_root();
    ck_assert_int_eq(open_place(&place), 0);
    mountings[_i]();
    scratch_dir_close(&place);
    ck_assert(is_whole());
    if (mountings[_i] == on_the_root) { /* the content of another is no place for runs */
        ck_assert_int_eq(open_place(&place), EXDEV);
    } else {
        ck_assert_int_eq(open_place(&place), 0);
        scratch_dir_close(&place);
    }
    close(lock_fd);
    ck_assert_int_eq(scratch_dir_make_root(test_dir, other, &other_fd), 0);
    ck_assert(exists(root) == (mountings[_i] != nowhere));
    ck_assert_int_eq(scratch_dir_remove(root) == 0, mountings[_i] == nowhere);
    ck_assert(is_mounted() == (mountings[_i] != nowhere));
    ck_assert(is_whole());
}
