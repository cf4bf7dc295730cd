/* proc.h: what a started process finds, how it ends, and that what cannot start says so. */
#include "fixture.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- This program, run again: it tells what it found ---- */

typedef struct report {
    pid_t pid, parent, session, group;
    int death_signal;
    sigset_t mask;
    bool pipe_default, child_default;
    unsigned descriptors; /* a bit for each of the first 32 */
} report;

/* Wait for the end of a child that has to be there. Returns its wait status. */
static int reap(proc *child, bool kill_group) {
    int status = -1;
    while (!proc_has_ended(child)) sched_yield();
    ck_assert_int_eq(proc_reap(child, kill_group, &status), 0);
    return status;
}

static int print_report(const char *argument) {
    assert(strcmp(argument, "report") == 0);
    report r = {.pid = getpid(), .parent = getppid(), .session = getsid(0), .group = getpgrp()};
    struct sigaction action;
    prctl(PR_GET_PDEATHSIG, &r.death_signal);
    sigprocmask(SIG_SETMASK, NULL, &r.mask);
    sigaction(SIGPIPE, NULL, &action);
    r.pipe_default = action.sa_handler == SIG_DFL;
    sigaction(SIGCHLD, NULL, &action);
    r.child_default = action.sa_handler == SIG_DFL;
    for (int fd = 0; fd < 32; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) r.descriptors |= 1u << fd;
    }
    return write(STDOUT_FILENO, &r, sizeof r) == (ssize_t)sizeof r ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- Starting things ---- */

static char *const no_environment[] = {NULL};

