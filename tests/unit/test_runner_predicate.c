/* predicate.h: shell scripts as predicates and external
 * passes, each in a folder of its own that is gone afterwards. */
#include "fixture.h"
#include "predicate.h"

#include "candidate_set.h"
#include "clock.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { LONG_S = 100, SHORT_MS = 200, BYTES_MAX = 64, CANDIDATE_SET_MAX = 4 };

static char *shell_argv[] = {"sh", "-c", NULL, NULL};
static const runner_watch never = {.fd = -1};
static char root[PATH_MAX];
static int lock_fd;
static run_result result; /* large; each test is a process of its own */
static runner_predicate_config config;

static uint8_t bytes[BYTES_MAX];
static candidate_set given;
static rejected_table known;

/* ---- Runs ---- */

/* /bin/sh runs `script` with test_dir as $S. */
static void prepare(const char *script) {
    ck_assert_int_eq(setenv("S", test_dir, 1), 0);
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* as a worker does */
    shell_argv[2] = (char *)(uintptr_t)script;
    config = (runner_predicate_config){.command = {"/bin/sh", shell_argv, environ},
                                       .root = root,
                                       .name = "file.c",
                                       .mode = 0640,
                                       .timeout_ns = LONG_S * CLOCK_NS_PER_S,
                                       .external_pass_timeout_ns = LONG_S * CLOCK_NS_PER_S,
                                       .size_max = BYTES_MAX};
    sigemptyset(&config.mask);
}

static void fill(const char *const *texts) {
    given = (candidate_set){.bytes = bytes, .bytes_max = sizeof bytes, .rejected = &known};
    uint64_t end = 0;
    for (; texts[given.count] != NULL; given.ends[given.count++] = end) {
        const size_t size = strlen(texts[given.count]);
        ck_assert_uint_le(end + size, sizeof bytes);
        memcpy(bytes + end, texts[given.count], size);
        end += size;
    }
}

static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) return errno == ENOENT;
    size_t entries = 0;
    while (readdir(folder) != NULL) entries++;
    closedir(folder);
    return entries == 2;
}

