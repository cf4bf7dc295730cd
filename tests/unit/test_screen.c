/* screen.h: what the screen and the lines show, when, and how they are rewritten in place. */
#include "fixture.h"
#include "screen.h"

#include "clock.h"
#include "messages.h"

#include <pty.h>
#include <stdlib.h>
#include <sys/ioctl.h>

static const run_target target = {
    .sut = "./sut", .args = (const char *const[]){NULL}, .replay = "frng-replay", .options = ""};
static const run_setup search_setup = {.task = TASK_SEARCH,
                                       .subject = &target,
                                       .mode = "persistent",
                                       .jobs = 2,
                                       .limits = {.budget_ns = 60 * CLOCK_NS_PER_S}};
static const run_setup reduce_setup = {
    .task = TASK_REDUCE, .subject = &target, .mode = "fork", .jobs = 1, .size = 4096};
static const run_setup file_setup = {
    .task = TASK_REDUCE_FILE, .subject = &target, .jobs = 1, .size = 4096};

static screen s;

static void begin(const run_setup *setup, screen_style style) {
    s.style = style;
    screen_take(&s, &(event){.kind = EVENT_STARTED, .setup = setup});
}

static failure failure_of(uint64_t size, int status, const char *site) {
    failure f = {.input = {size, 7}, .signature = {SIGNATURE_EXIT, status}};
    strcpy(f.site, site);
    return f;
}

/* ---- A terminal of our own ---- */

static int terminal = -1;

static void set_size(unsigned columns, unsigned rows) {
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
}

/* Standard error becomes a terminal, whose output is not changed. */
static void open_terminal(unsigned columns, unsigned rows) {
    int end;
    if (terminal < 0) {
        struct termios modes;
        ck_assert_int_eq(openpty(&terminal, &end, NULL, NULL, NULL), 0);
        ck_assert_int_eq(tcgetattr(end, &modes), 0);
        cfmakeraw(&modes);
        ck_assert_int_eq(tcsetattr(end, TCSANOW, &modes), 0);
        ck_assert_int_eq(dup2(end, STDERR_FILENO), STDERR_FILENO);
        ck_assert_int_eq(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);
    }
    set_size(columns, rows);
    message_init("frng-test", true);
}

/* Return what was written to the terminal. */
static const char *written(void) {
    static char text[1 << 18];
    size_t size = read_all(terminal, text, sizeof text - 1);
    text[size] = '\0';
    return text;
}

/* Return what a new screen of such a size shows, without what rewrites it. None of its rows is as
 * wide as the terminal. Progress comes at `now`. */
static const char *shown_on(unsigned columns, unsigned rows, const progress *now) {
    static char text[1 << 18];
    size_t length = 0;
    unsigned column = 0, row = 1;
    open_terminal(columns, rows);
    message_stream(); /* erases the one before */
    written();
    s.pause_ns = 0;
    screen_take(&s, &(event){.kind = EVENT_PROGRESS, .progress = *now});
    for (const char *at = written(); *at != '\0'; at++) {
        if (at[0] == '\033') {
            at += strcspn(at, "ABCDEFGHIJKLMhl"); /* colours are asked for by no test */
        } else if (*at != '\r') {
            column = *at == '\n' ? 0 : column + (((uint8_t)*at & 0xc0) != 0x80);
            row += *at == '\n';
            ck_assert_uint_lt(column, columns > 0 ? columns : 80);
            text[length++] = *at;
        }
    }
    ck_assert_uint_le(row, rows > 0 ? rows : 24);
    text[length] = '\0';
    return text;
}

static const screen_style utf8 = {.kind = SCREEN_AUTO, .is_utf8 = true}, ascii = {SCREEN_AUTO};

/* ---- A search ---- */

static progress at_end(const failure *best) {
    return (progress){.size = 28,
                      .runs = 183975,
                      .reruns = 21,
                      .elapsed_ns = 20 * CLOCK_NS_PER_S,
                      .best = best,
                      .stint = {ACTIVITY_ENDING, 28, 1500, 3000},
                      .claim = {.below = 28, .passed = 1500, .bound = 0.002}};
}

static void take(event_kind kind, const failure *f, uint64_t runs) {
    screen_take(&s, &(event){.kind = kind,
                             .failure = f,
                             .progress = {.runs = runs, .elapsed_ns = CLOCK_NS_PER_S / 50}});
}

