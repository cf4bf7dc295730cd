/* reduce.h on small systems under test: what it ends with, what it tells, and what it believes. */
#include "event.h"
#include "failure.h"
#include "reduce.h"
#include "signature_filter.h"
#include "suite.h"

#include "clock.h"
#include "drawn.h"
#include "engine.h"
#include "rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static sut subject;
static reduce_result result, second; /* large; each test is a process of its own */

/* ---- What is told ---- */

typedef struct told {
    size_t bests, others, alikes, flakies, doubts, progresses, steps;
    testcase last; /* the best that was announced last, as its draws are told again */
    uint8_t bytes[LOG_BYTES];
    size_t size;
    failure other;      /* the last one */
    uint64_t calls;     /* of the last progress */
    bool has_gone_back; /* to a best that failed more often */
} told;

static told heard;
static bool differs_each_time; /* what it draws, or is said to have drawn */

/* Whether some captured run of these bytes failed: not always the last run, for where things are
   flaky a success is run again at once and told when it is time to tell one. */
static bool was_seen(const uint8_t *bytes, size_t size) {
    if (subject.calls > LOG_MAX || size > LOG_BYTES) return true;
    for (size_t i = subject.calls; i-- > 0;) {
        const logged *l = &subject.log[i];
        if (l->capture && l->failed && l->size == size && memcmp(l->bytes, bytes, size) == 0) {
            return true;
        }
    }
    return false;
}

static void hear(told *t, const failure *f, const uint8_t *bytes, bool is_best) {
    if (!is_best) {
        t->others++;
        t->other = *f;
        return;
    }
    const bool goes_back = t->flakies > 0 && !t->has_gone_back && f->input.size > t->size;
    ck_assert_uint_gt(f->repeated, 0);
    if (t->flakies == 0) ck_assert_uint_eq(f->repeated, f->reruns);
    ck_assert_uint_le(f->input.size, LOG_BYTES);
    if (t->bests > 0 && !goes_back) ck_assert_uint_le(f->input.size, t->size);
    t->has_gone_back |= goes_back;
    t->size = f->input.size;
    memcpy(t->bytes, bytes, t->size);
    testcase now = testcase_drawn(subject.test, bytes, f->input.size);
    if (t->bests > 0 && !differs_each_time && !goes_back) {
        ck_assert_msg(testcase_compare(&now, &t->last) < 0, "bests must get simpler");
    }
    if (t->bests++ > 0) testcase_finish(&t->last);
    t->last = now;
}

static void on_failure(void *context, const failure *f, const uint8_t *bytes, bool is_best,
                       const progress *p) {
    ck_assert_msg(was_seen(bytes, f->input.size), "it was announced before it had failed again");
    ck_assert_uint_eq(p->runs, subject.calls);
    hear(context, f, bytes, is_best);
}

static void on_flaky(void *context, const failure *f) {
    told *t = context;
    ck_assert_uint_lt(f->repeated, f->reruns);
    t->flakies++;
}

static void on_progress(void *context, const progress *p) {
    told *t = context;
    t->progresses++;
    ck_assert_uint_ge(p->runs, t->calls);
    ck_assert_uint_eq(p->runs, subject.calls);
    ck_assert_ptr_nonnull(p->pass);
    t->calls = p->runs;
}

static void on_step(void *context, const byte_change *c, const progress *p) {
    told *t = context;
    t->steps++;
    ck_assert_uint_eq(p->steps, t->steps);
    ck_assert_ptr_nonnull(p->pass);
    ck_assert_uint_le(c->offset + c->inserted, p->size);
    ck_assert_uint_ge(c->removed + c->inserted, 1);
    ck_assert(c->removed >= c->inserted || t->flakies > 0);
    ck_assert_uint_le(p->rank_bits, 64 * p->draws);
}

static void take(void *context, const event *e) {
    told *t = context;
    switch (e->kind) {
    case EVENT_BEST:
    case EVENT_OTHER:
        on_failure(context, e->failure, e->bytes, e->kind == EVENT_BEST, &e->progress);
        return;
    case EVENT_FLAKY: on_flaky(context, e->failure); return;
    case EVENT_ISOLATION:
    case EVENT_NONDETERMINISTIC:
    case EVENT_WRONG_RECORD:
    case EVENT_LEAKS: t->doubts++; return;
    case EVENT_PROGRESS: on_progress(context, &e->progress); return;
    case EVENT_ALIKE: t->alikes++; return;
    case EVENT_STEP: on_step(context, e->change, &e->progress); return;
    case EVENT_PASS_DROPPED: return;
    case EVENT_STARTED:
    case EVENT_ALIVE:
    case EVENT_TESTED:
    case EVENT_REPLAYED:
    case EVENT_FINISHED: ck_abort_msg("a reduction emits no such event");
    }
}

static const event_sink listener = {take, &heard};

/* ---- Running one ---- */

