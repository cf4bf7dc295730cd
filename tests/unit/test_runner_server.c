/* runner_server.h, server.h: this program once more, as a fork server that makes runs or
 * that lies. */
#include "fixture.h"
#include "frng_main.h" /* first: it has locals with names that ours have for types */

#include "clock.h"

#include "candidate_set.h"
#include "runner_server.h"
#include "server.h"

#include <errno.h>
#include <sys/socket.h>

enum { LONG_S = 100, SHORT_MS = 200, SIZE = 64, GIVEN_MAX = 4096, RECORDS_MAX = 8 };

static const runner_watch never = {.fd = -1};
static char *arguments[] = {"test_fast", NULL, NULL};
static run_result result; /* large; each test is a process of its own */

static runner_server_config config_of(const char *part, run_mode mode, bool steady) {
    runner_server_config config = {
        .spawn = {.command = {"/proc/self/exe", arguments, environ},
                  .timeout_ns = LONG_S * CLOCK_NS_PER_S,
                  .size_max = SIZE,
                  .reports = true,
                  .candidate_bytes = GIVEN_MAX,
                  .records_max = RECORDS_MAX},
        .mode = mode,
        .steady = steady,
        .layout = {offsetof(frng_report, generator) + offsetof(frng, used), sizeof(size_t)},
    };
    arguments[1] = (char *)(uintptr_t)part;
    config.spawn.layout = config.layout;
    sigemptyset(&config.spawn.mask);
    return config;
}

static void run_with(const runner_server_config *config, batch runs) {
    int error = -1;
    runner *r = runner_server_create(config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    r->ops->run(r, &runs, false, &result);
    r->ops->destroy(r);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
}

static void run_part(const char *part, run_mode mode, uint32_t count) {
    const runner_server_config config = config_of(part, mode, false);
    run_with(&config, (batch){1, count, SIZE, NULL});
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

static bool asserts_behind_seed_0(frng *f) {
    const uint8_t *bytes;
    uint8_t value, expected[2];
    frng_expand(0, expected, sizeof expected);
    FRNG_TRY(frng_bytes(f, sizeof expected, &bytes));
    if (memcmp(bytes, expected, sizeof expected) != 0) return true;
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

/* Draws 0, 1, 3 or 4 bytes. */
static bool asserts_on_ee(frng *f) {
    uint8_t first, last;
    uint16_t more;
    FRNG_TRY(frng_u8(f, &first));
    if (first == 0) return true;
    FRNG_TRY(frng_u16(f, &more));
    frng_note(f, "last");
    FRNG_ASSERT(first != 0xee);
    if (first == 0xdd) exit(EXIT_SUCCESS);
    FRNG_TRY(frng_u8(f, &last));
    return true;
}

static bool draws_more_later(frng *f) {
    static bool later;
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    if (later) FRNG_TRY(frng_u8(f, &value));
    later = true;
    return true;
}

/* Each draw has bounds that an earlier one decides. */
static bool draws_by_bounds(frng *f) {
    uint8_t count;
    size_t index, weighted;
    bool coin;
    const uint8_t *raw;
    FRNG_TRY(frng_u8_max(f, 9, &count));
    FRNG_TRY(frng_pick(f, (size_t)count + 1, &index));
    const uint32_t weights[] = {0, count, 0, 3, 0};
    FRNG_TRY(frng_pick_weighted(f, weights, 5, &weighted));
    FRNG_TRY(frng_bool(f, &coin));
    FRNG_TRY(frng_bytes(f, 2, &raw));
    FRNG_ASSERT(count != 4 || index != 4 || weighted != 3 || coin || raw[0] != 7 || raw[1] != 0);
    return true;
}

/* A fork server that takes one run an order, from the entropy file, and tells nothing. */
static int serve_singly(void) {
    const int control = frng__meet_driver();
    frng_message m = {.type = FRNG_HELLO, .version = 1};
    uint8_t bytes[SIZE];
    while (control >= 0 && send(control, &m, sizeof m, MSG_NOSIGNAL) >= 0 &&
           recv(control, &m, sizeof m, 0) > 0) {
        const ssize_t size = pread(frng__state()->entropy, bytes, sizeof bytes, 0);
        const bool ok = m.type == FRNG_RUN && m.flags == 0 && m.count == 1 && m.size < SIZE &&
                        size == (ssize_t)m.size;
        const bool fails = !ok || (size > 0 && bytes[0] == 0xee);
        m = (frng_message){.type = FRNG_DONE, .count = fails ? 0 : 1, .status = fails ? 7 << 8 : 0};
    }
    return frng_run(asserts_on_ee);
}

/* A fork server that says that all that it was given has passed, and much that cannot be. */
static int lie_of_given(const char *part) {
    const int control = frng__meet_driver();
    frng_message m = {.type = FRNG_HELLO, .version = 1, .flags = FRNG_CAN_BATCH | FRNG_CAN_GIVEN};
    if (control < 0) return frng_run(asserts_on_ee);
    while (send(control, &m, sizeof m, MSG_NOSIGNAL) >= 0 && recv(control, &m, sizeof m, 0) > 0) {
        frng_report *report = frng__state()->report;
        uint64_t *rows = (uint64_t *)(void *)((uint8_t *)report + report->runs_offset);
        if (strcmp(part, "given-dies") == 0) return 3;
        for (uint64_t i = 0; i < m.count; i++) rows[i] = (i % 2 << 63) | (GIVEN_MAX + i);
        report->traced = UINT64_MAX - 3;
        report->trace_count = report->trace_offset = report->runs_offset = UINT64_MAX;
        m = (frng_message){.type = FRNG_DONE, .count = m.count};
        if (strcmp(part, "given-no-process") == 0) m.flags = FRNG_NO_PROCESS, m.status = EAGAIN;
    }
    return 0;
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
    } parts[] = {{"passes", passes},
                 {"dies-at-12", dies_at_12},
                 {"asserts", asserts_on_even},
                 {"asserts-behind-2", asserts_behind_seed_0},
                 {"asserts-on-ee", asserts_on_ee},
                 {"draws-more-later", draws_more_later},
                 {"draws-by-bounds", draws_by_bounds},
                 {"hangs", hangs},
                 {"fails-third", fails_third},
                 {"hangs-third", hangs_third}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(part, parts[i].name) == 0) return frng_run(parts[i].test);
    }
    if (strcmp(part, "singly") == 0) return serve_singly();
    if (strncmp(part, "given-", 6) == 0) return lie_of_given(part);
    return lie(part);
}

/* ---- Tests ---- */

TEST(what_was_drawn_is_known_after_sigkill) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        run_part("dies-at-12", mode, 5);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_int_eq(WTERMSIG(result.last.status), SIGKILL);
        ck_assert_uint_eq(result.last.drawn, 12);
        ck_assert_uint_eq(result.ran, 1);
    }
}

