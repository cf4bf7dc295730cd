/* frng_sched.h: the exact interleavings of literal bytes, and how runs end. */
#include "dying.h"
#include "frng_sched.h"
#include "rounds.h"

/* The smallest byte for each number of points: see the weights in frng_sched.h. */
enum { AT_ONCE = 0, AFTER_1 = 28, AFTER_2 = 48, AFTER_3 = 64, IN_32 = 244, IN_2048 = 255 };

static char events[256]; /* letters: what ran */
static frng *generator;

static void event(char c) {
    const size_t length = strlen(events);
    if (length + 1 < sizeof(events)) events[length] = c;
}

static void event_of(const char *letters) {
    for (; *letters != '\0'; letters++) {
        event(*letters);
        if (letters[1] != '\0') frng_point("between letters");
    }
}

static void *writer(void *letters) {
    event_of((const char *)letters);
    return NULL;
}

static void *two_writers(void *none) {
    frng_spawn(writer, (void *)(uintptr_t) "ABC");
    frng_spawn(writer, (void *)(uintptr_t) "xyz");
    return none;
}

static void *three_writers(void *none) {
    frng_spawn(writer, (void *)(uintptr_t) "12");
    return two_writers(none);
}

static bool run_bytes(void *(*begin)(void *), const char *bytes, size_t size, frng *f) {
    *f = frng_init(bytes, size);
    generator = f;
    memset(events, 0, sizeof(events));
    return frng_sched_run(f, begin, NULL);
}

static void check_events(void *(*begin)(void *), const char *bytes, size_t size, const char *want) {
    frng f;
    ck_assert(run_bytes(begin, bytes, size, &f));
    ck_assert_str_eq(events, want);
}

#define CHECK_EVENTS(begin, want, ...)                                                             \
    do {                                                                                           \
        const unsigned char list[] = {__VA_ARGS__ 0};                                              \
        check_events(begin, (const char *)list, sizeof(list) - 1, want);                           \
    } while (0)
#define COMMA ,

TEST(without_entropy_each_thread_runs_until_it_ends) {
    CHECK_EVENTS(two_writers, "ABCxyz", );
    CHECK_EVENTS(three_writers, "12ABCxyz", );
}

TEST(a_byte_passes_the_turn_after_as_many_points) {
    CHECK_EVENTS(two_writers, "ABCxyz", AT_ONCE COMMA); /* main is passed over: nothing changes */
    CHECK_EVENTS(two_writers, "ABCxyz", AFTER_1 COMMA);
    CHECK_EVENTS(two_writers, "xyzABC", AFTER_2 COMMA);
    CHECK_EVENTS(two_writers, "AxyzBC", AFTER_3 COMMA);
    CHECK_EVENTS(two_writers, "AxByzC", AFTER_3 COMMA AT_ONCE COMMA AT_ONCE COMMA);
    CHECK_EVENTS(two_writers, "AxyBCz", AFTER_3 COMMA AFTER_1 COMMA);
}

TEST(several_deviations_at_one_point_pass_over_several_threads) {
    CHECK_EVENTS(three_writers, "12ABCxyz", AFTER_2 COMMA);
    CHECK_EVENTS(three_writers, "ABCxyz12", AFTER_2 COMMA AT_ONCE COMMA);
    CHECK_EVENTS(three_writers, "xyz12ABC", AFTER_2 COMMA AT_ONCE COMMA AT_ONCE COMMA);
}

TEST(far_bytes_are_quiet_and_then_draw_again) {
    CHECK_EVENTS(two_writers, "ABCxyz", IN_32 COMMA AT_ONCE COMMA);
    CHECK_EVENTS(two_writers, "ABCxyz", IN_2048 COMMA AT_ONCE COMMA);
}

/* ---- What is drawn ---- */

static void *one_writer(void *none) {
    event_of("abc");
    return none;
}

TEST(one_thread_draws_nothing) {
    frng f;
    ck_assert(run_bytes(one_writer, "\0\0\0", 3, &f));
    ck_assert_uint_eq(frng_used(&f), 0);
    ck_assert(!f.exhausted);
    ck_assert_str_eq(events, "abc");
}

TEST(a_schedule_that_runs_out_leaves_the_generator_exhausted) {
    frng f;
    ck_assert(run_bytes(two_writers, "\0", 1, &f));
    ck_assert(f.exhausted);
    ck_assert_uint_eq(frng_used(&f), 1);
    ck_assert(run_bytes(two_writers, "\377", 1, &f));
    ck_assert(!f.exhausted);
}

TEST(an_exhausted_generator_schedules_without_deviations) {
    uint8_t x;
    frng f = frng_init(NULL, 0);
    ck_assert(!frng_u8(&f, &x));
    memset(events, 0, sizeof(events));
    ck_assert(frng_sched_run(&f, two_writers, NULL));
    ck_assert_str_eq(events, "ABCxyz");
    ck_assert(f.exhausted);
}

/* ---- Threads that draw ---- */

static int token;

static void *draws_then_wakes(void *none) {
    uint8_t x;
    if (!frng_u8(generator, &x)) return none;
    event('d');
    frng_wake(&token, 1);
    return none;
}

static void *waits_for_it(void *none) {
    frng_wait(&token, "a token");
    event('w');
    return none;
}

static void *waiter_and_drawer(void *none) {
    frng_spawn(waits_for_it, NULL);
    frng_spawn(draws_then_wakes, NULL);
    return none;
}

