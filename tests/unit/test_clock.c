/* clock.h: deadlines at the edges of what fits. */
#include "clock.h"

#include "sandbox.h"

#include <signal.h>
#include <time.h>

START_TEST(now_goes_forward) {
    const struct timespec pause = {0, 3 * CLOCK_NS_PER_MS};
    int64_t last = clock_now_ns();
    ck_assert_int_gt(last, 0);
    for (int i = 0; i < 10000; i++) {
        const int64_t now = clock_now_ns();
        ck_assert_int_ge(now, last);
        last = now;
    }
    nanosleep(&pause, NULL);
    const int64_t slept = clock_now_ns() - last;
    ck_assert_int_ge(slept, 3 * CLOCK_NS_PER_MS);
    ck_assert_int_lt(slept, 60 * CLOCK_NS_PER_S);
}
END_TEST

START_TEST(after_saturates) {
    ck_assert_int_eq(clock_after(0, 0), 0);
    ck_assert_int_eq(clock_after(5, 7), 12);
    ck_assert_int_eq(clock_after(5, CLOCK_NEVER), CLOCK_NEVER);
    ck_assert_int_eq(clock_after(1, CLOCK_NEVER - 2), CLOCK_NEVER - 1);
    ck_assert_int_eq(clock_after(1, CLOCK_NEVER - 1), CLOCK_NEVER);
    ck_assert_int_eq(clock_after(2, CLOCK_NEVER - 1), CLOCK_NEVER);
    ck_assert_int_eq(clock_after(CLOCK_NEVER, 0), CLOCK_NEVER);
    ck_assert_int_eq(clock_after(CLOCK_NEVER, CLOCK_NEVER), CLOCK_NEVER);
}
END_TEST

START_TEST(a_negative_span_is_a_bug) { clock_after(10, -1); }
END_TEST

/* Too early a wake would spin until the deadline. */
START_TEST(poll_rounds_up) {
    static const struct {
        int64_t now, deadline;
        int expected;
    } cases[] = {
        {0, CLOCK_NEVER, -1},
        {CLOCK_NEVER, CLOCK_NEVER, -1},
        {0, 0, 0},
        {100, 99, 0},
        {100, 0, 0},
        {0, 1, 1},
        {0, CLOCK_NS_PER_MS - 1, 1},
        {0, CLOCK_NS_PER_MS, 1},
        {0, CLOCK_NS_PER_MS + 1, 2},
        {CLOCK_NS_PER_MS / 2, 10 * CLOCK_NS_PER_MS, 10},
        {0, 10 * CLOCK_NS_PER_S, 10000},
        {0, CLOCK_NS_PER_MS * INT32_MAX, INT32_MAX},
        {0, CLOCK_NS_PER_MS * INT32_MAX + 1, INT32_MAX},
        {0, CLOCK_NEVER - 1, INT32_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(clock_poll_ms(cases[i].now, cases[i].deadline), cases[i].expected);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("clock");
    TCase *tests = tcase_create("clock");
    tcase_add_test(tests, now_goes_forward);
    tcase_add_test(tests, after_saturates);
    tcase_add_test_raise_signal(tests, a_negative_span_is_a_bug, SIGABRT);
    tcase_add_test(tests, poll_rounds_up);
    suite_add_tcase(suite, tests);
    return sandbox_run(suite);
}
