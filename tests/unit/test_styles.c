/* Styled runs are the same in each mode, and of programs that cannot expand them: this program once
 * more, as a fork server that forgets some of its abilities. */
#include "fixture.h"
#include "older_target.h" /* first: it has locals with names that ours have for types */

#include "candidate_set.h"
#include "clock.h"
#include "server.h"

enum { SIZE = 64, LONG_S = 100, COUNT = 300 };

/* ---- Programs that know less ---- */

static const struct {
    const char *name;
    uint64_t lacks; /* flags of HELLO */
} parts[] = {{"knows-all", 0},
             {"knows-no-styles", FRNG_CAN_STYLE},
             {"knows-seeds-only", FRNG_CAN_STYLE | FRNG_CAN_GIVEN}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Fails if the last of five numbers, which a first fill does not reach, ends in 5. */
static bool is_not_5(frng *f) {
    uint64_t value = 0;
    for (int i = 0; i < 5; i++) FRNG_TRY(frng_u64(f, &value));
    FRNG_ASSERT(value % 32 != 5);
    return true;
}

static int play(const char *part) {
    for (int i = 0; i < PARTS; i++) {
        if (strcmp(part, parts[i].name) == 0) older_target_lacks = parts[i].lacks;
    }
    return frng_run(is_not_5);
}

/* ---- Tests ---- */

static const runner_watch never = {.fd = -1};
static char *arguments[] = {"test_styles", NULL, NULL};
static run_result result;

static void run_part(const char *part, run_mode mode, const batch *runs) {
    run_config config = {
        .command = {"/proc/self/exe", arguments, environ},
        .limits.timeout_ns = LONG_S * CLOCK_NS_PER_S,
        .size_max = runs->size,
        .reports = true,
        .mode = mode,
        .layout = {offsetof(frng_report, generator) + offsetof(frng, used), sizeof(size_t)},
    };
    int error = -1;
    arguments[1] = (char *)(uintptr_t)part;
    sigemptyset(&config.mask);
    runner *r = runner_server_create(&config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    r->run(r, runs, RUN_TRY, &result);
    r->destroy(r);
}

/* Return the index of the first run of a batch that fails. */
static uint32_t first_failure(const batch *runs) {
    for (uint32_t i = 0; i < runs->count; i++) {
        uint8_t bytes[SIZE];
        seed_input t = batch_input(runs, i);
        t.size = SIZE; /* the run draws no more */
        seed_input_expand(&t, bytes);
        if (bytes[32] % 32 == 5) return i;
    }
    return runs->count;
}

/* A batch of which the first styled run fails that is at index `least` or later. */
static batch batch_of(seed_expansion mix, uint32_t least) {
    batch runs = {.first_seed = 1, .count = COUNT, .size = SIZE, .mix = mix};
    while (true) {
        const uint32_t first = first_failure(&runs);
        if (first >= least && first < runs.count &&
            batch_input(&runs, first).style == (mix == EXPAND_UNIFORM ? SEED_PLAIN : SEED_STYLED)) {
            return runs;
        }
        runs.first_seed++;
    }
}

TEST_EACH(a_failure_is_the_same_run_in_each_mode, PARTS) {
    for (seed_expansion mix = EXPAND_UNIFORM; mix <= EXPAND_BOTH; mix++) {
        const batch runs = batch_of(mix, 20);
        for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
            run_part(parts[_i].name, mode, &runs);
            ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
            ck_assert_uint_eq(result.ran, first_failure(&runs) + 1);
            ck_assert_uint_eq(result.last.drawn, 40);
            ck_assert_int_eq(result.violation, ISOLATION_NONE);
        }
    }
}

/* The driver expands the styled runs of such a program. The bytes of the first batch take several
 * orders; a run of the second one takes an order of its own. */
TEST(runs_of_programs_without_styles_take_several_orders) {
    batch runs = batch_of(EXPAND_BOTH, 100);
    runs.size = 40000;
    run_part("knows-no-styles", MODE_PERSISTENT, &runs);
    ck_assert_uint_eq(result.ran, first_failure(&runs) + 1);
    runs = batch_of(EXPAND_STYLED, 5);
    runs.size = 3 << 20;
    runs.count = 6;
    run_part("knows-no-styles", MODE_FORK, &runs);
    const uint32_t first = first_failure(&runs);
    ck_assert_uint_eq(result.ran, first < runs.count ? first + 1 : runs.count);
}

SUITE(.timeout_s = 90, .as_program = play, .emulator_lacks = "binfmt_misc");