/* Run the candidate set; nothing is left of it. */
static void run(bool capture) {
    int error = -1;
    const batch runs = {0, given.count, 0, &given};
    runner *r = runner_predicate_create(&config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    memset(&result, 0xee, sizeof result);
    r->ops->run(r, &runs, capture, &result);
    ck_assert_msg(is_empty(root), "a folder is left");
    r->ops->destroy(r);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
    ck_assert(!result.cancelled);
}

static void ask(const char *script, const char *text) {
    const char *const texts[] = {text, NULL};
    prepare(script);
    fill(texts);
    run(false);
    ck_assert_uint_eq(result.ran, 1);
}

static void expect_interest(void) {
    char text[SIGNATURE_TEXT_MAX];
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    ck_assert_str_eq(signature_format(outcome_signature(&result.last), text), "exit:0");
    ck_assert_uint_eq(result.last.drawn, OUTCOME_DRAWN_UNKNOWN);
}

static void expect_none(void) { ck_assert_int_eq(result.last.verdict, VERDICT_PASS); }

/* What the script wrote into a file of test_dir; its last line end left out. */
static const char *written(const char *name) {
    static char text[PATH_MAX];
    FILE *file = fopen(test_dir_path(name), "re");
    ck_assert_msg(file != NULL, "no %s", name);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    if (size > 0 && text[size - 1] == '\n') size--;
    text[size] = '\0';
    return text;
}

/* ---- Verdicts ---- */

TEST(zero_is_of_interest) {
    ask("exit 0", "abc");
    expect_interest();
    ck_assert_int_gt(result.took_ns, 0);
    ck_assert_uint_eq(given.record_count, 0);
}

TEST(all_else_is_not) {
    static const char *const scripts[] = {"exit 1",        "exit 2",     "exit 77",
                                          "exit 255",      "exit 127",   "kill -ABRT $$",
                                          "kill -SEGV $$", "kill -9 $$", "no-such-command"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        ask(scripts[i], "abc");
        expect_none();
        ck_assert_uint_eq(given.passes[0].drawn, OUTCOME_DRAWN_UNKNOWN);
    }
}

TEST(a_hang_is_not) {
    static const char *const scripts[] = {"sleep 1000; exit 0", "trap '' TERM; sleep 1000 & wait",
                                          "kill -STOP $$"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const char *const texts[] = {"abc", NULL};
        prepare(scripts[i]);
        config.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
        fill(texts);
        run(i == 0);
        expect_none();
        ck_assert_uint_eq(result.ran, 1);
        ck_assert_int_ge(result.took_ns, SHORT_MS * CLOCK_NS_PER_MS);
        ck_assert_int_lt(result.took_ns, LONG_S * CLOCK_NS_PER_S);
    }
}

TEST(what_cannot_be_started) {
    const char *const texts[] = {"abc", NULL};
    prepare("exit 0");
    config.command.path = "/no/such/program";
    fill(texts);
    run(false);
    ck_assert_int_eq(result.last.verdict, VERDICT_ERROR);
    ck_assert_int_eq(result.last.fault, FAULT_EXEC);
    ck_assert_int_eq(result.last.error_number, ENOENT);
}

/* Remove the folder of each run; or of one, and then there is the program that was missing. */
static void remove_folders(bool once, const char *program) {
    char folder[PATH_MAX + 8], file[PATH_MAX + 16];
    snprintf(folder, sizeof folder, "%s/0", root);
    snprintf(file, sizeof file, "%s/0/file.c", root);
    for (;;) {
        while (access(file, F_OK) != 0) usleep(1000);
        usleep(1000); /* it is written, too */
        unlink(file);
        if (rmdir(folder) == 0 && once) _exit(symlink("/bin/sh", program));
    }
}

/* A program that is missing is waited for, and meanwhile the folder goes: once, and the next folder
 * is as good; or always. */
TEST_EACH(a_folder_that_is_gone, 2) {
    const char *const texts[] = {"abc", NULL};
    char program[PATH_MAX];
    snprintf(program, sizeof program, "%s", test_dir_path("later"));
    prepare("exit 0");
    config.command.path = program;
    fill(texts);
    const pid_t remover = fork();
    if (remover == 0) remove_folders(_i == 0, program);
    const batch runs = {0, 1, 0, &given};
    int error = -1;
    runner *r = runner_predicate_create(&config, &never, &error);
    ck_assert_ptr_nonnull(r);
    r->ops->run(r, &runs, RUN_TRY, &result);
    r->ops->destroy(r);
    kill(remover, SIGKILL);
    waitpid(remover, NULL, 0);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    if (_i == 0) {
        expect_interest();
    } else {
        ck_assert_int_eq(result.last.verdict, VERDICT_ERROR);
        ck_assert_int_eq(result.last.fault, FAULT_FOLDER);
        ck_assert_int_eq(result.last.error_number, ENOENT);
    }
    unlink(program);
}

TEST(output_where_it_is_wanted) {
    const char *const texts[] = {"abc", NULL};
    for (int wanted = 0; wanted < 2; wanted++) {
        prepare("echo out; echo err >&2; cat file.c; exit 0");
        fill(texts);
        run(wanted == 1);
        expect_interest();
        ck_assert_uint_eq(result.output.size, wanted ? strlen("out\nerr\nabc") : 0);
    }
}

/* Up to and including the first that is of interest. */
TEST(a_candidate_set_of_several) {
    static const char *const texts[] = {"no", "", "yes", "yes", NULL};
    prepare("cat file.c >> \"$S/all\"; echo . >> \"$S/all\"; grep -q yes file.c");
    fill(texts);
    run(false);
    ck_assert_uint_eq(result.ran, 3);
    expect_interest();
    ck_assert_str_eq(written("all"), "no.\n.\nyes.");
}

/* ---- Where it runs ---- */

TEST(the_file_and_its_folder) {
    ask("test \"$(cat file.c)\" = 'some text' && test \"$(ls -A)\" = file.c && umask 0 && "
        "stat -c %a . > \"$S/mode\" && pwd > \"$S/place\" && ! read -r line",
        "some text");
    expect_interest();
    ck_assert_str_eq(written("mode"), "700");
    ck_assert(strncmp(written("place"), root, strlen(root)) == 0);
    ck_assert_msg(access(written("place"), F_OK) != 0, "it is gone");
    ask("test $(stat -c %s file.c) = 0 && stat -c %a file.c > \"$S/mode\"", "");
    expect_interest();
    ck_assert_str_eq(written("mode"), "640");
}

/* Predicates that leave a mess; and the next one finds its file all the same. */
TEST(whatever_was_done_to_the_folder) {
    static const char *const scripts[] = {
        "rm -r \"$PWD\"",
        "rm -r \"$PWD\"; rmdir \"$(dirname \"$PWD\")\"",
        "chmod 0 .",
        "chmod 0 file.c; chmod 500 .",
        "mkdir -p a/b/c; touch a/b/c/f; chmod 0 a/b/c; chmod 500 a/b; chmod 0 a; chmod 0 .",
        "rm file.c; mkdir file.c; touch file.c/x",
        "rm file.c; ln -s \"$S/kept\" file.c; ln -s \"$S\" folder",
        "mkfifo pipe; mv file.c -x; touch '.hidden' 'a b'",
        "sleep 1000 & sleep 1000 > x &",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        static const char *const texts[] = {"1", "2", "3", NULL};
        char script[512];
        test_dir_text("kept", "kept", 0600);
        snprintf(script, sizeof script, "cat file.c >> \"$S/seen-%d\" || exit 0; %s\nexit 1",
                 (int)i, scripts[i]);
        prepare(script);
        fill(texts);
        run(i % 2 == 0);
        ck_assert_msg(result.ran == 3, "\"%s\": %d", scripts[i], (int)result.ran);
        expect_none();
        snprintf(script, sizeof script, "seen-%d", (int)i);
        ck_assert_str_eq(written(script), "123");
        ck_assert_str_eq(written("kept"), "kept");
    }
}

/* What is in the way is left alone. */
/* Paths in it are longer than any path may be. */
TEST(a_tree_of_any_depth) {
    char name[201];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
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
    ck_assert_int_eq(access(root, F_OK), -1);
}

/* Another process has replaced our root by one that everybody can write to. */
TEST(a_root_of_another_process) {
    scratch_dir w;
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(scratch_dir_init(&w, root, "f", 0600), 0);
    ck_assert_int_eq(chmod(root, 0777), 0);
    ck_assert_int_eq(scratch_dir_open(&w, (const uint8_t *)"x", 1), EPERM);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    ck_assert_int_eq(symlink("/", root), 0);
    ck_assert_int_eq(scratch_dir_open(&w, (const uint8_t *)"x", 1), ENOTDIR);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
}

/* Who has got no folder has none to close: the first name is that of another worker's. */
TEST(a_folder_of_another_worker) {
    scratch_dir mine, other;
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(scratch_dir_init(&other, root, "f", 0600), 0);
    ck_assert_int_eq(scratch_dir_open(&other, (const uint8_t *)"x", 1), 0);
    ck_assert_int_eq(scratch_dir_init(&mine, root, "f", 0600), 0);
    ck_assert_int_eq(chmod(root, 0777), 0);
    ck_assert_int_eq(scratch_dir_open(&mine, (const uint8_t *)"x", 1), EPERM);
    scratch_dir_close(&mine);
    ck_assert_int_eq(access(other.file, F_OK), 0);
    scratch_dir_close(&other);
    ck_assert(access(other.folder, F_OK) != 0);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
}

/* Two workers make it anew at once. */
TEST(a_root_that_runs_remove) {
    scratch_dir w;
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    const pid_t other = fork();
    ck_assert_int_ge(other, 0);
    ck_assert_int_eq(scratch_dir_init(&w, root, "f", 0600), 0);
    for (int i = 0; i < 500; i++) {
        const int error = scratch_dir_open(&w, NULL, 0);
        scratch_dir_close(&w);
        rmdir(root);
        if (error != 0 && other == 0) _exit(error);
        if (other != 0) ck_assert_int_eq(error, 0);
    }
    if (other == 0) _exit(0);
    int status;
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
}

TEST(a_name_that_is_taken) {
    scratch_dir w;
    char first[PATH_MAX];
    ck_assert_int_eq(scratch_dir_make_root(test_dir, root, &lock_fd), 0);
    ck_assert_int_eq(scratch_dir_init(&w, root, "f", 0600), 0);
    ck_assert_int_eq(mkdir(w.folder, 0700), 0);
    memcpy(first, w.folder, sizeof first);
    ck_assert_int_eq(scratch_dir_open(&w, (const uint8_t *)"x", 1), 0);
    ck_assert_str_ne(w.folder, first);
    ck_assert_int_eq(access(w.file, F_OK), 0);
    scratch_dir_close(&w);
    ck_assert(access(w.folder, F_OK) != 0);
    ck_assert_int_eq(access(first, F_OK), 0);
    ck_assert_int_eq(scratch_dir_open(&w, NULL, 0), 0);
    ck_assert(access(w.file, F_OK) != 0);
    scratch_dir_close(&w);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    ck_assert_int_eq(scratch_dir_remove(root), 0);
    ck_assert_int_eq(scratch_dir_make_root(test_dir_path("none"), root, &lock_fd), ENOENT);
}

/* A process that makes a root, forks, and dies: its child has the root for `child_ms`. */
static void make_and_die(int child_ms) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (scratch_dir_make_root(test_dir, root, &lock_fd) != 0) _exit(1);
        if (chdir(root) != 0 || mkdir("1-0", 0700) != 0 || mkdir("1-0/deep", 0) != 0) _exit(2);
        if (child_ms > 0 && fork() == 0) {
            usleep((useconds_t)child_ms * 1000);
            _exit(0);
        }
        _exit(0);
    }
    int status;
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

