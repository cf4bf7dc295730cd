/* spawn.h: a fresh process for each run, and what comes of each way in which it can end. */
#include "fixture.h"
#include "spawn.h"

#include "candidate_set.h"
#include "clock.h"
#include "frng_expand.h"
#include "frng_protocol.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

enum { SIZE_MAX_TESTED = 1 << 20, LONG_S = 100, SHORT_MS = 200 };

static char *shell_argv[] = {"sh", "-c", NULL, NULL};
static const runner_watch never = {.fd = -1};
static run_result result; /* large; each test is a process of its own */

static run_config shell_config(const char *script) {
    run_config config = {
        .command = {"/bin/sh", shell_argv, environ},
        .timeout_ns = LONG_S * CLOCK_NS_PER_S,
        .size_max = SIZE_MAX_TESTED,
    };
    shell_argv[2] = (char *)(uintptr_t)script;
    sigemptyset(&config.mask);
    return config;
}

static void run_with(const run_config *config, const runner_watch *watch, batch runs,
                     bool capture) {
    int error = -1;
    runner *r = runner_spawn_create(config, watch, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    r->ops->run(r, &runs, capture, &result);
    r->ops->destroy(r);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
}

static const batch one = {1, 1, 16, NULL};

static void run_script(const char *script, bool capture) {
    const run_config config = shell_config(script);
    run_with(&config, &never, one, capture);
}

static void run_impatiently(const char *script, bool capture) {
    run_config config = shell_config(script);
    config.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
    run_with(&config, &never, one, capture);
}

static const char *output_text(void) {
    static char text[BYTES_TAIL_MAX + 1];
    memcpy(text, result.output.bytes, result.output.size);
    text[result.output.size] = '\0';
    return text;
}

/* ---- Verdicts ---- */

TEST(fails_with_each_status) {
    const int statuses[] = {1, 2, 3, 77, 126, 127, 128, 255};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        char script[32];
        snprintf(script, sizeof script, "exit %d", statuses[i]);
        run_script(script, i % 2 == 0);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert(signature_equal(outcome_signature(&result.last),
                                  (signature){SIGNATURE_EXIT, statuses[i]}));
    }
}

TEST(fails_with_each_signal) {
    const int numbers[] = {SIGABRT, SIGSEGV, SIGKILL, SIGTERM, SIGPIPE, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char script[32];
        snprintf(script, sizeof script, "kill -%d $$", numbers[i]);
        run_script(script, false);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert(signature_equal(outcome_signature(&result.last),
                                  (signature){SIGNATURE_SIGNAL, numbers[i]}));
    }
}

TEST(hangs_end_at_the_deadline) {
    const char *const scripts[] = {"sleep 1000", "trap '' TERM INT HUP; while :; do sleep 1; done",
                                   "kill -STOP $$", "exec >&- 2>&-; sleep 1000",
                                   "sleep 1000 | sleep 1000"};
    for (size_t i = 0; i < 2 * sizeof scripts / sizeof *scripts; i++) {
        run_impatiently(scripts[i / 2], i % 2 == 0);
        ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
        ck_assert_uint_eq(result.ran, 1);
        ck_assert_int_ge(result.took_ns, SHORT_MS * CLOCK_NS_PER_MS);
        ck_assert_int_lt(result.took_ns, LONG_S * CLOCK_NS_PER_S);
    }
}

TEST(a_crash_that_races_the_deadline_is_one_or_the_other) {
    run_config config = shell_config("sleep 0.02; exit 7");
    for (int i = 0; i < 40; i++) {
        config.timeout_ns = (20 + i % 4) * CLOCK_NS_PER_MS;
        run_with(&config, &never, one, false);
        ck_assert(outcome_failed(&result.last));
        if (result.last.verdict == VERDICT_FAIL) {
            ck_assert_int_eq(WEXITSTATUS(result.last.status), 7);
        }
    }
    config.timeout_ns = LONG_S * CLOCK_NS_PER_S;
    run_with(&config, &never, one, false);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
}

