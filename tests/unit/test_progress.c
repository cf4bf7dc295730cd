/* progress.h: signs of life, at their times; and what the screens and lines tell. */
#include "fixture.h"
#include "progress.h"

#include "clock.h"
#include "live.h"
#include "messages.h"
#include "summary.h"

#include <pty.h>
#include <sys/ioctl.h>

static const run_target target = {.sut = "./sut",
                                  .args = (const char *const[]){"-x", NULL},
                                  .replay = "frng-replay",
                                  .options = ""};

static const run_setup search_setup = {
    .task = TASK_SEARCH, .subject = &target, .mode = "persistent", .jobs = 2};

static const run_setup reduce_setup = {
    .task = TASK_REDUCE, .subject = &target, .mode = "fork", .jobs = 1, .size = 4096};

static progress_display *begun(const run_setup *setup) {
    static progress_display d;
    free(d.subject);
    d = (progress_display){.style = {.kind = PROGRESS_LINE}};
    progress_display_take(&d, &(event){.kind = EVENT_STARTED, .setup = setup});
    return &d;
}

static const char *shown(progress_display *d, const progress *p) {
    capture_begin();
    progress_display_take(d, &(event){.kind = EVENT_PROGRESS, .progress = *p});
    return capture_end();
}

static const char *shown_at(progress_display *d, int64_t elapsed_ms, const failure *best) {
    return shown(d, &(progress){.size = 4096,
                                .runs = 1200,
                                .reruns = 34,
                                .elapsed_ns = elapsed_ms * CLOCK_NS_PER_MS,
                                .best = best});
}

/* ---- Times ---- */

TEST(a_log_gets_few_lines) {
    progress_display *d = begun(&search_setup);
    const failure best = {.input = {41, 7}};
    message_init("frng-test", false);
    ck_assert_str_eq(shown_at(d, 0, NULL), "");
    ck_assert_str_eq(shown_at(d, 9999, NULL), "");
    ck_assert_str_eq(shown_at(d, 10000, NULL), "size 4K | best none | 1,234 runs | 123/s | 0:10\n");
    ck_assert_str_eq(shown_at(d, 10001, NULL), "");
    ck_assert_str_eq(shown_at(d, 29999, NULL), "");
    ck_assert_str_eq(shown_at(d, 30000, &best), "size 4K | best 41 | 1,234 runs | 41/s | 0:30\n");
}

TEST(a_night_stays_short) {
    progress_display *d = begun(&search_setup);
    int64_t last_ms = 0, longest_ms = 0;
    unsigned lines = 0;
    message_init("frng-test", false);
    for (int64_t ms = 0; ms < 8 * 3600 * 1000; ms += 5000) {
        if (shown_at(d, ms, NULL)[0] == '\0') continue;
        if (ms - last_ms > longest_ms) longest_ms = ms - last_ms;
        last_ms = ms;
        lines++;
    }
    ck_assert_uint_gt(lines, 40);
    ck_assert_uint_lt(lines, 80);
    ck_assert_int_eq(longest_ms, 600 * 1000);
}

TEST(a_terminal_gets_one_line_that_is_rewritten) {
    progress_display *d = begun(&search_setup);
    const failure best = {.input = {41, 7}};
    message_init("frng-test", true);
    ck_assert_str_eq(shown_at(d, 99, NULL), "");
    ck_assert_str_eq(shown_at(d, 100, NULL),
                     "\rsize 4K | best none | 1,234 runs | 12,340/s | 0:00\033[K");
    ck_assert_str_eq(shown_at(d, 199, &best), "");
    ck_assert(shown_at(d, 200, &best)[0] == '\r');
    ck_assert(shown_at(d, 5000, NULL)[0] == '\r');
    ck_assert_str_eq(shown_at(d, 5099, &best), "");
    ck_assert(shown_at(d, 5100, &best)[0] == '\r');
    assert_lacks(capture_text, "\n");
}

TEST(nothing_is_shown_if_nothing_is_wanted) {
    progress_display *d = begun(&search_setup);
    d->style.kind = PROGRESS_NONE;
    message_init("frng-test", true);
    ck_assert_str_eq(shown_at(d, 5000, NULL), "");
    message_init("frng-test", false);
    ck_assert_str_eq(shown_at(d, 50000, NULL), "");
}

/* ---- Lines ---- */