TEST(what_the_killed_left_goes_at_the_next_start) {
    make_and_die(0);
    make_and_die(0);
    ck_assert_uint_eq(count_roots(), 1); /* the second removed the first one's */
    make_another();
    ck_assert_uint_eq(count_roots(), 0);
}

TEST(what_is_in_use_stays) {
    char other[PATH_MAX];
    int other_fd;
    ck_assert_int_eq(scratch_dir_make_root(test_dir, other, &other_fd), 0);
    make_another();
    ck_assert_int_eq(access(other, F_OK), 0);
    close(other_fd);
    make_another();
    ck_assert_int_eq(access(other, F_OK), -1);
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    make_and_die(2000); /* its worker lives on */
    make_another();
    ck_assert_uint_eq(count_roots(), 1);
    ck_assert_int_gt(waitpid(-1, NULL, 0), 0);
    make_another();
    ck_assert_uint_eq(count_roots(), 0);
}

/* For all to look into, a file, a link, and names that are not quite ours. */
TEST(what_is_not_ours_stays) {
    static const char *const folders[] = {"frng-work-0123456789abcdeF", "frng-work-0123456789abcde",
                                          "frng-work-0123456789abcdeff", "frng-AbCdEf",
                                          "frng-work-backup"};
    ck_assert_int_eq(mkdir(test_dir_path("frng-work-0000000000000001"), 0755), 0);
    test_dir_text("frng-work-0000000000000002", "precious", 0600);
    ck_assert_int_eq(mkdir(test_dir_path("target"), 0700), 0);
    ck_assert_int_eq(symlink("target", test_dir_path("frng-work-0000000000000003")), 0);
    for (size_t i = 0; i < 5; i++) ck_assert_int_eq(mkdir(test_dir_path(folders[i]), 0700), 0);
    make_another();
    ck_assert_uint_eq(count_roots(), 7);
    ck_assert_int_eq(access(test_dir_path("target"), F_OK), 0);
    ck_assert_int_eq(access(test_dir_path("frng-AbCdEf"), F_OK), 0);
}

