/* fast.h, server.h: this program once more, as a server that makes runs or that lies. */
#include "frng_main.h" /* first: it has locals with names that ours have for types */

#include "clock.h"
#include "fast.h"
#include "scratch.h"

#include <check.h>
#include <errno.h>

enum { LONG_S = 100, SHORT_MS = 200, SIZE = 64 };

static const runner_watch never = {-1, NULL, NULL};
static char *arguments[] = {"test_fast", NULL, NULL};
static run_result result; /* large; each test is a process of its own */

static fast_config config_of(const char *part, run_mode mode, bool steady) {
    fast_config config = {
        .spawn = {.command = {"/proc/self/exe", arguments, environ},
                  .timeout_ns = LONG_S * CLOCK_NS_PER_S,
                  .size_max = SIZE,
                  .reports = true},
        .mode = mode,
        .steady = steady,
        .layout = {offsetof(frng_report, generator) + offsetof(frng, used), sizeof(size_t)},
    };
    arguments[1] = (char *)(uintptr_t)part;
    config.spawn.layout = config.layout;
    sigemptyset(&config.spawn.mask);
    return config;
}

static void run_config(const fast_config *config, ticket runs) {
    int error = -1;
    runner *r = fast_create(config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    r->ops->run(r, &runs, false, &result);
    r->ops->destroy(r);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
}

static void run_part(const char *part, run_mode mode, uint32_t count) {
    const fast_config config = config_of(part, mode, false);
    run_config(&config, (ticket){1, count, SIZE});
}

/* ---- Parts that this program plays ---- */

static bool passes(frng *f) {
    uint64_t value;
    for (int i = 0; i < 3; i++) FRNG_TRY(frng_u64(f, &value));
    return true;
}

static bool dies_at_12(frng *f) {
    uint32_t value;
    for (int i = 0; i < 3; i++) FRNG_TRY(frng_u32(f, &value));
    return kill(getpid(), SIGKILL) != 0;
}

static bool asserts_on_even(frng *f) {
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    FRNG_ASSERT(value % 8 != 0);
    return true;
}

static bool fails_third(frng *f) {
    static int runs;
    (void)f;
    return ++runs != 3;
}

static bool hangs_third(frng *f) {
    static int runs;
    (void)f;
    while (runs == 2) pause();
    return ++runs > 0;
}

static bool hangs(frng *f) {
    uint16_t value;
    FRNG_TRY(frng_u16(f, &value));
    while (pause() != 0) continue;
    return true;
}

static frng_message lie_of(const char *part, uint64_t count) {
    frng_message m = {.type = FRNG_DONE, .count = count};
    if (strcmp(part, "lie-count-0") == 0) m.count = 0;
    if (strcmp(part, "lie-count-more") == 0) m.count++;
    if (strcmp(part, "lie-count-huge") == 0) m.count = UINT64_MAX;
    if (strcmp(part, "lie-stopped") == 0) m.count = 0, m.status = 0x137f;
    if (strcmp(part, "lie-status") == 0) m.count = 0, m.status = 0x7fffffff;
    if (strcmp(part, "lie-signal") == 0) m.count = 0, m.status = 0x7e;
    if (strcmp(part, "lie-type") == 0) m.type = FRNG_RUN;
    return m;
}

static int lie(const char *part) {
    const int control = frng__meet_driver();
    frng_message m = {.type = FRNG_HELLO, .version = 1, .flags = FRNG_CAN_EXPAND | FRNG_CAN_BATCH};
    if (control < 0) return frng_run(passes);
    do {
        if (send(control, &m, sizeof m, MSG_NOSIGNAL) < 0) return 0;
        if (recv(control, &m, sizeof m, 0) <= 0) return 0;
        m = lie_of(part, m.count);
    } while (true);
}

static int play(const char *part) {
    static const struct {
        const char *name;
        frng_test test;
    } parts[] = {{"passes", passes}, {"dies-at-12", dies_at_12},   {"asserts", asserts_on_even},
                 {"hangs", hangs},   {"fails-third", fails_third}, {"hangs-third", hangs_third}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(part, parts[i].name) == 0) return frng_run(parts[i].test);
    }
    return lie(part);
}

/* ---- Tests ---- */

START_TEST(all_runs_of_a_ticket_pass) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        run_part("passes", mode, 20);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 20);
        ck_assert_int_eq(result.doubt, DOUBT_NONE);
        ck_assert(!result.cancelled);
    }
}
END_TEST

START_TEST(what_was_drawn_is_known_after_sigkill) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        run_part("dies-at-12", mode, 5);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_int_eq(WTERMSIG(result.last.status), SIGKILL);
        ck_assert_uint_eq(result.last.drawn, 12);
        ck_assert_uint_eq(result.ran, 1);
    }
}
END_TEST

