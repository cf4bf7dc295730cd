/* predicate.h: shell scripts as predicates and external passes, each in a folder of its own that is
 * gone afterwards, whatever is in it, but for what others own. Tests of mounts are in a mount
 * namespace of their own. */
#include "fixture.h"
#include "predicate.h"

#include "candidate_set.h"
#include "clock.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

enum { LONG_S = 100, SHORT_MS = 200, BYTES_MAX = 64 };

static char *shell_argv[] = {"sh", "-c", NULL, NULL};
static const runner_watch never = {.fd = -1};
static char root[PATH_MAX];
static int lock_fd;
static run_result result; /* large; each test is a process of its own */
static predicate_file given_file;
static runner_predicate_config config;
static uint8_t bytes[BYTES_MAX];
static candidate_set given;
static rejected_table known;

/* /bin/sh runs `script` with test_dir as $S. */
static void prepare(const char *script) {
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* as a worker does */
    ck_assert_int_eq(setenv("S", test_dir, 1), 0);
    ck_assert_int_eq(work_folder_make(test_dir, root, &lock_fd), 0);
    shell_argv[2] = (char *)(uintptr_t)script;
    given_file = (predicate_file){.name = "file.c", .mode = 0640};
    config = (runner_predicate_config){.command = {"/bin/sh", shell_argv, environ},
                                       .below = "",
                                       .root = root,
                                       .files = &given_file,
                                       .file_count = 1,
                                       .limits.timeout_ns = LONG_S * CLOCK_NS_PER_S,
                                       .external_pass_timeout_ns = LONG_S * CLOCK_NS_PER_S};
    sigemptyset(&config.mask);
}

/* Fill the set with texts, a '|' between. */
static void fill(const char *texts) {
    uint64_t end = 0;
    given = (candidate_set){.bytes = bytes, .bytes_max = sizeof bytes, .rejected = &known};
    for (const char *at = texts; at != NULL; at = *at == '|' ? at + 1 : NULL) {
        const size_t size = strcspn(at, "|");
        memcpy(bytes + end, at, size);
        given.ends[given.count++] = end += size;
        at += size;
    }
}

