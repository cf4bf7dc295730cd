/* keeper.h: what is written, what is not, what goes, and what stays in memory. */
#include "fixture.h"
#include "keeper.h"
#include "saving.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *no_args[] = {NULL}, *other_args[] = {"-x", NULL};
static const char earlier[] = "2020-01-01T00:00:00Z", now[] = "2026-11-22T08:30:00Z";

/* A finding that failed in one rerun of one. */
static finding of(uint64_t size, uint64_t seed) {
    return (finding){.sut = "./sut",
                     .sut_digest = "ab",
                     .args = no_args,
                     .input = {.size = size, .seed = seed},
                     .signature = {SIGNATURE_EXIT, 1},
                     .reruns = 1,
                     .repeated = 1,
                     .when = now};
}

static finding of_bytes(const char *bytes, remarks why) {
    finding f = of(strlen(bytes), 0);
    f.bytes = (const uint8_t *)bytes;
    f.remarks = why;
    return f;
}

static finding rerun(finding f, unsigned reruns, unsigned repeated) {
    f.reruns = reruns;
    f.repeated = repeated;
    return f;
}

/* ---- Folders ---- */

static char folder[PATH_MAX]; /* the store borrows it */
static store *kept_in;

static keeper *open_keeper(const char *name) {
    snprintf(folder, sizeof folder, "%s", test_dir_path(name));
    kept_in = store_open(folder);
    ck_assert_ptr_nonnull(kept_in);
    keeper *k = keeper_create(kept_in);
    ck_assert_ptr_nonnull(k);
    return k;
}

static void close_keeper(keeper *k) {
    keeper_destroy(k);
    store_close(kept_in);
}

/* Another process writes a finding to the folder. */
static void write_other(finding f) {
    store *s = store_open_there(folder);
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(save_finding(s, &f), 0);
    store_close(s);
}

static void save(keeper *k, finding f) {
    const int error = keeper_save(k, &f);
    ck_assert_msg(error == 0, "%s", strerror(error));
}

static void conclude(keeper *k, finding f) { keeper_conclude(k, &f); }

/* The sizes of the findings in a folder, in their order, each of which is whole: "7 41 ". Its other
 * files are "?". */
static const char *sizes_in(const char *path) {
    static char text[4096];
    store_names names;
    const char *why;
    finding f;
    store *s = store_open_there(path);
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(store_list(s, &names), 0);
    text[0] = '\0';
    for (size_t i = 0; i < names.count; i++) {
        ck_assert_msg(store_read(s, names.list[i], &f, &why), "%s: %s", names.list[i], why);
        snprintf(text + strlen(text), 32, "%d ", (int)f.input.size);
        finding_free(&f);
    }
    store_names_free(&names);
    store_close(s);
    return text;
}

static size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *entries = opendir(path);
    ck_assert_ptr_nonnull(entries);
    while (readdir(entries) != NULL) count++;
    closedir(entries);
    return count - 2;
}

static void has(const char *sizes) { ck_assert_str_eq(sizes_in(folder), sizes); }

/* The finding of this name, which the caller frees. */
static finding read_finding(uint64_t size, uint64_t seed) {
    char name[STORE_NAME_MAX];
    const finding named = of(size, seed);
    const char *why;
    finding f;
    store *s = store_open_there(folder);
    store_name(&named, name);
    ck_assert_msg(store_read(s, name, &f, &why), "%s: %s", name, why);
    store_close(s);
    return f;
}

static void was_rerun(uint64_t size, uint64_t seed, unsigned reruns, const char *when) {
    finding f = read_finding(size, seed);
    ck_assert_uint_eq(f.reruns, reruns);
    ck_assert_str_eq(f.when, when);
    finding_free(&f);
}

