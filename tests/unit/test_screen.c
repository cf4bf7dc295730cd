/* screen.h: what the screen (screens.txt) and the lines show, when, and how they are rewritten in
 * place. */
#include "failure_table.h"
#include "fixture.h"
#include "golden.h"
#include "screen.h"

#include "clock.h"
#include "messages.h"

#include <pty.h>
#include <sys/ioctl.h>

static const run_target target = {
    .sut = "./sut", .args = (const char *const[]){NULL}, .replay = "frng-replay", .options = ""};
static const run_setup search_setup = {.task = TASK_SEARCH,
                                       .subject = &target,
                                       .mode = "persistent",
                                       .jobs = 2,
                                       .budget_ns = 60 * CLOCK_NS_PER_S};
static const run_setup reduce_setup = {
    .task = TASK_REDUCE, .subject = &target, .mode = "fork", .jobs = 1, .size = 4096};
static const run_setup file_setup = {
    .task = TASK_REDUCE_FILE, .subject = &target, .jobs = 1, .size = 4096};

static screen s;

#define FRAME(text) "\033[?2026h\033[?25l" text "\033[?25h\033[?2026l"

#define TAKE(...) screen_take(&s, &(event){__VA_ARGS__})

static void begin(const run_setup *setup, screen_style style) {
    s.style = style;
    TAKE(.kind = EVENT_STARTED, .setup = setup);
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
    TAKE(.kind = EVENT_PROGRESS, .progress = *now);
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

/* ---- Screens ---- */

static failure_table known; /* what has failed */

static progress at_end(const failure *best) {
    return (progress){.size = 28,
                      .runs = 183975,
                      .reruns = 21,
                      .elapsed_ns = 20 * CLOCK_NS_PER_S,
                      .best = best,
                      .failures = &known,
                      .stage = {ACTIVITY_ENDING, 1500, 3000},
                      .claim = {.below = 28, .passed = 1500, .bound = 0.002}};
}

static void take(event_kind kind, const failure *f, uint64_t runs) {
    const bool is_best = kind == EVENT_BEST;
    const progress now = {.runs = runs,
                          .elapsed_ns = CLOCK_NS_PER_S / 50,
                          .best = is_best ? f : NULL,
                          .failures = &known};
    if (is_best || kind == EVENT_OTHER)
        failure_table_keep(&known, failure_table_note(&known, f, FAILURE_OTHER));
    TAKE(.kind = kind, .failure = f, .progress = now);
}

static failure best;

static progress searched(const run_setup *setup, screen_style style) {
    static const tested_runs tested[] = {
        {.size = 0, .runs = 1, .is_fresh = true},
        {.size = 16, .runs = 100, .is_fresh = true},
        {.size = 40, .runs = 1000, .failures = 1, .is_fresh = true},
        {.size = 3000, .runs = 50, .failures = 50, .is_fresh = true},
        {.size = 40, .runs = 9, .failures = 9, .unreliable = 2}};
    static bytes_tail output;
    static const char printed[] = "queue.c:31: expected\033[31m 3\n\xe6\x97\xa5\xe6\x9c\xac\n";
    const failure first = failure_of(4000, 1, "queue.c:31"), other = failure_of(50, 3, "");
    best = failure_of(29, 1, "queue.c:31");
    output = (bytes_tail){0};
    bytes_tail_add(&output, (const uint8_t *)printed, sizeof printed - 1);
    best.output = &output;
    begin(setup, style);
    failure_table_clear(&known);
    for (size_t i = 0; i < sizeof tested / sizeof tested[0]; i++)
        TAKE(.kind = EVENT_TESTED, .tested = &tested[i]);
    take(EVENT_BEST, &first, 12);
    take(EVENT_OTHER, &other, 500);
    take(EVENT_BEST, &best, 1200);
    return at_end(&best);
}

static progress reduced(const run_setup *setup, screen_style style, const char *head) {
    const failure f = {.input = {.size = strlen(head)}}, other = failure_of(9, 3, "");
    progress now = {.size = 41, .runs = 1234, .steps = 30, .draws = 17, .pass = "minimise"};
    now.elapsed_ns = 5 * CLOCK_NS_PER_S;
    now.pass_number = 3;
    now.pass_count = 26;
    now.failures = &known;
    begin(setup, style);
    failure_table_clear(&known);
    TAKE(.kind = EVENT_BEST, .failure = &f, .bytes = (const uint8_t *)head);
    TAKE(.kind = EVENT_STEP, .progress = now);
    take(EVENT_OTHER, &other, 0);
    now.elapsed_ns += CLOCK_NS_PER_S / 2;
    return now;
}

static const run_target long_subject = {.sut =
                                            "/home/me/work/build-with-a-long-name/tests/fuzz/queue",
                                        .args = (const char *const[]){"--strict", NULL}};

typedef enum scene { SEARCH, FLAKY, UNTRIED, EACH, REDUCTION, A_FILE } scene;

static progress set_scene(scene what, screen_style style) {
    static run_setup setup;
    static failure smaller;
    progress now;
    if (what == REDUCTION) return reduced(&reduce_setup, style, "\x01\x02\x03\xff");
    if (what == A_FILE)
        return reduced(&file_setup, style, "int main() {\n\treturn \xe6\x97\xa5;\n}\n");
    setup = search_setup;
    setup.finds_each = what == EACH;
    if (what == EACH) setup.budget_ns = CLOCK_NEVER;
    if (what == UNTRIED) setup.subject = &long_subject;
    now = searched(&setup, style);
    for (int i = 4; i < 9 && what == EACH; i++) {
        smaller = failure_of(60, i, "");
        take(EVENT_OTHER, &smaller, 600);
    }
    if (what == EACH) { /* the best is of another signature: that before stays known */
        smaller = failure_of(20, 8, "");
        take(EVENT_BEST, &smaller, 700);
        now.best = &smaller;
    }
    if (what != FLAKY && what != UNTRIED) return now;
    if (what == UNTRIED) begin(&setup, style);
    if (what == UNTRIED) failure_table_clear(&known);
    now.stage = (search_stage){ACTIVITY_GROWING, 0, 0};
    now.best = NULL; /* it was flaky */
    now.claim = (run_claim){.rounds = 100, .sizes = 3, .largest = 64, .bound = 0.0362};
    now.runs = now.reruns = 1;
    return now;
}

static const struct {
    const char *name;
    scene scene;
    bool is_utf8;
    unsigned columns, rows;
} screens[] = {{"a search", SEARCH, true, 80, 20},
               {"a search, in ASCII on a low terminal", SEARCH, false, 60, 12},
               {"a search, on a large terminal", SEARCH, true, 120, 36},
               {"a search before any failure", UNTRIED, false, 80, 18},
               {"a search whose failure was flaky", FLAKY, false, 80, 24},
               {"a search for all failures, in ASCII", EACH, false, 80, 24},
               {"a reduction", REDUCTION, true, 80, 16},
               {"the reduction of a file, in ASCII on a low terminal", A_FILE, false, 60, 12}};

TEST(screens_show_what_is_known) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        const progress now = set_scene(screens[i].scene, screens[i].is_utf8 ? utf8 : ascii);
        fprintf(out, "== %s\n%s", screens[i].name,
                shown_on(screens[i].columns, screens[i].rows, &now));
    }
    fclose(out);
    char *changes = golden_changes(text);
    golden_check(SCREENS_FILE, changes);
    free(changes);
    free(text);
}