static void take_tested(uint64_t size, uint64_t runs, uint64_t failures, uint64_t unreliable) {
    const tested_runs t = {.size = size,
                           .runs = runs,
                           .failures = failures,
                           .unreliable = unreliable,
                           .is_fresh = unreliable == 0};
    screen_take(&s, &(event){.kind = EVENT_TESTED, .tested = &t});
}

static failure best;

static progress searched(const run_setup *setup, screen_style style) {
    static bytes_tail output;
    static const char printed[] = "queue.c:31: expected\033[31m 3\n\xe6\x97\xa5\xe6\x9c\xac\n";
    const failure first = failure_of(4000, 1, "queue.c:31"), other = failure_of(50, 3, "");
    best = failure_of(29, 1, "queue.c:31");
    output = (bytes_tail){0};
    bytes_tail_add(&output, (const uint8_t *)printed, sizeof printed - 1);
    best.output = &output;
    begin(setup, style);
    take_tested(0, 1, 0, 0);
    take_tested(16, 100, 0, 0);
    take_tested(40, 1000, 1, 0);
    take_tested(3000, 50, 50, 0);
    take_tested(40, 9, 0, 2);
    take(EVENT_BEST, &first, 12);
    take(EVENT_OTHER, &other, 500);
    take(EVENT_BEST, &best, 1200);
    return at_end(&best);
}

TEST(a_search_at_80x24) {
    const progress now = searched(&search_setup, utf8);
    ck_assert_str_eq(
        shown_on(80, 24, &now),
        "frng-search ./sut                                               0:20, 0:40 left\n"
        "  best     size 29 fails with exit:1 at queue.c:31\n"
        "           seed 7, run 1,200, at 0.02 s\n"
        "  prints   queue.c:31: expected\\x1b[31m 3\n"
        "           日本\n"
        "  now      size 28, just below the best\n"
        "  passes   1,500 of 3,000 in a row  ███████▌······· 0:01 to go\n"
        "  bound    under 0.20% of size 28 fail (95% confidence)\n"
        "  effort   183,975 runs, 9,199/s, 2 jobs, persistent, 21 reruns\n"
        "  also     1 other, 2 flaky: exit:3 (size 50)\n"
        "\n"
        "  size over runs                         failures by size\n"
        "  4,000 ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹                     all"
        "                         █\n"
        "                     ⢸                                                 █\n"
        "                     ⢸                                                 █\n"
        "                     ⢸                                                 █\n"
        "                     ⢸                                                 █\n"
        "                     ⢸                                     █           █\n"
        "                     ⢸                                     █           █\n"
        "                     ⢸                                     █           █\n"
        "                     ⢸                                     █           █\n"
        "     29              ⢸⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀"
        "     1/1M _         _ █           █\n"
        "        12               183,975 runs          0                       2K\n");
}

TEST(a_search_at_60x12_in_ascii) {
    const progress now = searched(&search_setup, ascii);
    ck_assert_str_eq(shown_on(60, 12, &now),
                     "frng-search ./sut                           0:20, 0:40 left\n"
                     "  best     size 29 fails with exit:1 at queue.c:31\n"
                     "           seed 7, run 1,200, at 0.02 s\n"
                     "  prints   queue.c:31: expected\\x1b[31m 3\n"
                     "           ??\n"
                     "  now      size 28, just below the best\n"
                     "  passes   1,500 of 3,000 in a row  #####...... 0:01 to go\n"
                     "  bound    under 0.20% of size 28 fail (95% confidence)\n"
                     "  effort   183,975 runs, 9,199/s, 2 jobs, persistent, 21 r>\n"
                     "  also     1 other, 2 flaky: exit:3 (size 50)\n");
    assert_contains(shown_on(80, 24, &now), "  4,000 ''''''''''''':                     all"
                                            "                         #\n"
                                            "                     :");
}

TEST(all_signatures_are_listed_if_all_are_searched_for) {
    run_setup all = search_setup;
    all.finds_each = true;
    const progress now = searched(&all, utf8);
    assert_contains(shown_on(80, 24, &now), "  also     1 other, 2 flaky\n"
                                            "           size 50 exit:3\n\n");
    for (int i = 4; i < 9; i++) {
        const failure f = failure_of(60, i, "");
        take(EVENT_OTHER, &f, 600);
    }
    assert_contains(shown_on(80, 24, &now), "  also     6 others, 2 flaky\n"
                                            "           size 50 exit:3\n"
                                            "           size 60 exit:4\n"
                                            "           size 60 exit:5\n"
                                            "           and 3 more\n\n");
    assert_contains(shown_on(120, 40, &now), "           size 60 exit:8\n\n");
    const failure smaller = failure_of(20, 8, "");
    take(EVENT_BEST, &smaller, 700); /* of another signature: that before stays known */
    const progress then = at_end(&smaller);
    assert_contains(shown_on(120, 40, &then), "           size 29 exit:1 at queue.c:31\n");
}

