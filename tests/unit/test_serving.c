/* frng_main.h as a fork server: orders and reports that make no sense. It ends them, refuses them,
 * and writes nowhere else. */
#include "fixture.h"
#include "frng_main.h" /* first: it has locals with names that ours have for types */

#include "clock.h"
#include "feature_map.h"
#include "forkserver.h"
#include "input_memfd.h"
#include "runner_spawn.h"
#include "seed_input.h"

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

/* A run that draws all its bytes, in two kinds of draws, and names the second kind. */
static bool draws_all(frng *f) {
    for (;;) {
        bool is_wide;
        uint64_t value;
        FRNG_TRY(frng_bool(f, &is_wide));
        if (!is_wide) continue;
        frng_note(f, "wide");
        FRNG_TRY(frng_u64(f, &value));
    }
}

static int play(const char *part) {
    static const struct {
        const char *name;
        frng_test test;
    } parts[] = {{"passes", passes},
                 {"forges-run", forges_run},
                 {"forges-end", forges_end},
                 {"forges-generator", forges_generator},
                 {"takes-long", takes_long},
                 {"draws-all", draws_all},
                 {"ignores-children", dies_unless_children_are_ignored}};
    if (strcmp(part, "ignores-children") == 0) signal(SIGCHLD, SIG_IGN);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(part, parts[i].name) == 0) return frng_run(parts[i].test);
    }
    return EXIT_FAILURE;
}

/* ---- Tests ---- */

typedef struct met {
    report_shm report;
    input_memfd entropy;
    forkserver s;
} met;

static void meet(met *m, const char *part) {
    arguments[1] = (char *)(uintptr_t)part;
    const run_config config = {.command = {"/proc/self/exe", arguments, environ},
                               .timeout_ns = 100 * CLOCK_NS_PER_S};
    const forkserver_setup setup = {&config, &m->report, &m->entropy, &runner_watch_never};
    int error = 0;
    ck_assert_int_eq(report_shm_init(&m->report, 0), 0);
    ck_assert_int_eq(input_memfd_init(&m->entropy, SIZE + sizeof(uint64_t)), 0);
    ck_assert_int_eq(forkserver_start(&m->s, &setup, &error), FORKSERVER_READY);
}

static void part_from(met *m) {
    forkserver_stop(&m->s);
    input_memfd_finish(&m->entropy);
    report_shm_finish(&m->report);
}

/* Its answer to an order, which has to come soon. */
static frng_message answer_to(const met *m, frng_message order) {
    struct pollfd fd = {m->s.control, POLLIN, 0};
    frng_message done;
    order.type = FRNG_RUN;
    if (order.size == 0) order.size = SIZE;
    ck_assert(forkserver_send(&m->s, &order));
    ck_assert_msg(poll(&fd, 1, SOON_MS) == 1, "the order has no end");
    ck_assert(recv(m->s.control, &done, sizeof done, 0) == (ssize_t)sizeof done);
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

/* The digest of the last of three runs. */
static uint64_t digest_of(const met *m, frng_message order) {
    report_shm_reset((report_shm *)(uintptr_t)&m->report, 0);
    order.flags |= FRNG_DIGEST;
    order.digest_run = order.count - 1;
    const frng_message done = answer_to(m, order);
    ck_assert_uint_eq(done.count, order.count);
    ck_assert_uint_eq(done.status, 0);
    return m->report.report->digest;
}

TEST(runs_begin_with_a_prefix_and_go_on_with_their_seeds) {
    const uint64_t sizes[] = {1, 7, 8, 40, SIZE - 1, SIZE};
    const frng_message seeds = {.first_seed = 3, .count = 3};
    uint8_t row[8 + SIZE];
    const uint64_t end = SIZE;
    met m;
    meet(&m, "draws-all");
    for (size_t i = 0; i < 2 * (sizeof sizes / sizeof *sizes); i++) {
        const seed_prefix prefix = {1, {{sizes[i / 2], 92, SEED_PLAIN}}};
        const seed_input last = {.size = SIZE, .seed = 5, .prefix = prefix};
        frng_message order = seeds;
        order.flags = FRNG_PREFIX | (i % 2 != 0 ? FRNG_ONE_PROCESS : 0);
        ck_assert_int_eq(input_memfd_prefix(&m.entropy, &prefix), 0);
        const uint64_t digest = digest_of(&m, order);
        memcpy(row, &end, sizeof end);
        seed_input_expand(&last, row + sizeof end);
        ck_assert_int_eq(input_memfd_copy(&m.entropy, sizeof row, row), 0);
        order = (frng_message){.count = 1, .flags = FRNG_GIVEN, .size = sizeof row};
        ck_assert_uint_eq(digest_of(&m, order), digest);
        ck_assert_uint_ne(digest_of(&m, seeds), digest); /* the next order has no prefix */
    }
    part_from(&m);
}

TEST(a_prefix_that_makes_no_sense_is_refused) {
    const uint64_t bad[] = {SIZE + 1, UINT64_MAX, 9}; /* the last is longer than the file */
    met m;
    meet(&m, "draws-all");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t file[2] = {bad[i]};
        ck_assert_int_eq(input_memfd_copy(&m.entropy, sizeof file, (uint8_t *)file), 0);
        const frng_message done = answer_to(&m, (frng_message){.count = 1, .flags = FRNG_PREFIX});
        ck_assert_uint_eq(done.flags, FRNG_NO_PROCESS);
        ck_assert_uint_eq(done.status, EINVAL);
    }
    part_from(&m);
}

