/* reduce.h on small targets: what a reduction ends with, what it tells, and what it does where runs
 * fail by chance or workers go away. What always holds is in tests/self/reducer.c. */
#include "clock.h"
#include "drawn.h"
#include "engine.h"
#include "suite.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

static sut subject;
static reduce_result result; /* large; each test is a process of its own */
static failure_table met;

/* The events of the reduction. */
static struct {
    size_t bests, others, flakies, progresses; /* others: of each signature and place one */
    failure last, other, told[DISTINCT_FAILURES_MAX];
} heard;

static void take(void *context, const event *e) {
    (void)context;
    heard.progresses += e->kind == EVENT_PROGRESS;
    heard.flakies += e->kind == EVENT_FLAKY;
    if (e->kind == EVENT_FLAKY) ck_assert_uint_lt(e->failure->repeated, e->failure->reruns);
    if (e->kind == EVENT_BEST) {
        heard.bests++;
        heard.last = *e->failure;
    }
    if (e->kind == EVENT_OTHER) {
        size_t i = 0;
        while (i < heard.others && !failure_is_same(&heard.told[i], e->failure)) i++;
        ck_assert_uint_lt(i, DISTINCT_FAILURES_MAX);
        if (i < heard.others)
            ck_assert_uint_le(e->failure->input.size, heard.told[i].input.size);
        else
            heard.others++;
        heard.told[i] = heard.other = *e->failure;
    }
}

static void prepare(sut_test *test) {
    memset(&subject, 0, sizeof subject);
    memset(&heard, 0, sizeof heard);
    subject.test = test;
}

static const event_sink listener = {.take = take};

static void reduce(const reduce_config *config) {
    reduce_config whole = *config;
    whole.met = &met;
    failure_table_clear(&met);
    reduce_with(&whole, &subject, &listener, &result);
    ck_assert_uint_eq(result.calls, subject.calls);
    ck_assert_int_eq(result.found, result.bytes.bytes != NULL);
    ck_assert_uint_le(heard.flakies, 1);
    if (heard.bests > 0) ck_assert_uint_eq(heard.last.input.size, result.bytes.size);
}

/* ---- Targets ---- */

static bool anything(frng *f, int *status) {
    (void)f;
    *status = SIGABRT;
    return true;
}

static bool any_byte(frng *f, int *status) {
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    *status = SIGABRT;
    return true;
}

static bool draw_coins(frng *f, uint8_t *items, size_t *count) {
    bool more;
    for (*count = 0; *count < 256; ++*count) {
        FRNG_TRY(frng_bool(f, &more));
        if (!more) return true;
        FRNG_TRY(frng_u8(f, &items[*count]));
    }
    return true;
}

static bool sum_of_list(frng *f, int *status) {
    uint8_t items[256];
    size_t count;
    unsigned sum = 0;
    FRNG_TRY(draw_coins(f, items, &count));
    for (size_t i = 0; i < count; i++) sum += items[i];
    *status = sum >= 300 ? SIGABRT : 0;
    return true;
}

/* Two bugs; what is left of the first one is the second. */
static bool two_bugs(frng *f, int *status) {
    uint8_t a, b;
    FRNG_TRY(frng_u8(f, &a) && frng_u8(f, &b));
    *status = a >= 100 ? SIGABRT : a >= 10 ? 3 << 8 : 0;
    return true;
}

/* Of 40 other failures, as many are kept as there is room for. */
static bool many_bugs(frng *f, int *status) {
    uint8_t a, b;
    FRNG_TRY(frng_u8(f, &a) && frng_u8(f, &b));
    *status = a >= 100 ? SIGABRT : (1 + a % 40) << 8;
    return true;
}

static bool close_numbers(frng *f, int *status) {
    uint32_t a, b;
    FRNG_TRY(frng_u32(f, &a) && frng_u32(f, &b));
    const uint32_t distance = a > b ? a - b : b - a;
    *status = distance == 1 && a >= 1000 && b >= 1000 ? SIGABRT : 0;
    return true;
}

/* 8 of the one number go with 12 of the other. */
static bool slope(frng *f, int *status) {
    uint64_t a, b;
    FRNG_TRY(frng_u64(f, &a) && frng_u64(f, &b));
    const uint64_t x = a / 4 * 3, y = b / 4 * 2;
    *status = (x > y ? x - y : y - x) <= 2 && a > 100000 ? SIGABRT : 0;
    return true;
}

