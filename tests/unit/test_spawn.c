/* spawn.h: a fresh process for each run, and what comes of each way in which it can end. */
#include "fixture.h"
#include "spawn.h"

#include "candidate_set.h"
#include "clock.h"
#include "frng_expand.h"
#include "frng_protocol.h"
#include "proc.h"

#include <errno.h>
#include <sys/signalfd.h>

enum { SIZE_MAX_TESTED = 1 << 20, LONG_S = 100, SHORT_MS = 200 };

static char *shell_argv[] = {"sh", "-c", NULL, NULL};
static const runner_watch never = {.fd = -1};
static const batch one = {1, 1, 16, NULL};
static run_result result; /* large; each test is a process of its own */

static run_config shell_config(const char *script) {
    run_config config = {.command = {"/bin/sh", shell_argv, environ},
                         .limits.timeout_ns = LONG_S * CLOCK_NS_PER_S,
                         .size_max = SIZE_MAX_TESTED};
    shell_argv[2] = (char *)(uintptr_t)script;
    sigemptyset(&config.mask);
    return config;
}

/* No process is left, as in a worker, which adopts orphans. */
static void run_with(const run_config *config, const runner_watch *watch, batch runs,
                     run_purpose purpose) {
    int error = -1;
    orphans_adopt();
    runner *r = runner_spawn_create(config, watch, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    r->run(r, &runs, purpose, &result);
    r->destroy(r);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
}

static void run_script(const char *script, run_purpose purpose) {
    const run_config config = shell_config(script);
    run_with(&config, &never, one, purpose);
}

static const char *output_text(void) {
    static char text[BYTES_TAIL_MAX + 1];
    memcpy(text, result.output.bytes, result.output.size);
    text[result.output.size] = '\0';
    return text;
}

/* How the last run ended, and its output, a blank between. */
static const char *told(void) {
    static char text[SIGNATURE_TEXT_MAX + BYTES_TAIL_MAX + 1];
    static const char *const verdicts[] = {[VERDICT_PASS] = "pass", [VERDICT_MEMORY] = "memory"};
    if (outcome_failed(&result.last)) {
        signature_format(outcome_signature(&result.last), text);
    } else if (result.last.verdict == VERDICT_ERROR) {
        sprintf(text, "fault %d", result.last.fault);
    } else {
        strcpy(text, verdicts[result.last.verdict]);
    }
    if (result.output.size > 0 && result.output.total < 1000)
        strcat(strcat(text, " "), output_text());
    return text;
}

/* ---- Verdicts ---- */

static const struct {
    const char *script;
    run_purpose purpose;
    const char *told;
    int64_t timeout_ms, least_ms; /* it takes */
    uint64_t memory_mib;
} ends[] = {
    {"exit 0", RUN_SHOW, "pass", 0, 0, 0},
    {"exit 1", RUN_TRY, "exit:1", 0, 0, 0},
    {"exit 127", RUN_TRY, "exit:127", 0, 0, 0},
    {"cat >/dev/null; exit 127", RUN_SHOW, "exit:127", 0, 0, 0},
    {"exec nosuch 2>&-", RUN_SHOW, "fault 3", 0, 0, 0},
    {"exec /dev/null 2>&-", RUN_CONFIRM, "fault 3", 0, 0, 0},
    {"exec 2>&-; nosuch; exit 125", RUN_SHOW, "exit:125", 0, 0, 0},
    {"exit 255", RUN_TRY, "exit:255", 0, 0, 0},
    {"kill -ABRT $$", RUN_TRY, "signal:SIGABRT", 0, 0, 0},
    {"kill -KILL $$", RUN_SHOW, "signal:SIGKILL", 0, 0, 0},
    {"kill -PIPE $$", RUN_TRY, "signal:SIGPIPE", 0, 0, 0},
    {"echo out; echo err >&2; echo more; exit 3", RUN_SHOW, "exit:3 out\nerr\nmore\n", 0, 0, 0},
    {"echo out; echo err >&2; exit 3", RUN_TRY, "exit:3 out\nerr\n", 0, 0, 0},
    /* Hangs end at the deadline, whatever is done to their output; floods too. */
    {"sleep 1000", RUN_TRY, "timeout", SHORT_MS, SHORT_MS, 0},
    {"trap '' TERM INT HUP; while :; do sleep 1; done", RUN_SHOW, "timeout", SHORT_MS, SHORT_MS, 0},
    {"kill -STOP $$", RUN_TRY, "timeout", SHORT_MS, SHORT_MS, 0},
    {"exec >&- 2>&-; sleep 1000", RUN_SHOW, "timeout", SHORT_MS, SHORT_MS, 0},
    {"sleep 1000 | sleep 1000", RUN_SHOW, "timeout", SHORT_MS, SHORT_MS, 0},
    {"exec yes", RUN_TRY, "timeout", SHORT_MS, SHORT_MS, 0},
    /* What is confirmed gets twice the time, and after a failure twice the memory. */
    {"sleep 1.5", RUN_CONFIRM, "pass", 1000, 1500, 0},
    {"sleep 100", RUN_CONFIRM, "timeout", SHORT_MS, 2 * SHORT_MS, 0},
    {"[ $(ulimit -v) -gt 70000 ] || exit 3", RUN_CONFIRM, "memory", 0, 0, 64},
    {"[ $(ulimit -v) -gt 70000 ] && exit 4; exit 3", RUN_CONFIRM, "memory", 0, 0, 64},
    {"[ $(ulimit -v) -gt 70000 ] && exit 4; exit 0", RUN_CONFIRM, "pass", 0, 0, 64},
    {"echo $(ulimit -v); exit 3", RUN_CONFIRM, "exit:3 65536\n", 0, 0, 64},
    {"ulimit -v", RUN_SHOW, "pass 524288\n", 0, 0, 512},
};

TEST_EACH(a_run_ends, COUNT_OF(ends)) {
    if (ends[_i].memory_mib > 0) SKIP_WHERE_EMULATOR_LACKS("RLIMIT_AS");
    run_config config = shell_config(ends[_i].script);
    config.limits.memory_max = ends[_i].memory_mib << 20;
    if (ends[_i].timeout_ms > 0) config.limits.timeout_ns = ends[_i].timeout_ms * CLOCK_NS_PER_MS;
    run_with(&config, &never, one, ends[_i].purpose);
    ck_assert_msg(strcmp(told(), ends[_i].told) == 0, "%s: %s", ends[_i].script, told());
    ck_assert_uint_eq(result.ran, 1);
    ck_assert_int_ge(result.took_ns, ends[_i].least_ms * CLOCK_NS_PER_MS);
    ck_assert_int_lt(result.took_ns, LONG_S * CLOCK_NS_PER_S);
}

TEST(a_leak_check_that_takes_too_long_finds_nothing) {
    const outcome failed = outcome_of_status(1 << 8), hung = {.verdict = VERDICT_TIMEOUT};
    ck_assert_int_eq(runner_leak_of(&failed, FRNG_LEAK_CHECK), LEAK_FOUND);
    ck_assert_int_eq(runner_leak_of(&hung, FRNG_LEAK_CHECK), LEAK_SUSPECTED);
    ck_assert_int_eq(runner_leak_of(&failed, FRNG_LEAK_AGAIN), LEAK_SUSPECTED);
}

/* ---- Entropy ---- */

static void check_entropy(run_stdin kind, size_t size, uint64_t seed) {
    static uint8_t expected[SIZE_MAX_TESTED];
    const size_t kept = size < BYTES_TAIL_MAX ? size : BYTES_TAIL_MAX;
    run_config config = shell_config(kind == RUN_STDIN_FILE ? "test -f /dev/stdin && cat"
                                                            : "test -p /dev/stdin && cat");
    config.limits.stdin_kind = kind;
    run_with(&config, &never, (batch){seed, 1, size, NULL}, RUN_SHOW);
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
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        check_entropy(RUN_STDIN_FILE, sizes[i], i);
        check_entropy(RUN_STDIN_PIPE, sizes[i], UINT64_MAX - i);
    }
}