static ino_t inode_of(uint64_t size, uint64_t seed) {
    char name[STORE_NAME_MAX], path[PATH_MAX + STORE_NAME_MAX];
    const finding f = of(size, seed);
    struct stat status;
    store_name(&f, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_ino;
}

/* ---- A finding that is there ---- */

TEST(what_another_process_wrote_gets_more_reruns_only) {
    keeper *k = open_keeper("found");
    finding f = of(41, 1);
    f.when = earlier;
    write_other(f);
    const ino_t inode = inode_of(41, 1);
    save(k, of(41, 1));
    save(k, of(41, 1));
    conclude(k, of(41, 1));
    ck_assert_uint_eq(inode_of(41, 1), inode);
    f.sut_digest = "cd";
    conclude(k, rerun(f, 20, 20)); /* of another build */
    ck_assert_uint_eq(inode_of(41, 1), inode);
    conclude(k, rerun(of(41, 1), 20, 20)); /* its writer was killed before */
    was_rerun(41, 1, 20, earlier);
    conclude(k, rerun(of(41, 1), 3, 3));
    was_rerun(41, 1, 20, earlier);
    ck_assert_int_eq(keeper_finish(k), 0);
    close_keeper(k);
}

TEST(final_reruns_are_written_once_and_the_time_stays) {
    keeper *k = open_keeper("found");
    finding first = of(41, 1);
    first.when = earlier;
    save(k, first);
    const ino_t inode = inode_of(41, 1);
    save(k, of(41, 1));
    ck_assert_uint_eq(inode_of(41, 1), inode);
    conclude(k, rerun(of(41, 1), 20, 20));
    was_rerun(41, 1, 20, earlier);
    conclude(k, rerun(of(41, 1), 40, 40));
    was_rerun(41, 1, 20, earlier);
    ck_assert_int_eq(keeper_finish(k), 0);
    ck_assert_uint_eq(count_entries(folder), 1);
    close_keeper(k);
}

TEST(what_was_never_saved_is_not_concluded) {
    keeper *k = open_keeper("found");
    conclude(k, rerun(of(41, 1), 20, 20));
    has("");
    close_keeper(k);
}

TEST(reruns_that_are_final_from_the_start_are_not_written_again) {
    keeper *k = open_keeper("found");
    save(k, rerun(of(41, 1), 20, 20));
    const ino_t inode = inode_of(41, 1);
    conclude(k, rerun(of(41, 1), 20, 20));
    ck_assert_uint_eq(inode_of(41, 1), inode);
    close_keeper(k);
}

TEST(an_own_finding_becomes_one_of_the_new_build) {
    keeper *k = open_keeper("found");
    finding first = of(41, 1), rebuilt = of(41, 1), theirs = of(50, 1);
    first.when = earlier;
    rebuilt.sut_digest = "cd";
    save(k, first);
    conclude(k, rerun(of(41, 1), 20, 20));
    save(k, rebuilt);
    finding there = read_finding(41, 1);
    ck_assert_str_eq(there.sut_digest, "cd");
    ck_assert_str_eq(there.when, earlier);
    ck_assert_uint_eq(there.reruns, 1);
    finding_free(&there);
    conclude(k, rerun(rebuilt, 20, 20));
    was_rerun(41, 1, 20, earlier);
    write_other(theirs);
    theirs.sut_digest = "cd";
    save(k, theirs);
    there = read_finding(50, 1);
    ck_assert_str_eq(there.sut_digest, "ab");
    finding_free(&there);
    close_keeper(k);
}

TEST(a_file_that_is_no_finding_gives_way) {
    static const char name[] = "found/0000000041-0000000000000001.json";
    keeper *k = open_keeper("found");
    test_dir_text(name, "{\"torn\"", 0600);
    save(k, of(41, 1));
    has("41 ");
    close_keeper(k);
}

TEST(a_finding_of_another_program_or_arguments_stays) {
    keeper *k = open_keeper("found");
    finding args = of(41, 1), program = of(42, 1), folder_only = of(43, 1);
    args.args = other_args;
    program.sut = "./other";
    folder_only.sut = "/usr/bin/sut";
    write_other(args);
    write_other(program);
    write_other(folder_only);
    for (uint64_t size = 41; size <= 43; size++) {
        const finding f = of(size, 1);
        ck_assert_int_eq(keeper_save(k, &f), 0);
    }
    has("41 41 42 42 43 ");
    finding there = read_finding(41, 1);
    ck_assert_str_eq(there.args[0], "-x");
    finding_free(&there);
    char name[STORE_NAME_MAX];
    const char *why;
    const finding own = of(41, 1);
    keeper_file(k, &own, name);
    ck_assert(store_read(kept_in, name, &there, &why));
    ck_assert_ptr_null(there.args[0]);
    finding_free(&there);
    conclude(k, rerun(own, 20, 20));
    ck_assert(store_read(kept_in, name, &there, &why));
    ck_assert_uint_eq(there.reruns, 20);
    finding_free(&there);
    ck_assert_int_eq(keeper_finish(k), 0);
    close_keeper(k);
}

TEST(the_result_of_a_reduction_gets_its_remarks) {
    static const remark list[] = {{0, "any value"}};
    keeper *k = open_keeper("found");
    save(k, of_bytes("abc", (remarks){NULL, 0}));
    save(k, of_bytes("abc", (remarks){list, 1}));
    conclude(k, rerun(of_bytes("abc", (remarks){list, 1}), 20, 20));
    has("3 ");
    store_names names;
    const char *why;
    finding f;
    ck_assert_int_eq(store_list(kept_in, &names), 0);
    ck_assert(store_read(kept_in, names.list[0], &f, &why));
    ck_assert_uint_eq(f.remarks.count, 1);
    ck_assert_uint_eq(f.reruns, 20);
    finding_free(&f);
    store_names_free(&names);
    close_keeper(k);
}

/* ---- One bug, one file ---- */

TEST(own_findings_give_way_to_smaller_ones_of_their_signature) {
    keeper *k = open_keeper("found");
    finding other = of(30, 1), sited = of(31, 1), rebuilt = of(32, 1);
    other.signature = (signature){SIGNATURE_EXIT, 2};
    sited.site = "a.c:3";
    rebuilt.sut_digest = "cd";
    save(k, of(50, 1));
    save(k, other);
    save(k, sited);
    save(k, rebuilt);
    write_other(of(49, 2));
    has("30 31 32 49 50 ");
    save(k, of(41, 1));
    has("30 31 32 41 49 ");
    save(k, of(41, 0)); /* the smaller seed, so that a fleet ends with one */
    has("30 31 32 41 49 ");
    was_rerun(41, 0, 1, now);
    ck_assert_int_eq(keeper_finish(k), 0);
    has("30 31 32 41 49 ");
    close_keeper(k);
}

TEST(bytes_give_way_to_simpler_ones_and_a_seed_to_a_reduced_finding) {
    keeper *k = open_keeper("found");
    finding reduced = of_bytes("abb", (remarks){NULL, 0});
    reduced.is_reduced = true;
    save(k, of(50, 1));
    save(k, of_bytes("abcd", (remarks){NULL, 0}));
    has("4 50 ");
    save(k, of_bytes("abc", (remarks){NULL, 0}));
    has("3 50 ");
    save(k, of_bytes("abb", (remarks){NULL, 0})); /* of equal size, but simpler */
    has("3 50 ");
    conclude(k, rerun(reduced, 20, 19));
    has("3 50 ");
    save(k, of(2, 1));
    has("2 ");
    close_keeper(k);
    k = open_keeper("reduced");
    save(k, of(3, 1));
    save(k, of_bytes("abb", (remarks){NULL, 0}));
    has("3 3 ");
    conclude(k, rerun(reduced, 20, 20));
    has("3 ");
    close_keeper(k);
}

TEST(bytes_of_a_reduction_that_was_cut_off_replace_its_seed_too) {
    keeper *k = open_keeper("found");
    finding cut_off = rerun(of_bytes("abb", (remarks){NULL, 0}), 1, 1);
    save(k, of(50, 1));
    save(k, cut_off);
    has("3 50 ");
    cut_off.from = of(50, 1).input;
    conclude(k, cut_off);
    has("3 ");
    close_keeper(k);
}

TEST(a_flaky_finding_replaces_larger_flaky_ones) {
    keeper *k = open_keeper("found");
    save(k, of(50, 1));
    save(k, rerun(of_bytes("abcd", (remarks){NULL, 0}), 40, 37));
    save(k, rerun(of_bytes("abbd", (remarks){NULL, 0}), 40, 35));
    save(k, rerun(of_bytes("abb", (remarks){NULL, 0}), 40, 39));
    has("3 50 ");
    save(k, rerun(of(30, 1), 40, 38));
    has("3 30 50 ");
    save(k, rerun(of(20, 1), 40, 38));
    has("3 20 50 ");
    close_keeper(k);
}

TEST(a_finding_of_another_process_replaces_own_ones_once_it_failed_here) {
    keeper *k = open_keeper("found");
    save(k, of(50, 1));
    write_other(of(7, 1));
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    has("7 50 ");
    save(k, of(7, 1));
    has("7 ");
    ck_assert_int_eq(keeper_finish(k), 0);
    has("7 ");
    close_keeper(k);
}

TEST(the_best_before_a_flaky_one_comes_back) {
    keeper *k = open_keeper("found");
    save(k, of(41, 1));
    save(k, of(20, 1));
    has("20 ");
    save(k, of(41, 1));
    has("20 41 ");
    conclude(k, rerun(of(20, 1), 20, 19));
    conclude(k, rerun(of(41, 1), 20, 20));
    ck_assert_int_eq(keeper_finish(k), 0);
    was_rerun(41, 1, 20, now);
    was_rerun(20, 1, 20, now);
    close_keeper(k);
}

TEST(a_flaky_finding_replaces_nothing) {
    keeper *k = open_keeper("found");
    write_other(of(7, 1));
    save(k, of(7, 1));
    save(k, of(30, 1));
    conclude(k, rerun(of(7, 1), 20, 19));
    has("7 30 ");
    was_rerun(7, 1, 20, now);
    save(k, of(41, 1));
    save(k, rerun(of(20, 1), 20, 19));
    has("7 20 30 41 ");
    close_keeper(k);
}

TEST(a_finding_that_was_removed_is_there_at_the_end) {
    keeper *k = open_keeper("found");
    char name[STORE_NAME_MAX];
    const finding f = of(41, 1);
    save(k, of(50, 1));
    save(k, f);
    store_name(&f, name);
    ck_assert_int_eq(store_remove(kept_in, name), 0);
    ck_assert_int_eq(keeper_finish(k), 0);
    has("41 ");
    close_keeper(k);
}

/* ---- A folder that goes away ---- */

static void rename_folder(const char *from, const char *to) {
    ck_assert_int_eq(rename(test_dir_path(from), test_dir_path(to)), 0);
}

static void fails(keeper *k, finding f, int error) { ck_assert_int_eq(keeper_save(k, &f), error); }

TEST(what_cannot_be_written_is_written_when_the_folder_is_back) {
    keeper *k = open_keeper("found");
    finding other = of(60, 2);
    other.signature.value = 2;
    save(k, of(80, 1));
    rename_folder("found", "away");
    ck_assert_int_eq(keeper_retry(k, NULL), ENOENT);
    fails(k, of(50, 1), ENOENT);
    fails(k, of(41, 1), ENOENT);
    fails(k, other, ENOENT);
    ck_assert_uint_eq(keeper_count(k).waiting, 2); /* the best of each signature */
    ck_assert_uint_eq(keeper_count(k).errors, 3);
    ck_assert_int_eq(keeper_retry(k, NULL), ENOENT);
    rename_folder("away", "found");
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    ck_assert_uint_eq(keeper_count(k).waiting, 0);
    has("41 60 ");
    close_keeper(k);
}

TEST(a_save_that_goes_well_takes_along_what_waits) {
    keeper *k = open_keeper("found");
    finding other = of(60, 2);
    other.signature.value = 2;
    rename_folder("found", "away");
    fails(k, other, ENOENT);
    rename_folder("away", "found");
    save(k, of(41, 1));
    has("41 60 ");
    close_keeper(k);
}

TEST(another_folder_gets_the_best_of_each_signature) {
    keeper *k = open_keeper("found");
    finding other = of(60, 2);
    other.signature.value = 2;
    save(k, of(80, 1));
    save(k, of(41, 1));
    save(k, other);
    rename_folder("found", "away");
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    has("41 60 ");
    ck_assert_str_eq(sizes_in(test_dir_path("away")), "41 60 ");
    ck_assert_uint_eq(keeper_count(k).moves, 1);
    conclude(k, rerun(of(41, 1), 20, 20));
    was_rerun(41, 1, 20, now);
    close_keeper(k);
}

TEST(a_stamp_that_the_caller_has_saves_the_look) {
    store_stamp seen;
    keeper *k = open_keeper("found");
    save(k, of(41, 1));
    ck_assert_int_eq(store_look(kept_in, &seen), 0);
    rename_folder("found", "away");
    ck_assert_int_eq(keeper_retry(k, &seen), 0);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    ck_assert_int_eq(store_look(kept_in, &seen), 0);
    ck_assert_int_eq(keeper_retry(k, &seen), 0);
    has("41 ");
    close_keeper(k);
}

TEST(a_folder_that_is_renamed_at_the_end_has_its_findings) {
    keeper *k = open_keeper("found");
    save(k, of(41, 1));
    rename_folder("found", "away");
    ck_assert_int_eq(keeper_finish(k), 0);
    ck_assert_str_eq(sizes_in(test_dir_path("away")), "41 ");
    close_keeper(k);
}

TEST(what_was_never_stored_is_lost_with_the_folder) {
    keeper *k = open_keeper("found");
    char name[STORE_NAME_MAX];
    const finding f = of(41, 1);
    save(k, f);
    store_name(&f, name);
    ck_assert_int_eq(store_remove(kept_in, name), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_int_eq(keeper_finish(k), 0); /* 41 was stored */
    ck_assert(keeper_count(k).is_gone);
    fails(k, of(20, 1), ENOENT);
    ck_assert_int_eq(keeper_finish(k), ENOENT);
    ck_assert_uint_eq(keeper_count(k).waiting, 1);
    close_keeper(k);
}

/* ---- A full disk ---- */

static void write_text(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* Enter namespaces in which this process may mount. */
static bool enter_namespaces(void) {
    char users[64];
    const uid_t user = geteuid();
    if (user == 0) return unshare(CLONE_NEWNS) == 0;
    if (unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
    snprintf(users, sizeof users, "0 %u 1", user);
    write_text("/proc/self/uid_map", users);
    return true;
}

/* Mount a disk in memory of `pages` pages, which goes with this process. Skip the test where that
 * is refused. */
static bool mount_small(const char *name, long pages) {
    char options[64];
    ck_assert_int_eq(mkdir(test_dir_path(name), 0700), 0);
    snprintf(options, sizeof options, "size=%ld", pages * sysconf(_SC_PAGESIZE));
    if (enter_namespaces() && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount("none", test_dir_path(name), "tmpfs", 0, options) == 0) {
        return true;
    }
    fprintf(stderr, "skipped: no disk can be mounted here (%s)\n", strerror(errno));
    return false;
}

TEST(what_has_no_room_waits_for_it) {
    if (!mount_small("small", 1)) return;
    keeper *k = open_keeper("small");
    finding other = of(60, 2);
    other.signature.value = 2;
    save(k, of(90, 1));
    fails(k, other, ENOSPC);
    has("90 ");
    ck_assert_int_eq(keeper_retry(k, NULL), ENOSPC);
    ck_assert_int_eq(keeper_finish(k), ENOSPC);
    ck_assert_uint_eq(keeper_count(k).waiting, 1);
    char name[STORE_NAME_MAX];
    const finding f = of(90, 1);
    store_name(&f, name);
    ck_assert_int_eq(store_remove(kept_in, name), 0);
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    has("60 ");
    close_keeper(k);
}

/* ---- Kills ---- */

/* A keeper that is killed. */
typedef struct victim {
    const char *path;
    int *saved; /* in shared memory: the size of the last finding that was saved */
} victim;

static void keep_some(const victim *v) {
    static const uint64_t sizes[] = {41, 20, 7};
    const finding first = of(50, 1), last = rerun(of(7, 1), 20, 20);
    snprintf(folder, sizeof folder, "%s", v->path);
    kept_in = store_open(folder);
    keeper *k = kept_in != NULL ? keeper_create(kept_in) : NULL;
    if (k == NULL) _exit(9);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || keeper_save(k, &first) != 0) _exit(8);
    *v->saved = 50;
    raise(SIGSTOP);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const finding f = of(sizes[i], 1);
        if (keeper_save(k, &f) != 0) _exit(7);
        *v->saved = (int)sizes[i];
    }
    keeper_conclude(k, &last);
    _exit(keeper_finish(k));
}

/* Start it, and kill it when it has entered or left `call` calls since the first finding. Return
 * false if it ended before. */
static bool is_killed_at(const victim *v, int call) {
    int status;
    const pid_t pid = fork();
    if (pid == 0) keep_some(v);
    for (int i = -1; i < call; i++) {
        if (i >= 0) ck_assert_int_eq(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        if (WIFSTOPPED(status)) continue;
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", status);
        return false;
    }
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return true;
}

static void empty(const char *path) {
    DIR *entries = opendir(path);
    const struct dirent *entry;
    ck_assert_ptr_nonnull(entries);
    while ((entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            ck_assert_int_eq(unlinkat(dirfd(entries), entry->d_name, 0), 0);
        }
    }
    closedir(entries);
}

/* After each kill all findings are whole, and the last that was saved is there, or a smaller one.
 */
static void kill_at_each_call(const victim *v, const char *at_the_end) {
    int call = 0;
    while (is_killed_at(v, call)) {
        const char *sizes = sizes_in(v->path);
        ck_assert_msg(sizes[0] != '\0', "nothing is there after call %d", call);
        ck_assert_msg(atoi(sizes) <= *v->saved, "%s after call %d", sizes, call);
        empty(v->path);
        call++;
    }
    ck_assert_int_gt(call, 20);
    ck_assert_str_eq(sizes_in(v->path), at_the_end);
}

static int *shared_number(void) {
    int *number =
        mmap(NULL, sizeof *number, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(number, MAP_FAILED);
    return number;
}

TEST(a_kill_at_any_call_loses_nothing) {
    SKIP_WHERE_EMULATOR_LACKS("ptrace");
    const victim v = {test_dir_path("found"), shared_number()};
    kill_at_each_call(&v, "7 ");
}

SUITE(.timeout_s = 120);
