/* predicate.h: mounts that a run leaves in its folder or on it stay, and all that is in them.
 * Each test is in a mount namespace of its own, which ends with it. */
#include "fixture.h"
#include "predicate.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mount.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char root[PATH_MAX], victim[PATH_MAX];
static int lock_fd;
static scratch_dir place;

/* ---- A namespace ---- */

static void write_text(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* False, and said, where no namespace is granted: then there is nothing to test. */
static bool enter(void) {
    char users[64], groups[64];
    snprintf(users, sizeof users, "0 %u 1", geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    const bool is_super = geteuid() == 0;
    if (unshare(is_super ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) {
        fprintf(stderr, "skipped: mounting is not permitted here (%s)\n", strerror(errno));
        return false;
    }
    if (!is_super) {
        write_text("/proc/self/uid_map", users);
        write_text("/proc/self/setgroups", "deny");
        write_text("/proc/self/gid_map", groups);
    }
    ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
    return true;
}

/* ---- What is outside ---- */

static char seen[16 * 1024];
static size_t seen_length;

static int see(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)type, (void)walk;
    seen_length +=
        (size_t)snprintf(seen + seen_length, sizeof seen - seen_length, "%s %o %d %ld\n", path,
                         status->st_mode, (int)status->st_size, (long)status->st_mtime);
    return 0;
}

/* All names, modes, sizes and times of the victim. */
static const char *look(void) {
    seen_length = 0;
    seen[0] = '\0';
    ck_assert_int_eq(nftw(victim, see, 8, FTW_PHYS), 0);
    ck_assert_uint_lt(seen_length, sizeof seen);
    return seen;
}

/* A folder with something that a cleaner would remove, in folders that have names of ours too. */
static void make_victim(void) {
    static const char *const folders[] = {"victim/0", "victim/1", "victim/sub", "victim/sub/deep"};
    ck_assert_int_eq(mkdir(test_dir_path("victim"), 0750), 0);
    snprintf(victim, sizeof victim, "%s", test_dir_path("victim"));
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        char name[64];
        ck_assert_int_eq(mkdir(test_dir_path(folders[i]), 0700), 0);
        snprintf(name, sizeof name, "%s/precious", folders[i]);
        test_dir_text(name, "precious", 0640);
    }
    test_dir_text("victim/file", "precious", 0400);
}

static void prepare(void) { make_victim(); }

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

/* ---- What a run mounts ---- */

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

static void on_a_folder(void) { bind(victim, folder_in("m"), 0); }
static void on_its_file(void) { bind(test_dir_path("victim/file"), place.file, 0); }

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

/* Unmounting one that is shared unmounts it wherever it is. */
static void a_shared_tree(void) {
    char inner[PATH_MAX + 64];
    bind(victim, victim, 0);
    ck_assert_int_eq(mount(NULL, victim, NULL, MS_SHARED, NULL), 0);
    snprintf(inner, sizeof inner, "%s/sub", victim);
    ck_assert_int_eq(mount("none", inner, "tmpfs", 0, NULL), 0);
    snprintf(inner, sizeof inner, "%s/sub/inner", victim);
    ck_assert_int_eq(mkdir(inner, 0700), 0);
    bind(victim, folder_in("m"), MS_REC);
}

static void (*const mountings[])(void) = {on_a_folder, on_its_file, on_the_root,
                                          in_folders_that_deny, a_shared_tree};

static void open_place(void) {
    ck_assert_int_eq(scratch_dir_open(&place, (const uint8_t *)"x", 1), 0);
    ck_assert_int_eq(access(place.file, F_OK), 0);
}

static void make_place(void) {
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(scratch_dir_init(&place, root, "f", 0600), 0);
    open_place();
}

/* ---- The tests ---- */

TEST_EACH(mounts_stay_and_what_is_in_them, COUNT_OF(mountings)) {
    if (!enter()) return;
    make_place();
    mountings[_i]();
    char *before = strdup(look());
    scratch_dir_close(&place);
    ck_assert_str_eq(look(), before);
    if (mountings[_i] == on_the_root) { /* the content of another is no place for runs */
        ck_assert_int_eq(scratch_dir_open(&place, (const uint8_t *)"x", 1), EXDEV);
    } else {
        open_place();
        scratch_dir_close(&place);
    }
    ck_assert_int_ne(scratch_dir_remove(root), 0);
    ck_assert(is_mounted());
    ck_assert_str_eq(look(), before);
    free(before);
}

/* What a killed tool left goes, but for mounts and the folders that they are on. */
TEST_EACH(a_root_that_a_dead_driver_left, 3) {
    char other[PATH_MAX];
    int other_fd;
    if (!enter()) return;
    make_place();
    close(lock_fd);
    if (_i == 1) on_a_folder();
    if (_i == 2) on_the_root();
    char *before = strdup(look());
    ck_assert_int_eq(scratch_dir_make_root(test_dir, other, &other_fd), 0);
    ck_assert_str_eq(look(), before);
    ck_assert_int_eq(access(root, F_OK), _i == 0 ? -1 : 0);
    free(before);
}

SUITE(.before_each = prepare);