static void cannot_start(const char *path, int error) {
    run_config config = shell_config("");
    config.command.path = path;
    run_with(&config, &never, (batch){1, 5, 16, NULL}, false);
    ck_assert_int_eq(result.last.verdict, VERDICT_ERROR);
    ck_assert_int_eq(result.last.fault, FAULT_EXEC);
    ck_assert_int_eq(result.last.error_number, error);
    ck_assert_msg(result.ran == 1, "an error ends the ticket");
}

TEST(what_cannot_be_started_is_an_error) {
    cannot_start("/nonexistent/program", ENOENT);
    cannot_start(test_dir, EACCES);
    cannot_start(test_dir_text("plain", "#!/bin/sh\n", 0644), EACCES);
    cannot_start(test_dir_text("text", "no program\n", 0755), ENOEXEC);
    cannot_start(test_dir_text("orphan", "#!/nonexistent/interpreter\n", 0755), ENOENT);
}

TEST(linker_errors_are_seen_where_output_is_kept) {
    const char *const missing =
        "echo './sut: error while loading shared libraries: libx.so.1: cannot open' >&2; exit 127";
    run_script(missing, true);
    ck_assert_int_eq(result.last.verdict, VERDICT_ERROR);
    ck_assert_int_eq(result.last.fault, FAULT_LINKER);
    run_script(missing, false);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    run_script("echo './sut: symbol lookup error: ./sut: undefined symbol: f' >&2; exit 127", true);
    ck_assert_int_eq(result.last.fault, FAULT_LINKER);
    run_script("echo './sut: error while loading shared libraries: libx.so.1' >&2; exit 1", true);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    run_script("echo 'sh: no such command' >&2; exit 127", true);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
}

TEST(a_run_has_its_memory_limit) {
    SKIP_WHERE_EMULATOR_LACKS("RLIMIT_AS");
    run_config config = shell_config("ulimit -v");
    config.memory_max = UINT64_C(512) << 20;
    run_with(&config, &never, one, true);
    ck_assert_str_eq(output_text(), "524288\n");
}

TEST(the_mask_is_the_configured_one) {
    static char *argv[] = {"grep", "SigBlk", "/proc/self/status", NULL}; /* shells clear it */
    run_config config = shell_config("");
    sigset_t blocked;
    config.command = (proc_command){"/bin/grep", argv, environ};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    sigaddset(&config.mask, SIGHUP);
    run_with(&config, &never, one, true);
    ck_assert_str_eq(output_text(), "SigBlk:\t0000000000000001\n");
}

/* ---- Entropy ---- */

static void check_entropy(run_stdin kind, size_t size, uint64_t seed) {
    static uint8_t expected[SIZE_MAX_TESTED];
    const size_t kept = size < BYTES_TAIL_MAX ? size : BYTES_TAIL_MAX;
    run_config config = shell_config("cat");
    config.stdin_kind = kind;
    run_with(&config, &never, (batch){seed, 1, size, NULL}, true);
    frng_expand(seed, expected, size);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.output.total, size);
    ck_assert_uint_eq(result.output.size, kept);
    const size_t head = size > BYTES_TAIL_MAX ? BYTES_TAIL_HEAD : kept, rest = kept - head;
    ck_assert_int_eq(memcmp(result.output.bytes, expected, head), 0);
    ck_assert_int_eq(memcmp(result.output.bytes + head, expected + size - rest, rest), 0);
}

TEST(a_run_reads_its_bytes) {
    const size_t sizes[] = {0, 1, 20, 4096, 70000, SIZE_MAX_TESTED};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_entropy(RUN_STDIN_FILE, sizes[i], i);
        check_entropy(RUN_STDIN_PIPE, sizes[i], UINT64_MAX - i);
    }
}

