/* spawn.h: one run in front of its user: its end, its input, and the signals meanwhile. */
#include "fixture.h"
#include "spawn.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

static char *shell_argv[] = {"sh", "-c", NULL, NULL};

static foreground_run shell_run(const char *script) {
    foreground_run run = {
        .command = {"/bin/sh", shell_argv, environ},
        .timeout_ns = CLOCK_NEVER,
        .signal_fd = -1,
    };
    shell_argv[2] = (char *)(uintptr_t)script;
    sigemptyset(&run.mask);
    return run;
}

static int stopped_by;

static outcome run_once(const foreground_run *run) {
    stopped_by = -1;
    const outcome o = foreground_run_once(run, &stopped_by);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
    return o;
}

TEST_EACH(a_run_in_the_foreground_has_its_verdict, 2) {
    static const struct {
        const char *script;
        verdict verdict;
        int status;
    } all[] = {{"exit 0", VERDICT_PASS, 0},
               {"exit 3", VERDICT_FAIL, 3 << 8},
               {"kill -ABRT $$", VERDICT_FAIL, SIGABRT},
               {"exec sleep 1000", VERDICT_TIMEOUT, SIGKILL}};
    outcome o;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        foreground_run run = shell_run(all[i].script);
        run.hidden = _i == 1;
        if (all[i].verdict == VERDICT_TIMEOUT) run.timeout_ns = 100 * CLOCK_NS_PER_MS;
        o = run_once(&run);
        ck_assert_int_eq(o.verdict, all[i].verdict);
        ck_assert_int_eq(o.status & ~0x80, all[i].status); /* perhaps with a core */
        ck_assert_int_eq(stopped_by, 0);
    }
    foreground_run run = shell_run("");
    run.hidden = _i == 1;
    run.command.path = "/nonexistent/program";
    o = run_once(&run);
    ck_assert_int_eq(o.verdict, VERDICT_ERROR);
    ck_assert_int_eq(o.fault, FAULT_EXEC);
    ck_assert_int_eq(o.error_number, ENOENT);
}

TEST(the_input_comes_from_a_file_a_pipe_or_a_descriptor) {
    foreground_run run = shell_run("test \"$(cat)\" = 'the bytes'");
    run.stdin_path = test_dir_text("input", "the bytes", 0644);
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
    const int fd = open(run.stdin_path, O_RDONLY | O_CLOEXEC);
    run.stdin_path = NULL;
    run.pipe_bytes = (const uint8_t *)"the bytes and more";
    run.pipe_size = 9;
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
    shell_argv[2] = "test -p /dev/stdin";
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
    run.pipe_bytes = NULL;
    run.stdin_path = "/nonexistent/input";
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_ERROR);
    shell_argv[2] = "test \"$(head -c 4)\" = 'the '";
    run.stdin_fd = &fd; /* its offset is the caller's too, who sees how far the run has read */
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
    ck_assert_int_gt(lseek(fd, 0, SEEK_CUR), 0);
    close(fd);
}

TEST(a_large_input_through_a_pipe) {
    enum { LARGE = 1000000 };
    uint8_t *bytes = calloc(LARGE, 1);
    foreground_run run = shell_run("test $(wc -c) -eq 1000000");
    signal(SIGPIPE, SIG_IGN); /* as the driver has it */
    run.pipe_bytes = bytes;
    run.pipe_size = LARGE;
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
    shell_argv[2] = "exit 0";
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
    free(bytes);
}

/* What comes out of stdout when a run is made. */
static const char *output_of(const foreground_run *run) {
    static char text[64];
    int ends[2];
    const int before = dup(STDOUT_FILENO);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    fflush(stdout);
    ck_assert_int_eq(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
    close(ends[1]);
    run_once(run);
    ck_assert_int_eq(dup2(before, STDOUT_FILENO), STDOUT_FILENO);
    close(before);
    text[read_all(ends[0], text, sizeof text - 1)] = '\0';
    close(ends[0]);
    return text;
}

TEST(its_output_and_its_session) {
    foreground_run run = shell_run("echo seen");
    ck_assert_str_eq(output_of(&run), "seen\n");
    run.hidden = true;
    ck_assert_str_eq(output_of(&run), "");
    /* Fields 5 and 6 of stat: its process group and session. */
    run = shell_run("set -- $(cat /proc/$$/stat); test $6 -eq $1");
    ck_assert_msg(run_once(&run).verdict == VERDICT_FAIL, "it stays in the session of its user");
    run.hidden = true;
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_PASS);
}

/* What it prints is taken, without end until its deadline, and takes no more memory than it has; so
 * one that was not loaded is told from one that fails with 127. */
TEST(its_output_is_read) {
    static bytes_tail output;
    foreground_run run = shell_run("printf 'out '; printf err >&2; exit 127");
    run.hidden = true;
    run.hidden_ends = &output;
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_FAIL);
    ck_assert_uint_eq(output.total, 7);
    ck_assert_mem_eq(output.bytes, "out err", 7);
    run = shell_run("echo './sut: error while loading shared libraries: x' >&2; exit 127");
    run.hidden = true;
    run.hidden_ends = &output;
    ck_assert_int_eq(run_once(&run).fault, FAULT_LINKER);
    run = shell_run("while :; do echo flood; done");
    run.hidden = true;
    run.hidden_ends = &output;
    run.timeout_ns = 300 * CLOCK_NS_PER_MS;
    ck_assert_int_eq(run_once(&run).verdict, VERDICT_TIMEOUT);
    ck_assert_uint_gt(output.total, output.size);
}

/* ---- Signals ---- */

static int listen_to(foreground_run *run) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    run->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    ck_assert_int_ge(run->signal_fd, 0);
    return run->signal_fd;
}

TEST(signals_end_the_run) {
    const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    for (size_t i = 0; i < 6; i++) {
        foreground_run run = shell_run("trap '' TERM HUP; exec sleep 1000");
        const int fd = listen_to(&run);
        run.hidden = i % 2 == 0;
        kill(getpid(), numbers[i / 2]);
        const outcome o = run_once(&run);
        ck_assert_int_eq(stopped_by, numbers[i / 2]);
        ck_assert_int_eq(o.verdict, VERDICT_FAIL);
        close(fd);
    }
}

TEST(a_signal_that_the_run_handles) {
    /* The first signal is passed on and handled; the second ends the run; the first is told. */
    char script[128];
    snprintf(script, sizeof script,
             "trap 'kill -TERM %d' INT; kill -INT %d; while :; do sleep 0.05; done", (int)getpid(),
             (int)getpid());
    foreground_run run = shell_run(script);
    listen_to(&run);
    const outcome o = run_once(&run);
    ck_assert_int_eq(o.verdict, VERDICT_FAIL);
    ck_assert_int_eq(WTERMSIG(o.status), SIGKILL);
    ck_assert_int_eq(stopped_by, SIGINT);
}
