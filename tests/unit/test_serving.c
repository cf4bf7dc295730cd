/* frng_main.h as a fork server: orders and reports that make no sense. It ends them, refuses them,
 * and writes nowhere else. */
#include "fixture.h"
#include "frng_main.h" /* first: it has locals with names that ours have for types */

#include "clock.h"
#include "input_memfd.h"
#include "seed_input.h"
#include "server.h"
#include "spawn.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

enum { SIZE = 64, SOON_MS = 20000 };

static char *arguments[] = {"test_serving", NULL, NULL};

/* ---- Parts that this program plays, once more ---- */

static bool passes(frng *f) {
    uint64_t value;
    FRNG_TRY(frng_u64(f, &value));
    return true;
}

static bool dies_unless_children_are_ignored(frng *f) {
    (void)f;
    if (signal(SIGCHLD, SIG_DFL) != SIG_IGN) return true;
    return kill(getpid(), SIGKILL) != 0;
}

/* Runs that write over the report and exit as though they had passed: more of them than there are
 * numbers, they say ... */
static bool forges_run(frng *f) {
    (void)f;
    frng__state()->report->run = UINT64_MAX;
    _exit(0);
}

/* ... or none, and none is left. */
static bool forges_end(frng *f) {
    (void)f;
    frng__state()->report->run = 0;
    frng__state()->report->left_batch = 1;
    _exit(0);
}

/* A run that writes over its external pass, and draws: bytes that are not there are not expanded.
 */
static bool forges_generator(frng *f) {
    uint64_t value;
    FRNG_TRY(frng_u64(f, &value));
    f->used = f->ready = SIZE_MAX / 4;
    f->size = SIZE_MAX;
    FRNG_TRY(frng_u64(f, &value));
    return true;
}

static bool takes_long(frng *f) {
    (void)f;
    usleep(1000);
    return true;
}

static int play(const char *part) {
    static const struct {
        const char *name;
        frng_test test;
    } parts[] = {
        {"passes", passes},         {"forges-run", forges_run},
        {"forges-end", forges_end}, {"forges-generator", forges_generator},
        {"takes-long", takes_long}, {"ignores-children", dies_unless_children_are_ignored}};
    if (strcmp(part, "ignores-children") == 0) signal(SIGCHLD, SIG_IGN);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(part, parts[i].name) == 0) return frng_run(parts[i].test);
    }
    return EXIT_FAILURE;
}

/* ---- Tests ---- */

typedef fork_server met;

static void meet(met *m, const char *part) {
    static run_config config;
    static const runner_watch never = {.fd = -1};
    arguments[1] = (char *)(uintptr_t)part;
    config = (run_config){.command = {"/proc/self/exe", arguments, environ},
                          .timeout_ns = 100 * CLOCK_NS_PER_S,
                          .size_max = SIZE};
    ck_assert_int_eq(server_init(m, &config, &never), 0);
    ck_assert_int_eq(server_need(m), 0);
}

static void part_from(met *m) { server_finish(m); }

/* Its answer to an order, which has to come soon. */
static frng_message answer_to(const met *m, frng_message order) {
    struct pollfd fd = {m->process.control, POLLIN, 0};
    frng_message done;
    order.type = FRNG_RUN;
    if (order.size == 0) order.size = SIZE;
    ck_assert_int_eq(send(m->process.control, &order, sizeof order, 0), sizeof order);
    ck_assert_msg(poll(&fd, 1, SOON_MS) == 1, "the order has no end");
    ck_assert(recv(m->process.control, &done, sizeof done, 0) == (ssize_t)sizeof done);
    ck_assert_uint_eq(done.type, FRNG_DONE);
    return done;
}

static const char *const forging[] = {"forges-run", "forges-end", "forges-generator"};

TEST_EACH(an_order_ends_whatever_the_report_says, sizeof forging / sizeof *forging) {
    for (uint64_t flags = 0; flags <= FRNG_ONE_PROCESS; flags++) {
        met m;
        meet(&m, forging[_i]);
        const frng_message done = answer_to(&m, (frng_message){.count = 3, .flags = flags});
        ck_assert_uint_eq(done.count, 3);
        ck_assert_uint_eq(done.status, 0);
        ck_assert_uint_eq(done.flags, 0);
        part_from(&m);
    }
}