TEST(stdin_is_what_was_asked_for) {
    run_config config = shell_config("test -f /dev/stdin");
    run_with(&config, &never, one, false);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    config = shell_config("test -p /dev/stdin");
    config.stdin_kind = RUN_STDIN_PIPE;
    run_with(&config, &never, one, false);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
}

TEST(a_pipe_that_nobody_reads) {
    const char *const scripts[] = {"exit 0", "head -c 10 >/dev/null", "exec <&-; sleep 0.1"};
    signal(SIGPIPE, SIG_IGN); /* as the driver has it */
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        run_config config = shell_config(scripts[i]);
        config.stdin_kind = RUN_STDIN_PIPE;
        run_with(&config, &never, (batch){1, 3, SIZE_MAX_TESTED, NULL}, i % 2 == 0);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 3);
    }
}

TEST(a_batch_ends_at_its_first_failure) {
    /* Fails when its first byte is a letter. */
    uint32_t expected = 0;
    uint8_t byte = 0;
    do {
        frng_expand(1000 + expected++, &byte, 1);
    } while (byte < 'a' || byte > 'z');
    const run_config config =
        shell_config("LC_ALL=C; export LC_ALL; ! head -c 1 | grep -q '[a-z]'");
    run_with(&config, &never, (batch){1000, 200, 1, NULL}, true);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    ck_assert_uint_eq(result.ran, expected);
    run_with(&config, &never, (batch){1000, expected - 1, 1, NULL}, true);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.ran, expected - 1);
}

TEST(a_plain_program_gets_what_is_given_and_tells_nothing) {
    uint8_t bytes[SIZE_MAX_TESTED / 2] = "onetwo  !";
    frng_trace_record record;
    candidate_set given = {.count = 5,
                           .ends = {3, 6, 6, 9, sizeof bytes},
                           .bytes = bytes,
                           .records = &record,
                           .records_max = 1};
    for (int i = 0; i < 4; i++) {
        run_config config = shell_config("test \"$(head -c 9 | tee /dev/stderr)\" != '  !'");
        config.size_max = 1;
        config.candidate_bytes = sizeof bytes;
        config.stdin_kind = i % 2 == 0 ? RUN_STDIN_FILE : RUN_STDIN_PIPE;
        memset(given.passes, 0, sizeof given.passes);
        given.reported = given.record_count = 1;
        run_with(&config, &never, (batch){0, 5, 0, &given}, i / 2 == 0);
        ck_assert_uint_eq(result.ran, 4);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_str_eq(output_text(), i / 2 == 0 ? "  !" : "");
        for (int k = 0; k < 3; k++) ck_assert_uint_eq(given.passes[k].drawn, OUTCOME_DRAWN_UNKNOWN);
        ck_assert_uint_eq(given.reported, 0);
        ck_assert_uint_eq(given.record_count, 0);
        run_with(&config, &never, (batch){4, 1, 0, &given}, false);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    }
}

/* ---- Output ---- */

TEST(output_is_kept_when_asked_for) {
    run_script("echo out; echo err >&2; echo more; exit 3", true);
    ck_assert_str_eq(output_text(), "out\nerr\nmore\n");
    ck_assert_int_eq(WEXITSTATUS(result.last.status), 3);
    run_script("echo out; echo err >&2; exit 3", false);
    ck_assert_uint_eq(result.output.size, 0);
    const run_config config = shell_config("echo once");
    run_with(&config, &never, (batch){1, 3, 16, NULL}, true);
    ck_assert_msg(strcmp(output_text(), "once\n") == 0, "it is that of the last run alone");
}

TEST(nothing_printed_at_the_last_moment_is_lost) {
    const run_config config = shell_config("exec head -c 60000 /dev/zero");
    for (int i = 0; i < 100; i++) {
        run_with(&config, &never, one, true);
        ck_assert_uint_eq(result.output.total, 60000);
    }
}

