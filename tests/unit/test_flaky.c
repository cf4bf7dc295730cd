/* reduce.h where runs fail with a chance: what fails less often never takes the place of what fails
 * more often, and nothing that has passed a rerun is called reliable. */
#include "clock.h"
#include "drawn.h"
#include "event.h"
#include "failure.h"
#include "suite.h"

enum { START = 32, SEEDS = 20, ENDS_SOON = 100000 };

static sut subject;
static reduce_result result; /* large; each test is a process of its own */
static uint64_t luck;        /* of all runs of a test */

static uint64_t calls_max = ENDS_SOON;

/* In how many of 100 runs this many bytes fail. */
static unsigned (*chance)(size_t size);

static unsigned next_percent(void) {
    luck = luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(luck >> 33) % 100;
}

static bool fails_by_chance(frng *f, int *status) {
    *status = next_percent() < chance(f->size) ? SIGABRT : 0;
    return true;
}

/* ---- Chances ---- */

static unsigned falls_from_most(size_t size) { return (unsigned)size * 80 / START; }
static unsigned falls_from_all(size_t size) {
    return size >= START * 3 / 4 ? 100 : (unsigned)size * 4;
}
static unsigned falls_late(size_t size) { return size >= 4 ? 100 : 30 + (unsigned)size; }
static unsigned is_the_same(size_t size) { return size > 3 ? 80 : 0; }
static unsigned is_luck_when_reduced(size_t size) { return size < START ? 30 : 100; }
static unsigned is_high_when_reduced(size_t size) { return size < 3 ? 0 : size >= START ? 50 : 90; }

/* ---- Reducing ---- */

static failure announced; /* the last one */
static size_t announcements, flakies;

static void take(void *context, const event *e) {
    (void)context;
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER) {
        announced = *e->failure;
        announcements++;
    } else if (e->kind == EVENT_FLAKY) {
        ck_assert_uint_lt(e->failure->repeated, e->failure->reruns);
        flakies++;
    }
}

/* Some run of what it ended with has passed. */
static bool has_passed(void) {
    const size_t calls = subject.calls < LOG_MAX ? subject.calls : LOG_MAX;
    for (size_t i = 0; i < calls; i++) {
        const logged *l = &subject.log[i];
        if (!l->failed && l->size == result.bytes.size &&
            memcmp(l->bytes, result.bytes.bytes, l->size) == 0) {
            return true;
        }
    }
    return false;
}

static void reduce_config_by_chance(reduce_config *config, unsigned (*how)(size_t), uint64_t seed) {
    static const event_sink o = {.take = take};
    memset(&subject, 0, sizeof subject);
    subject.test = fails_by_chance;
    subject.is_silent = true;
    announcements = flakies = 0;
    chance = how;
    luck = seed * 977 + 1;
    config->is_fresh = seed % 2 == 0;
    config->calls_max = calls_max;
    reduce_finish(&result); /* of the one before */
    reduce_with(config, &subject, &o, &result);
    ck_assert_uint_lt(result.calls, ENDS_SOON);
    if (!result.found) return;
    if (has_passed()) ck_assert(failure_is_flaky(&result.best));
    if (announcements > 0) ck_assert_uint_eq(announced.input.size, result.bytes.size);
}

/* From bytes that all differ. Whether there is a result. */
static bool reduce_by_chance(unsigned (*how)(size_t), uint64_t seed) {
    uint8_t start[START];
    for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)(i + 1);
    reduce_config config = config_of(start, sizeof start);
    reduce_config_by_chance(&config, how, seed);
    return result.found;
}

/* ---- Tests ---- */

TEST_EACH(a_chance_that_falls_is_kept, 3) {
    unsigned (*const falling[])(size_t) = {falls_from_most, falls_from_all, falls_late};
    static const unsigned least[] = {40, 60, 100};
    unsigned found = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        if (!reduce_by_chance(falling[_i], seed)) continue;
        if (flakies == 0) continue; /* nothing was seen to pass again: 3 reruns of 3 */
        ck_assert_msg(chance(result.bytes.size) >= least[_i], "seed %ju: %zu bytes, in %u of 100",
                      (uintmax_t)seed, result.bytes.size, chance(result.bytes.size));
        found++;
    }
    ck_assert_uint_ge(found, SEEDS / 2);
}

/* What fails as often at any size is reduced all the same. */
TEST(a_chance_that_stays_is_no_hindrance) {
    unsigned small = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        if (!reduce_by_chance(is_the_same, seed)) continue;
        small += result.bytes.size <= 10;
        ck_assert_int_eq(failure_is_flaky(&result.best), flakies > 0);
    }
    ck_assert_uint_ge(small, SEEDS * 3 / 4);
}

TEST(a_chance_that_rises_is_taken) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        if (!reduce_by_chance(is_high_when_reduced, seed)) continue;
        ck_assert_uint_lt(result.bytes.size, START);
    }
}

/* Calls end while the first input is measured, too: what has passed its rerun is no result. */
TEST(a_budget_that_ends_leaves_what_failed_again) {
    for (calls_max = 2; calls_max < 120; calls_max++) {
        if (!reduce_by_chance(is_luck_when_reduced, 2 * calls_max + 1)) continue;
        ck_assert_msg(result.best.repeated > 0, "%ju calls: %zu bytes, %u of %u reruns",
                      (uintmax_t)calls_max, result.bytes.size, result.best.repeated,
                      result.best.reruns);
    }
}