TEST(a_failure_is_the_same_run_in_each_mode) {
    uint32_t first = 0;
    uint8_t byte = 1;
    while (byte % 8 != 0) frng_expand(1 + first++, &byte, 1);
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        run_part("asserts", mode, 1000);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_uint_eq(result.ran, first);
        ck_assert_uint_eq(result.last.drawn, 1);
        ck_assert_ptr_nonnull(strstr(result.site, "test_runner_server.c:"));
        ck_assert_int_eq(result.violation, ISOLATION_NONE);
    }
}

TEST(a_hang_is_killed_and_named) {
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        runner_server_config config = config_of("hangs", mode, false);
        config.spawn.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
        run_with(&config, (batch){1, 5, SIZE, NULL});
        ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
        ck_assert_uint_eq(result.ran, 1);
        ck_assert_uint_eq(result.last.drawn, 2);
    }
}

TEST(state_is_doubted_and_its_failures_do_not_count) {
    const char *const parts[] = {"fails-third", "hangs-third"};
    for (int i = 0; i < 4; i++) {
        runner_server_config config = config_of(parts[i / 2], MODE_PERSISTENT, i % 2 != 0);
        config.spawn.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
        run_with(&config, (batch){1, 10, SIZE, NULL});
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 10);
        ck_assert_int_eq(result.violation, ISOLATION_FRESH_PASSES);
        ck_assert_uint_eq(result.doubted.seed, 3);
    }
}

TEST(lies_are_replaced_by_fresh_runs) {
    const char *const lies[] = {"lie-count-0", "lie-count-more", "lie-count-huge", "lie-stopped",
                                "lie-status",  "lie-signal",     "lie-type"};
    for (size_t i = 0; i < 2 * sizeof lies / sizeof *lies; i++) {
        run_part(lies[i / 2], i % 2 == 0 ? MODE_FORK : MODE_PERSISTENT, 4);
        ck_assert_msg(result.last.verdict == VERDICT_PASS, "%s", lies[i / 2]);
        ck_assert_uint_eq(result.ran, 4);
    }
}