/* Run the candidate set; nothing is left of it. */
static void run(run_purpose purpose) {
    int error = -1;
    const batch runs = {0, given.count, 0, &given};
    runner *r = runner_predicate_create(&config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    memset(&result, 0xee, sizeof result);
    r->run(r, &runs, purpose, &result);
    ck_assert_msg(rmdir(root) == 0 || errno != ENOTEMPTY, "a folder is left");
    r->destroy(r);
    close(lock_fd);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
    ck_assert(!result.cancelled);
}

static void expect_interest(bool wanted, const char *script) {
    const bool is_exit_0 =
        result.last.verdict == VERDICT_FAIL &&
        signature_equal(outcome_signature(&result.last), (signature){SIGNATURE_EXIT, 0});
    ck_assert_msg(wanted ? is_exit_0 : result.last.verdict == VERDICT_PASS, "%s", script);
    ck_assert_uint_eq(result.last.drawn, OUTCOME_DRAWN_UNKNOWN);
}

/* What the script wrote into a file of test_dir; its last line end left out. */
static const char *written(const char *name) {
    static char text[PATH_MAX];
    const int fd = open(test_dir_path(name), O_RDONLY | O_CLOEXEC);
    size_t size = read_all(fd, text, sizeof text - 1);
    close(fd);
    if (size > 0 && text[size - 1] == '\n') size--;
    text[size] = '\0';
    return text;
}

/* ---- Predicates ---- */

static const struct {
    const char *script;
    const char *texts;
    bool is_interesting; /* the last one that is run */
    uint32_t ran;
    int64_t timeout_ms;
} verdicts[] = {
    {"exit 0", "abc", true, 1, 0},
    {"exit 1", "abc", false, 1, 0},
    {"cat file.c; exit 127", "abc", false, 1, 0},
    {"kill -SEGV $$", "abc", false, 1, 0},
    {"kill -9 $$", "abc", false, 1, 0},
    {"sleep 1000; exit 0", "abc", false, 1, SHORT_MS},
    {"trap '' TERM; sleep 1000 & wait", "abc", false, 1, SHORT_MS},
    {"kill -STOP $$", "abc", false, 1, SHORT_MS},
    {"grep -q yes file.c", "no||yes|yes", true, 3, 0},
    {"test \"$(cat file.c)\" = text && test \"$(ls -A)\" = file.c && ! read -r x", "text", true, 1,
     0},
    {"test $(stat -c %a .) = 700 && test \"$(dirname \"$PWD\")\" != \"$S\"", "", true, 1, 0},
    {"umask 0; test $(stat -c %a file.c) = 640 && ! test -s file.c", "", true, 1, 0},
    /* Whatever is done to the folder, the next run finds its file all the same. */
    {"test -s file.c || exit 0; rm -r \"$PWD\"; exit 1", "1|2|3", false, 3, 0},
    {"test -s file.c || exit 0; mkdir -p a/b/c; touch a/b/c/f; chmod 0 a/b/c; chmod 500 a/b; "
     "chmod 0 a; chmod 0 .; exit 1",
     "1|2|3", false, 3, 0},
    {"test -s file.c || exit 0; rm file.c; mkdir file.c; touch file.c/x; exit 1", "1|2|3", false, 3,
     0},
    {"test -s file.c || exit 0; rm file.c; ln -s \"$S/kept\" file.c; ln -s \"$S\" folder; exit 1",
     "1|2|3", false, 3, 0},
};

TEST_EACH(a_predicate_is_of_interest_or_not, COUNT_OF(verdicts)) {
    test_dir_text("kept", "kept", 0600);
    for (run_purpose purpose = RUN_TRY; purpose <= RUN_SHOW; purpose++) {
        prepare(verdicts[_i].script);
        if (verdicts[_i].timeout_ms > 0)
            config.limits.timeout_ns = verdicts[_i].timeout_ms * CLOCK_NS_PER_MS;
        fill(verdicts[_i].texts);
        run(purpose);
        expect_interest(verdicts[_i].is_interesting, verdicts[_i].script);
        ck_assert_uint_eq(result.ran, verdicts[_i].ran);
        ck_assert_int_ge(result.took_ns, verdicts[_i].timeout_ms * CLOCK_NS_PER_MS);
        ck_assert_int_lt(result.took_ns, LONG_S * CLOCK_NS_PER_S);
        for (uint32_t i = 0; i < result.ran; i++)
            ck_assert_uint_eq(given.passes[i].drawn, OUTCOME_DRAWN_UNKNOWN);
        ck_assert_str_eq(written("kept"), "kept");
    }
}

TEST(without_their_parent_no_run_can_work) {
    prepare("rm -r \"${PWD%/*}\"; exit 1");
    fill("1|2|3");
    run(RUN_TRY);
    ck_assert_uint_eq(result.ran, 2);
    ck_assert_int_eq(result.last.fault, FAULT_FOLDER);
    ck_assert_int_eq(result.last.error_number, ENOENT);
}

/* A parent that another has replaced, by one that everybody can write to or a link, gets no
 * folder. */
TEST_EACH(a_parent_is_this_users_own, 2) {
    prepare("exit 0");
    fill("1");
    if (_i == 0) {
        ck_assert_int_eq(chmod(root, 0777), 0);
    } else {
        ck_assert_int_eq(rmdir(root) + symlink("/", root), 0);
    }
    run(RUN_TRY);
    ck_assert_int_eq(result.last.fault, FAULT_FOLDER);
    ck_assert_int_eq(result.last.error_number, _i == 0 ? EPERM : ENOTDIR);
}

TEST(output_where_it_is_wanted) {
    for (run_purpose purpose = RUN_TRY; purpose <= RUN_SHOW; purpose++) {
        prepare("echo out; echo err >&2; cat file.c; exit 0");
        fill("abc");
        run(purpose);
        ck_assert_uint_eq(result.output.size, purpose == RUN_SHOW ? strlen("out\nerr\nabc") : 0);
    }
}

TEST(what_cannot_be_started) {
    prepare("exit 0");
    config.command.path = "/no/such/program";
    fill("abc");
    run(RUN_TRY);
    ck_assert_int_eq(result.last.verdict, VERDICT_ERROR);
    ck_assert_int_eq(result.last.fault, FAULT_EXEC);
    ck_assert_int_eq(result.last.error_number, ENOENT);
    for (run_purpose purpose = RUN_TRY; purpose <= RUN_SHOW; purpose++) {
        prepare("exec nosuch file.c"); /* an end that is looked at tells */
        run(purpose);
        ck_assert_int_eq(result.last.fault, purpose == RUN_SHOW ? FAULT_SHELL : FAULT_NONE);
    }
}

/* ---- External passes ---- */

static external_pass guest = {.name = "guest", .command = "do-it"};

/* A candidate set for an external pass that is this shell script, which makes a candidate of
 * `text`. */
static external_pass_answer make(external_pass_dialect dialect, const char *script,
                                 const char *text, uint64_t number) {
    static char path[PATH_MAX], whole[1024];
    snprintf(whole, sizeof whole, "#!/bin/sh\n%s\n", script);
    snprintf(path, sizeof path, "%s", test_dir_text("guest", whole, 0700));
    guest.dialect = dialect;
    guest.program = path;
    fill(text);
    given.external_pass = &guest;
    given.number = number;
    given.answer = 77;
    run(RUN_TRY);
    ck_assert_uint_eq(result.ran, 1);
    if (given.answer != EXTERNAL_PASS_MADE) expect_interest(false, script); /* it is not judged */
    return given.answer;
}

static const char in_place[] =
    "test \"$2\" = do-it && test $# = 3 || exit 9; echo noise; test $3 -lt 2 || exit 1; "
    "test \"$1\" = file.c && test \"$(ls -A)\" = file.c || exit 8; sed -i \"s/a//$(($3+1))\" $1";
static const char clex[] =
    "test \"$1\" = do-it && test $# = 3 && test \"$3\" = file.c || exit 9; "
    "test $2 = 0 || exit 71; tr b a < $3; echo noise >&2; echo spoilt > $3; exit 51";
static const char clang_delta[] =
    "test \"$1\" = --transformation=do-it || exit 9; test \"$2\" = --counter=1 || exit 255; "
    "rev < $3";

static const struct {
    external_pass_dialect dialect;
    const char *script, *text;
    uint64_t number;
    external_pass_answer answer;
    const char *made; /* NULL: nothing, or it does not matter */
} makings[] = {
    {EXTERNAL_PASS_IN_PLACE, in_place, "a-a-", 0, EXTERNAL_PASS_MADE, "-a-"},
    {EXTERNAL_PASS_IN_PLACE, in_place, "a-a-", 1, EXTERNAL_PASS_MADE, "a--"},
    {EXTERNAL_PASS_IN_PLACE, in_place, "a-a-", 2, EXTERNAL_PASS_NONE, NULL},
    {EXTERNAL_PASS_IN_PLACE, ": > $1", "abc", 0, EXTERNAL_PASS_MADE, ""},
    {EXTERNAL_PASS_IN_PLACE, "exit 2", "abc", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_IN_PLACE, "rm $1", "abc", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_IN_PLACE, "rm $1; mkdir $1", "a", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_IN_PLACE, "rm $1; mkfifo $1", "a", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_IN_PLACE, "rm $1; ln -s /etc/passwd $1", "a", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_CLEX, clex, "bcab", 0, EXTERNAL_PASS_MADE, "acaa"},
    {EXTERNAL_PASS_CLEX, clex, "bcab", 1, EXTERNAL_PASS_NONE, NULL},
    {EXTERNAL_PASS_CLEX, "cat $3; exit 0", "bcab", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_CLEX, "exit 51", "bcab", 0, EXTERNAL_PASS_MADE, ""},
    {EXTERNAL_PASS_CLANG_DELTA, clang_delta, "cba\n", 0, EXTERNAL_PASS_MADE, "abc\n"},
    {EXTERNAL_PASS_CLANG_DELTA, clang_delta, "cba\n", 1, EXTERNAL_PASS_NONE, NULL},
    {EXTERNAL_PASS_CLANG_DELTA, "exit 1", "cba\n", 1, EXTERNAL_PASS_NONE, NULL},
    {EXTERNAL_PASS_CLANG_DELTA, "exit 3", "cba\n", 1, EXTERNAL_PASS_BROKEN, NULL},
    /* A candidate that has just room behind what it is made of, and one that has not. */
    {EXTERNAL_PASS_IN_PLACE, "printf %61d 7 > $1", "abc", 0, EXTERNAL_PASS_NOT_SIMPLER, NULL},
    {EXTERNAL_PASS_IN_PLACE, "printf %62d 7 > $1", "abc", 0, EXTERNAL_PASS_BROKEN, NULL},
    {EXTERNAL_PASS_CLEX, "printf %61d 7; exit 51", "abc", 0, EXTERNAL_PASS_NOT_SIMPLER, NULL},
    {EXTERNAL_PASS_CLEX, "printf %62d 7; exit 51", "abc", 0, EXTERNAL_PASS_BROKEN, NULL},
    /* What is no simpler, or known ("x"), costs no run of the predicate. */
    {EXTERNAL_PASS_IN_PLACE, "true", "ab", 0, EXTERNAL_PASS_NOT_SIMPLER, NULL},
    {EXTERNAL_PASS_IN_PLACE, "echo >> $1", "ab", 0, EXTERNAL_PASS_NOT_SIMPLER, NULL},
    {EXTERNAL_PASS_IN_PLACE, "sed -i s/a// $1", "ax", 0, EXTERNAL_PASS_KNOWN, NULL},
};

TEST_EACH(a_pass_makes_a_candidate, COUNT_OF(makings)) {
    prepare("exit 0");
    rejected_table_add(&known, digest_of((const uint8_t *)"x", 1));
    ck_assert_int_eq(
        make(makings[_i].dialect, makings[_i].script, makings[_i].text, makings[_i].number),
        makings[_i].answer);
    if (makings[_i].answer != EXTERNAL_PASS_MADE) return;
    ck_assert_uint_eq(candidate_set_size(&given, 1), strlen(makings[_i].made));
    ck_assert_mem_eq(candidate_set_bytes(&given, 1), makings[_i].made, strlen(makings[_i].made));
}

TEST(a_file_is_no_option_and_a_command_must_fit) {
    static char longest[1100];
    prepare("exit 0");
    given_file.name = "-rf";
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "test $1 = ./-rf && : > $1", "a", 0),
                     EXTERNAL_PASS_MADE);
    prepare("exit 0");
    guest.command = memset(longest, 'x', sizeof longest - 1);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, ": > $1", "a", 0), EXTERNAL_PASS_NONE);
}