TEST(parts_of_a_search) {
    run_setup going = search_setup;
    going.keeps_going = true;
    progress now = searched(&going, utf8);
    assert_contains(shown_on(80, 24, &now), "███████▌······· doubles in 0:01\n");
    now.runs = now.reruns = 1;
    assert_contains(shown_on(80, 24, &now), "  effort   1 run, ");
    assert_contains(shown_on(80, 24, &now), ", 1 rerun\n");
    begin(&search_setup, ascii);
    now = (progress){.size = 64,
                     .runs = 100,
                     .elapsed_ns = CLOCK_NS_PER_S,
                     .stint = {ACTIVITY_GROWING, 64, 10, 100},
                     .claim = {.rounds = 100, .sizes = 3, .largest = 64, .bound = 0.0362}};
    const char *text = shown_on(80, 24, &now);
    assert_contains(text, "  best     nothing has failed so far\n");
    assert_contains(text, "  now      size 64, growing\n");
    assert_contains(text, "  bound    under 3.7% fail at each size up to 64 (95% confidence)\n");
    assert_contains(text, "        no failure yet");
    searched(&search_setup, ascii); /* and its best turns out to be flaky */
    assert_contains(shown_on(80, 24, &now), "nothing has failed so far");
}

/* ---- A reduction ---- */

static progress reduced(const run_setup *setup, screen_style style, const char *head,
                        const char *before, const char *after, const draw_change *draws) {
    const failure f = {.input = {.size = strlen(head)}}, other = failure_of(9, 3, "");
    byte_change change = {.offset = 12, .removed = strlen(before), .inserted = strlen(after)};
    memcpy(change.before, before, strlen(before));
    memcpy(change.after, after, strlen(after));
    progress now = {.size = 41,
                    .runs = 1234,
                    .steps = 30,
                    .draws = 17,
                    .elapsed_ns = 5 * CLOCK_NS_PER_S,
                    .pass = "minimise",
                    .pass_number = 3,
                    .pass_count = 26};
    begin(setup, style);
    screen_take(&s, &(event){.kind = EVENT_BEST, .failure = &f, .bytes = (const uint8_t *)head});
    screen_take(
        &s, &(event){.kind = EVENT_STEP, .progress = now, .change = &change, .draw_change = draws});
    take(EVENT_OTHER, &other, 0);
    now.elapsed_ns += CLOCK_NS_PER_S / 2;
    return now;
}

TEST(a_reduction_at_80x24) {
    const progress now = reduced(&reduce_setup, utf8, "\x01\x02\x03\xff", "\x07\x08", "\x06", NULL);
    assert_contains(
        shown_on(80, 24, &now),
        "frng-reduce ./sut                                                          0:05\n"
        "  size     41 of 4,096 bytes, 17 draws  ██████████████▊ 98% gone\n"
        "  calls    1,234, 224/s, 1 job\n"
        "  steps    30, the last 0.50 s ago\n"
        "  pass     minimise, 3 of 26 in its round  █········\n"
        "  also     1 other, 0 flaky: exit:3 (size 9)\n"
        "  change   minimise at 12: -2 +1 byte\n"
        "  best     01 02 03 ff\n"
        "\n"
        "  size over calls\n"
        "  4,096 ⠉⠉⠉");
}

TEST(a_step_of_a_target_that_tells_draws_counts_them) {
    const draw_change draws = {.at = 3, .removed = 9, .inserted = 1};
    const progress now = reduced(&reduce_setup, ascii, "\x01", "abc", "", &draws);
    assert_contains(shown_on(80, 24, &now), "  change   minimise at draw 3: -9 +1 draw\n");
}