/* What must hold whatever the test. */
static void check_result(const reduce_config *config) {
    ck_assert_uint_le(result.bytes.size, config->size);
    ck_assert_int_eq(result.found, result.bytes.bytes != NULL);
    if (result.stop.end == END_DONE) ck_assert(result.found);
    if (result.stop.end == END_PASSES) ck_assert(!result.found);
    if (!result.found) {
        ck_assert_uint_eq(heard.bests, 0);
        return;
    }
    ck_assert_msg(result.best.repeated > 0, "found, and never seen again");
    if (heard.flakies == 0) ck_assert_uint_eq(result.best.repeated, result.best.reruns);
    ck_assert_uint_eq(result.best.input.size, result.bytes.size);
    if (heard.bests > 0) {
        ck_assert_uint_eq(result.bytes.size, heard.size);
        ck_assert_mem_eq(result.bytes.bytes, heard.bytes, heard.size);
    }
    uint64_t calls = 0, successes = 0;
    for (size_t i = 0; i < result.statistics_count; i++) {
        calls += result.statistics[i].calls;
        successes += result.statistics[i].successes;
        ck_assert_ptr_nonnull(result.statistics[i].name);
    }
    ck_assert_uint_lt(calls, result.calls);
    ck_assert_uint_eq(successes, result.successes);
    ck_assert_uint_eq(heard.steps, result.successes);
}

static void prepare(sut_test *test) {
    memset(&subject, 0, sizeof subject);
    testcase_finish(&heard.last);
    memset(&heard, 0, sizeof heard);
    subject.test = test;
}

static void reduce_now(const reduce_config *config) {
    reduce_with(config, &subject, &listener, &result);
    ck_assert_uint_eq(result.calls, subject.calls);
    check_result(config);
}

/* From these bytes, whatever subject is. */
static void reduce_bytes(const uint8_t *bytes, size_t size) {
    const reduce_config config = config_of(bytes, size);
    reduce_now(&config);
}

/* ---- Systems under test ---- */

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
    for (*count = 0; *count < 256; ++*count) {
        bool more;
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

static bool reversed(frng *f, int *status) {
    uint8_t items[256];
    size_t count;
    FRNG_TRY(draw_coins(f, items, &count));
    for (size_t i = 0; i < count; i++) {
        if (items[i] != items[count - 1 - i]) *status = SIGABRT;
    }
    return true;
}

/* Two bugs; what is left of the first one is the second. */
static bool two_bugs(frng *f, int *status) {
    uint8_t a, b;
    FRNG_TRY(frng_u8(f, &a) && frng_u8(f, &b));
    if (a >= 100) {
        *status = SIGABRT;
    } else if (a >= 10) {
        *status = 3 << 8;
    }
    return true;
}

static bool close_numbers(frng *f, int *status) {
    uint32_t a, b;
    FRNG_TRY(frng_u32(f, &a) && frng_u32(f, &b));
    const uint32_t distance = a > b ? a - b : b - a;
    *status = distance == 1 && a >= 1000 && b >= 1000 ? SIGABRT : 0;
    return true;
}

static bool passes_always(frng *f, int *status) {
    (void)status;
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
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

/* ---- Where it ends ---- */

static uint8_t noise[64];

/* Bytes of this seed with which the test fails. */
static const uint8_t *failing_noise(sut_test *test, uint64_t seed) {
    uint64_t state = seed * 1000;
    for (int tries = 0; tries < 100000; tries++) {
        int status = 0;
        for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)dice(&state, 256);
        frng f = frng_init(noise, sizeof noise);
        if (test(&f, &status) && status != 0) return noise;
    }
    ck_abort_msg("it never fails");
    return NULL;
}

typedef struct fixpoint {
    sut_test *test;
    const char *values;
} fixpoint;

static const fixpoint fixpoints[] = {
    {anything, ""},          {any_byte, "0"},     {sum_of_list, "1 45 1 255 0"},
    {reversed, "1 0 1 1 0"}, {two_bugs, "100 0"},
};
enum { FIXPOINTS = sizeof fixpoints / sizeof *fixpoints };

TEST_EACH(small_tests_end_at_their_simplest, FIXPOINTS) {
    const fixpoint *x = &fixpoints[_i];
    for (uint64_t seed = 0; seed < 20; seed++) {
        const uint8_t *start = failing_noise(x->test, seed);
        if (x->test == two_bugs && start[0] < 100) continue;
        prepare(x->test);
        reduce_bytes(start, sizeof noise);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_str_eq(values_of(&result.bytes), x->values);
        ck_assert_uint_eq(heard.flakies, 0);
        if (x->test != anything) ck_assert_uint_gt(heard.progresses, 0);
        ck_assert_uint_le(heard.bests, 1);
        ck_assert_uint_eq(heard.bests, result.successes > 0);
        reduce_finish(&result);
    }
}

/* What is the simplest stays so, and nothing is told of it. */
TEST(a_result_is_a_fixpoint) {
    for (size_t i = 0; i < FIXPOINTS; i++) {
        prepare(fixpoints[i].test);
        const uint8_t *start = failing_noise(fixpoints[i].test, 1);
        reduce_bytes(start, sizeof noise);
        const uint64_t calls = result.calls;
        second = result;
        prepare(fixpoints[i].test);
        reduce_bytes(second.bytes.bytes, second.bytes.size);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_int_eq(testcase_compare(&result.bytes, &second.bytes), 0);
        ck_assert_uint_eq(result.successes, 0);
        ck_assert_uint_eq(heard.bests, 0);
        ck_assert_uint_le(result.calls, calls);
        reduce_finish(&second);
        reduce_finish(&result);
    }
}

TEST(two_close_numbers_do_not_zig_zag) {
    uint8_t start[8] = {0x2c, 0xff, 0xff, 0xff, 0x2b, 0xff, 0xff, 0xff};
    prepare(close_numbers);
    reduce_bytes(start, sizeof start);
    ck_assert_str_eq(values_of(&result.bytes), "1000 1001");
    ck_assert_uint_lt(result.calls, 400);
    reduce_finish(&result);
}

TEST(no_bytes_at_all) {
    prepare(anything);
    reduce_bytes(NULL, 0);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert_uint_eq(result.bytes.size, 0);
    reduce_finish(&result);
}

TEST(without_traces_bytes_are_reduced) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        const uint8_t *start = failing_noise(raw_bytes, seed);
        prepare(raw_bytes);
        subject.is_silent = true;
        reduce_bytes(start, sizeof noise);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert(result.bytes.trace == TRACE_NONE);
        ck_assert_str_eq(values_of(&result.bytes), "0 128");
        reduce_finish(&result);
    }
}