/* ---- Generators ---- */

static external_pass guest = {.name = "guest", .command = "do-it", .lines = 1};

/* A candidate set for an external pass that is this shell script. */
static external_pass_answer make(external_pass_dialect dialect, const char *script,
                                 const char *text, uint64_t number) {
    static char path[PATH_MAX], whole[1024];
    const char *const texts[] = {text, NULL};
    snprintf(whole, sizeof whole, "#!/bin/sh\n%s\n", script);
    snprintf(path, sizeof path, "%s", test_dir_text("guest", whole, 0700));
    guest.dialect = dialect;
    guest.program = path;
    fill(texts);
    given.external_pass = &guest;
    given.number = number;
    given.answer = 77;
    run(false);
    ck_assert_uint_eq(result.ran, 1);
    if (given.answer != EXTERNAL_PASS_MADE) expect_none(); /* it is not judged */
    return given.answer;
}

static void expect_made(const char *text) {
    ck_assert_uint_eq(given.count, 1);
    ck_assert_uint_eq(candidate_set_size(&given, 1), strlen(text));
    ck_assert(memcmp(candidate_set_bytes(&given, 1), text, strlen(text)) == 0);
}

static const char in_place[] =
    "test \"$2\" = do-it && test $# = 3 || exit 9; echo noise; test $3 -lt 2 || exit 1; "
    "test \"$1\" = file.c && test \"$(ls -A)\" = file.c || exit 8; sed -i \"s/a//$(($3+1))\" $1";