TEST(an_order_of_too_many_runs_is_refused) {
    met m;
    meet(&m, "passes");
    for (uint64_t flags = 0; flags <= FRNG_ONE_PROCESS; flags++) {
        const frng_message done =
            answer_to(&m, (frng_message){.count = FRNG_COUNT_MAX + 1, .flags = flags});
        ck_assert_uint_eq(done.flags, FRNG_NO_PROCESS);
        ck_assert_uint_eq(done.status, EINVAL);
    }
    part_from(&m);
}

TEST(a_server_ends_when_its_driver_hangs_up) {
    met m;
    meet(&m, "takes-long");
    struct pollfd fd = {m.process.child.pidfd, POLLIN, 0};
    const frng_message order = {.type = FRNG_RUN, .count = FRNG_COUNT_MAX, .size = SIZE};
    ck_assert_int_eq(send(m.process.control, &order, sizeof order, 0), sizeof order);
    close(m.process.control);
    ck_assert_msg(poll(&fd, 1, SOON_MS) == 1, "it makes runs for nobody");
    m.process.control = open("/dev/null", O_RDONLY | O_CLOEXEC); /* to be closed */
    part_from(&m);
}

/* A program that ignores SIGCHLD cannot know how its children end: it says so, and waits for the
 * next ones. */
TEST(no_failure_is_lost_by_a_program_that_ignores_its_children) {
    met m;
    meet(&m, "ignores-children");
    for (int i = 0; i < 4; i++) {
        const uint64_t flags = i % 2 != 0 ? FRNG_ONE_PROCESS : 0;
        const frng_message done = answer_to(&m, (frng_message){.count = 3, .flags = flags});
        ck_assert_uint_eq(done.count, 0);
        ck_assert_uint_eq(done.flags, i == 0 ? FRNG_NO_PROCESS : 0);
        ck_assert_uint_eq(done.status, i == 0 ? ECHILD : SIGKILL);
    }
    part_from(&m);
}

/* A file that is shorter than it says cannot be the report. */
TEST(a_report_that_is_cut_short_is_none) {
    enum { TOLD = 8192 };
    frng_report head = {.magic = FRNG_REPORT_MAGIC, .size = TOLD};
    uint64_t size;
    for (off_t length = sizeof head; length <= TOLD; length += TOLD - (off_t)sizeof head) {
        const int file = memfd_create("report", MFD_CLOEXEC);
        ck_assert_int_ge(file, 0);
        ck_assert_int_eq(write(file, &head, sizeof head), sizeof head);
        ck_assert_int_eq(ftruncate(file, length), 0);
        frng_report *mapped = frng__map_report(file, &size);
        ck_assert_int_eq(mapped != NULL, length == TOLD);
        if (mapped != NULL) munmap(mapped, size);
        close(file);
    }
}

/* What a run has left behind may have written over the report. */
TEST(a_report_that_makes_no_sense_is_not_written) {
    enum { ROOM = 4096, HEAD = sizeof(frng_report), RECORD = sizeof(frng_trace_record) };
    static const uint64_t refused[][2] = {{0, 1},
                                          {HEAD - 8, 1},
                                          {HEAD + 1, 1},
                                          {ROOM - 7, 1},
                                          {ROOM, 1},
                                          {ROOM + 8, 1},
                                          {UINT64_MAX - 7, 1},
                                          {HEAD, (ROOM - HEAD) / 8 + 1},
                                          {HEAD, UINT64_MAX},
                                          {HEAD, UINT64_C(1) << 61}};
    static uint64_t memory[ROOM / 8];
    frng__run_state *state = frng__state();
    state->report = (frng_report *)(void *)memory;
    state->report_size = ROOM;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        state->report->trace_offset = state->report->runs_offset = refused[i][0];
        state->report->trace_count = state->report->runs_count = refused[i][1];
        frng__read_wishes();
        ck_assert_uint_eq(state->record_count, 0);
        ck_assert_uint_eq(state->run_count, 0);
    }
    state->report->trace_offset = state->report->runs_offset = HEAD;
    state->report->trace_count = (ROOM - HEAD) / RECORD;
    state->report->runs_count = (ROOM - HEAD) / 8;
    frng__read_wishes();
    ck_assert_uint_eq(state->record_count, (ROOM - HEAD) / RECORD);
    ck_assert_uint_eq(state->run_count, (ROOM - HEAD) / 8);
    ck_assert_ptr_eq(state->runs, memory + HEAD / 8);
}

SUITE(.timeout_s = 90, .as_program = play);