/* ---- What is given ---- */

static uint8_t given_bytes[GIVEN_MAX];
static frng_trace_record given_records[RECORDS_MAX];
static candidate_set given = {.bytes = given_bytes,
                              .bytes_max = GIVEN_MAX,
                              .records = given_records,
                              .records_max = RECORDS_MAX};

static void give(const char *bytes, uint64_t size) {
    const uint64_t start = given.count > 0 ? given.ends[given.count - 1] : 0;
    memcpy(given_bytes + start, bytes, size);
    given.ends[given.count++] = start + size;
}

/* Runs as many as are given; each has told something that no run tells before. */
static void run_given(const runner_server_config *config) {
    memset(given.passes, 0x77, sizeof given.passes);
    given.reported = given.record_count = 99;
    run_with(config, (batch){0, given.count, 0, &given});
}

static void check_pass(uint32_t i, uint64_t drawn, bool ran_out) {
    ck_assert_msg(given.passes[i].drawn == drawn, "%u: %zu", i, (size_t)given.passes[i].drawn);
    if (drawn != OUTCOME_DRAWN_UNKNOWN) ck_assert(given.passes[i].ran_out == ran_out);
}

static void give_literals(void) {
    given.count = 0;
    give("\0\1", 2);
    give("", 0);
    give("\5\1", 2);
    give("\5\1\2\3", 4);
    give("\xdd\1\2\3", 4); /* exits, and tells nothing */
    give("\5\1\2", 3);
    give("\xee\1\2\7\7", 5);
    give("\0", 1);
}

TEST(given_runs_tell_what_they_did) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        const runner_server_config config = config_of("asserts-on-ee", mode, false);
        give_literals();
        run_given(&config);
        ck_assert_uint_eq(result.ran, 7);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_int_eq(WTERMSIG(result.last.status), SIGABRT);
        ck_assert_uint_eq(result.last.drawn, 3);
        ck_assert_ptr_nonnull(strstr(result.site, "test_runner_server.c:"));
        ck_assert_int_eq(result.violation, ISOLATION_NONE);
        check_pass(0, 1, false);
        check_pass(1, 0, true);
        check_pass(2, 1, true);
        check_pass(3, 4, false);
        check_pass(4, OUTCOME_DRAWN_UNKNOWN, false);
        check_pass(5, 3, true);
        ck_assert_uint_eq(given.reported, 3);
        ck_assert_uint_eq(given.record_count, 3);
        ck_assert_uint_eq(given_records[0].kind, FRNG_UINT);
        ck_assert_uint_eq(given_records[0].taken, 1);
        ck_assert_uint_eq(given_records[0].u.draw.value, 0xee);
        ck_assert_uint_eq(given_records[1].start, 1);
        ck_assert_uint_eq(given_records[1].width, 2);
        ck_assert_uint_eq(given_records[1].u.draw.value, 0x0201);
        ck_assert_uint_eq(given_records[2].kind, FRNG_TRACE_NOTE);
        ck_assert_str_eq(given_records[2].u.text, "last");
    }
}

/* ---- Choices ---- */

typedef struct choice_list {
    uint8_t bytes[SIZE];
    size_t size;
} choice_list;

static void choose(choice_list *list, int kind, unsigned width, uint64_t number) {
    const frng_choice c = {(uint8_t)kind, (uint8_t)width, false, number};
    list->size += frng_choice_store(&c, list->bytes + list->size);
}

static void give_choices(const choice_list *list, uint64_t chosen_max) {
    given.form = CANDIDATE_CHOICES;
    given.chosen_max = chosen_max;
    give((const char *)list->bytes, list->size);
}

/* The choices of a failure of draws_by_bounds: an index beyond its bounds, a weighted index without
 * a weight, a coin that is missing, and one byte of two. */
static choice_list failing_choices(void) {
    choice_list list = {.size = 0};
    choose(&list, FRNG_UINT, 1, 4);
    choose(&list, FRNG_INDEX, 1, 200);
    choose(&list, FRNG_WEIGHTED, 1, 4);
    choose(&list, FRNG_BYTES, 1, 7);
    return list;
}

