/* proc.h: what a started process finds, how it ends, and that what cannot start says so; what a
 * sweep spares and kills, and that none waits without a limit; and quotas, on trees as kernels show
 * them. */
#include "fixture.h"
#include "proc.h"

#include "clock.h"

#include <errno.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

/* ---- Starting things ---- */

static int status; /* of the process that was reaped last */

static void reap(proc *child, bool kill_group) {
    while (!proc_has_ended(child)) sched_yield();
    ck_assert_int_eq(proc_reap(child, kill_group, &status), 0);
}

static proc_setup plain_setup(void) {
    proc_setup setup = {.stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    sigprocmask(SIG_SETMASK, NULL, &setup.mask);
    return setup;
}

static int spawn_path(const char *path, const proc_setup *setup, proc *child) {
    char *const argv[] = {"name", NULL}, *const none[] = {NULL};
    return proc_spawn(&(proc_command){path, argv, none}, setup, child);
}

/* Start a shell, whose stdout is the pipe *reader, or that of this process if it is NULL. */
static proc spawn_shell(const char *script, proc_setup setup, int *reader) {
    char *const argv[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    const proc_command command = {"/bin/sh", argv, environ};
    int ends[2] = {-1, -1};
    proc child;
    if (reader != NULL) ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    setup.stdout_fd = ends[1];
    ck_assert_int_eq(proc_spawn(&command, &setup, &child), 0);
    if (reader == NULL) return child;
    close(ends[1]);
    *reader = ends[0];
    return child;
}

/* Check what comes out of a pipe until its end. */
static void comes_out(int reader, const char *expected) {
    char text[256];
    text[read_all(reader, text, sizeof text - 1)] = '\0';
    close(reader);
    ck_assert_str_eq(text, expected);
}

static void prints(const char *script, proc_setup setup, const char *expected) {
    int reader;
    proc child = spawn_shell(script, setup, &reader);
    comes_out(reader, expected);
    reap(&child, false);
    ck_assert_int_eq(status, 0);
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
    procfs(); /* opened once and for all */
    const unsigned before = open_descriptors();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = files[i].name[0] == '/' ? files[i].name : test_dir_path(files[i].name);
        if (files[i].text != NULL)
            test_dir_text(files[i].name, files[i].text, (mode_t)files[i].mode);
        ck_assert_msg(spawn_path(path, &setup, &child) == files[i].error, "%s", path);
    }
    setup.folder = "/nonexistent"; /* before exec */
    ck_assert_int_eq(spawn_path("/bin/true", &setup, &child), ENOENT);
    setup.folder = NULL;
    setup.stdout_fd = 250;
    ck_assert_int_eq(spawn_path("/bin/true", &setup, &child), EBADF);
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ck_assert_uint_eq(open_descriptors(), before);
}

/* ---- What a process finds ---- */

TEST(a_child_has_its_mask_and_default_signals) {
    SKIP_WHERE_EMULATOR_LACKS("/proc of what it runs");
    proc_setup setup = plain_setup();
    char *const argv[] = {"cat", "/proc/self/status", NULL};
    const proc_command command = {"/bin/cat", argv, environ};
    static char text[8192];
    unsigned long long ignored;
    sigset_t mine, after;
    proc child;
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR1);
    sigprocmask(SIG_SETMASK, &mine, NULL);
    sigemptyset(&setup.mask);
    sigaddset(&setup.mask, SIGUSR2);
    signal(SIGCHLD, SIG_IGN);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    setup.stdout_fd = ends[1]; /* no shell: it has handlers of its own */
    ck_assert_int_eq(proc_spawn(&command, &setup, &child), 0);
    close(ends[1]);
    text[read_all(ends[0], text, sizeof text - 1)] = '\0';
    assert_contains(text, "SigBlk:\t0000000000000800\n");
    ck_assert_int_eq(sscanf(strstr(text, "SigIgn:"), "SigIgn: %llx", &ignored), 1);
    ck_assert_uint_eq(ignored & (1 << (SIGPIPE - 1) | 1 << (SIGCHLD - 1)), 0);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int number = 1; number < 32; number++)
        ck_assert_int_eq(sigismember(&after, number), number == SIGUSR1);
    while (waitpid(-1, NULL, 0) > 0) {
    }
}