/* Return a number with a 0 before each bit. */
static uint64_t spread(uint64_t x) {
    uint64_t y = 0;
    for (unsigned i = 0; i < 32; i++) y |= (x >> i & 1) << 2 * i;
    return y;
}

/* The one number falls as the other does, by amounts that tell nothing of the next ones. */
static bool steps_of_all_sizes(frng *f, int *status) {
    uint64_t a, b;
    FRNG_TRY(frng_u64(f, &a) && frng_u64(f, &b));
    *status = a > 1000 && b >= spread(a) && b <= spread(a + 1) ? SIGABRT : 0;
    return true;
}

/* Without draws that are told: some byte of 128 or more behind the first. */
static bool raw_bytes(frng *f, int *status) {
    const uint8_t *bytes;
    const size_t size = frng_left(f);
    FRNG_TRY(frng_bytes(f, size, &bytes));
    for (size_t i = 1; i < size; i++) {
        if (bytes[i] >= 128) *status = SIGABRT;
    }
    return true;
}

enum { MANY = 12 };

/* Values that have nothing to do with each other. */
static bool many_values(frng *f, int *status) {
    *status = SIGABRT;
    for (unsigned i = 0; i < MANY; i++) {
        uint8_t x;
        FRNG_TRY(frng_u8(f, &x));
        if (x < 10 + i) *status = 0;
    }
    return true;
}

/* Fails as long as at least six items are left, then one time in four. */
static bool flaky_once_small(frng *f, int *status) {
    uint8_t items[256];
    size_t count;
    uint64_t state = sut_call * 7 + 1;
    FRNG_TRY(draw_coins(f, items, &count));
    *status = count >= 6 || (count >= 1 && dice(&state, 4) == 0) ? SIGABRT : 0;
    return true;
}

static unsigned calls_failing;

static bool first_calls_only(frng *f, int *status) {
    FRNG_TRY(any_byte(f, status));
    if (sut_call >= calls_failing) *status = 0;
    return true;
}

/* ---- Where it ends ---- */

static uint8_t noise[64];

/* Bytes of this seed with which the test fails. */
static const uint8_t *failing_noise(sut_test *test, uint64_t seed) {
    uint64_t state = seed * 1000;
    for (int tries = 0; tries < 100000; tries++) {
        int status = 0;
        for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)dice(&state, 256);
        frng f = frng_init(noise, sizeof noise);
        if (test(&f, &status) && status == SIGABRT) return noise;
    }
    ck_abort_msg("it never fails");
    return NULL;
}

static const uint8_t close_start[] = {0x2c, 0xff, 0xff, 0xff, 0x2b, 0xff, 0xff, 0xff};
static const uint8_t many[MANY] = {60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60};
static const uint8_t first_bug[] = {200, 77}, second_bug[] = {50, 77};

static const struct {
    sut_test *test;
    const uint8_t *start; /* NULL: noise */
    size_t size;
    const char *values; /* of the result */
    uint64_t calls_max;
} simplest[] = {
    {anything, (const uint8_t *)"", 0, "", 10},
    {anything, NULL, 0, "", 20},
    {any_byte, NULL, 0, "0", 20},
    {sum_of_list, NULL, 0, "1 45 1 255 0", 700},
    {raw_bytes, NULL, 0, "0 128", 300},
    {two_bugs, first_bug, 2, "100 0", 60},
    {close_numbers, close_start, 8, "1000 1001", 400}, /* no zigzag */
    {many_values, many, MANY, "10 11 12 13 14 15 16 17 18 19 20 21", 1200},
};
enum { SIMPLEST = sizeof simplest / sizeof *simplest };

static reduce_config config_of_row(size_t i, uint64_t seed) {
    if (simplest[i].start != NULL) return config_of(simplest[i].start, simplest[i].size);
    return config_of(failing_noise(simplest[i].test, seed), sizeof noise);
}

TEST_EACH(small_tests_end_at_their_simplest, SIMPLEST) {
    for (uint64_t seed = 0; seed < 10; seed++) {
        const reduce_config config = config_of_row((size_t)_i, seed);
        prepare(simplest[_i].test);
        subject.is_silent = simplest[_i].test == raw_bytes;
        reduce(&config);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_str_eq(values_of(&result.bytes), simplest[_i].values);
        ck_assert_int_eq(result.bytes.trace == TRACE_NONE,
                         subject.is_silent || result.bytes.size == 0);
        ck_assert_uint_le(result.calls, simplest[_i].calls_max);
        ck_assert_uint_eq(heard.bests, result.successes > 0);
        ck_assert_uint_eq(heard.flakies, 0);
        if (result.calls > 20) ck_assert_uint_gt(heard.progresses, 0);
        reduce_finish(&result);
    }
}