/* ---- Two bugs ---- */

static const uint8_t first_bug[] = {200, 77}, second_bug[] = {50, 77};

TEST(it_does_not_slip_to_another_bug) {
    prepare(two_bugs);
    reduce_bytes(first_bug, 2);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert_str_eq(values_of(&result.bytes), "100 0");
    ck_assert(signature_equal(result.best.signature, (signature){SIGNATURE_SIGNAL, SIGABRT}));
    ck_assert_uint_ge(heard.others, 1); /* and tells the other one */
    ck_assert(signature_equal(heard.other.signature, (signature){SIGNATURE_EXIT, 3}));
    ck_assert_uint_eq(heard.other.input.size, 2);
    reduce_finish(&result);
}

/* Of 40 other failures, as many are kept as there is room for. */
static bool many_bugs(frng *f, int *status) {
    uint8_t a, b;
    FRNG_TRY(frng_u8(f, &a) && frng_u8(f, &b));
    *status = a >= 100 ? SIGABRT : (1 + a % 40) << 8;
    return true;
}

TEST(each_other_failure_is_told_at_its_simplest) {
    prepare(many_bugs);
    reduce_bytes(first_bug, 2);
    ck_assert_str_eq(values_of(&result.bytes), "100 0");
    ck_assert_uint_ge(heard.others, 8);
    ck_assert_uint_le(heard.others, DISTINCT_FAILURES_MAX);
    ck_assert_uint_eq(heard.other.input.size, 2);
    reduce_finish(&result);
}

TEST(any_failure_will_do) {
    reduce_config config = config_of(first_bug, 2);
    config.any_failure = true;
    prepare(two_bugs);
    reduce_now(&config);
    ck_assert_str_eq(values_of(&result.bytes), "10 0");
    ck_assert(signature_equal(result.best.signature, (signature){SIGNATURE_EXIT, 3}));
    ck_assert_uint_eq(heard.others, 0);
    reduce_finish(&result);
}

TEST(only_one_of_them) {
    reduce_config config = config_of(second_bug, 2);
    signature_filter filter = {.only.count = 1};
    config.filter = &filter;
    ck_assert(signature_pattern_parse("signal:SIGABRT", &filter.only.list[0]));
    prepare(two_bugs);
    reduce_now(&config);
    ck_assert_int_eq(result.stop.end, END_PASSES);
    ck_assert_int_eq(result.seen.status, 3 << 8);
    reduce_finish(&result);
    ck_assert(signature_pattern_parse("exit:3", &filter.only.list[0]));
    prepare(two_bugs);
    reduce_now(&config);
    ck_assert_str_eq(values_of(&result.bytes), "10 0");
    reduce_finish(&result);
}

/* ---- What does not always fail ---- */

enum { ENDS_SOON = 20000 }; /* calls; whoever takes more has no end */

static unsigned percent, rounds_failing;

/* Of the runs that fail, some pass. */
static bool flaky_sum(frng *f, int *status) {
    uint64_t state = sut_call * 31 + percent;
    FRNG_TRY(sum_of_list(f, status));
    if (*status != 0 && dice(&state, 100) >= percent) *status = 0;
    return true;
}