TEST(a_child_has_its_parent_group_and_session) {
    SKIP_WHERE_EMULATOR_LACKS("/proc of what it runs");
    for (proc_place place = PROC_SAME_GROUP; place <= PROC_OWN_SESSION; place++) {
        proc_setup setup = plain_setup();
        char expected[64];
        int reader;
        setup.place = place;
        proc child = spawn_shell("set -- $(cat /proc/$$/stat); echo $4 $5 $6", setup, &reader);
        snprintf(expected, sizeof expected, "%d %d %d\n", (int)getpid(),
                 (int)(place == PROC_SAME_GROUP ? getpgrp() : child.pid),
                 (int)(place == PROC_OWN_SESSION ? child.pid : getsid(0)));
        comes_out(reader, expected);
        reap(&child, place != PROC_SAME_GROUP);
    }
}

TEST(a_child_has_the_descriptors_and_limits_that_are_given) {
    SKIP_WHERE_EMULATOR_LACKS("RLIMIT_AS");
    proc_setup setup = plain_setup();
    struct rlimit limit;
    ck_assert_int_gt(open("/dev/null", O_RDONLY), STDERR_FILENO); /* kept by mistake */
    ck_assert_int_eq(proc_tidy_descriptors(), 0);
    prints("ls /proc/$$/fd; :", setup, "0\n1\n2\n");
    const char *path = test_dir_text("input", "what is read", 0644);
    setup.stdin_fd = open(path, O_RDONLY | O_CLOEXEC);
    prints("cat; cat; echo x 2>/dev/null >&0 || echo refused", setup, "what is readrefused\n");
    ck_assert_msg(fcntl(setup.stdin_fd, F_GETFD) == FD_CLOEXEC, "the caller's stays its own");
    setup.stdin_fd = -1;
    setup.memory_max = UINT64_C(256) << 20;
    prints("ulimit -Sv; ulimit -Hv", setup, "262144\n262144\n");
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
    ck_assert_msg(limit.rlim_cur != setup.memory_max, "the caller's limit is left alone");
}

/* ---- How processes end ---- */

/* A shell in a session of its own leaves a process behind, which holds the pipe. It ends by itself
 * and its group is killed or not, or its group is killed at once. */
TEST_EACH(the_rest_of_a_group_is_killed_or_left, 3) {
    char byte;
    int reader;
    proc_setup setup = plain_setup();
    setup.place = PROC_OWN_SESSION;
    setup.dies_with_parent = true;
    proc child = spawn_shell(
        _i < 2 ? "sleep 1000 & exit 3" : "trap '' TERM; sleep 1000 & echo; wait", setup, &reader);
    const pid_t group = child.pid;
    if (_i == 2) ck_assert_int_eq(read(reader, &byte, 1), 1);
    if (_i == 2) proc_kill(&child, true);
    reap(&child, _i == 0);
    ck_assert_int_eq(status, _i < 2 ? 3 << 8 : SIGKILL);
    ck_assert_int_eq(fcntl(reader, F_SETFL, _i != 1 ? 0 : O_NONBLOCK), 0);
    const bool is_left = read(reader, &byte, 1) < 0 && errno == EAGAIN;
    if (_i == 1) ck_assert_int_eq(kill(-group, SIGKILL), 0);
    ck_assert_int_eq(is_left, _i == 1);
    if (_i != 2) return;
    child = spawn_shell("exec sleep 1000", plain_setup(), NULL);
    proc_kill(&child, false);
    reap(&child, false);
    ck_assert_int_eq(status, SIGKILL);
}

