/* runner_server.h, server.h: this program once more, as a server that makes its runs in
 * itself: its end is that of the run in progress. */
#include "fixture.h"
#include "runner_server.h"

#include "clock.h"
#include "frng_expand.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 4, ORDER_MAX = 1 << 20 };

static const runner_watch never = {.fd = -1};
static char *arguments[] = {"test_in_process", NULL, NULL};
static run_result result; /* large; each test is a process of its own */

/* ---- The server ---- */

typedef struct server {
    const char *part;
    int control, entropy;
    volatile frng_report *report;
    uint64_t made; /* runs of this process */
} server;

static bool is_part(const server *s, const char *part) { return strcmp(s->part, part) == 0; }

/* End as this part does where a run draws a multiple of 8 first. */
static void end_run(const server *s) {
    if (is_part(s, "exits-0")) _exit(0);
    if (is_part(s, "dies")) kill(getpid(), SIGKILL);
    if (is_part(s, "hangs")) pause();
    if (is_part(s, "hangs-up")) {
        close(s->control);
        usleep(20 * 1000);
        _exit(3);
    }
    if (is_part(s, "fails")) {
        strcpy((char *)(uintptr_t)s->report->site, "queue.py:16");
        _exit(3);
    }
}

static void make_run(server *s, uint8_t first) {
    s->made++;
    if (s->report != NULL) s->report->generator[0] = 1;
    if (first % 8 == 0) end_run(s);
    if (is_part(s, "fails-in-run-25") && s->made == 25) _exit(3);
}

/* Make the runs of an order of explicit bytes, SIZE each, and answer it. */
static bool carry_out(server *s, const frng_message *order) {
    static uint8_t bytes[ORDER_MAX];
    const uint64_t table = order->count * sizeof(uint64_t);
    if (pread(s->entropy, bytes, sizeof bytes, 0) != (ssize_t)order->size) return false;
    const bool is_alone = (order->flags & FRNG_ONE_PROCESS) == 0;
    if ((order->flags & FRNG_GIVEN) == 0) return false;
    if (is_alone && (order->count != 1 || s->made > 0)) return false;
    if (is_part(s, "begins-nothing")) _exit(3);
    for (uint64_t i = 0; i < order->count; i++) {
        s->report->run = i;
        make_run(s, bytes[table + i * SIZE]);
    }
    const frng_message done = {.type = FRNG_DONE, .count = order->count};
    return send(s->control, &done, sizeof done, MSG_NOSIGNAL) >= 0;
}

static int serve(server *s, int report) {
    const uint64_t abilities = FRNG_CAN_BATCH | FRNG_CAN_GIVEN | FRNG_NO_FORK;
    frng_message m = {.type = FRNG_HELLO,
                      .version = 1,
                      .flags = abilities,
                      .drawn_offset = offsetof(frng_report, generator),
                      .drawn_width = 8};
    struct stat file;
    if (fstat(report, &file) != 0) return 99;
    s->report = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, report, 0);
    if (send(s->control, &m, sizeof m, MSG_NOSIGNAL) < 0) return 99;
    while (recv(s->control, &m, sizeof m, 0) == (ssize_t)sizeof m) {
        if (!carry_out(s, &m)) return 98;
    }
    return 0;
}

static int play(const char *part) {
    server s = {.part = part};
    const char *offer = getenv("FRNG_DRIVER");
    int report = -1;
    uint8_t first = 0;
    if (offer != NULL && sscanf(offer, "1,%d,%d,%d", &s.control, &report, &s.entropy) == 3 &&
        s.control >= 0)
        return serve(&s, report);
    if (read(STDIN_FILENO, &first, 1) == 1) make_run(&s, first);
    return 0;
}

/* ---- Runs ---- */

static runner_server_config config_of(const char *part, bool steady) {
    runner_server_config config = {
        .spawn = {.command = {"/proc/self/exe", arguments, environ},
                  .timeout_ns = 500 * CLOCK_NS_PER_MS,
                  .size_max = SIZE,
                  .reports = true},
        .mode = MODE_PERSISTENT,
        .steady = steady,
        .layout = {offsetof(frng_report, generator), 8, .forks_none = true},
    };
    arguments[1] = (char *)(uintptr_t)part;
    config.spawn.layout = config.layout;
    sigemptyset(&config.spawn.mask);
    return config;
}

static runner *begin(const runner_server_config *config) {
    int error = -1;
    runner *r = runner_server_create(config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    return r;
}

static void end(runner *r) {
    r->ops->destroy(r);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
}

static void run_seeds(runner *r, uint64_t first, uint32_t count) {
    const batch runs = {.first_seed = first, .count = count, .size = SIZE};
    r->ops->run(r, &runs, RUN_TRY, &result);
}

/* Return the first seed from 1 on whose first byte is a multiple of 8. */
static uint32_t first_failing(void) {
    uint32_t seed = 0;
    uint8_t byte = 1;
    while (byte % 8 != 0) frng_expand(++seed, &byte, 1);
    return seed;
}

static void run_part(const char *part, uint32_t count) {
    const runner_server_config config = config_of(part, false);
    runner *r = begin(&config);
    run_seeds(r, 1, count);
    end(r);
}

/* ---- Tests ---- */

TEST(the_end_of_the_server_is_that_of_its_run) {
    const struct {
        const char *part;
        verdict verdict;
        int status;
    } ends[] = {{"fails", VERDICT_FAIL, 3 << 8},
                {"hangs-up", VERDICT_FAIL, 3 << 8},
                {"dies", VERDICT_FAIL, SIGKILL},
                {"hangs", VERDICT_TIMEOUT, 0}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        run_part(ends[i].part, 1000);
        ck_assert_msg(result.last.verdict == ends[i].verdict, "%s", ends[i].part);
        if (ends[i].status != 0) ck_assert_int_eq(result.last.status, ends[i].status);
        ck_assert_uint_eq(result.ran, first_failing());
        ck_assert_uint_eq(result.last.drawn, 1);
        ck_assert_int_eq(result.violation, ISOLATION_NONE);
    }
}

TEST(the_site_is_that_of_the_run) {
    run_part("fails", 1000);
    ck_assert_str_eq(result.site, "queue.py:16");
}

TEST(a_run_that_ends_the_server_with_0_has_passed) {
    run_part("exits-0", 100);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.ran, 100);
    ck_assert_int_eq(result.violation, ISOLATION_NONE);
}

TEST(a_server_that_begins_nothing_is_replaced_by_spawn) {
    run_part("begins-nothing", 20);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.ran, 20);
}

TEST(a_failure_of_unknown_cause_is_named_and_counts) {
    for (int steady = 0; steady < 2; steady++) {
        const runner_server_config config = config_of("fails-in-run-25", steady != 0);
        runner *r = begin(&config);
        isolation_violation seen = ISOLATION_NONE;
        for (uint64_t i = 0; i < 6; i++) {
            run_seeds(r, 1 + 10 * i, 5); /* the process makes run 25 in the fifth order */
            ck_assert_int_eq(result.last.verdict,
                             result.violation != ISOLATION_NONE ? VERDICT_FAIL : VERDICT_PASS);
            ck_assert_uint_eq(result.ran, 5);
            if (result.violation != ISOLATION_NONE) seen = result.violation;
        }
        ck_assert_int_eq(seen, ISOLATION_FRESH_PASSES);
        end(r);
    }
}

SUITE(.as_program = play, .emulator_lacks = "what executes its own file (binfmt_misc)");
