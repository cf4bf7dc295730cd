/* spawn.h: one run in front of its user: its end, its input, and the signals meanwhile. */
#include "fixture.h"
#include "spawn.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

static char *shell_argv[] = {"sh", "-c", NULL, NULL};

static bytes_tail output;

static foreground_run shell_run(const char *script, bool hidden) {
    foreground_run run = {
        .command = {"/bin/sh", shell_argv, environ},
        .how = {.timeout_ns = CLOCK_NEVER, .setup = {.stdin_fd = -1}},
        .signal_fd = -1,
        .hidden_ends = hidden ? &output : NULL,
    };
    shell_argv[2] = (char *)(uintptr_t)script;
    sigemptyset(&run.how.setup.mask);
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

/* Where the input comes from: nowhere, a file, no file, a pipe, one of a million bytes, a
 * descriptor, whose offset is the caller's too, who sees how far the run has read. */
typedef enum source { NOWHERE, A_FILE, NO_FILE, A_PIPE, LARGE_PIPE, A_DESCRIPTOR } source;

static const struct {
    const char *script; /* NULL: a program that is not there */
    source source;
    verdict verdict;
    int status;
} rows[] = {{"exit 0", NOWHERE, VERDICT_PASS, 0},
            {"exit 3", NOWHERE, VERDICT_FAIL, 3 << 8},
            {"kill -ABRT $$", NOWHERE, VERDICT_FAIL, SIGABRT},
            {"exec sleep 1000", NOWHERE, VERDICT_TIMEOUT, SIGKILL},
            {NULL, NOWHERE, VERDICT_ERROR, 0},
            {"test \"$(cat)\" = 'the bytes'", A_FILE, VERDICT_PASS, 0},
            {"exit 0", NO_FILE, VERDICT_ERROR, 0},
            {"test \"$(cat)\" = 'the bytes'", A_PIPE, VERDICT_PASS, 0},
            {"test -p /dev/stdin", A_PIPE, VERDICT_PASS, 0},
            {"test $(wc -c) -eq 1000000", LARGE_PIPE, VERDICT_PASS, 0},
            {"exit 0", LARGE_PIPE, VERDICT_PASS, 0},
            {"test \"$(head -c 4)\" = 'the '", A_DESCRIPTOR, VERDICT_PASS, 0}};

/* Each is made in the open and hidden. */
TEST_EACH(a_run_in_the_foreground_has_its_verdict, 2 * sizeof rows / sizeof *rows) {
    static const uint8_t large[1000000] = "the bytes and more";
    const source from = rows[_i / 2].source;
    foreground_run run = shell_run(rows[_i / 2].script, _i % 2 == 1);
    const char *path = test_dir_text("input", "the bytes", 0644);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (rows[_i / 2].script == NULL) run.command.path = "/nonexistent/program";
    if (from == A_FILE) run.how.setup.stdin_path = path;
    if (from == NO_FILE) run.how.setup.stdin_path = "/nonexistent/input";
    run.how.is_piped = from == A_PIPE || from == LARGE_PIPE;
    run.how.piped = large;
    run.how.piped_size = from == A_PIPE ? 9 : sizeof large;
    if (from == A_DESCRIPTOR) run.how.setup.stdin_fd = fd;
    if (rows[_i / 2].verdict == VERDICT_TIMEOUT) run.how.timeout_ns = 100 * CLOCK_NS_PER_MS;
    const outcome o = run_once(&run);
    ck_assert_int_eq(o.verdict, rows[_i / 2].verdict);
    if (o.verdict != VERDICT_ERROR)
        ck_assert_int_eq(o.status & ~0x80, rows[_i / 2].status); /* perhaps with a core */
    ck_assert_int_eq(stopped_by, 0);
    ck_assert_int_eq(lseek(fd, 0, SEEK_CUR) > 0, from == A_DESCRIPTOR);
    if (run.command.path[1] == 'n') ck_assert(o.fault == FAULT_EXEC && o.error_number == ENOENT);
}

/* The output is read until the deadline, into a buffer of fixed size. The message of the dynamic
 * linker in it tells a program that cannot be loaded from one that exits with 127. */
TEST_EACH(its_output_is_read, 3) {
    static const char *const scripts[] = {
        "printf 'out '; printf err >&2; exit 127",
        "echo './sut: error while loading shared libraries: x' >&2; exit 127",
        "while :; do echo flood; done"};
    foreground_run run = shell_run(scripts[_i], true);
    if (_i == 2) run.how.timeout_ns = 300 * CLOCK_NS_PER_MS;
    const outcome o = run_once(&run);
    ck_assert_int_eq(o.verdict, _i == 0 ? VERDICT_FAIL : _i == 1 ? VERDICT_ERROR : VERDICT_TIMEOUT);
    if (_i == 0) ck_assert(output.total == 7 && memcmp(output.bytes, "out err", 7) == 0);
    if (_i == 1) ck_assert_int_eq(o.fault, FAULT_LINKER);
    if (_i == 2) ck_assert_uint_gt(output.total, output.size);
}

/* ---- Signals ---- */

/* One signal ends the run, with its output shown or hidden. A second one ends a run that handles
 * the first, and the outcome names the first. */
TEST_EACH(signals_end_the_run, 7) {
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGINT};
    const int number = numbers[_i / 2], self = (int)getpid();
    char script[128] = "trap '' TERM HUP; exec sleep 1000";
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    if (_i == 6)
        snprintf(script, sizeof script,
                 "trap 'kill -TERM %d' INT; kill -INT %d; while :; do sleep 0.05; done", self,
                 self);
    foreground_run run = shell_run(script, _i % 2 == 1);
    run.signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    ck_assert_int_ge(run.signal_fd, 0);
    if (_i < 6) kill(self, number);
    const outcome o = run_once(&run);
    ck_assert_int_eq(stopped_by, number);
    ck_assert_int_eq(o.verdict, VERDICT_FAIL);
    if (_i == 6) ck_assert_int_eq(o.status, SIGKILL);
}