static void start_one_that_dies_with_us(void) {
    proc_setup setup = plain_setup();
    setup.dies_with_parent = true;
    setup.place = PROC_OWN_SESSION;
    spawn_shell("exec sleep 1000", setup, NULL);
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

/* A process between acts and ends; the pipe sees the end of all that it started. */
TEST_EACH(processes_die_with_their_parent, 2) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t between = fork();
    if (between == 0) {
        close(ends[0]);
        if (_i == 0) start_one_that_dies_with_us();
        if (_i == 1) fork_one_that_dies_with_us();
        _exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    ck_assert_int_eq(waitpid(between, &status, 0), between);
    ck_assert_int_eq(status, 0);
    comes_out(ends[0], "");
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

/* ---- Orphans ---- */

/* Fork a child that lives until it is killed, or a minute. */
static pid_t start_child(void) {
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid > 0) return pid;
    signal(SIGTERM, SIG_IGN);
    alarm(60);
    for (;;) pause();
}

static bool lives(pid_t pid) { return waitpid(pid, NULL, WNOHANG) == 0; }

static void end_child(pid_t pid) {
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(WTERMSIG(status), SIGKILL);
}

/* Those that a test begins with are spared from the first call to orphans_adopt on. */
TEST(a_sweep_ends_all_children_but_the_spared_ones) {
    const pid_t before = start_child();
    orphans_adopt();
    const pid_t spared = start_child(), other = start_child();
    orphans_adopt(); /* a second time changes nothing */
    orphans_spare(spared);
    orphans_sweep();
    ck_assert(lives(before) && lives(spared));
    ck_assert_int_eq(waitpid(other, NULL, WNOHANG), -1);
    orphans_unspare(spared);
    orphans_sweep();
    ck_assert(lives(before));
    end_child(before);
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ck_assert_int_eq(orphans_take_given_up(), 0);
}

TEST(a_sweep_that_cannot_look_says_so) {
    struct rlimit before, none;
    const pid_t child = start_child();
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){0, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    orphans_sweep();
    setrlimit(RLIMIT_NOFILE, &before);
    ck_assert(lives(child));
    ck_assert_int_eq(orphans_take_given_up(), ORPHANS_UNKNOWN);
    end_child(child);
}

TEST(living_children_are_counted) {
    ck_assert_uint_eq(orphans_count_children(getpid()), 0);
    const pid_t first = start_child(), second = start_child();
    ck_assert_uint_eq(orphans_count_children(getpid()), 2);
    kill(first, SIGKILL);
    siginfo_t info;
    ck_assert_int_eq(waitid(P_PID, (id_t)first, &info, WEXITED | WNOWAIT), 0); /* a zombie */
    ck_assert_uint_eq(orphans_count_children(getpid()), 1);
    end_child(second);
    ck_assert_int_eq(waitpid(first, NULL, 0), first);
    ck_assert_uint_eq(orphans_count_children(getpid()), 0);
    ck_assert_uint_eq(orphans_count_children(INT_MAX), 0);
}

TEST(orphans_become_children_and_are_swept) {
    int ends[2];
    pid_t orphan = 0;
    ck_assert_int_eq(pipe(ends), 0);
    orphans_adopt();
    if (fork() == 0) {
        setsid();
        orphan = start_child();
        _exit(write(ends[1], &orphan, sizeof orphan) != (ssize_t)sizeof orphan);
    }
    ck_assert_int_eq(read(ends[0], &orphan, sizeof orphan), (ssize_t)sizeof orphan);
    orphans_sweep();
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ck_assert_int_eq(kill(orphan, 0), -1);
}

/* Trace a process without ever waiting for it, so that its parent does not see its end. */
static pid_t start_tracer(pid_t traced) {
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_SEIZE, traced, NULL, NULL) != 0 || write(ends[1], "", 1) != 1) _exit(1);
        close(ends[1]);
        alarm(60);
        for (;;) pause();
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