static bool first_calls_only(frng *f, int *status) {
    FRNG_TRY(any_byte(f, status));
    if (sut_call >= rounds_failing) *status = 0;
    return true;
}

static void reduce_flaky(sut_test *test, const uint8_t *start, size_t size) {
    reduce_config config = config_of(start, size);
    config.calls_max = ENDS_SOON;
    prepare(test);
    reduce_now(&config);
    ck_assert_msg(result.stop.end == END_DONE || result.stop.end == END_PASSES, "it has no end");
}

TEST_EACH(flaky_from_the_start, 7) {
    static const unsigned rates[] = {95, 90, 75, 50, 25, 10, 5};
    unsigned found = 0;
    percent = rates[_i];
    for (uint64_t seed = 0; seed < 20; seed++) {
        reduce_flaky(flaky_sum, failing_noise(sum_of_list, seed), sizeof noise);
        found += result.found;
        if (result.stop.end == END_DONE && percent >= 50) {
            ck_assert_uint_le(result.bytes.size, 5 + 4);
        }
        reduce_finish(&result);
    }
    if (percent >= 50) ck_assert_uint_gt(found, 5);
}

/* Begins as the byte says and goes on otherwise. */
static bool flaky_once_small(frng *f, int *status) {
    uint8_t items[256];
    size_t count;
    uint64_t state = sut_call * 7 + 1;
    FRNG_TRY(draw_coins(f, items, &count));
    *status = count >= 6 || (count >= 1 && dice(&state, 4) == 0) ? SIGABRT : 0;
    return true;
}

TEST(a_test_that_becomes_flaky_is_noticed) {
    static const uint8_t start[] = {1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 0};
    reduce_flaky(flaky_once_small, start, sizeof start);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert_uint_eq(heard.flakies, 1);
    reduce_finish(&result);
}

/* The very bytes it began from stop failing. */
TEST_EACH(it_fails_a_few_times_and_then_never, 12) {
    const uint8_t start[] = {5, 6};
    rounds_failing = (unsigned)_i;
    reduce_flaky(first_calls_only, start, sizeof start);
    reduce_finish(&result);
}

/* One run that fails is not enough for a result. */
TEST(a_start_that_fails_once) {
    const uint8_t start[] = {5};
    rounds_failing = 1;
    reduce_flaky(first_calls_only, start, sizeof start);
    ck_assert(!result.found);
    reduce_finish(&result);
}

TEST(a_start_that_fails_once_with_bytes_left) {
    const uint8_t start[] = {5, 6};
    rounds_failing = 1;
    reduce_flaky(first_calls_only, start, sizeof start);
    ck_assert_int_eq(result.stop.end, END_PASSES);
    ck_assert_int_eq(result.seen.verdict, VERDICT_FAIL); /* once */
    reduce_finish(&result);
}

/* Draws another test each time: its first bits are of no use. */
static bool otherwise_each_time(frng *f, int *status) {
    uint64_t state = sut_call;
    uint8_t x;
    bool b;
    uint32_t y;
    for (uint64_t left = 1 + dice(&state, 6); left > 0; left--) {
        switch (dice(&state, 3)) {
        case 0: FRNG_TRY(frng_bool(f, &b)); break;
        case 1: FRNG_TRY(frng_u8_max(f, (uint8_t)dice(&state, 256), &x)); break;
        default: FRNG_TRY(frng_u32_max(f, (uint32_t)dice(&state, UINT32_MAX), &y)); break;
        }
    }
    *status = SIGABRT;
    return true;
}

TEST(draws_that_differ_on_each_run) {
    differs_each_time = true;
    for (uint64_t seed = 0; seed < 50; seed++) {
        reduce_flaky(otherwise_each_time, failing_noise(anything, seed), sizeof noise);
        reduce_finish(&result);
    }
}

/* ---- What is told is nonsense ---- */

static void shuffle_records(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    uint64_t state = s->calls;
    (void)index;
    (void)o;
    for (uint64_t i = given->record_count; i > 1; i--) {
        const uint64_t k = dice(&state, i);
        const frng_trace_record moved = given->records[i - 1];
        given->records[i - 1] = given->records[k];
        given->records[k] = moved;
    }
}

static void spoil_records(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    uint64_t state = s->calls;
    (void)index;
    (void)o;
    for (uint64_t i = 0; i < given->record_count; i++) {
        frng_trace_record *r = &given->records[i];
        switch (dice(&state, 8)) {
        case 0: r->kind = (uint8_t)dice(&state, 8); break;
        case 1: r->u.draw.max = dice(&state, 1000); break;
        case 2: r->u.draw.value = dice(&state, 1000); break;
        case 3: r->taken = dice(&state, 1000); break;
        case 4: r->width = (uint8_t)dice(&state, 12); break;
        default: break;
        }
    }
}