TEST(text_of_others_is_shown_as_text) {
    static const struct {
        bool is_utf8;
        const char *site, *shown;
    } cases[] = {
        {false, "a\033[31m\r\n\x07\x7f b", "at a[31m b\n"},
        {true, "b\xc2\x9b c\tc", "at b c c\n"},
        {false, "a\xc3\xa9\xff b", "at a?? b\n"},
        {true, "a\xe2\x82", "at a\uFFFD\n"},
        {true, "e\u0301a\u200b\ufeff日本🦀", "at ea日本🦀\n"},
        {false, "12345678901234567890", "at 123456789012345678>\n"},
        {true, "12345678901234567日本", "at 12345678901234567…\n"},
        {true, "1234567890123456日本", "at 1234567890123456日…\n"},
        {true, "src/日本/of/consensus.c:86 in event", "at …of/consensus.c:86…\n"},
        {true, "of/consensus.c:86 in event", "at of/consensus.c:86 …\n"},
        {false, "of/consensus.c:86", "at of/consensus.c:86\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const failure f = failure_of(29, 1, cases[i].site);
        begin(&search_setup, (screen_style){SCREEN_AUTO, cases[i].is_utf8, false});
        const progress now = at_end(&f);
        assert_contains(shown_on(60, 12, &now), cases[i].shown);
    }
}

TEST(colours_begin_and_end) {
    open_terminal(60, 12);
    begin(&search_setup, (screen_style){.is_coloured = true});
    TAKE(.kind = EVENT_PROGRESS, .progress = {.elapsed_ns = CLOCK_NS_PER_S});
    assert_contains(written(), "\033[0;1mfrng-search \033[0m./sut  ");
}

TEST(screens_of_any_size_fit) {
    for (scene what = SEARCH; what <= A_FILE; what++) {
        const progress now = set_scene(what, utf8);
        for (unsigned columns = 60; columns < 260; columns += 13)
            for (unsigned rows = 12; rows < 70; rows += 1 + rows / 12)
                shown_on(columns, rows, &now);
    }
}

TEST(a_rate_is_that_of_the_last_seconds) {
    progress now = {.size = 1, .elapsed_ns = CLOCK_NS_PER_S};
    begin(&reduce_setup, ascii);
    assert_contains(shown_on(80, 24, &now), "  calls    0, 0/s, 1 job\n");
    for (int ms = 0; ms <= 10000; ms += 100) {
        now.elapsed_ns = ms * CLOCK_NS_PER_MS;
        now.runs += ms < 5000 ? 1000 : 10; /* 10,000 a second, then 100 */
        TAKE(.kind = EVENT_PROGRESS, .progress = now);
    }
    assert_contains(shown_on(80, 24, &now), ", 100/s, 1 job\n");
}

/* ---- Lines ---- */

static const char *line_of(const progress *p) {
    capture_begin();
    TAKE(.kind = EVENT_PROGRESS, .progress = *p);
    return capture_end();
}

static const char *line_at(int64_t elapsed_ms) {
    return line_of(&(progress){
        .size = 4096, .runs = 1200, .reruns = 34, .elapsed_ns = elapsed_ms * CLOCK_NS_PER_MS});
}

static void begin_lines(const run_setup *setup, bool on_terminal) {
    message_init("frng-test", on_terminal);
    begin(setup, (screen_style){SCREEN_LINE});
}

static const run_setup endless = {.task = TASK_SEARCH, .subject = &target, .jobs = 2};

TEST(a_log_gets_few_lines_and_a_terminal_one_that_is_rewritten) {
    static const struct {
        bool on_terminal;
        int64_t ms;
        const char *line;
    } cases[] = {{false, 9999, ""},
                 {false, 10000, "size 4K | best none | 1,234 runs | 123/s | 0:10\n"},
                 {false, 29999, ""},
                 {false, 30000, "size 4K | best none | 1,234 runs | 41/s | 0:30\n"},
                 {true, 99, ""},
                 {true, 100, FRAME("\rsize 4K | best none | 1,234 runs | 12,340/s | 0:00\033[K")},
                 {true, 199, ""},
                 {true, 200, FRAME("\rsize 4K | best none | 1,234 runs | 6,170/s | 0:00\033[K")}};
    unsigned lines = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i == 0 || cases[i].on_terminal != cases[i - 1].on_terminal)
            begin_lines(&endless, cases[i].on_terminal);
        ck_assert_str_eq(line_at(cases[i].ms), cases[i].line);
    }
    s.style.kind = SCREEN_NONE;
    ck_assert_str_eq(line_at(50000), "");
    begin_lines(&endless, false);
    for (int64_t ms = 5000; ms < 8 * 3600 * 1000; ms += 5000) lines += line_at(ms)[0] != '\0';
    ck_assert_uint_eq(lines, 52); /* at 10, 30, 70 s ... and then each ten minutes */
}