/* It is reaped once its tracer is dead; of a tracer that is spared it is given up. */
TEST_EACH(a_child_that_another_hides, 2) {
    const pid_t hidden = start_child(), tracer = start_tracer(hidden);
    const int64_t start_ns = clock_now_ns();
    if (_i == 1) orphans_spare(tracer);
    orphans_sweep();
    ck_assert_int_eq(orphans_take_given_up(), _i == 1 ? hidden : 0);
    if (_i == 1) {
        ck_assert_int_ge(clock_now_ns() - start_ns, ORPHANS_SWEEP_MS * CLOCK_NS_PER_MS);
        orphans_sweep(); /* it is not given up again */
        ck_assert_int_eq(orphans_take_given_up(), 0);
        end_child(tracer);
        ck_assert_int_eq(waitpid(hidden, NULL, 0), hidden);
    }
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

/* ---- Quotas of control groups ---- */

static void put(const char *path, const char *text) {
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s%.*s", test_dir, (int)(slash - path), path);
        mkdir(folder, 0700);
    }
    char line[128];
    snprintf(line, sizeof line, "%s\n", text);
    test_dir_text(path + 1, line, 0600);
}

#define TOP "/sys/fs/cgroup"

/* The groups of this process, files and what they hold, and the processors allowed; 0: no quota. */
static const struct {
    const char *groups, *files[4][2];
    int count;
} cases[] = {
    {NULL, {{NULL}}, 0},
    {"0::/user/job", {{TOP "/user/job/cpu.max", "300000 100000"}}, 3},
    {"0::/job", {{TOP "/job/cpu.max", "250000 100000"}}, 3}, /* a part is one more */
    {"0::/a/b/c", /* the smallest one up to the root counts */
     {{TOP "/a/b/c/cpu.max", "800000 100000"},
      {TOP "/a/b/cpu.max", "max 100000"},
      {TOP "/a/cpu.max", "200000 100000"}},
     2},
    {"0::/a/b", /* none beside it, and none above the mount */
     {{TOP "/a/bb/cpu.max", "100000 100000"},
      {TOP "/c/cpu.max", "100000 100000"},
      {"/sys/fs/cpu.max", "100000 100000"}},
     0},
    {"0::/", {{TOP "/cpu.max", "400000 100000"}}, 4}, /* in a namespace */
    {"0::/../other", {{TOP "/cpu.max", "100000 100000"}}, 0},
    {"0::/job (deleted)", {{TOP "/cpu.max", "200000 100000"}}, 2},
    {"\n:\n::\n0:\n0::\n0::job\n7\n0:cpu\n0::/job\n0::/later",
     {{TOP "/job/cpu.max", "200000 100000"}, {TOP "/later/cpu.max", "100000 100000"}},
     2},
    {"0::/job", {{TOP "/job/cpu.max", ""}}, 0}, /* numbers that make no sense */
    {"0::/job", {{TOP "/job/cpu.max", "0 100000"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "100000 0"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "-1 100000"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "100000 100000 7 x"}}, 0},
    {"0::/job", {{TOP "/job/cpu.max", "99999999999999999999999999 1"}}, 0},
};

TEST_EACH(quotas_of_trees, sizeof cases / sizeof *cases) {
    if (cases[_i].groups != NULL) put("/proc/self/cgroup", cases[_i].groups);
    for (int i = 0; i < 4 && cases[_i].files[i][0] != NULL; i++)
        put(cases[_i].files[i][0], cases[_i].files[i][1]);
    ck_assert_int_eq(proc_cpu_quota(test_dir), cases[_i].count > 0 ? cases[_i].count : INT_MAX);
}

TEST(the_kernels_kills_for_want_of_memory_are_counted) {
    static const struct {
        const char *text;
        bool rose;
    } looks[] = {{"pgfault 9\noom_kill 2\nzero 1", true}, /* what was before, at the first look */
                 {"oom_kill 2", false},
                 {"oom_kill 3", true},
                 {"oom_killer 9\nallocstall 9", false},
                 {"oom_kill 3", false},
                 {"oom_kill x", false},
                 {"oom_kill 18446744073709551615", true}};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        put("/proc/vmstat", looks[i].text);
        ck_assert_msg(proc_oom_has_killed(test_dir) == looks[i].rose, "%zu", i);
    }
    ck_assert(!proc_oom_has_killed("/no/such/folder"));
}