TEST(failures_of_other_signatures_are_told_and_not_taken) {
    const reduce_config config = config_of(first_bug, 2);
    prepare(many_bugs);
    reduce(&config);
    ck_assert_str_eq(values_of(&result.bytes), "100 0");
    ck_assert(signature_equal(result.best.signature, (signature){SIGNATURE_SIGNAL, SIGABRT}));
    ck_assert(heard.others >= 8 && heard.others <= DISTINCT_FAILURES_MAX);
    ck_assert(heard.other.signature.kind == SIGNATURE_EXIT && heard.other.input.size == 2);
    size_t bests = 0;
    for (size_t i = 0; i < met.count; i++) {
        const failure_row *e = &met.rows[i];
        bests += e->is_best;
        ck_assert(e->state == (e->is_best ? FAILURE_OTHER : FAILURE_MET));
        ck_assert(e->bytes != NULL && !failure_is_alike(&e->failure, &result.best));
    }
    ck_assert_uint_eq(bests, heard.others);
}

/* Passes that lower one number or both would lower the first by 8 in some calls, from 2^45 on. */
TEST(one_that_goes_on_as_it_went_does_not_creep) {
    static const uint8_t start[] = {0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 48, 0, 0};
    const reduce_config config = config_of(start, sizeof start);
    prepare(slope);
    reduce(&config);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert_str_eq(values_of(&result.bytes), "100001 149996");
    ck_assert_uint_le(result.calls, 700);
}

/* It lowers the first number by 1 in some calls, and would from 2^21 to 1,001. */
TEST(one_that_creeps_ends) {
    static const uint8_t start[] = {0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0};
    reduce_config config = config_of(start, sizeof start);
    config.calls_max = 20000;
    prepare(steps_of_all_sizes);
    reduce(&config);
    ck_assert(result.found && result.successes > 100);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert_uint_lt(result.calls, config.calls_max);
}

static void hang_at_20(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    (void)given, (void)index;
    if (s->calls == 20) o->verdict = VERDICT_TIMEOUT;
}

/* A start that is the only one goes on. */
TEST(a_candidate_that_hangs_ends_one_of_several_starts) {
    const testcase none = {.size = 0};
    for (int is_other = 0; is_other < 2; is_other++) {
        reduce_config config = config_of(failing_noise(sum_of_list, 3), sizeof noise);
        config.other_answer = is_other ? &none : NULL;
        prepare(sum_of_list);
        subject.meddle = hang_at_20;
        reduce(&config);
        ck_assert(result.found);
        ck_assert_int_eq(result.has_hung, is_other);
        ck_assert_int_eq(result.stop.end, is_other ? END_SPENT : END_DONE);
        if (is_other) ck_assert_uint_lt(result.calls, 30);
        reduce_finish(&result);
    }
}

/* What a budget has paid for is not lost. */
TEST(more_calls_are_never_worse) {
    size_t size = SIZE_MAX;
    for (uint64_t calls_max = 2; calls_max < 200; calls_max += 5) {
        reduce_config config = config_of(failing_noise(sum_of_list, 3), sizeof noise);
        config.calls_max = calls_max;
        prepare(sum_of_list);
        reduce(&config);
        ck_assert_uint_le(result.bytes.size, size);
        size = result.bytes.size;
        reduce_finish(&result);
    }
    ck_assert_uint_le(size, 5);
}

/* ---- What does not always fail ---- */

enum { ENDS_SOON = 100000, SEEDS = 20, START = 32 };

static uint64_t luck;
static unsigned (*chance)(size_t size); /* in how many of 100 runs this many bytes fail */

static unsigned falls_from_most(size_t size) { return (unsigned)size * 80 / START; }
static unsigned falls_from_all(size_t size) {
    return size >= START * 3 / 4 ? 100 : (unsigned)size * 4;
}
static unsigned falls_late(size_t size) { return size >= 4 ? 100 : 30 + (unsigned)size; }
static unsigned is_the_same(size_t size) { return size > 3 ? 80 : 0; }
static unsigned is_high_when_reduced(size_t size) { return size < 3 ? 0 : size >= START ? 50 : 90; }