/* All dialects alike; an external pass that is no program is its own fault, and the reduction goes
 * on without it. */
TEST_EACH(a_pass_that_crashes_is_broken, 3) {
    static const external_pass_dialect all[] = {EXTERNAL_PASS_IN_PLACE, EXTERNAL_PASS_CLEX,
                                                EXTERNAL_PASS_CLANG_DELTA};
    static const char *const scripts[] = {"kill -SEGV $$", "exit 99", "rm -r \"$PWD\"; exit 99"};
    for (size_t k = 0; k < COUNT_OF(scripts); k++) {
        prepare("exit 0");
        ck_assert_int_eq(make(all[_i], scripts[k], "abc", 0), EXTERNAL_PASS_BROKEN);
    }
    prepare("exit 0");
    guest.program = "/no/such/program";
    fill("abc");
    given.external_pass = &guest;
    run(RUN_TRY);
    expect_interest(false, guest.program);
    ck_assert_int_eq(given.answer, EXTERNAL_PASS_BROKEN);
}

/* In one job, and each in a folder of its own. */
TEST(a_candidate_is_judged_at_once) {
    for (int is_kept = 0; is_kept < 2; is_kept++) {
        prepare("test \"$(ls -A)\" = file.c && test \"$(cat file.c)\" = b");
        ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE,
                              is_kept ? "sed -i s/a// $1; : > junk" : "sed -i s/b// $1", "ab", 0),
                         EXTERNAL_PASS_MADE);
        expect_interest(is_kept, "");
    }
}

