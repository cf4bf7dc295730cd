/* screen_search.h, screen_reduce.h: what the screens show, at several sizes. */
#include "bytes.h"
#include "fixture.h"

#include "clock.h"
#include "frng.h"
#include "screen_reduce.h"
#include "screen_search.h"
#include "summary.h"

static canvas c;

/* Return the rows that were drawn, each with a line end. None is as wide as the terminal. */
static const char *rows_of(unsigned rows) {
    static char text[CANVAS_ROWS_MAX * CANVAS_TEXT_MAX];
    char one[CANVAS_TEXT_MAX];
    text[0] = '\0';
    for (unsigned i = 0; i < rows; i++) {
        ck_assert_uint_le(canvas_text(&c, i, false, one), c.columns);
        strcat(text, one);
        strcat(text, "\n");
    }
    return text;
}

static const run_target target = {
    .sut = "./sut", .args = (const char *const[]){NULL}, .replay = "frng-replay", .options = ""};

/* ---- A search ---- */

static const run_setup search_setup = {.task = TASK_SEARCH,
                                       .subject = &target,
                                       .mode = "persistent",
                                       .jobs = 2,
                                       .limits = {.budget_ns = 60 * CLOCK_NS_PER_S}};

static void search_take(screen_search *s, event_kind kind, const failure *f, uint64_t runs) {
    screen_search_take(s, &(event){.kind = kind,
                                   .failure = f,
                                   .progress = {.runs = runs, .elapsed_ns = CLOCK_NS_PER_S / 50}});
}

static void search_tested(screen_search *s, uint64_t size, uint64_t runs, uint64_t failures) {
    const tested_runs t = {.size = size, .runs = runs, .failures = failures, .is_fresh = true};
    screen_search_take(s, &(event){.kind = EVENT_TESTED, .tested = &t});
}

static failure failure_of(uint64_t size, int status, const char *site, const char *output) {
    static bytes_tail tails[8]; /* more than a test has failures */
    static size_t count;
    failure f = {.input = {size, 7}, .signature = {SIGNATURE_EXIT, status}};
    f.output = &tails[count++ % 8];
    *f.output = (bytes_tail){0};
    strcpy(f.site, site);
    bytes_tail_add(f.output, (const uint8_t *)output, strlen(output));
    return f;
}

static screen_search *searched(void) {
    static screen_search s;
    const failure first = failure_of(4000, 1, "queue.c:31", "");
    const failure best = failure_of(29, 1, "queue.c:31",
                                    "queue.c:31: expected\033[31m 3\n\xe6\x97\xa5\xe6\x9c\xac\n");
    const failure other = failure_of(50, 3, "", "");
    const tested_runs flaky = {.size = 40, .runs = 9, .unreliable = 2};
    screen_search_begin(&s, &search_setup);
    search_tested(&s, 0, 1, 0);
    search_tested(&s, 16, 100, 0);
    search_tested(&s, 40, 1000, 1);
    search_tested(&s, 3000, 50, 50);
    screen_search_take(&s, &(event){.kind = EVENT_TESTED, .tested = &flaky});
    search_take(&s, EVENT_BEST, &first, 12);
    search_take(&s, EVENT_OTHER, &other, 500);
    search_take(&s, EVENT_BEST, &best, 1200);
    const progress now = {.size = 28,
                          .runs = 183975,
                          .reruns = 21,
                          .elapsed_ns = 20 * CLOCK_NS_PER_S,
                          .best = &best,
                          .stint = {ACTIVITY_ENDING, 28, 1500, 3000},
                          .claim = {.below = 28, .passed = 1500, .bound = 0.002}};
    screen_search_take(&s, &(event){.kind = EVENT_PROGRESS, .progress = now});
    return &s;
}

static const char *search_shown(canvas_charset charset, unsigned columns, unsigned rows) {
    canvas_init(&c, columns - 1, rows - 1, charset);
    return rows_of(screen_search_draw(searched(), "./sut", &c));
}