/* Each run is said to have drawn something else. */
static void spoil_counts(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    uint64_t state = s->calls;
    o->drawn = dice(&state, 100);
    given->passes[index] = (candidate_pass){dice(&state, 100), dice(&state, 2) == 0};
}

static void lose_records(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    uint64_t state = s->calls;
    (void)index;
    (void)o;
    given->record_count = dice(&state, given->record_count + 1);
}

TEST_EACH(nonsense_is_told, 4) {
    static void (*const meddlers[])(sut *, candidate_set *, uint32_t, outcome *) = {
        shuffle_records, spoil_records, spoil_counts, lose_records};
    differs_each_time = true;
    for (uint64_t seed = 0; seed < 30; seed++) {
        reduce_config config = config_of(failing_noise(sum_of_list, seed), sizeof noise);
        config.calls_max = ENDS_SOON;
        prepare(sum_of_list);
        subject.meddle = meddlers[_i];
        reduce_now(&config);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_uint_lt(result.bytes.size, sizeof noise);
        reduce_finish(&result);
    }
}

/* ---- Other ends ---- */

TEST(what_passes_is_not_reduced) {
    prepare(passes_always);
    reduce_bytes(first_bug, 2);
    ck_assert_int_eq(result.stop.end, END_PASSES);
    ck_assert_int_eq(result.seen.verdict, VERDICT_PASS);
    ck_assert_uint_eq(result.calls, 20);
    ck_assert_uint_eq(heard.progresses, 0);
    reduce_finish(&result);
}

TEST(a_deadline_that_has_passed) {
    reduce_config config = config_of(first_bug, 2);
    config.deadline_ns = clock_now_ns();
    prepare(two_bugs);
    reduce_with(&config, &subject, &listener, &result);
    check_result(&config);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert(!result.found);
    ck_assert_uint_eq(result.calls, 0); /* the first run has begun, and counts when it ends */
    reduce_finish(&result);
}

/* A few more are allowed for what is under way and to see the last best again. */
static uint64_t spend(uint64_t calls_max, uint64_t seed) {
    reduce_config config = config_of(failing_noise(sum_of_list, seed), sizeof noise);
    config.calls_max = calls_max;
    prepare(sum_of_list);
    reduce_now(&config);
    ck_assert(result.stop.end == END_SPENT || result.stop.end == END_DONE);
    return result.calls;
}

TEST(so_many_calls_at_most) {
    for (uint64_t calls_max = 2; calls_max < 300; calls_max += ROUNDS_STEP) {
        const uint64_t calls = spend(calls_max, calls_max);
        if (result.stop.end == END_SPENT) ck_assert_uint_ge(calls, calls_max);
        ck_assert_uint_le(calls, calls_max + 1); /* to see the last best again */
        ck_assert(result.found);
        reduce_finish(&result);
    }
}

/* What a budget has paid for is not lost. */
TEST(more_calls_are_never_worse) {
    size_t size = SIZE_MAX;
    for (uint64_t calls_max = 2; calls_max < 200; calls_max += 5 * ROUNDS_STEP) {
        spend(calls_max, 3);
        ck_assert_uint_le(result.bytes.size, size);
        size = result.bytes.size;
        reduce_finish(&result);
    }
    ck_assert_uint_le(size, 5);
}

/* One call: it failed, and nobody has seen it again. */
TEST(one_call_finds_nothing) {
    spend(1, 1);
    ck_assert(!result.found);
    reduce_finish(&result);
}

static void error_at_30(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    (void)given;
    (void)index;
    if (s->calls >= 30) *o = outcome_error(FAULT_EXEC, ENOENT);
}

static void error_at_once(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    (void)s;
    (void)given;
    (void)index;
    *o = outcome_error(FAULT_EXEC, EACCES);
}

TEST(an_error_ends_it) {
    prepare(sum_of_list);
    subject.meddle = error_at_once;
    reduce_bytes(failing_noise(sum_of_list, 1), sizeof noise);
    ck_assert_int_eq(result.stop.end, END_ENVIRONMENT);
    ck_assert_int_eq(result.stop.error.error_number, EACCES);
    ck_assert_uint_eq(result.calls, 1);
    reduce_finish(&result);
    prepare(sum_of_list);
    subject.meddle = error_at_30;
    reduce_bytes(noise, sizeof noise);
    ck_assert_int_eq(result.stop.end, END_ENVIRONMENT);
    ck_assert_int_eq(result.stop.error.error_number, ENOENT);
    ck_assert(result.found); /* what was seen before is kept */
    reduce_finish(&result);
}

TEST(no_passes_at_all) {
    static const pass *const none[] = {NULL};
    reduce_config config = config_of(first_bug, 2);
    config.passes = none;
    prepare(two_bugs);
    reduce_with(&config, &subject, &nobody, &result);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert_str_eq(values_of(&result.bytes), "200 77");
    reduce_finish(&result);
}

