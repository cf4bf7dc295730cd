/* progress.h: signs of life, at their times. */
#include "fixture.h"
#include "progress.h"

#include "clock.h"
#include "messages.h"

static const char *shown_at(progress_line *line, int64_t elapsed_ms, const failure *best) {
    const progress p = {.size = 4096,
                        .runs = 1200,
                        .reruns = 34,
                        .elapsed_ns = elapsed_ms * CLOCK_NS_PER_MS,
                        .best = best};
    capture_begin();
    progress_line_show(line, TASK_SEARCH, &p);
    return capture_end();
}

TEST(a_log_gets_few_lines) {
    progress_line line = {0};
    const failure best = {.input = {41, 7}};
    message_init("frng-test", false);
    ck_assert_str_eq(shown_at(&line, 0, NULL), "");
    ck_assert_str_eq(shown_at(&line, 9999, NULL), "");
    ck_assert_str_eq(shown_at(&line, 10000, NULL),
                     "size 4K | best none | 1,234 runs | 123/s | 0:10\n");
    ck_assert_str_eq(shown_at(&line, 10001, NULL), "");
    ck_assert_str_eq(shown_at(&line, 29999, NULL), "");
    ck_assert_str_eq(shown_at(&line, 30000, &best),
                     "size 4K | best 41 | 1,234 runs | 41/s | 0:30\n");
}

TEST(a_night_stays_short) {
    progress_line line = {0};
    int64_t last_ms = 0, longest_ms = 0;
    unsigned lines = 0;
    message_init("frng-test", false);
    for (int64_t ms = 0; ms < 8 * 3600 * 1000; ms += 5000) {
        if (shown_at(&line, ms, NULL)[0] == '\0') continue;
        if (ms - last_ms > longest_ms) longest_ms = ms - last_ms;
        last_ms = ms;
        lines++;
    }
    ck_assert_uint_gt(lines, 40);
    ck_assert_uint_lt(lines, 80);
    ck_assert_int_eq(longest_ms, 600 * 1000);
}

TEST(a_terminal_gets_one_line_that_is_rewritten) {
    progress_line line = {0};
    message_init("frng-test", true);
    ck_assert_str_eq(shown_at(&line, 99, NULL), "");
    ck_assert_str_eq(shown_at(&line, 100, NULL),
                     "\rsize 4K | best none | 1,234 runs | 12,340/s | 0.1s\033[K");
    ck_assert_str_eq(shown_at(&line, 199, NULL), "");
    ck_assert(shown_at(&line, 200, NULL)[0] == '\r');
    ck_assert(shown_at(&line, 5000, NULL)[0] == '\r');
    ck_assert_str_eq(shown_at(&line, 5099, NULL), "");
    ck_assert(shown_at(&line, 5100, NULL)[0] == '\r');
    assert_lacks(capture_text, "\n");
}

TEST(the_largest_numbers_fit_in_the_line) {
    progress_line line = {0};
    const failure best = {.input = {UINT64_MAX, 7}};
    const progress p = {.size = UINT64_MAX,
                        .runs = UINT64_MAX / 2,
                        .reruns = UINT64_MAX / 2,
                        .elapsed_ns = INT64_MAX,
                        .best = &best};
    message_init("frng-test", false);
    capture_begin();
    progress_line_show(&line, TASK_SEARCH, &p);
    assert_contains(capture_end(), "| best 18446744073709551615 | 18,446,744,073,709,551,614 runs");
    assert_contains(capture_text, "| 2562047:47:16\n");
}

TEST(a_reduction_tells_its_pass) {
    progress_line line = {0};
    progress p = {.size = 4096, .runs = 1234, .pass = "delete"};
    message_init("frng-test", false);
    capture_begin();
    progress_line_show(&line, TASK_REDUCE, &p);
    p.elapsed_ns = 10 * CLOCK_NS_PER_S;
    progress_line_show(&line, TASK_REDUCE, &p);
    p.elapsed_ns++;
    progress_line_show(&line, TASK_REDUCE, &p);
    ck_assert_str_eq(capture_end(), "4,096 bytes | 1,234 calls | 123/s | delete | 0:10\n");
    line = (progress_line){0};
    p = (progress){.size = UINT64_MAX, .runs = UINT64_MAX, .steps = 1, .elapsed_ns = INT64_MAX};
    capture_begin();
    progress_line_show(&line, TASK_REDUCE, &p);
    assert_contains(capture_end(), "18,446,744,073,709,551,615 calls | ");
    assert_contains(capture_text, " | start | 2562047:47:16\n");
}