TEST(a_line_tells_passes_time_and_other_failures) {
    const failure other = failure_of(50, 2, "");
    progress now = searched(&search_setup, (screen_style){SCREEN_LINE});
    message_init("frng-test", false);
    take(EVENT_OTHER, &other, 0);
    take(EVENT_OTHER, &other, 0);
    ck_assert_str_eq(line_of(&now), "size 28 | best 29 | 1,500/3,000 passes | 183,996 runs | "
                                    "9,199/s | 0:20, 0:40 left | 2 others | 2 flaky\n");
    now = reduced(&reduce_setup, (screen_style){SCREEN_LINE}, "");
    now.elapsed_ns = 10 * CLOCK_NS_PER_S;
    take(EVENT_FLAKY, &other, 0);
    ck_assert_str_eq(line_of(&now), "41 bytes | 1,234 calls | 123/s | minimise | pass 3/26 | "
                                    "0:10 | 1 other | flaky\n");
}

TEST(small_terminals_get_a_line_which_is_cut) {
    static const struct {
        screen_kind kind;
        unsigned columns, rows;
        const char *begins;
    } cases[] = {{SCREEN_AUTO, 20, 5, "size 5 | best none\u2026"},
                 {SCREEN_FULL, 59, 12, "size 5 | best none | 0 runs"},
                 {SCREEN_FULL, 60, 11, "size 5 | best none | 0 runs"},
                 {SCREEN_LINE, 200, 50, "size 5 | best none | 0 runs"},
                 {SCREEN_FULL, 0, 0, "size 5 | best none | 0 runs"}, /* taken for 80 columns */
                 {SCREEN_FULL, 60, 12, "frng-search"}};
    begin(&endless, utf8);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const progress now = {.size = 5, .elapsed_ns = CLOCK_NS_PER_S};
        s.style.kind = cases[i].kind;
        const char *text = shown_on(cases[i].columns, cases[i].rows, &now);
        ck_assert_msg(strncmp(text, cases[i].begins, strlen(cases[i].begins)) == 0, "%s", text);
    }
}