/* ---- Several jobs ---- */

/* Of all workers, in memory that they share with the driver: the subject is copied for each. */
typedef struct crowd {
    uint64_t calls;
    unsigned nap_us;     /* a run takes a third of that, to all of it; 0: no time at all */
    uint64_t signal_at;  /* the call that sends SIGUSR1 to ... */
    pid_t signalled;     /* ... this process; 0: none does */
    uint64_t kill_at;    /* the call in which the worker dies; 0: none */
    bool is_fresh;       /* a failure needs no other run to be believed */
    logged log[LOG_MAX]; /* by call; only what has been told is whole */
} crowd;

enum { NAP_US = 600 };

static crowd *all;
static testcase begun; /* what it is to reduce */

static void nap(uint64_t call) {
    uint64_t state = call;
    if (all->nap_us == 0) return;
    const uint64_t us = all->nap_us / 3 + dice(&state, all->nap_us - all->nap_us / 3);
    nanosleep(&(struct timespec){0, (long)us * 1000}, NULL);
}

static outcome judge_in_crowd(void *context, candidate_set *given, uint32_t index, bool capture) {
    const uint64_t call = __atomic_fetch_add(&all->calls, 1, __ATOMIC_SEQ_CST);
    const uint64_t size = candidate_set_size(given, index);
    (void)context;
    nap(call);
    if (call > 0 && call == all->kill_at) kill(getpid(), SIGKILL);
    if (call == all->signal_at && all->signalled > 0) {
        if (kill(all->signalled, SIGUSR1) != 0) abort();
    }
    subject.calls = call;
    const outcome o = judge_given(&subject, given, index, capture);
    if (call < LOG_MAX && size <= LOG_BYTES) {
        logged *l = &all->log[call];
        *l = (logged){.size = size, .capture = capture, .failed = outcome_failed(&o)};
        if (size > 0) memcpy(l->bytes, candidate_set_bytes(given, index), size);
    }
    return o;
}

/* The fake runner, and how long its runs took: candidate sets that are slow are run side by side.
 */
typedef struct timed_runner {
    runner base;
    runner *inner;
} timed_runner;

static void timed_run(runner *base, const batch *runs, run_purpose purpose, run_result *r) {
    const timed_runner *t = (timed_runner *)base;
    const int64_t start_ns = clock_now_ns();
    t->inner->ops->run(t->inner, runs, purpose, r);
    r->took_ns = clock_now_ns() - start_ns;
}

static void timed_destroy(runner *base) {
    const timed_runner *t = (timed_runner *)base;
    t->inner->ops->destroy(t->inner);
    free(base);
}

static runner *timed_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {timed_run, timed_destroy};
    timed_runner *t = malloc(sizeof *t);
    if (t == NULL) abort();
    *t = (timed_runner){{&ops}, runner_fake_create(config, watch, error_number)};
    if (t->inner == NULL) abort();
    return &t->base;
}

/* Some run of these bytes failed in a process that ran nothing else. Where all do so, one of more
 * bytes will do, of which it drew these. */
static bool was_seen_by_crowd(const uint8_t *bytes, size_t size) {
    const uint64_t calls = __atomic_load_n(&all->calls, __ATOMIC_SEQ_CST);
    if (size > LOG_BYTES || calls > LOG_MAX) return true;
    for (uint64_t i = 0; i < calls; i++) {
        const logged *l = &all->log[i];
        const bool believed = l->failed && (l->capture || all->is_fresh);
        const bool fits = all->is_fresh ? l->size >= size : l->size == size;
        if (believed && fits && memcmp(l->bytes, bytes, size) == 0) return true;
    }
    return false;
}

static void on_failure_in_crowd(void *context, const failure *f, const uint8_t *bytes, bool is_best,
                                const progress *p) {
    ck_assert_msg(was_seen_by_crowd(bytes, f->input.size), "nobody has seen it fail again");
    ck_assert_uint_le(p->runs, all->calls);
    hear(context, f, bytes, is_best);
    if (!is_best || differs_each_time) return;
    ck_assert_int_lt(testcase_compare(&heard.last, &begun), 0);
}

static void on_progress_in_crowd(void *context, const progress *p) {
    told *t = context;
    t->progresses++;
    ck_assert_uint_ge(p->runs, t->calls);
    ck_assert_uint_le(p->runs, all->calls);
    ck_assert_ptr_nonnull(p->pass);
    t->calls = p->runs;
}

static void take_in_crowd(void *context, const event *e) {
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER) {
        on_failure_in_crowd(context, e->failure, e->bytes, e->kind == EVENT_BEST, &e->progress);
    } else if (e->kind == EVENT_PROGRESS) {
        on_progress_in_crowd(context, &e->progress);
    } else {
        take(context, e);
    }
}