/* Make runs, and return how many features they show that are not known. */
static uint32_t show(met *m, const feature_map *known, uint64_t flags) {
    report_shm_reset(&m->report, 0);
    report_shm_request_features(&m->report, known);
    const frng_message done = answer_to(m, (frng_message){.count = 9, .flags = flags});
    ck_assert_uint_eq(done.count, 9);
    return report_shm_feature_count(&m->report);
}

TEST(runs_show_each_pair_of_draws_and_names_once) {
    static feature_map none, known;
    frng_feature_record first[8], record;
    met m;
    meet(&m, "draws-all");
    for (uint64_t flags = 0; flags <= FRNG_ONE_PROCESS; flags++) {
        /* start-bool, bool-bool, bool-note, note-u64, u64-bool, at least in nine runs */
        ck_assert_uint_eq(show(&m, &none, flags), 5);
        for (uint32_t i = 0; i < 5; i++) {
            ck_assert(report_shm_feature(&m.report, i, 9, SIZE, &record));
            ck_assert_uint_le(record.offset, SIZE);
            if (flags == 0) first[i] = record;
            ck_assert_mem_eq(&record, &first[i], sizeof record);
            if (i > 0) known.seen[record.feature] = 1;
        }
        ck_assert_uint_eq(first[0].offset, 1);
        ck_assert_uint_eq(show(&m, &known, flags), 1);
        ck_assert(report_shm_feature(&m.report, 0, 9, SIZE, &record));
        ck_assert_uint_eq(record.feature, first[0].feature);
        ck_assert(!report_shm_feature(&m.report, 0, 0, SIZE, &record));
        ck_assert(!report_shm_feature(&m.report, 0, 9, 0, &record));
    }
    report_shm_reset(&m.report, 0);
    ck_assert_uint_eq(digest_of(&m, (frng_message){.count = 2}), m.report.report->digest);
    ck_assert_uint_eq(m.report.report->features_count, 0);
    part_from(&m);
}

TEST(a_server_ends_when_its_driver_hangs_up) {
    met m;
    meet(&m, "takes-long");
    struct pollfd fd = {m.s.child.pidfd, POLLIN, 0};
    const frng_message order = {.type = FRNG_RUN, .count = FRNG_COUNT_MAX, .size = SIZE};
    ck_assert(forkserver_send(&m.s, &order));
    close(m.s.control);
    ck_assert_msg(poll(&fd, 1, SOON_MS) == 1, "it makes runs for nobody");
    m.s.control = open("/dev/null", O_RDONLY | O_CLOEXEC); /* to be closed */
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