TEST(the_largest_numbers_fit_in_the_line) {
    progress_display *d = begun(&search_setup);
    const failure best = {.input = {UINT64_MAX, 7}};
    const progress p = {.size = UINT64_MAX,
                        .runs = UINT64_MAX / 2,
                        .reruns = UINT64_MAX / 2,
                        .elapsed_ns = INT64_MAX,
                        .stint = {ACTIVITY_ENDING, UINT64_MAX, UINT64_MAX, UINT64_MAX},
                        .best = &best};
    message_init("frng-test", false);
    assert_contains(shown(d, &p), "| best 18446744073709551615 | "
                                  "18,446,744,073,709,551,615/18,446,744,073,709,551,615 passes | "
                                  "18,446,744,073,709,551,614 runs");
    assert_contains(capture_text, "| 2562047:47:16\n");
}

TEST(a_search_tells_its_passes_its_time_and_other_failures) {
    run_setup setup = search_setup;
    setup.limits.budget_ns = 60 * CLOCK_NS_PER_S;
    progress_display *d = begun(&setup);
    const failure best = {.input = {41, 7}, .signature = {SIGNATURE_EXIT, 1}};
    const failure other = {.input = {50, 7}, .signature = {SIGNATURE_EXIT, 2}};
    const tested_runs tested = {.size = 40, .runs = 9, .unreliable = 3, .is_fresh = true};
    message_init("frng-test", false);
    progress_display_take(d, &(event){.kind = EVENT_BEST, .failure = &best});
    progress_display_take(d, &(event){.kind = EVENT_OTHER, .failure = &other});
    progress_display_take(d, &(event){.kind = EVENT_OTHER, .failure = &other});
    progress_display_take(d, &(event){.kind = EVENT_TESTED, .tested = &tested});
    const progress p = {.size = 40,
                        .runs = 2000,
                        .best = &best,
                        .elapsed_ns = 20 * CLOCK_NS_PER_S,
                        .stint = {ACTIVITY_ENDING, 40, 1200, 3000}};
    ck_assert_str_eq(shown(d, &p), "size 40 | best 41 | 1,200/3,000 passes | 2,000 runs | 100/s | "
                                   "0:20, 0:40 left | 1 other | 3 flaky\n");
}

TEST(a_reduction_tells_its_pass) {
    progress_display *d = begun(&reduce_setup);
    progress p = {.size = 4096, .runs = 1234, .pass = "delete", .pass_number = 3, .pass_count = 26};
    message_init("frng-test", false);
    ck_assert_str_eq(shown(d, &p), "");
    p.elapsed_ns = 10 * CLOCK_NS_PER_S;
    ck_assert_str_eq(shown(d, &p),
                     "4,096 bytes | 1,234 calls | 123/s | delete | pass 3/26 | 0:10\n");
    p.elapsed_ns++;
    ck_assert_str_eq(shown(d, &p), "");
    d = begun(&reduce_setup);
    p = (progress){.size = UINT64_MAX, .runs = UINT64_MAX, .steps = 1, .elapsed_ns = INT64_MAX};
    assert_contains(shown(d, &p), "18,446,744,073,709,551,615 calls | ");
    assert_contains(capture_text, " | start | 2562047:47:16\n");
}

/* ---- Terminals ---- */

static int terminal = -1;

static const char *shown_on(unsigned short columns, unsigned short rows, progress_display *d) {
    static char text[65536];
    const struct winsize size = {.ws_row = rows, .ws_col = columns};
    static int64_t elapsed_ms;
    int end;
    ck_assert_int_eq(openpty(&terminal, &end, NULL, NULL, &size), 0);
    ck_assert_int_eq(dup2(end, STDERR_FILENO), STDERR_FILENO);
    message_init("frng-test", true);
    elapsed_ms += 1000;
    progress_display_take(
        d, &(event){.kind = EVENT_PROGRESS,
                    .progress = {.size = 5, .elapsed_ns = elapsed_ms * CLOCK_NS_PER_MS}});
    const ssize_t count = read(terminal, text, sizeof text - 1);
    ck_assert_int_gt(count, 0);
    text[count] = '\0';
    live_erase();
    close(terminal);
    return text;
}

TEST(small_terminals_get_a_line_which_is_cut) {
    progress_display *d = begun(&search_setup);
    d->style.kind = PROGRESS_AUTO;
    ck_assert_str_eq(shown_on(20, 5, d), "\rsize 5 | best none \033[K");
    d->style.kind = PROGRESS_SCREEN;
    assert_contains(shown_on(59, 12, d), "\rsize 5 | best none | 0 runs");
    assert_contains(shown_on(60, 11, d), "\rsize 5 | best none | 0 runs");
    assert_contains(shown_on(60, 12, d), "frng-search");
    d->style.kind = PROGRESS_LINE;
    assert_contains(shown_on(200, 50, d), "\rsize 5 | best none | 0 runs");
}