TEST(in_place_is_what_becomes_of_the_file) {
    prepare("exit 0");
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, in_place, "a-a-", 0), EXTERNAL_PASS_MADE);
    expect_made("-a-");
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, in_place, "a-a-", 1), EXTERNAL_PASS_MADE);
    expect_made("a--");
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, in_place, "a-a-", 2), EXTERNAL_PASS_NONE);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, ": > $1", "abc", 0), EXTERNAL_PASS_MADE);
    expect_made("");
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "exit 2", "abc", 0), EXTERNAL_PASS_BROKEN);
}

static const char clex[] =
    "test \"$1\" = do-it && test $# = 3 && test \"$3\" = file.c || exit 9; "
    "test $2 = 0 || exit 71; tr b a < $3; echo noise >&2; echo spoilt > $3; exit 51";

TEST(clex_writes_to_stdout) {
    prepare("exit 0");
    ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, clex, "bcab", 0), EXTERNAL_PASS_MADE);
    expect_made("acaa");
    ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, clex, "bcab", 1), EXTERNAL_PASS_NONE);
    ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, "cat $3; exit 0", "bcab", 0), EXTERNAL_PASS_BROKEN);
    ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, "exit 51", "bcab", 0), EXTERNAL_PASS_MADE);
    expect_made("");
}

static const char clang_delta[] =
    "test \"$1\" = --transformation=do-it || exit 9; test \"$2\" = --counter=1 || exit 255; "
    "rev < $3";

TEST(clang_delta_counts_from_one) {
    prepare("exit 0");
    ck_assert_int_eq(make(EXTERNAL_PASS_CLANG_DELTA, clang_delta, "cba\n", 0), EXTERNAL_PASS_MADE);
    expect_made("abc\n");
    ck_assert_int_eq(make(EXTERNAL_PASS_CLANG_DELTA, clang_delta, "cba\n", 1), EXTERNAL_PASS_NONE);
    ck_assert_int_eq(make(EXTERNAL_PASS_CLANG_DELTA, "exit 1", "cba\n", 1), EXTERNAL_PASS_NONE);
    ck_assert_int_eq(make(EXTERNAL_PASS_CLANG_DELTA, "exit 3", "cba\n", 1), EXTERNAL_PASS_BROKEN);
}

static const char filter[] = "test \"$1\" = do-it && test $# = 1 || exit 9; tr ';' '\\n'";

TEST(a_filter_makes_lines_to_be_left_out) {
    static const char *const made[] = {"b\nc\n", "a\nc\n", "a\nb\n"};
    prepare("exit 0");
    for (uint64_t n = 0; n < 3; n++) {
        ck_assert_int_eq(make(EXTERNAL_PASS_LINES, filter, "a;; b;c;", n), EXTERNAL_PASS_MADE);
        expect_made(made[n]);
    }
    ck_assert_int_eq(make(EXTERNAL_PASS_LINES, filter, "a;; b;c;", 3), EXTERNAL_PASS_NONE);
    ck_assert_int_eq(make(EXTERNAL_PASS_LINES, "exit 1", "a", 0), EXTERNAL_PASS_BROKEN);
}