/* ---- Rewriting ---- */

static const char *rewritten(uint64_t size) {
    static int64_t elapsed_ns = CLOCK_NS_PER_S;
    elapsed_ns++;
    s.pause_ns = 0;
    TAKE(.kind = EVENT_PROGRESS, .progress = {.size = size, .elapsed_ns = elapsed_ns});
    return written();
}

TEST(a_line_is_wiped_before_a_message_and_a_report) {
    begin_lines(&endless, true);
    capture_begin();
    TAKE(.kind = EVENT_PROGRESS, .progress = {.elapsed_ns = CLOCK_NS_PER_S});
    message("first");
    message("second");
    fputs("report", message_stream());
    const char *text = capture_end();
    assert_contains(text, FRAME("\r\033[J") "frng-test: first\nfrng-test: second\nreport");
}

TEST(a_screen_is_written_as_one_frame_and_then_only_where_it_changed) {
    open_terminal(60, 12);
    begin(&endless, ascii);
    const char *text = rewritten(16);
    ck_assert_int_eq(strncmp(text, "\033[?2026h\033[?25l\rfrng-search", 26), 0);
    assert_contains(text, "\n\r\033[K\033[?25h\033[?2026l");
    ck_assert_str_eq(rewritten(32), FRAME("\033[7A\n\n\r  now      size 32, starting"
                                          "\033[K\n\n\n\n\n\r\033[K"));
    ck_assert_str_eq(rewritten(32), "");
    s.style.kind = SCREEN_LINE;
    assert_contains(rewritten(32), "\033[K\033[J\033[?25h");
    message_stream();
    ck_assert_str_eq(written(), FRAME("\r\033[J"));
    s.style.kind = SCREEN_AUTO;
    rewritten(64);
    message_stream();
    message_stream();
    assert_contains(written(), "A\r\033[J");
}