/* jobs and is_fresh of a loop test. */
static const struct {
    unsigned jobs;
    bool is_fresh;
} ways[] = {{2, false}, {4, false}, {8, false}, {2, true}, {4, true}, {8, true}};
enum { WAYS = sizeof ways / sizeof *ways };

static void prepare_crowd(sut_test *test) {
    prepare(test);
    if (all == NULL) {
        all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ck_assert_ptr_ne(all, MAP_FAILED);
    }
    testcase_finish(&begun);
    memset(all, 0, sizeof *all);
    all->signalled = 0;
}

static reduce_config config_of_way(int way, const uint8_t *bytes, size_t size) {
    reduce_config config = config_of(bytes, size);
    config.jobs = ways[way].jobs;
    config.is_fresh = ways[way].is_fresh;
    return config;
}

static void check_crowd(const reduce_config *config) {
    check_result(config);
    ck_assert_uint_le(result.calls, all->calls);
    if (!result.found || differs_each_time) return;
    ck_assert_int_le(testcase_compare(&result.bytes, &begun), 0);
    ck_assert(was_seen_by_crowd(result.bytes.bytes, result.bytes.size));
}

static void reduce_in_crowd(const reduce_config *config, int interrupt_fd) {
    static const event_sink o = {take_in_crowd, &heard};
    const runner_fake_config fake = {.judge_given = judge_in_crowd};
    const pool_config workers = {.jobs = config->jobs,
                                 .create = timed_create,
                                 .config = &fake,
                                 .interrupt_fd = interrupt_fd,
                                 .candidate_set_bytes = reduce_candidate_set_bytes(config->size),
                                 .candidate_set_records =
                                     reduce_candidate_set_records(config->size)};
    begun = testcase_drawn(subject.test, config->bytes, config->size);
    all->is_fresh = config->is_fresh;
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    memset(&result, 0xee, sizeof result);
    reduce_run(config, p, &o, &result);
    pool_destroy(p);
    check_crowd(config);
}

/* ---- Systems under test with much to do side by side ---- */

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

/* Of two that may both be lowered, not both. */
static bool many_pairs(frng *f, int *status) {
    *status = SIGABRT;
    for (unsigned i = 0; i < MANY / 2; i++) {
        uint8_t x, y;
        FRNG_TRY(frng_u8(f, &x) && frng_u8(f, &y));
        if (x + y < 50) *status = 0;
    }
    return true;
}

/* Four elements that are large, and others that may go. */
static bool four_large(frng *f, int *status) {
    uint8_t items[256];
    size_t count;
    unsigned large = 0;
    FRNG_TRY(draw_coins(f, items, &count));
    for (size_t i = 0; i < count; i++) large += items[i] >= 100;
    *status = large >= 4 ? SIGABRT : 0;
    return true;
}

static const fixpoint parallel[] = {
    {any_byte, "0"},
    {sum_of_list, "1 45 1 255 0"},
    {reversed, "1 0 1 1 0"},
    {two_bugs, "100 0"},
    {many_values, "10 11 12 13 14 15 16 17 18 19 20 21"},
    {many_pairs, "0 50 0 50 0 50 0 50 0 50 0 50"},
    {four_large, "1 100 1 100 1 100 1 100 0"},
};
enum { PARALLEL = sizeof parallel / sizeof *parallel };

/* The same, whatever the jobs: with runs that take no time, and some. */
TEST_EACH(jobs_end_where_one_does, WAYS) {
    for (size_t i = 0; i < 2 * PARALLEL; i++) {
        const fixpoint *x = &parallel[i / 2];
        uint8_t start[24];
        memcpy(start, failing_noise(x->test, 7), sizeof start);
        if (x->test == many_values) memset(start, 60, MANY);
        if (x->test == two_bugs) memset(start, 222, 2);
        if (x->test == four_large) memset(start, 223, 20);
        if (x->test == sum_of_list) memset(start, 221, 18);
        const reduce_config config = config_of_way(_i, start, sizeof start);
        prepare(x->test);
        reduce_bytes(start, sizeof start);
        second = result;
        prepare_crowd(x->test);
        all->nap_us = i % 2 == 0 ? 0 : NAP_US;
        reduce_in_crowd(&config, -1);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_uint_eq(heard.flakies, 0);
        ck_assert_str_eq(values_of(&second.bytes), x->values);
        ck_assert_str_eq(values_of(&result.bytes), x->values);
        ck_assert_int_eq(testcase_compare(&result.bytes, &second.bytes), 0);
        reduce_finish(&second);
        reduce_finish(&result);
    }
}

/* ---- Their ends ---- */