static bool fails_by_chance(frng *f, int *status) {
    luck = luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    *status = (luck >> 33) % 100 < chance(f->size) ? SIGABRT : 0;
    return true;
}

static void reduce_flaky(sut_test *test, const uint8_t *start, size_t size, bool is_fresh) {
    reduce_config config = config_of(start, size);
    config.calls_max = ENDS_SOON;
    config.is_fresh = is_fresh;
    reduce_finish(&result); /* of the one before */
    prepare(test);
    subject.is_silent = test == fails_by_chance;
    reduce(&config);
    ck_assert_msg(result.stop.end == END_DONE || result.stop.end == END_PASSES, "it has no end");
}

TEST(a_test_that_becomes_flaky_is_noticed_once) {
    static const uint8_t start[] = {1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 0};
    reduce_flaky(flaky_once_small, start, sizeof start, false);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert_uint_eq(heard.flakies, 1);
}

/* One run that fails is not enough for a result. */
TEST(the_start_stops_failing) {
    for (calls_failing = 0; calls_failing < 12; calls_failing++) {
        reduce_flaky(first_calls_only, second_bug, 2, false);
        if (calls_failing > 1) continue;
        ck_assert(!result.found && result.stop.end == END_PASSES);
        ck_assert_int_eq(result.seen.verdict, calls_failing == 0 ? VERDICT_PASS : VERDICT_FAIL);
    }
}

/* Nor is what passed when it was run again, whatever ends the reduction: the start always fails. */
TEST(no_budget_ends_with_what_passed) {
    static const uint8_t start[] = {1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 0};
    for (uint64_t calls_max = 2; calls_max < 400; calls_max++) {
        reduce_config config = config_of(start, sizeof start);
        config.calls_max = calls_max;
        reduce_finish(&result);
        prepare(flaky_once_small);
        reduce(&config);
        ck_assert(result.found && !failure_is_flaky(&result.best));
    }
}

/* What fails less often never takes the place of what fails more often; what fails as often is
 * reduced all the same. */
static const struct {
    unsigned (*chance)(size_t);
    unsigned least;     /* of the result, where a run was seen to pass */
    size_t size, count; /* a result of at most that size, in so many reductions */
} chances[] = {
    {falls_from_most, 40, START, SEEDS / 2},
    {falls_from_all, 60, START, SEEDS / 2},
    {falls_late, 100, START, SEEDS / 2},
    {is_the_same, 80, 10, SEEDS * 3 / 4},
    {is_high_when_reduced, 0, START - 1, SEEDS / 2},
};

TEST_EACH(a_chance_is_kept, sizeof chances / sizeof *chances) {
    unsigned small = 0;
    uint8_t start[START];
    chance = chances[_i].chance;
    for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)(i + 1);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        luck = seed * 977 + 1;
        reduce_flaky(fails_by_chance, start, sizeof start, seed % 2 == 0);
        if (!result.found) continue;
        small += result.bytes.size <= chances[_i].size;
        if (heard.flakies == 0) continue; /* nothing was seen to pass: 3 reruns of 3 */
        ck_assert_uint_ge(chance(result.bytes.size), chances[_i].least);
    }
    ck_assert_uint_ge(small, chances[_i].count);
}

/* ---- A file that is interesting in one run of five ---- */

enum { SIGNS = 60 };

static bool has_signs_by_chance(frng *f, int *status) {
    size_t signs = 0;
    uint8_t byte;
    for (size_t left = f->size; left > 0; left--) {
        FRNG_TRY(frng_u8(f, &byte));
        signs += byte == 'c';
    }
    fails_by_chance(f, status);
    if (signs < SIGNS) *status = 0;
    return true;
}

static unsigned is_one_of_five(size_t size) { return size > 0 ? 20 : 0; }