/* ---- Folders ---- */

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* Paths in it are longer than any path may be. */
TEST(a_tree_of_any_depth) {
    char name[201];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    prepare("");
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
    ck_assert_int_eq(work_folder_remove(root), 0);
    ck_assert(!exists(root));
    ck_assert_int_eq(work_folder_remove(root), 0);
    ck_assert_int_eq(work_folder_make(test_dir_path("none"), root, &lock_fd), ENOENT);
}

/* ---- What others left ---- */

/* A process that makes a root, forks, and dies: its child has the root for `child_ms`. */
static void make_and_die(int child_ms) {
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        if (work_folder_make(test_dir, root, &lock_fd) != 0) _exit(1);
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
    ck_assert_int_eq(work_folder_make(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(work_folder_remove(root), 0);
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
    ck_assert_int_eq(work_folder_make(test_dir, other, &other_fd), 0);
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
    static const char *const folders[] = {"frng-work-0123456F", "frng-work-0123456",
                                          "frng-work-0123456ff", "frng-work-backup", "target"};
    ck_assert_int_eq(mkdir(test_dir_path("frng-work-00000001"), 0755), 0);
    test_dir_text("frng-work-00000002", "precious", 0600);
    ck_assert_int_eq(symlink("target", test_dir_path("frng-work-00000003")), 0);
    for (size_t i = 0; i < 5; i++) ck_assert_int_eq(mkdir(test_dir_path(folders[i]), 0700), 0);
    make_another();
    ck_assert_uint_eq(count_roots(), 7);
    ck_assert(exists(test_dir_path("target")));
}

/* ---- Mounts ---- */

static char victim[PATH_MAX];

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

static char first[PATH_MAX];

/* Whether a mount is below the parent of the runs' folders, or on it. */
static bool is_mounted(void) {
    char line[2 * PATH_MAX];
    bool found = false;
    FILE *list = fopen("/proc/self/mountinfo", "re");
    ck_assert_ptr_nonnull(list);
    while (fgets(line, sizeof line, list) != NULL) found |= strstr(line, first) != NULL;
    fclose(list);
    return found;
}

/* What a run does with $S/victim in its folder. */
static const char *const mountings[] = {
    ":",
    "mkdir m; mount --bind \"$S/victim\" m",
    "mount --bind \"$S/victim/precious\" file.c",
    "mkdir -p a/b/c; mount --bind \"$S/victim\" a/b/c; chmod 0 a/b; chmod 500 a",
    "mount --bind \"$S/victim\" ..; mount --bind \"$S/victim\" ..",
};
enum { ON_THE_PARENT = COUNT_OF(mountings) - 1 };

/* What is mounted stays, and all that is in it, when a run ends, and when the next driver tidies up
 * after a killed one; all else goes. */
TEST_EACH(mounts_stay_and_what_is_in_them, COUNT_OF(mountings)) {
    static char script[256];
    const bool is_kept = _i != 0;
    int error;
    if (!enter()) return;
    make_victim();
    snprintf(script, sizeof script, "%s; exit 1", mountings[_i]);
    prepare(script);
    strcpy(first, root);
    fill("1|2");
    const batch runs = {0, given.count, 0, &given};
    runner *r = runner_predicate_create(&config, &never, &error);
    r->run(r, &runs, RUN_TRY, &result);
    r->destroy(r);
    ck_assert(is_whole());
    if (_i == ON_THE_PARENT) { /* the content of another is no place for runs */
        ck_assert_int_eq(result.last.fault, FAULT_FOLDER);
        ck_assert_int_eq(result.last.error_number, EXDEV);
        r = runner_predicate_create(&config, &never, &error);
        r->run(r, &runs, RUN_TRY, &result);
        r->destroy(r);
        ck_assert_int_eq(result.last.error_number, EXDEV);
    }
    close(lock_fd);
    make_another();
    ck_assert(is_mounted() == is_kept);
    ck_assert_int_eq(work_folder_remove(first) == 0, !is_kept);
    ck_assert(is_mounted() == is_kept);
    ck_assert(is_whole());
}

SUITE(.emulator_lacks = "PR_SET_CHILD_SUBREAPER");