TEST(choices_are_written_under_the_bounds_of_the_draw) {
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        runner_server_config config = config_of("draws-by-bounds", mode, false);
        choice_list list = {.size = 0}, failing = failing_choices();
        given.count = 0;
        choose(&list, FRNG_UINT, 1, 1);
        choose(&list, FRNG_INDEX, 1, 0);
        give_choices(&list, 7);    /* ends early */
        give_choices(&failing, 7); /* fails */
        give_choices(&failing, 7);
        run_given(&config);
        ck_assert(given.can_choose);
        ck_assert_uint_eq(result.ran, 2);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        check_pass(0, list.size, true);
        ck_assert_uint_eq(given.record_count, 5);
        ck_assert_uint_eq(given_records[1].u.draw.value, 4);
        ck_assert_uint_eq(given_records[2].u.draw.index, 4 | UINT64_C(4) << 32);
        ck_assert_uint_eq(given.chosen_size, 6);
        /* What was written is an input that fails as well. */
        uint8_t entropy[6];
        memcpy(entropy, candidate_set_chosen(&given), sizeof entropy);
        config = config_of("draws-by-bounds", MODE_SPAWN, false);
        given.count = 0;
        given.form = CANDIDATE_BYTES;
        give((const char *)entropy, sizeof entropy);
        run_given(&config);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_uint_eq(given_records[2].u.draw.index, 0);
    }
}

TEST(a_choice_can_be_the_end) {
    const runner_server_config config = config_of("asserts-on-ee", MODE_PERSISTENT, false);
    choice_list list = {.size = 0};
    given.count = 0;
    choose(&list, FRNG_BOOL, 8, 0);
    choose(&list, FRNG_UINT, 1, 0xee);
    give_choices(&list, 5);
    run_given(&config);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    check_pass(0, 2, true);
    ck_assert(given.has_run_out);
}

TEST(choices_that_no_draw_looked_at_are_not_counted) {
    const runner_server_config config = config_of("asserts-on-ee", MODE_PERSISTENT, false);
    choice_list list = {.size = 0};
    given.count = 0;
    choose(&list, FRNG_UINT, 1, 0);
    choose(&list, FRNG_UINT, 1, 0xee);
    give_choices(&list, 5);
    run_given(&config);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    check_pass(0, 2, false);
}

/* A fork server of an earlier protocol, and a process for each run, take no choices. */
TEST(choices_that_cannot_be_run_are_said_so) {
    const char *const parts[] = {"singly", "draws-by-bounds"};
    for (size_t i = 0; i < 2; i++) {
        const runner_server_config config =
            config_of(parts[i], i == 0 ? MODE_FORK : MODE_SPAWN, false);
        const choice_list failing = failing_choices();
        given.count = 0;
        given.can_choose = true;
        give_choices(&failing, 7);
        run_given(&config);
        ck_assert(!given.can_choose);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 1);
    }
}

TEST(a_part_of_a_candidate_set_is_run) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        const runner_server_config config = config_of("asserts-on-ee", mode, false);
        give_literals();
        run_with(&config, (batch){2, 2, 0, &given});
        ck_assert_uint_eq(result.ran, 2);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        check_pass(2, 1, true);
        check_pass(3, 4, false);
        ck_assert_msg(given.reported == 4, "the last one made tells, though it passed");
        ck_assert_uint_eq(given_records[3].u.draw.value, 3);
    }
}

TEST(a_full_candidate_set_passes) {
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        const runner_server_config config = config_of("asserts-on-ee", mode, false);
        given.count = 0;
        for (int i = 0; i < CANDIDATE_SET_COUNT_MAX; i++) give("\5\1\2\3", (uint64_t)i % 5);
        run_given(&config);
        ck_assert_uint_eq(result.ran, CANDIDATE_SET_COUNT_MAX);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        for (uint32_t i = 0; i < CANDIDATE_SET_COUNT_MAX; i++) {
            static const uint64_t drawn[] = {0, 1, 1, 3, 4};
            check_pass(i, drawn[i % 5], i % 5 != 4);
        }
    }
}