TEST(a_flood_is_bounded) {
    run_script("yes flood | head -c 3000000; echo the end; exit 4", true);
    ck_assert_int_eq(WEXITSTATUS(result.last.status), 4);
    ck_assert_uint_eq(result.output.total, 3000000 + 8);
    ck_assert_uint_eq(result.output.size, BYTES_TAIL_MAX);
    ck_assert_int_eq(memcmp(result.output.bytes + BYTES_TAIL_MAX - 8, "the end\n", 8), 0);
    run_impatiently("exec yes", true);
    ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
    ck_assert_uint_eq(result.output.size, BYTES_TAIL_MAX);
    run_impatiently("exec yes", false);
    ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
}

/* ---- What is left behind ---- */

TEST(stragglers_are_killed_wherever_they_went) {
    SKIP_WHERE_EMULATOR_LACKS("PR_SET_CHILD_SUBREAPER");
    static const char *const ways[] = {"", "setsid", "setsid setsid --fork"};
    orphans_adopt();
    for (int i = 0; i < 6; i++) {
        const bool capture = i % 2 != 0;
        char script[3 * PATH_MAX];
        const char *path = test_dir_text("straggler", "", 0644);
        snprintf(script, sizeof script,
                 "%s sh -c 'echo $$ >%s; sleep 1000' & while ! test -s %s; do :; done; exit 5",
                 ways[i / 2], path, path);
        const run_config config = shell_config(script);
        int error;
        runner *r = runner_spawn_create(&config, &never, &error);
        r->ops->run(r, &one, capture, &result);
        r->ops->destroy(r);
        ck_assert_int_eq(WEXITSTATUS(result.last.status), 5);
        int straggler = 0;
        FILE *file = fopen(path, "re");
        ck_assert_int_eq(fscanf(file, "%d", &straggler), 1);
        fclose(file);
        ck_assert_msg(kill(straggler, 0) != 0 && errno == ESRCH, "it was not killed and reaped");
    }
}

TEST(a_straggler_that_floods_keeps_nobody_waiting) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const run_config config = shell_config("yes & sleep 0.1; exit 6");
    int error;
    runner *r = runner_spawn_create(&config, &never, &error);
    r->ops->run(r, &one, true, &result);
    r->ops->destroy(r);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    ck_assert_int_eq(WEXITSTATUS(result.last.status), 6);
    while (waitpid(-1, NULL, 0) > 0) {
    }
}

TEST(no_descriptor_is_lost) {
    unsigned before = 0, after = 0;
    procfs_hold(); /* once and for all */
    for (int fd = 0; fd < 256; fd++) before += fcntl(fd, F_GETFD) >= 0;
    run_script("exit 1", true);
    run_impatiently("sleep 1000", true);
    signal(SIGPIPE, SIG_IGN);
    run_config unread = shell_config("exit 0");
    unread.stdin_kind = RUN_STDIN_PIPE;
    run_with(&unread, &never, (batch){1, 3, SIZE_MAX_TESTED, NULL}, false);
    cannot_start("/nonexistent/program", ENOENT);
    for (int fd = 0; fd < 256; fd++) after += fcntl(fd, F_GETFD) >= 0;
    ck_assert_uint_eq(before, after);
}

/* ---- Cancelling ---- */

typedef struct canceller {
    int fd;
    unsigned calls, wanted; /* cancels at the wanted call */
} canceller;

static bool is_cancelled(void *context) {
    canceller *c = context;
    char byte;
    ck_assert_int_eq(read(c->fd, &byte, 1), 1);
    return ++c->calls == c->wanted;
}