TEST(one_run_and_one_rerun_are_no_plural) {
    screen_search *s = searched();
    s->now.runs = s->now.reruns = 1;
    canvas_init(&c, 79, 23, CHARSET_UTF8);
    const char *shown = rows_of(screen_search_draw(s, "./sut", &c));
    ck_assert_ptr_nonnull(strstr(shown, "  effort   1 run, "));
    ck_assert_ptr_nonnull(strstr(shown, ", 1 rerun\n"));
}

TEST(a_search_at_80x24) {
    ck_assert_str_eq(
        search_shown(CHARSET_UTF8, 80, 24),
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

TEST(a_search_that_keeps_going_does_not_end_soon) {
    screen_search *s = searched();
    run_setup going = *s->setup;
    going.keeps_going = true;
    s->setup = &going;
    canvas_init(&c, 79, 23, CHARSET_UTF8);
    const char *shown = rows_of(screen_search_draw(s, "./sut", &c));
    ck_assert_ptr_nonnull(
        strstr(shown, "1,500 of 3,000 in a row  ███████▌······· doubles in 0:01\n"));
}

TEST(a_search_at_60x12_in_ascii) {
    ck_assert_str_eq(search_shown(CHARSET_ASCII, 60, 12),
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
}

TEST(a_search_at_200x50_has_both_charts_and_more_output) {
    const char *text = search_shown(CHARSET_UTF8, 200, 50);
    assert_contains(text, "  size over runs ");
    assert_contains(text, "failures by size\n");
    assert_contains(text, "           日本\n");
}

TEST(a_search_at_any_size_fits) {
    for (unsigned columns = 2; columns < 260; columns += 3) {
        for (unsigned rows = 2; rows < 70; rows++) search_shown(CHARSET_UTF8, columns, rows);
    }
}

TEST(a_search_without_a_failure_says_so) {
    static screen_search s;
    screen_search_begin(&s, &search_setup);
    const progress now = {.size = 64,
                          .runs = 100,
                          .stint = {ACTIVITY_GROWING, 64, 10, 100},
                          .claim = {.rounds = 100, .sizes = 3, .largest = 64, .bound = 0.0362}};
    screen_search_take(&s, &(event){.kind = EVENT_PROGRESS, .progress = now});
    canvas_init(&c, 79, 23, CHARSET_ASCII);
    const char *text = rows_of(screen_search_draw(&s, "./sut", &c));
    assert_contains(text, "  best     nothing has failed so far\n");
    assert_contains(text, "  now      size 64, growing\n");
    assert_contains(text, "  bound    under 3.7% fail at each size up to 64 (95% confidence)\n");
    assert_contains(text, "no failure yet");
}

TEST(a_best_that_turns_out_to_be_flaky_is_none) {
    screen_search *s = searched();
    screen_search_take(s, &(event){.kind = EVENT_PROGRESS, .progress = {.size = 3}});
    canvas_init(&c, 79, 23, CHARSET_ASCII);
    assert_contains(rows_of(screen_search_draw(s, "", &c)), "nothing has failed so far");
}

/* ---- A reduction ---- */

static const run_setup reduce_setup = {
    .task = TASK_REDUCE, .subject = &target, .mode = "fork", .jobs = 1, .size = 4096};
static const run_setup file_setup = {
    .task = TASK_REDUCE_FILE, .subject = &target, .jobs = 1, .size = 4096};

static screen_reduce *reduced(const run_setup *setup, const char *best, const char *before,
                              const char *after) {
    static screen_reduce r;
    const failure f = {.input = {.size = strlen(best)}};
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
    screen_reduce_begin(&r, setup);
    screen_reduce_take(&r,
                       &(event){.kind = EVENT_BEST, .failure = &f, .bytes = (const uint8_t *)best});
    screen_reduce_take(&r, &(event){.kind = EVENT_STEP, .progress = now, .change = &change});
    screen_reduce_take(&r, &(event){.kind = EVENT_OTHER});
    now.elapsed_ns += CLOCK_NS_PER_S / 2;
    screen_reduce_take(&r, &(event){.kind = EVENT_PROGRESS, .progress = now});
    return &r;
}

static const char *reduce_shown(const screen_reduce *r, canvas_charset charset, unsigned columns,
                                unsigned rows) {
    canvas_init(&c, columns - 1, rows - 1, charset);
    return rows_of(screen_reduce_draw(r, "./sut", &c));
}

TEST(a_reduction_at_80x24) {
    const screen_reduce *r = reduced(&reduce_setup, "\x01\x02\x03\xff", "\x07\x08", "\x06");
    ck_assert_str_eq(
        reduce_shown(r, CHARSET_UTF8, 80, 24),
        "frng-reduce ./sut                                                          0:05\n"
        "  size     41 of 4,096 bytes, 17 draws  "
        "██████████████▊ 98% gone\n"
        "  calls    1,234, 224/s, 1 job\n"
        "  steps    30, the last 0.50 s ago\n"
        "  pass     minimise, 3 of 26 in its round  █········\n"
        "  also     1 other failure, 0 flaky\n"
        "  change   minimise at 12: -2 +1 byte\n"
        "           - 07 08\n"
        "           + 06\n"
        "  best     01 02 03 ff\n"
        "\n"
        "  size over calls\n"
        "  4,096 ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉"
        "⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉"
        "⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "                                                                              ⢸\n"
        "     41                                                                       ⢸\n"
        "        1                                                           1,234 calls\n");
}

TEST(a_step_of_a_target_that_tells_draws_shows_their_values) {
    static screen_reduce r;
    const byte_change bytes = {.offset = 12, .removed = 9, .inserted = 1};
    draw_change draws = {.at = 3, .removed = 9, .inserted = 1};
    for (size_t i = 0; i < DRAW_CHANGE_SHOWN; i++) {
        draws.before[i] = (frng_trace_record){.kind = FRNG_UINT, .width = 1};
        draws.before[i].u.draw.max = 255;
        draws.before[i].u.draw.value = 200 + i;
    }
    draws.before[1].kind = FRNG_BOOL;
    draws.before[1].u.draw.value = 1;
    draws.after[0].kind = FRNG_TRACE_NOTE;
    strcpy(draws.after[0].u.text, "#7");
    screen_reduce_begin(&r, &reduce_setup);
    const progress now = {.size = 41, .steps = 1, .pass = "delete"};
    screen_reduce_take(
        &r, &(event){.kind = EVENT_STEP, .progress = now, .change = &bytes, .draw_change = &draws});
    const char *text = reduce_shown(&r, CHARSET_ASCII, 80, 24);
    assert_contains(text, "  change   delete at draw 3: -9 +1 draw\n"
                          "           - 200, true, 202, 203, 204, 205, 206, 207, ...\n"
                          "           + #7\n");
}

TEST(a_file_at_60x12_in_ascii) {
    const screen_reduce *r = reduced(&file_setup, "int main(void) {\n\treturn \xe6\x97\xa5;\n}\n",
                                     "int x;\nint y;\n", "");
    ck_assert_str_eq(reduce_shown(r, CHARSET_ASCII, 60, 12),
                     "frng-reduce ./sut                                      0:05\n"
                     "  size     41 of 4,096 bytes  ##########. 98% gone\n"
                     "  calls    1,234, 224/s, 1 job\n"
                     "  steps    30, the last 0.50 s ago\n"
                     "  pass     minimise, 3 of 26 in its round  .......\n"
                     "  also     1 other failure, 0 flaky\n"
                     "  change   minimise at 12: -14 +0 bytes\n"
                     "           - int x;\n"
                     "  best     int main(void) {\n"
                     "            return ?;\n");
}

TEST(a_reduction_at_any_size_fits) {
    const screen_reduce *r = reduced(&reduce_setup, "\x01\x02\x03\xff", "\x07\x08", "\x06");
    for (unsigned columns = 2; columns < 260; columns += 3) {
        for (unsigned rows = 2; rows < 70; rows++) reduce_shown(r, CHARSET_UTF8, columns, rows);
    }
}