TEST(a_file_at_60x12_in_ascii) {
    const progress now =
        reduced(&file_setup, ascii, "int main(void) {\n\treturn \xe6\x97\xa5;\n}\n",
                "int x;\nint y;\n", "", NULL);
    ck_assert_str_eq(shown_on(60, 12, &now),
                     "frng-reduce ./sut                                      0:05\n"
                     "  size     41 of 4,096 bytes  ##########. 98% gone\n"
                     "  calls    1,234, 224/s, 1 job\n"
                     "  steps    30, the last 0.50 s ago\n"
                     "  pass     minimise, 3 of 26 in its round  .......\n"
                     "  also     1 other, 0 flaky: exit:3 (size 9)\n"
                     "  change   minimise at 12: -14 +0 bytes\n"
                     "  best     int main(void) {\n"
                     "            return ?;\n");
}

/* ---- Any text, any size ---- */

TEST(text_of_others_is_shown_as_text) {
    static const struct {
        bool is_utf8;
        const char *site, *shown;
    } cases[] = {
        {false, "a\033[31m\r\n\x07\x7f b", "at a[31m b\n"},
        {true, "b\xc2\x9b c\tc", "at b c c\n"},
        {false, "a\xc3\xa9\xff b", "at a?? b\n"},
        {true, "a\xe2\x82", "at a\uFFFD\n"},
        {true, "a\xff\xc3\xa9", "at a\uFFFD\u00e9\n"},
        {true, "e\u0301a\u200b\ufeff日本🦀", "at ea日本🦀\n"},
        {false, "12345678901234567890", "at 123456789012345678>\n"},
        {true, "1234567890123456789", "at 1234567890123456789\n"},
        {true, "12345678901234567日本", "at 12345678901234567…\n"},
        {true, "1234567890123456日本", "at 1234567890123456日…\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const failure f = failure_of(29, 1, cases[i].site);
        begin(&search_setup, (screen_style){SCREEN_AUTO, cases[i].is_utf8, false});
        const progress now = at_end(&f);
        assert_contains(shown_on(60, 12, &now), cases[i].shown);
    }
}

TEST(colours_begin_and_end) {
    const progress now = searched(&search_setup, (screen_style){SCREEN_AUTO, false, true});
    shown_on(60, 12, &now);
    screen_take(&s, &(event){.kind = EVENT_PROGRESS, .progress = {.elapsed_ns = INT64_MAX}});
    assert_contains(written(), "\033[0;1mfrng-search \033[0m./sut  ");
}

TEST(screens_of_any_size_fit) {
    for (int reduces = 0; reduces < 2; reduces++) {
        const progress now = reduces == 1 ? reduced(&reduce_setup, utf8, "\x01\x02\x03\xff",
                                                    "\x07\x08", "\x06", NULL)
                                          : searched(&search_setup, utf8);
        for (unsigned columns = 60; columns < 260; columns += 3)
            for (unsigned rows = 12; rows < 70; rows += 1 + rows / 30)
                shown_on(columns, rows, &now);
    }
}

TEST(a_long_history_keeps_its_shape) {
    run_setup large = reduce_setup;
    large.size = 100000;
    begin(&large, utf8);
    for (uint64_t i = 0; i < 100000; i++)
        screen_take(
            &s, &(event){.kind = EVENT_PROGRESS, .progress = {.runs = 2 + i, .size = 100000 - i}});
    const char *text = shown_on(80, 24, &(progress){.runs = 100002, .elapsed_ns = CLOCK_NS_PER_S});
    assert_contains(text, "100,000 ⠉⠉⠉⠉");
    assert_contains(text, "\n      0    ");
}

TEST(a_rate_is_that_of_the_last_seconds) {
    meter m = {0};
    uint64_t count = 0;
    ck_assert(meter_rate(&m, 0, 0) == 0);
    for (int ms = 0; ms < 10000; ms += 100) {
        count += ms < 5000 ? 1000 : 10; /* 10,000 a second, then 100 */
        meter_add(&m, ms * CLOCK_NS_PER_MS, count);
    }
    const double rate = meter_rate(&m, 10000 * CLOCK_NS_PER_MS, count);
    ck_assert_msg(rate > 90 && rate < 110, "%f", rate);
}

/* ---- Lines ---- */

static const char *line_of(const progress *p) {
    capture_begin();
    screen_take(&s, &(event){.kind = EVENT_PROGRESS, .progress = *p});
    return capture_end();
}

static const char *line_at(int64_t elapsed_ms, const failure *f) {
    return line_of(&(progress){.size = 4096,
                               .runs = 1200,
                               .reruns = 34,
                               .elapsed_ns = elapsed_ms * CLOCK_NS_PER_MS,
                               .best = f});
}

static void begin_lines(const run_setup *setup, bool on_terminal) {
    message_init("frng-test", on_terminal);
    begin(setup, (screen_style){SCREEN_LINE});
}

static const run_setup endless = {.task = TASK_SEARCH, .subject = &target, .jobs = 2};

TEST(a_log_gets_few_lines) {
    const failure f = {.input = {41, 7}};
    begin_lines(&endless, false);
    ck_assert_str_eq(line_at(0, NULL), "");
    ck_assert_str_eq(line_at(9999, NULL), "");
    ck_assert_str_eq(line_at(10000, NULL), "size 4K | best none | 1,234 runs | 123/s | 0:10\n");
    ck_assert_str_eq(line_at(10001, NULL), "");
    ck_assert_str_eq(line_at(29999, NULL), "");
    ck_assert_str_eq(line_at(30000, &f), "size 4K | best 41 | 1,234 runs | 41/s | 0:30\n");
    int64_t last_ms = 30000, longest_ms = 0;
    unsigned lines = 0;
    for (int64_t ms = 35000; ms < 8 * 3600 * 1000; ms += 5000) {
        if (line_at(ms, NULL)[0] == '\0') continue;
        if (ms - last_ms > longest_ms) longest_ms = ms - last_ms;
        last_ms = ms;
        lines++;
    }
    ck_assert_uint_gt(lines, 40);
    ck_assert_uint_lt(lines, 80);
    ck_assert_int_eq(longest_ms, 600 * 1000);
}

TEST(a_terminal_gets_one_line_that_is_rewritten) {
    const failure f = {.input = {41, 7}};
    begin_lines(&endless, true);
    ck_assert_str_eq(line_at(99, NULL), "");
    ck_assert_str_eq(line_at(100, NULL),
                     "\rsize 4K | best none | 1,234 runs | 12,340/s | 0:00\033[K");
    ck_assert_str_eq(line_at(199, &f), "");
    ck_assert(line_at(200, &f)[0] == '\r');
    ck_assert(line_at(5000, NULL)[0] == '\r');
    assert_lacks(capture_text, "\n");
}

TEST(nothing_is_shown_if_nothing_is_wanted) {
    for (int on_terminal = 0; on_terminal < 2; on_terminal++) {
        begin_lines(&endless, on_terminal == 1);
        s.style.kind = SCREEN_NONE;
        ck_assert_str_eq(line_at(50000, NULL), "");
    }
}

TEST(the_largest_numbers_fit_in_the_line) {
    const failure f = {.input = {UINT64_MAX, 7}};
    const progress p = {.size = UINT64_MAX,
                        .runs = UINT64_MAX / 2,
                        .reruns = UINT64_MAX / 2,
                        .elapsed_ns = INT64_MAX,
                        .stint = {ACTIVITY_ENDING, UINT64_MAX, UINT64_MAX, UINT64_MAX},
                        .best = &f};
    begin_lines(&endless, false);
    assert_contains(line_of(&p), "| best 18446744073709551615 | "
                                 "18,446,744,073,709,551,615/18,446,744,073,709,551,615 passes | "
                                 "18,446,744,073,709,551,614 runs");
    assert_contains(capture_text, "| 2562047:47:16\n");
}

TEST(a_line_tells_passes_time_and_other_failures) {
    const failure other = failure_of(50, 2, "");
    searched(&search_setup, (screen_style){SCREEN_LINE});
    message_init("frng-test", false);
    take(EVENT_OTHER, &other, 0);
    take(EVENT_OTHER, &other, 0);
    ck_assert_str_eq(line_of(&(progress){.size = 40,
                                         .runs = 2000,
                                         .best = &best,
                                         .elapsed_ns = 20 * CLOCK_NS_PER_S,
                                         .stint = {ACTIVITY_ENDING, 40, 1200, 3000}}),
                     "size 40 | best 29 | 1,200/3,000 passes | 2,000 runs | 100/s | "
                     "0:20, 0:40 left | 2 others | 2 flaky\n");
    begin_lines(&reduce_setup, false);
    ck_assert_str_eq(line_of(&(progress){.size = 4096,
                                         .runs = 1234,
                                         .elapsed_ns = 10 * CLOCK_NS_PER_S,
                                         .pass = "delete",
                                         .pass_number = 3,
                                         .pass_count = 26}),
                     "4,096 bytes | 1,234 calls | 123/s | delete | pass 3/26 | 0:10\n");
    take(EVENT_FLAKY, &other, 0);
    assert_contains(line_of(&(progress){.size = 1, .elapsed_ns = 50 * CLOCK_NS_PER_S}),
                    "1 byte | 0 calls | 0/s | start | 0:50 | flaky\n");
}

TEST(small_terminals_get_a_line_which_is_cut) {
    const progress now = {.size = 5, .elapsed_ns = CLOCK_NS_PER_S};
    begin(&endless, utf8);
    ck_assert_str_eq(shown_on(20, 5, &now), "size 5 | best none ");
    s.style.kind = SCREEN_FULL;
    assert_contains(shown_on(59, 12, &now), "size 5 | best none | 0 runs");
    assert_contains(shown_on(60, 11, &now), "size 5 | best none | 0 runs");
    assert_contains(shown_on(60, 12, &now), "frng-search");
    s.style.kind = SCREEN_LINE;
    assert_contains(shown_on(200, 50, &now), "size 5 | best none | 0 runs");
    s.style.kind = SCREEN_FULL;
    assert_contains(shown_on(0, 0, &now), "frng-search"); /* taken for 80 x 24 */
    s.style.kind = SCREEN_AUTO;
    ck_assert(!screen_is_full(&s));
}

/* ---- Rewriting ---- */

static const char *rewritten(uint64_t size) {
    static int64_t elapsed_ns = CLOCK_NS_PER_S;
    elapsed_ns++;
    s.pause_ns = 0;
    screen_take(
        &s, &(event){.kind = EVENT_PROGRESS, .progress = {.size = size, .elapsed_ns = elapsed_ns}});
    return written();
}

TEST(a_line_is_wiped_before_a_message_and_a_report) {
    begin_lines(&endless, true);
    capture_begin();
    screen_take(&s, &(event){.kind = EVENT_PROGRESS, .progress = {.elapsed_ns = CLOCK_NS_PER_S}});
    message("first");
    message("second");
    fputs("report", message_stream());
    const char *text = capture_end();
    assert_contains(text, "\033[K\r\033[Jfrng-test: first\nfrng-test: second\nreport");
}

TEST(a_screen_is_written_as_one_frame_and_then_only_where_it_changed) {
    open_terminal(60, 12);
    begin(&endless, ascii);
    const char *text = rewritten(16);
    ck_assert_int_eq(strncmp(text, "\033[?2026h\033[?25l\rfrng-search", 26), 0);
    assert_contains(text, "\n\r\033[K\033[?25h\033[?2026l");
    ck_assert_str_eq(rewritten(32), "\033[?2026h\033[?25l\033[7A\n\n\r  now      size 32, starting"
                                    "\033[K\n\n\n\n\n\r\033[K\033[?25h\033[?2026l");
    ck_assert_str_eq(rewritten(32), "");
    s.style.kind = SCREEN_LINE;
    assert_contains(rewritten(32), "\033[K\033[J\033[?25h");
    message_stream();
    ck_assert_str_eq(written(), "\r\033[J");
    s.style.kind = SCREEN_AUTO;
    rewritten(64);
    message_stream();
    message_stream();
    assert_contains(written(), "A\r\033[J");
}

TEST(after_a_pause_nothing_above_is_touched) {
    clock_heed_pauses();
    open_terminal(60, 12);
    begin(&endless, ascii);
    rewritten(16);
    raise(SIGCONT);
    assert_contains(rewritten(16), "\033[?25l\rfrng-search");
    raise(SIGCONT);
    message_stream();
    ck_assert_str_eq(written(), "");
}

TEST(a_resized_terminal_wraps_or_loses_what_is_erased) {
    begin(&endless, ascii);
    open_terminal(60, 12);
    rewritten(16);
    set_size(40, 12); /* the title, as wide as the terminal was, takes two rows */
    assert_contains(rewritten(16), "A\r\033[J\rsize 16");
    message_stream();
    set_size(60, 12);
    rewritten(16);
    set_size(60, 4);
    written();
    assert_contains(rewritten(16), "\033[7A\r\033[J\rsize 16");
    set_size(60, 12); /* lines that left come back, and go */
    assert_contains(rewritten(16), "\033[4A\r\033[J\rfrng-search");
}