START_TEST(a_failure_is_the_same_run_in_each_mode) {
    uint32_t first = 0;
    uint8_t byte = 1;
    while (byte % 8 != 0) frng_expand(1 + first++, &byte, 1);
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        run_part("asserts", mode, 1000);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_uint_eq(result.ran, first);
        ck_assert_uint_eq(result.last.drawn, 1);
        ck_assert_ptr_nonnull(strstr(result.site, "test_fast.c:"));
        ck_assert_int_eq(result.doubt, DOUBT_NONE);
    }
}
END_TEST

START_TEST(a_hang_is_killed_and_named) {
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        fast_config config = config_of("hangs", mode, false);
        config.spawn.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
        run_config(&config, (ticket){1, 5, SIZE});
        ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
        ck_assert_uint_eq(result.ran, 1);
        ck_assert_uint_eq(result.last.drawn, 2);
    }
}
END_TEST

START_TEST(state_is_doubted_and_its_failures_do_not_count) {
    const char *const parts[] = {"fails-third", "hangs-third"};
    for (int i = 0; i < 4; i++) {
        fast_config config = config_of(parts[i / 2], MODE_PERSISTENT, i % 2 != 0);
        config.spawn.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
        run_config(&config, (ticket){1, 10, SIZE});
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 10);
        ck_assert_int_eq(result.doubt, DOUBT_FRESH_PASSES);
        ck_assert_uint_eq(result.doubted.seed, 3);
    }
}
END_TEST

START_TEST(lies_are_replaced_by_fresh_runs) {
    const char *const lies[] = {"lie-count-0", "lie-count-more", "lie-count-huge", "lie-stopped",
                                "lie-status",  "lie-signal",     "lie-type"};
    for (size_t i = 0; i < 2 * sizeof lies / sizeof *lies; i++) {
        run_part(lies[i / 2], i % 2 == 0 ? MODE_FORK : MODE_PERSISTENT, 4);
        ck_assert_msg(result.last.verdict == VERDICT_PASS, "%s", lies[i / 2]);
        ck_assert_uint_eq(result.ran, 4);
    }
}
END_TEST

START_TEST(a_server_starts_and_stops) {
    const fast_config config = config_of("passes", MODE_FORK, false);
    shared report;
    entropy_file entropy;
    server s;
    int error = 0;
    ck_assert_int_eq(shared_init(&report, 0), 0);
    ck_assert_int_eq(entropy_init(&entropy, SIZE), 0);
    ck_assert_int_eq(server_start(&s, &config.spawn, &report, &entropy, &error), SERVER_READY);
    ck_assert_uint_eq(s.flags, FRNG_CAN_EXPAND | FRNG_CAN_BATCH);
    ck_assert_uint_eq(s.layout.drawn_offset, config.layout.drawn_offset);
    const frng_message order = {.type = FRNG_RUN, .first_seed = 9, .count = 3, .size = SIZE};
    frng_message done;
    ck_assert(server_send(&s, &order));
    ck_assert(server_receive(&s, 3, &done));
    ck_assert_uint_eq(done.count, 3);
    ck_assert_uint_eq(done.status, 0);
    server_stop(&s);
    ck_assert_int_eq(s.control, -1);
    server_stop(&s);
    spawn_config plain = config.spawn;
    plain.command.path = "/bin/true";
    ck_assert_int_eq(server_start(&s, &plain, &report, &entropy, &error), SERVER_PLAIN);
    plain.command.path = "/nonexistent/program";
    ck_assert_int_eq(server_start(&s, &plain, &report, &entropy, &error), SERVER_ERROR);
    ck_assert_int_eq(error, ENOENT);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    entropy_finish(&entropy);
    shared_finish(&report);
}
END_TEST

START_TEST(no_descriptor_is_lost) {
    unsigned before = 0, after = 0;
    run_part("passes", MODE_PERSISTENT, 3); /* whatever a first run opens for good */
    for (int fd = 0; fd < 256; fd++) before += fcntl(fd, F_GETFD) >= 0;
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        run_part("passes", mode, 3);
        run_part("dies-at-12", mode, 3);
        run_part("lie-type", mode, 3);
    }
    for (int fd = 0; fd < 256; fd++) after += fcntl(fd, F_GETFD) >= 0;
    ck_assert_uint_eq(before, after);
}
END_TEST

int main(int argc, char **argv) {
    if (argc > 1) return play(argv[1]);
    Suite *suite = suite_create("fast");
    TCase *tc = tcase_create("fast");
    tcase_set_timeout(tc, 90);
    tcase_add_test(tc, all_runs_of_a_ticket_pass);
    tcase_add_test(tc, what_was_drawn_is_known_after_sigkill);
    tcase_add_test(tc, a_failure_is_the_same_run_in_each_mode);
    tcase_add_test(tc, a_hang_is_killed_and_named);
    tcase_add_test(tc, state_is_doubted_and_its_failures_do_not_count);
    tcase_add_test(tc, lies_are_replaced_by_fresh_runs);
    tcase_add_test(tc, a_server_starts_and_stops);
    tcase_add_test(tc, no_descriptor_is_lost);
    suite_add_tcase(suite, tc);
    return scratch_run(suite);
}