/* All dialects alike. */
TEST(a_pass_that_crashes_is_broken) {
    static const external_pass_dialect all[] = {EXTERNAL_PASS_IN_PLACE, EXTERNAL_PASS_CLEX,
                                                EXTERNAL_PASS_CLANG_DELTA, EXTERNAL_PASS_LINES};
    prepare("exit 0");
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(make(all[i], "kill -SEGV $$", "abc", 0), EXTERNAL_PASS_BROKEN);
        ck_assert_int_eq(make(all[i], "exit 99", "abc", 0), EXTERNAL_PASS_BROKEN);
        ck_assert_int_eq(make(all[i], "rm -r \"$PWD\"; exit 99", "abc", 0), EXTERNAL_PASS_BROKEN);
    }
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "rm $1", "abc", 0), EXTERNAL_PASS_BROKEN);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "rm $1; mkdir $1", "a", 0), EXTERNAL_PASS_BROKEN);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "rm $1; mkfifo $1", "a", 0),
                     EXTERNAL_PASS_BROKEN);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "rm $1; ln -s /etc/passwd $1", "a", 0),
                     EXTERNAL_PASS_BROKEN);
}

/* A candidate that has just room behind what it is made of, and one that has not. */
TEST(the_size_of_a_candidate) {
    const int room = BYTES_MAX - 3;
    for (int size = room - 1; size <= room + 1; size++) {
        char script[128];
        const external_pass_answer wanted =
            size <= room ? EXTERNAL_PASS_NOT_SIMPLER : EXTERNAL_PASS_BROKEN;
        prepare("exit 0");
        snprintf(script, sizeof script, "printf '%%%dd' 7 > $1", size);
        ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, script, "abc", 0), wanted);
        if (size <= room) ck_assert_uint_eq(candidate_set_size(&given, 1), (uint64_t)size);
        prepare("exit 0");
        snprintf(script, sizeof script, "printf '%%%dd' 7; exit 51", size);
        ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, script, "abc", 0), wanted);
        if (size <= room) ck_assert_uint_eq(bytes[3 + size - 1], '7');
    }
}

/* In one job, and each in a folder of its own. */
TEST(a_candidate_is_judged_at_once) {
    prepare("test \"$(ls -A)\" = file.c && test \"$(cat file.c)\" = b");
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "sed -i s/a// $1; : > junk", "ab", 0),
                     EXTERNAL_PASS_MADE);
    expect_interest();
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "sed -i s/b// $1", "ab", 0), EXTERNAL_PASS_MADE);
    expect_none();
}

/* What is no simpler, or known, costs no run of the predicate. */
TEST(a_candidate_that_is_of_no_use_is_not_judged) {
    prepare("exit 0");
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "true", "ab", 0), EXTERNAL_PASS_NOT_SIMPLER);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "echo >> $1", "ab", 0),
                     EXTERNAL_PASS_NOT_SIMPLER);
    rejected_table_add(&known, digest_of((const uint8_t *)"b", 1));
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "sed -i s/a// $1", "ab", 0), EXTERNAL_PASS_KNOWN);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "sed -i s/b// $1", "ab", 0), EXTERNAL_PASS_MADE);
}

TEST(an_external_pass_that_hangs) {
    prepare("exit 0");
    config.external_pass_timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
    ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, "echo x; sleep 1000; exit 51", "abc", 0),
                     EXTERNAL_PASS_HUNG);
    ck_assert_int_eq(make(EXTERNAL_PASS_IN_PLACE, "sleep 1000 & wait", "abc", 0),
                     EXTERNAL_PASS_HUNG);
    config.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS; /* which is not its own */
    config.external_pass_timeout_ns = LONG_S * CLOCK_NS_PER_S;
    ck_assert_int_eq(make(EXTERNAL_PASS_CLEX, "sleep 0.4; exit 71", "abc", 0), EXTERNAL_PASS_NONE);
}

/* An external pass that is no program is its own fault; the reduction goes on without it. */
TEST(an_external_pass_that_cannot_be_started) {
    static char path[] = "/no/such/program";
    const char *const texts[] = {"abc", NULL};
    prepare("exit 0");
    guest.dialect = EXTERNAL_PASS_CLEX;
    guest.program = path;
    fill(texts);
    given.external_pass = &guest;
    run(false);
    expect_none();
    ck_assert_int_eq(given.answer, EXTERNAL_PASS_BROKEN);
}

SUITE(.emulator_lacks = "PR_SET_CHILD_SUBREAPER");