/* Its first failure is the first run whose first byte is a letter; the output is of that alone. */
TEST(a_batch_ends_at_its_first_failure) {
    uint32_t expected = 0;
    uint8_t byte = 0;
    do {
        frng_expand(1000 + expected++, &byte, 1);
    } while (byte < 'a' || byte > 'z');
    const run_config config =
        shell_config("LC_ALL=C; export LC_ALL; echo once; ! head -c 1 | grep -q '[a-z]'");
    run_with(&config, &never, (batch){1000, 200, 1, NULL}, RUN_SHOW);
    ck_assert_str_eq(told(), "exit:1 once\n");
    ck_assert_uint_eq(result.ran, expected);
    run_with(&config, &never, (batch){1000, expected - 1, 1, NULL}, RUN_SHOW);
    ck_assert_str_eq(told(), "pass once\n");
    ck_assert_uint_eq(result.ran, expected - 1);
}

TEST(a_plain_program_gets_what_is_given_and_tells_nothing) {
    static uint8_t bytes[SIZE_MAX_TESTED / 2] = "onetwo  !";
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
        config.limits.stdin_kind = i % 2 == 0 ? RUN_STDIN_FILE : RUN_STDIN_PIPE;
        memset(given.passes, 0, sizeof given.passes);
        given.reported = given.record_count = 1;
        run_with(&config, &never, (batch){0, 5, 0, &given}, i / 2 == 0 ? RUN_SHOW : RUN_TRY);
        ck_assert_uint_eq(result.ran, 4);
        ck_assert_str_eq(told(), "exit:1   !");
        for (int k = 0; k < 3; k++) ck_assert_uint_eq(given.passes[k].drawn, OUTCOME_DRAWN_UNKNOWN);
        ck_assert_uint_eq(given.reported + given.record_count, 0);
        run_with(&config, &never, (batch){4, 1, 0, &given}, RUN_TRY);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    }
}