TEST(given_hangs_are_killed_and_traced) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        runner_server_config config = config_of("hangs", mode, false);
        config.spawn.timeout_ns = SHORT_MS * CLOCK_NS_PER_MS;
        given.count = 0;
        give("\1", 1);
        give("\1\2\3", 3);
        give("\1", 1);
        run_given(&config);
        ck_assert_int_eq(result.last.verdict, VERDICT_TIMEOUT);
        ck_assert_uint_eq(result.ran, 2);
        ck_assert_uint_eq(result.last.drawn, 2);
        check_pass(0, 0, true);
        ck_assert_uint_eq(given.record_count, 1);
        ck_assert_uint_eq(given_records[0].u.draw.value, 0x0201);
    }
}

TEST(given_failures_are_not_made_again) {
    const runner_server_config config = config_of("fails-third", MODE_PERSISTENT, false);
    given.count = 0;
    for (int i = 0; i < 10; i++) give("\1\2\3", 3);
    run_given(&config);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    ck_assert_uint_eq(result.ran, 3);
    ck_assert_int_eq(result.violation, ISOLATION_NONE);
}

TEST(state_of_given_runs_is_doubted) {
    const runner_server_config config = config_of("draws-more-later", MODE_PERSISTENT, false);
    given.count = 0;
    for (int i = 0; i < 10; i++) give("\1\2\3", 3);
    run_given(&config);
    ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.ran, 10);
    ck_assert_int_eq(result.violation, ISOLATION_OTHER_COUNT);
    ck_assert_uint_eq(result.doubted.seed, 9);
    for (uint32_t i = 0; i < 10; i++) check_pass(i, 1, false);
}

TEST(servers_that_know_nothing_of_it) {
    /* One that expands seeds is spawned; one that does not gets its entropy file. */
    for (int i = 0; i < 4; i++) {
        const bool singly = i % 2 == 0;
        const runner_server_config config = config_of(singly ? "singly" : "lie-nothing",
                                                      i < 2 ? MODE_FORK : MODE_PERSISTENT, false);
        given.count = 0;
        give("", 0);
        give("\1\2\3", 3);
        give("\xee\2\3", 3);
        run_given(&config);
        ck_assert_uint_eq(result.ran, 3);
        if (singly) {
            ck_assert_int_eq(result.last.status, 7 << 8);
            check_pass(1, OUTCOME_DRAWN_UNKNOWN, false);
            ck_assert_uint_eq(given.record_count, 0);
        } else {
            ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
            check_pass(1, 0, true);
        }
    }
}

TEST(lies_about_what_was_given) {
    const char *const lies[] = {"given-rows", "given-dies", "given-no-process"};
    for (size_t i = 0; i < 2 * sizeof lies / sizeof *lies; i++) {
        const runner_server_config config =
            config_of(lies[i / 2], i % 2 == 0 ? MODE_FORK : MODE_PERSISTENT, false);
        give_literals();
        run_given(&config);
        if (i / 2 == 0) { /* it is believed that they passed, and nothing else */
            ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
            ck_assert_uint_eq(result.ran, given.count);
            check_pass(0, OUTCOME_DRAWN_UNKNOWN, false);
            ck_assert_uint_eq(given.reported, UINT64_MAX - 3);
            ck_assert_uint_eq(given.record_count, RECORDS_MAX);
        } else { /* each is spawned instead */
            ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
            ck_assert_uint_eq(result.ran, 7);
            check_pass(3, 4, false);
            ck_assert_uint_eq(given.record_count, 3);
        }
    }
}

TEST(a_server_refuses_ends_that_make_no_sense) {
    const runner_server_config config = config_of("passes", MODE_FORK, false);
    const struct {
        uint64_t ends[3], file_size, count, size, status;
    } cases[] = {
        {{1, 2, 3}, 27, 3, 27, 0},
        {{0, 0, 0}, 24, 3, 24, 0},
        {{1, 2, 4}, 27, 3, 27, EINVAL},
        {{2, 1, 3}, 27, 3, 27, EINVAL},
        {{1, 2, UINT64_MAX}, 27, 3, 27, EINVAL},
        {{UINT64_MAX, 2, 3}, 27, 3, 27, EINVAL},
        {{1, 2, 3}, 26, 3, 27, EINVAL},
        {{1, 2, 3}, 27, 4, 27, EINVAL},
        {{1, 2, 3}, 27, UINT64_MAX, 27, EINVAL},
        {{1, 2, 3}, 27, 1, 0, EINVAL},
        {{1, 2, 3}, 27, 3, UINT64_MAX, ENOMEM},
    };
    fork_server s;
    ck_assert_int_eq(server_init(&s, &config.spawn, &never), 0);
    ck_assert_int_eq(server_need(&s), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[SIZE] = {0};
        memcpy(bytes, cases[i].ends, sizeof cases[i].ends);
        ck_assert_int_eq(input_memfd_copy(&s.entropy, cases[i].file_size, bytes), 0);
        const frng_message order = {
            .type = FRNG_RUN, .flags = FRNG_GIVEN, .count = cases[i].count, .size = cases[i].size};
        frng_message done;
        ck_assert_int_eq(send(s.process.control, &order, sizeof order, 0), sizeof order);
        ck_assert_int_eq(recv(s.process.control, &done, sizeof done, 0), sizeof done);
        ck_assert_uint_eq(done.status, cases[i].status);
        ck_assert_uint_eq(done.flags, cases[i].status == 0 ? 0 : FRNG_NO_PROCESS);
        ck_assert_uint_eq(done.count, cases[i].status == 0 ? 3 : 0);
    }
    server_finish(&s);
}