TEST(a_thread_whose_draw_runs_out_ends_the_run_as_passed) {
    frng f;
    ck_assert(!run_bytes(waiter_and_drawer, NULL, 0, &f));
    ck_assert_str_eq(events, "");
    ck_assert(f.exhausted);
    ck_assert(run_bytes(waiter_and_drawer, "\377\5\5", 3, &f)); /* the next run is whole */
    ck_assert_str_eq(events, "dw");
}

/* ---- Waiting ---- */

static void *waits_as(void *letter) {
    frng_wait(&token, "a token");
    event(*(const char *)letter);
    return NULL;
}

static void *wakes_three(void *none) {
    frng_spawn(waits_as, (void *)(uintptr_t) "a");
    frng_spawn(waits_as, (void *)(uintptr_t) "b");
    frng_spawn(waits_as, (void *)(uintptr_t) "c");
    for (int i = 0; i < 3; i++) frng_yield();
    frng_wake(&token, 1);
    frng_yield();
    event('-');
    frng_wake(&token, 9);
    return none;
}

TEST(those_that_wait_longest_wake_first) { CHECK_EVENTS(wakes_three, "a-bc", ); }

static void *spins(void *flag) {
    while (!*(volatile bool *)flag) frng_point("looks at the flag");
    event('!');
    return NULL;
}

static void *sets(void *flag) {
    event('s');
    *(volatile bool *)flag = true;
    return NULL;
}

static bool flag;

static void *spinner_and_setter(void *none) {
    flag = false;
    frng_spawn(spins, &flag);
    frng_spawn(sets, &flag);
    return none;
}

#ifndef ROUNDS_ARE_SLOW /* AddressSanitizer sees it first */
/* More than 64 KiB of frames, and back. */
static __attribute__((noinline)) int go_deep(int depth) {
    volatile char frame[256];
    frame[depth % 256] = 1;
    return depth > 0 ? go_deep(depth - 1) + frame[depth % 256] : 0;
}

static void *deep(void *none) {
    if (go_deep(300) > 0) frng_yield();
    return none;
}

static void *spawn_deep(void *none) {
    frng_spawn(deep, NULL);
    frng_spawn(deep, NULL);
    return none;
}

TEST_RAISES(a_thread_that_leaves_its_stack_fails, SIGABRT) {
    frng f;
    (void)run_bytes(spawn_deep, "", 0, &f);
}
#endif

TEST(a_thread_that_spins_lets_others_go_on) { CHECK_EVENTS(spinner_and_setter, "s!", ); }

/* ---- Places ---- */

static void *many_in_turn(void *none) {
    for (int i = 0; i < 100; i++) {
        frng_spawn(writer, (void *)(uintptr_t) "m");
        frng_yield();
    }
    ck_assert_uint_eq(frng_self(), 0);
    return none;
}

TEST(places_of_threads_that_have_ended_are_used_again) {
    frng f;
    ck_assert(run_bytes(many_in_turn, NULL, 0, &f));
    ck_assert_uint_eq(strlen(events), 100);
}

static void *leaves_errno(void *value) {
    errno = *(const int *)value;
    frng_point("sets errno");
    frng_yield();
    ck_assert_int_eq(errno, *(const int *)value);
    event('e');
    return NULL;
}

static void *two_errnos(void *none) {
    static int five = 5, seven = 7;
    frng_spawn(leaves_errno, &five);
    frng_spawn(leaves_errno, &seven);
    return none;
}

TEST(threads_do_not_share_errno) { CHECK_EVENTS(two_errnos, "ee", AFTER_2 COMMA AT_ONCE COMMA); }

TEST(points_outside_of_a_run_are_nothing) {
    frng_point("nowhere");
    frng_yield();
    ck_assert_uint_eq(frng_self(), 0);
}

TEST(runs_follow_each_other_in_one_process) {
    for (int i = 0; i < 10000; i++)
        CHECK_EVENTS(two_writers, "AxyBCz", AFTER_3 COMMA AFTER_1 COMMA);
}

/* ---- Failures ---- */

static void run_all(const void *begin) {
    frng f = frng_init(NULL, 0);
    (void)frng_sched_run(&f, *(void *(*const *)(void *))begin, NULL);
}

static const char *failure_of(void *(*begin)(void *)) {
    return dying_message(run_all, &begin, false, STDERR_FILENO);
}

static void check_has(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in: %s", part, text);
}

static void *deadlock(void *none) {
    frng_spawn(waits_for_it, NULL);
    return none;
}

TEST(a_deadlock_names_threads_and_lines) {
    const char *text = failure_of(deadlock);
    check_has(text, "assertion failed: deadlock: thread 1 waits at ");
    check_has(text, "test_sched.c:");
    check_has(text, " (a token)\n");
    ck_assert_ptr_eq(strstr(text, "thread 0"), NULL); /* has ended */
}

static void *livelock(void *none) {
    flag = false;
    frng_spawn(spins, &flag);
    frng_spawn(waits_for_it, NULL);
    return none;
}

TEST(a_livelock_names_threads_and_lines) {
    const char *text = failure_of(livelock);
    check_has(text, "assertion failed: livelock: thread 1 runs at ");
    check_has(text, "(looks at the flag), thread 2 waits at ");
}

static void *too_many(void *none) {
    for (int i = 0; i < FRNG_THREADS; i++) frng_spawn(waits_for_it, NULL);
    return none;
}

TEST(too_many_threads_fail) { check_has(failure_of(too_many), "more than 16 threads"); }

static void *run_in_a_run(void *none) {
    frng f = frng_init(NULL, 0);
    (void)frng_sched_run(&f, one_writer, NULL);
    return none;
}

TEST(a_run_in_a_run_fails) { check_has(failure_of(run_in_a_run), "frng_sched_run in a run"); }

SUITE(.timeout_s = 60);