static proc_setup plain_setup(void) {
    proc_setup setup = {.stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    sigprocmask(SIG_SETMASK, NULL, &setup.mask);
    return setup;
}

static int spawn_path(const char *path, const proc_setup *setup, proc *child) {
    char *const argv[] = {"name", NULL};
    const proc_command command = {path, argv, no_environment};
    return proc_spawn(&command, setup, child);
}

static proc spawn_shell(const char *script, const proc_setup *setup) {
    char *const argv[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    const proc_command command = {"/bin/sh", argv, environ};
    proc child;
    ck_assert_int_eq(proc_spawn(&command, setup, &child), 0);
    return child;
}

static report spawn_report(proc_setup setup, proc *child) {
    char *const argv[] = {"test_proc", "report", NULL};
    const proc_command command = {"/proc/self/exe", argv, environ};
    report r;
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    setup.stdout_fd = ends[1];
    ck_assert_int_eq(proc_spawn(&command, &setup, child), 0);
    close(ends[1]);
    ck_assert_uint_eq(read_all(ends[0], &r, sizeof r), sizeof r);
    close(ends[0]);
    return r;
}

/* Text that a shell prints. */
static const char *shell_output(const char *script, proc_setup setup) {
    static char text[256];
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    setup.stdout_fd = ends[1];
    proc child = spawn_shell(script, &setup);
    close(ends[1]);
    text[read_all(ends[0], text, sizeof text - 1)] = '\0';
    close(ends[0]);
    ck_assert_int_eq(reap(&child, false), 0);
    return text;
}

static void no_children_left(void) {
    errno = 0;
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

static unsigned open_descriptors(void) {
    unsigned count = 0;
    for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* ---- What cannot be started ---- */

TEST(what_cannot_be_started_is_an_error_and_no_exit) {
    static const struct {
        const char *name, *text; /* of a file in the folder; NULL: there is none */
        int mode, error;
    } files[] = {{"/nonexistent/program", NULL, 0, ENOENT},
                 {"", NULL, 0, EACCES},
                 {"plain", "#!/bin/sh\nexit 0\n", 0644, EACCES},
                 {"text", "no program at all\n", 0755, ENOEXEC},
                 {"empty", "", 0755, ENOEXEC},
                 {"orphan", "#!/nonexistent/interpreter\n", 0755, ENOENT},
                 {"empty/below", NULL, 0, ENOTDIR}};
    proc_setup setup = plain_setup();
    proc child;
    procfs_hold(); /* once and for all */
    const unsigned before = open_descriptors();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = files[i].name[0] == '/' ? files[i].name : test_dir_path(files[i].name);
        if (files[i].text != NULL)
            test_dir_text(files[i].name, files[i].text, (mode_t)files[i].mode);
        ck_assert_msg(spawn_path(path, &setup, &child) == files[i].error, "%s", path);
    }
    setup.stdin_path = "/nonexistent/entropy"; /* before exec */
    ck_assert_int_eq(spawn_path("/bin/true", &setup, &child), ENOENT);
    setup.stdin_path = NULL;
    setup.stdout_fd = 250;
    ck_assert_int_eq(spawn_path("/bin/true", &setup, &child), EBADF);
    no_children_left();
    ck_assert_uint_eq(open_descriptors(), before);
}

/* ---- What a process finds ---- */

TEST(a_child_has_its_mask_and_default_signals) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    proc_setup setup = plain_setup();
    proc child;
    sigset_t mine, after;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR1);
    sigprocmask(SIG_SETMASK, &mine, NULL);
    sigemptyset(&setup.mask);
    sigaddset(&setup.mask, SIGUSR2);
    const report r = spawn_report(setup, &child);
    sigprocmask(SIG_SETMASK, NULL, &after);
    signal(SIGCHLD, SIG_DFL);
    for (int number = 1; number < 32; number++) {
        if (number == SIGKILL || number == SIGSTOP) continue;
        ck_assert_int_eq(sigismember(&r.mask, number), number == SIGUSR2);
        ck_assert_msg(sigismember(&after, number) == (number == SIGUSR1), "mask of the caller");
    }
    ck_assert(r.pipe_default);
    ck_assert(r.child_default);
    while (waitpid(child.pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

TEST(group_session_and_death_signal) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    for (proc_place place = PROC_SAME_GROUP; place <= PROC_OWN_SESSION; place++) {
        proc_setup setup = plain_setup();
        proc child;
        setup.place = place;
        setup.dies_with_parent = place == PROC_OWN_SESSION;
        const report r = spawn_report(setup, &child);
        ck_assert_int_eq(reap(&child, place != PROC_SAME_GROUP), 0);
        ck_assert_int_eq(r.pid, child.pid);
        ck_assert_int_eq(r.parent, getpid());
        ck_assert_int_eq(r.session, place == PROC_OWN_SESSION ? r.pid : getsid(0));
        ck_assert_int_eq(r.group, place == PROC_SAME_GROUP ? getpgrp() : r.pid);
        ck_assert_int_eq(r.death_signal, setup.dies_with_parent ? SIGKILL : 0);
    }
}

TEST(descriptors_that_are_given_and_no_others) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    proc_setup setup = plain_setup();
    proc child;
    const int kept_by_mistake = open("/dev/null", O_RDONLY);
    ck_assert_int_gt(kept_by_mistake, STDERR_FILENO);
    ck_assert_int_eq(proc_tidy_descriptors(), 0);
    const report r = spawn_report(setup, &child);
    ck_assert_int_eq(reap(&child, false), 0);
    ck_assert_uint_eq(r.descriptors, 7);
    const char *path = test_dir_text("input", "what is read", 0644);
    setup.stdin_path = path;
    ck_assert_str_eq(shell_output("cat; cat", setup), "what is read");
    setup.stdin_path = NULL;
    setup.stdin_fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_str_eq(shell_output("cat", setup), "what is read");
    ck_assert_msg(fcntl(setup.stdin_fd, F_GETFD) == FD_CLOEXEC, "the caller's stays its own");
    setup.stdin_fd = -1;
    setup.stdin_path = path;
    ck_assert_msg(
        strcmp(shell_output("echo x 2>/dev/null >&0 || echo refused", setup), "refused\n") == 0,
        "stdin is read-only");
}

TEST(limits_hold_in_the_child_only) {
    SKIP_WHERE_EMULATOR_LACKS("RLIMIT_AS");
    struct rlimit limit;
    proc_setup setup = plain_setup();
    setup.memory_max = UINT64_C(256) << 20;
    ck_assert_str_eq(shell_output("ulimit -Sv; ulimit -Hv", setup), "262144\n262144\n");
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
    ck_assert_msg(limit.rlim_cur != setup.memory_max, "the caller's limit is left alone");
}

TEST(the_memory_that_a_process_held_is_known) {
    const uint64_t mib = 1 << 20;
    const proc_setup setup = plain_setup();
    proc child = spawn_shell("head -c 1 /dev/zero >/dev/null", &setup);
    reap(&child, false);
    ck_assert_uint_gt(child.resident_max, 0);
    ck_assert_uint_lt(child.resident_max, 200 * mib);
    child = spawn_shell("exec dd if=/dev/zero of=/dev/null bs=256M count=1 status=none", &setup);
    ck_assert_int_eq(reap(&child, false), 0);
    ck_assert_uint_ge(child.resident_max, 256 * mib);
}

TEST(closed_standard_descriptors_are_mended) {
    close(STDIN_FILENO);
    close(STDERR_FILENO);
    ck_assert_int_eq(proc_tidy_descriptors(), 0);
    for (int fd = 0; fd <= STDERR_FILENO; fd++) ck_assert_int_eq(fcntl(fd, F_GETFD), 0);
    const int next = open("/dev/null", O_RDONLY);
    ck_assert_int_gt(next, STDERR_FILENO);
    char byte;
    ck_assert_int_eq(read(STDIN_FILENO, &byte, 1), 0);
}

/* ---- How processes end ---- */

/* A shell that leaves a process behind, which holds the write end of the pipe *reader. */
static proc spawn_leaver(const char *script, int *reader) {
    proc_setup setup = plain_setup();
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    setup.stdout_fd = ends[1];
    setup.place = PROC_OWN_SESSION;
    setup.dies_with_parent = true;
    const proc child = spawn_shell(script, &setup);
    close(ends[1]);
    *reader = ends[0];
    return child;
}

TEST_EACH(reaping_kills_the_group_or_leaves_it, 2) {
    char rest[16];
    int reader;
    proc child = spawn_leaver("sleep 1000 & exit 3", &reader);
    const pid_t group = child.pid;
    const int status = reap(&child, _i == 0);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    ck_assert_int_eq(fcntl(reader, F_SETFL, _i == 0 ? 0 : O_NONBLOCK), 0);
    const bool is_left = read(reader, rest, sizeof rest) < 0 && errno == EAGAIN;
    if (_i == 1) ck_assert_int_eq(kill(-group, SIGKILL), 0);
    ck_assert_int_eq(is_left, _i == 1);
}

TEST(killing_a_group_and_one_process) {
    char rest[16] = {0};
    int reader;
    proc child = spawn_leaver("trap '' TERM; sleep 1000 & echo; wait", &reader);
    ck_assert_int_eq(read(reader, rest, 1), 1);
    proc_kill(&child, true);
    ck_assert_int_eq(reap(&child, false), SIGKILL);
    ck_assert_uint_eq(read_all(reader, rest, sizeof rest), 0);
    const proc_setup setup = plain_setup();
    child = spawn_shell("exec sleep 1000", &setup);
    proc_kill(&child, false);
    ck_assert_int_eq(reap(&child, false), SIGKILL);
    no_children_left();
}

/* Fork a process that calls `act` and ends when it returns; the pipe *reader sees the end of all
 * that it started. */
static void in_between(void (*act)(void), int *reader) {
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t between = fork();
    ck_assert_int_ge(between, 0);
    if (between == 0) {
        close(ends[0]);
        act();
        _exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    ck_assert_int_eq(waitpid(between, &status, 0), between);
    ck_assert_int_eq(status, 0);
    *reader = ends[0];
}

static void start_one_that_dies_with_us(void) {
    proc_setup setup = plain_setup();
    setup.dies_with_parent = true;
    setup.place = PROC_OWN_SESSION;
    spawn_shell("exec sleep 1000", &setup);
}

static void fork_one_that_dies_with_us(void) {
    const int parent = proc_open_self();
    char byte;
    int ends[2];
    if (pipe(ends) != 0) _exit(EXIT_FAILURE);
    if (fork() == 0) {
        proc_die_with(parent);
        if (write(ends[1], "", 1) != 1) _exit(EXIT_FAILURE);
        for (;;) pause();
    }
    if (read(ends[0], &byte, 1) != 1) _exit(EXIT_FAILURE);
}

TEST(processes_die_with_their_parent) {
    char rest[16];
    int reader;
    in_between(start_one_that_dies_with_us, &reader);
    ck_assert_uint_eq(read_all(reader, rest, sizeof rest), 0);
    in_between(fork_one_that_dies_with_us, &reader);
    ck_assert_uint_eq(read_all(reader, rest, sizeof rest), 0);
}

TEST(a_parent_that_is_gone_already) {
    int status;
    pid_t pid = fork();
    if (pid == 0) _exit(EXIT_SUCCESS);
    const int gone = (int)syscall(SYS_pidfd_open, pid, 0);
    ck_assert_int_ge(gone, 0);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    pid = fork();
    if (pid == 0) {
        proc_die_with(gone);
        _exit(EXIT_SUCCESS);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(WEXITSTATUS(status), EXIT_FAILURE);
    close(gone);
}

/* ---- Finding programs ---- */

/* From the folder of the test, where `here` and those in `sub` can be executed. */
TEST(programs_are_found_as_a_shell_finds_them) {
    static const char *const all[][3] = {{"here", "/nonexistent:.:sub", "./here"},
                                         {"twice", "/nonexistent:.:sub", "sub/twice"},
                                         {"sub", ".:sub", NULL},
                                         {"missing", ".:sub", NULL},
                                         {"", ".:sub", NULL},
                                         {"/any/path", ".", "/any/path"},
                                         {"./here", "", "./here"},
                                         {"here", "", "./here"},
                                         {"here", "/nonexistent:", "./here"},
                                         {"here", ":/nonexistent", "./here"},
                                         {"here", "sub", "sub/here"}};
    ck_assert_int_eq(mkdir(test_dir_path("sub"), 0755), 0);
    test_dir_text("twice", "#!/bin/sh\n", 0644);
    test_dir_text("here", "#!/bin/sh\n", 0755);
    test_dir_text("sub/twice", "#!/bin/sh\n", 0755);
    test_dir_text("sub/here", "#!/bin/sh\n", 0755);
    ck_assert_int_eq(chdir(test_dir), 0);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        errno = 0;
        char *path = proc_find(all[i][0], all[i][1]);
        if (all[i][2] != NULL) ck_assert_str_eq(path != NULL ? path : "nothing", all[i][2]);
        if (all[i][2] == NULL) ck_assert(path == NULL && errno == ENOENT);
        free(path);
    }
}

SUITE(.as_program = print_report);