static bool cancels(void *context) {
    ++*(int *)context;
    return *(int *)context == 2;
}

TEST(the_wait_for_a_hello_can_be_cancelled) {
    char *const words[] = {(char *)(uintptr_t) "sleep", (char *)(uintptr_t) "1000", NULL};
    run_config slow = config_of("passes", MODE_FORK, false).spawn;
    fork_server s;
    int orders = 0, ends[2];
    slow.command.path = "/bin/sleep";
    slow.command.argv = words;
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "x", 1), 1);
    const runner_watch watch = {.fd = ends[0], .cancelled = cancels, .context = &orders};
    ck_assert_int_eq(server_init(&s, &slow, &watch), 0);
    ck_assert_int_eq(server_need(&s), ECANCELED);
    ck_assert_int_eq(orders, 2);
    ck_assert_int_eq(s.process.control, -1);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
    server_finish(&s);
    close(ends[0]);
    close(ends[1]);
}

TEST(a_run_alone_leaves_the_running_server_as_it_was) {
    const runner_server_config config = config_of("passes", MODE_PERSISTENT, false);
    const batch once = {.first_seed = 9, .count = 1, .size = SIZE};
    fork_server x;
    frng_message done;
    ck_assert_int_eq(server_init(&x, &config.spawn, &never), 0);
    ck_assert_int_eq(server_need(&x), 0);
    x.process.flags |= FRNG_NO_FORK;
    const int control = x.process.control;
    x.process.lived = 7;
    x.process.counted_ns = 17;
    ck_assert_int_eq(server_make_alone(&x, &once, 0, &done), SERVER_DONE);
    ck_assert_uint_eq(done.count, 1);
    ck_assert_int_eq(x.process.control, control);
    ck_assert_uint_eq(x.process.lived, 7);
    ck_assert_int_eq(x.process.counted_ns, 17);
    server_finish(&x);
}

TEST(an_order_has_no_more_runs_than_the_protocol_allows) {
    const runner_server_config config = config_of("passes", MODE_PERSISTENT, false);
    const batch most = {.count = FRNG_COUNT_MAX, .size = SIZE};
    const batch more = {.count = FRNG_COUNT_MAX + 1, .size = SIZE};
    fork_server x;
    ck_assert_int_eq(server_init(&x, &config.spawn, &never), 0);
    ck_assert_int_eq(server_need(&x), 0);
    ck_assert_uint_eq(server_takes(&x, &most), FRNG_COUNT_MAX);
    ck_assert_uint_eq(server_takes(&x, &more), FRNG_COUNT_MAX);
    server_finish(&x);
}

TEST(no_descriptor_is_lost) {
    unsigned before = 0, after = 0;
    run_part("passes", MODE_PERSISTENT, 3); /* whatever a first run opens for good */
    for (int fd = 0; fd < 256; fd++) before += fcntl(fd, F_GETFD) >= 0;
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        run_part("passes", mode, 3);
        run_part("dies-at-12", mode, 3);
        run_part("lie-type", mode, 3);
        const runner_server_config config = config_of("asserts-on-ee", mode, false);
        give_literals();
        run_given(&config);
    }
    for (int fd = 0; fd < 256; fd++) after += fcntl(fd, F_GETFD) >= 0;
    ck_assert_uint_eq(before, after);
}

SUITE(.timeout_s = 90, .as_program = play, .emulator_lacks = "binfmt_misc");