/* Hundreds of small steps, of which each would take 40 reruns: 27,604 to 35,495 calls. */
TEST(a_flaky_file_ends_soon) {
    enum { CALLS = 16000 };
    static uint8_t start[2048];
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof start; i++)
        start[i] = (uint8_t)(i % 64 == 63 ? '\n' : 'a' + dice(&state, 16));
    chance = is_one_of_five;
    for (uint64_t seed = 0; seed < 3; seed++) {
        luck = seed * 977 + 1;
        reduce_config config = config_of(start, sizeof start);
        config.is_fresh = config.is_file = true;
        reduce_finish(&result);
        prepare(has_signs_by_chance);
        subject.is_silent = true;
        reduce(&config);
        ck_assert(result.found && result.stop.end == END_DONE);
        ck_assert_uint_le(result.bytes.size, SIGNS * 3 / 2);
        ck_assert_msg(result.calls < CALLS, "%d calls", (int)result.calls);
    }
}

/* ---- Workers ---- */

/* What all workers share. */
static struct {
    uint64_t calls;
    uint64_t signal_at, kill_at; /* the call that interrupts the reduction, or kills its worker */
    pid_t driver;
} * crowd;

static outcome judge_in_crowd(void *context, candidate_set *given, uint32_t index, bool capture) {
    const uint64_t call = __atomic_fetch_add(&crowd->calls, 1, __ATOMIC_SEQ_CST);
    (void)context;
    if (call > 0 && call == crowd->kill_at) kill(getpid(), SIGKILL);
    if (call > 0 && call == crowd->signal_at) kill(crowd->driver, SIGUSR1);
    return judge_given(&subject, given, index, capture);
}

static reduce_config config_of_way(int way, reduce_config config) {
    static const unsigned jobs[] = {2, 4, 8};
    config.jobs = jobs[way / 2];
    config.is_fresh = way % 2 == 1;
    return config;
}
enum { WAYS = 6 };

static void reduce_in_crowd(const reduce_config *config, sut_test *test, uint64_t signal_at,
                            uint64_t kill_at) {
    const runner_fake_config fake = {.judge_given = judge_in_crowd};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    const int interrupt_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (crowd == NULL)
        crowd =
            mmap(NULL, sizeof *crowd, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(crowd, MAP_FAILED);
    memset(crowd, 0, sizeof *crowd);
    crowd->signal_at = signal_at;
    crowd->kill_at = kill_at;
    crowd->driver = getpid();
    reduce_finish(&result); /* of the one before */
    prepare(test);
    reduce_in(config->jobs, config, &fake, interrupt_fd, &listener, &result);
    ck_assert_uint_le(result.calls, crowd->calls);
    ck_assert_uint_eq(heard.flakies, 0);
    if (heard.bests > 0) ck_assert_uint_eq(heard.last.input.size, result.bytes.size);
    struct signalfd_siginfo info;
    if (signal_at > 0) ck_assert_int_eq(read(interrupt_fd, &info, sizeof info), (int)sizeof info);
    close(interrupt_fd);
}

TEST_EACH(jobs_end_by_a_limit_or_a_signal_and_survive_a_worker, WAYS) {
    static const struct {
        uint64_t calls_max, signal_at, kill_at;
        run_end end;
    } rows[] = {
        {.calls_max = 2, .end = END_SPENT},        {.calls_max = 21, .end = END_SPENT},
        {.calls_max = 40, .end = END_SPENT},       {.kill_at = 1, .end = END_DONE},
        {.kill_at = 34, .end = END_DONE},          {.signal_at = 2, .end = END_INTERRUPTED},
        {.signal_at = 22, .end = END_INTERRUPTED}, {.signal_at = 67, .end = END_INTERRUPTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        reduce_config config = config_of_way(_i, config_of(many, MANY));
        if (rows[i].calls_max > 0) config.calls_max = rows[i].calls_max;
        reduce_in_crowd(&config, many_values, rows[i].signal_at, rows[i].kill_at);
        ck_assert_int_eq(result.stop.end, rows[i].end);
        ck_assert(result.found);
        if (rows[i].end == END_DONE)
            ck_assert_str_eq(values_of(&result.bytes), simplest[SIMPLEST - 1].values);
        if (rows[i].end != END_SPENT) continue;
        ck_assert_uint_ge(result.calls, rows[i].calls_max);
        ck_assert_uint_le(result.calls, rows[i].calls_max + 1); /* to see the last best again */
        ck_assert_uint_le(crowd->calls, result.calls + 1);      /* one that was given up */
    }
    reduce_config config = config_of_way(_i, config_of(many, MANY));
    config.deadline_ns = clock_now_ns();
    reduce_in_crowd(&config, many_values, 0, 0);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert(!result.found && result.calls == 0);
}

SUITE(.timeout_s = 120);