/* ---- Output ---- */

TEST(nothing_printed_at_the_last_moment_is_lost) {
    for (int i = 0; i < 50; i++) {
        run_script("exec head -c 60000 /dev/zero", RUN_SHOW);
        ck_assert_uint_eq(result.output.total, 60000);
    }
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

/* At the first call, at the third, and never. */
TEST_EACH(a_watch_cancels_or_leaves_the_run_alone, 3) {
    static const unsigned wanted[] = {1, 3, 99};
    int ends_of_pipe[2];
    ck_assert_int_eq(pipe2(ends_of_pipe, O_CLOEXEC), 0);
    canceller c = {ends_of_pipe[0], 0, wanted[_i]};
    const runner_watch watch = {.fd = c.fd, .cancelled = is_cancelled, .context = &c};
    ck_assert_int_eq(write(ends_of_pipe[1], "123", _i == 0 ? 1 : 3), _i == 0 ? 1 : 3);
    const run_config config = shell_config(_i == 2 ? "sleep 0.2; exit 9" : "exec sleep 1000");
    run_with(&config, &watch, (batch){1, 10, 16, NULL}, _i == 0 ? RUN_SHOW : RUN_TRY);
    ck_assert_uint_eq(c.calls, _i == 0 ? 1 : 3);
    ck_assert(result.cancelled == (_i < 2));
    ck_assert_uint_eq(result.ran, _i < 2 ? 0 : 1);
    if (_i == 2) ck_assert_str_eq(told(), "exit:9");
    ck_assert_int_lt(result.took_ns, LONG_S * CLOCK_NS_PER_S);
}

/* ---- In the foreground ---- */

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
    static bytes_tail output;
    const run_config config = shell_config(script);
    const foreground_run run = {
        .command = config.command,
        .how = {.timeout_ns = CLOCK_NEVER, .setup = {.stdin_fd = -1, .mask = config.mask}},
        .signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK),
        .hidden_ends = _i % 2 == 1 ? &output : NULL};
    int stopped_by = -1;
    ck_assert_int_ge(run.signal_fd, 0);
    if (_i < 6) kill(self, number);
    const outcome o = foreground_run_once(&run, &stopped_by);
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1, "a process is left");
    ck_assert_int_eq(stopped_by, number);
    ck_assert_int_eq(o.verdict, VERDICT_FAIL);
    if (_i == 6) ck_assert_int_eq(o.status, SIGKILL);
}

SUITE(.timeout_s = 90);