TEST_EACH(jobs_make_so_many_calls_at_most, WAYS) {
    uint8_t start[MANY];
    memset(start, 200, sizeof start);
    for (uint64_t calls_max = 2; calls_max < 100; calls_max += calls_max < 20 ? 3 : 11) {
        reduce_config config = config_of_way(_i, start, sizeof start);
        config.calls_max = calls_max;
        prepare_crowd(many_values);
        all->nap_us = calls_max % 2 == 0 ? 0 : NAP_US;
        reduce_in_crowd(&config, -1);
        ck_assert_int_eq(result.stop.end, END_SPENT);
        ck_assert(result.found);
        ck_assert_uint_ge(result.calls, calls_max);
        ck_assert_uint_le(result.calls, calls_max + 1);  /* to see the last best again */
        ck_assert_uint_le(all->calls, result.calls + 1); /* one that was given up */
        if (result.successes > 0) ck_assert_uint_gt(heard.bests, 0);
        reduce_finish(&result);
    }
}

/* The answer of the run that sends the signal is not read any more. */
TEST_EACH(an_interrupt_ends_all_jobs, WAYS) {
    static const uint64_t at[] = {2, 3, 10, 40, 60};
    uint8_t start[MANY];
    memset(start, 200, sizeof start);
    for (size_t i = 0; i < 2 * sizeof at / sizeof *at; i++) {
        const reduce_config config = config_of_way(_i, start, sizeof start);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigprocmask(SIG_BLOCK, &set, NULL);
        const int interrupt_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
        ck_assert_int_ge(interrupt_fd, 0);
        prepare_crowd(many_values);
        all->nap_us = i % 2 == 0 ? 0 : NAP_US;
        all->signal_at = at[i / 2];
        all->signalled = getpid();
        reduce_in_crowd(&config, interrupt_fd);
        ck_assert_int_eq(result.stop.end, END_INTERRUPTED);
        ck_assert(result.found);
        if (config.is_fresh && result.successes > 0) {
            ck_assert_int_lt(testcase_compare(&result.bytes, &begun), 0);
            ck_assert_uint_gt(heard.bests, 0);
        }
        reduce_finish(&result);
        struct signalfd_siginfo info;
        ck_assert_int_eq(read(interrupt_fd, &info, sizeof info), (ssize_t)sizeof info);
        close(interrupt_fd);
    }
}

TEST_EACH(jobs_are_interrupted_at_once, WAYS) {
    uint8_t start[MANY];
    int ends[2];
    memset(start, 200, sizeof start);
    const reduce_config config = config_of_way(_i, start, sizeof start);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_eq(write(ends[1], "", 1), 1);
    prepare_crowd(many_values);
    reduce_in_crowd(&config, ends[0]);
    ck_assert_int_eq(result.stop.end, END_INTERRUPTED);
    ck_assert(!result.found);
    ck_assert_uint_le(all->calls, 1);
    reduce_finish(&result);
    close(ends[0]);
    close(ends[1]);
}

/* There is more to do than can be done by then: each run sleeps. */
TEST_EACH(jobs_meet_a_deadline, WAYS) {
    enum { DEADLINE_MS = 60, NAP_MS = 12 };
    uint8_t start[MANY];
    memset(start, 200, sizeof start);
    reduce_config config = config_of_way(_i, start, sizeof start);
    prepare_crowd(many_values);
    all->nap_us = NAP_MS * 1000;
    config.deadline_ns = clock_now_ns() + DEADLINE_MS * CLOCK_NS_PER_MS;
    reduce_in_crowd(&config, -1);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert_uint_lt(result.calls, 1 + 8 * (DEADLINE_MS / (NAP_MS / 3) + 64));
    if (result.found && result.successes > 0) ck_assert_uint_gt(heard.bests, 0);
    reduce_finish(&result);
    config.deadline_ns = clock_now_ns();
    prepare_crowd(many_values);
    reduce_in_crowd(&config, -1);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert(!result.found);
    ck_assert_uint_eq(result.calls, 0);
    ck_assert_uint_le(all->calls, 1);
    reduce_finish(&result);
}

/* ---- And what they may meet ---- */

TEST_EACH(jobs_meet_what_is_flaky, WAYS) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        reduce_config config = config_of_way(_i, failing_noise(sum_of_list, seed), sizeof noise);
        config.calls_max = ENDS_SOON;
        percent = seed % 2 == 0 ? 90 : 50;
        prepare_crowd(flaky_sum);
        all->nap_us = seed == 5 ? 300 : 0;
        reduce_in_crowd(&config, -1);
        ck_assert_msg(result.stop.end == END_DONE || result.stop.end == END_PASSES,
                      "it has no end");
        reduce_finish(&result);
    }
}

TEST_EACH(jobs_lose_a_worker, WAYS) {
    uint8_t start[MANY];
    memset(start, 200, sizeof start);
    for (uint64_t kill_at = 1; kill_at < 100; kill_at += 17) {
        const reduce_config config = config_of_way(_i, start, sizeof start);
        prepare_crowd(many_values);
        all->kill_at = kill_at;
        reduce_in_crowd(&config, -1);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_str_eq(values_of(&result.bytes), "10 11 12 13 14 15 16 17 18 19 20 21");
        reduce_finish(&result);
    }
}