TEST(a_watch_cancels) {
    for (unsigned wanted = 1; wanted <= 3; wanted++) {
        int ends[2];
        ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
        canceller c = {ends[0], 0, wanted};
        const runner_watch watch = {.fd = ends[0], .cancelled = is_cancelled, .context = &c};
        ck_assert_int_eq(write(ends[1], "123", wanted), (ssize_t)wanted);
        const run_config config = shell_config("exec sleep 1000");
        run_with(&config, &watch, (batch){1, 10, 16, NULL}, wanted == 1);
        ck_assert(result.cancelled);
        ck_assert_uint_eq(result.ran, 0);
        ck_assert_uint_eq(c.calls, wanted);
        ck_assert_int_lt(result.took_ns, LONG_S * CLOCK_NS_PER_S);
        close(ends[0]);
        close(ends[1]);
    }
}

TEST(a_watch_that_says_no_leaves_the_run_alone) {
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    canceller c = {ends[0], 0, 99};
    const runner_watch watch = {.fd = ends[0], .cancelled = is_cancelled, .context = &c};
    ck_assert_int_eq(write(ends[1], "123", 3), 3);
    const run_config config = shell_config("sleep 0.2; exit 9");
    run_with(&config, &watch, (batch){1, 10, 16, NULL}, false);
    ck_assert(!result.cancelled);
    ck_assert_int_eq(WEXITSTATUS(result.last.status), 9);
    ck_assert_uint_eq(c.calls, 3);
}

/* ---- Limits ---- */

static void confirm(const char *script, int64_t timeout_ms, uint64_t memory_mib) {
    run_config config = shell_config(script);
    int error;
    config.timeout_ns = timeout_ms * CLOCK_NS_PER_MS;
    config.memory_max = memory_mib << 20;
    runner *r = runner_spawn_create(&config, &never, &error);
    ck_assert_ptr_nonnull(r);
    r->ops->run(r, &one, RUN_CONFIRM, &result);
    r->ops->destroy(r);
}

TEST(what_is_confirmed_gets_twice_the_time) {
    confirm("sleep 1.5", 1000, 0);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_int_ge(result.took_ns, 1500 * CLOCK_NS_PER_MS);
    confirm("sleep 100", SHORT_MS, 0);
    ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
    ck_assert_int_ge(result.took_ns, 2 * SHORT_MS * CLOCK_NS_PER_MS);
}

TEST(a_leak_check_that_takes_too_long_finds_nothing) {
    const outcome failed = outcome_of_status(1 << 8), hung = {.verdict = VERDICT_TIMEOUT};
    ck_assert_int_eq(runner_leak_of(&failed, FRNG_LEAK_CHECK), LEAK_FOUND);
    ck_assert_int_eq(runner_leak_of(&hung, FRNG_LEAK_CHECK), LEAK_SUSPECTED);
    ck_assert_int_eq(runner_leak_of(&failed, FRNG_LEAK_AGAIN), LEAK_SUSPECTED);
}

/* A limit of memory, seen by the run itself: it fails unless it is beyond so many KiB. */
TEST(what_fails_under_a_limit_is_confirmed_under_twice_as_much) {
    SKIP_WHERE_EMULATOR_LACKS("RLIMIT_AS");
    confirm("[ $(ulimit -v) -gt 70000 ] || exit 3", LONG_S * 1000, 64);
    ck_assert_int_eq(result.last.verdict, VERDICT_MEMORY);
    ck_assert_int_eq(WEXITSTATUS(result.last.status), 3);
    confirm("[ $(ulimit -v) -gt 70000 ] && exit 4; exit 3", LONG_S * 1000, 64);
    ck_assert_int_eq(result.last.verdict, VERDICT_MEMORY);
    confirm("echo $(ulimit -v); exit 3", LONG_S * 1000, 64);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    ck_assert_str_eq(output_text(), "65536\n");
    confirm("[ $(ulimit -v) -gt 70000 ] && exit 4; exit 0", LONG_S * 1000, 64);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    confirm("dd if=/dev/zero of=/dev/null bs=80M count=1 || exit 3; exit 3", LONG_S * 1000, 64);
    ck_assert_msg(result.last.verdict == VERDICT_MEMORY, "it took more than the limit");
}

SUITE(.timeout_s = 90);
