/* live.h: lines at the end of the terminal, which are rewritten in place. */
#include "fixture.h"
#include "live.h"

#include "clock.h"
#include "messages.h"

#include <pty.h>
#include <sys/ioctl.h>

static void show(const char *a, const char *b, const char *c) {
    const live_line lines[] = {{a, (unsigned)strlen(a)},
                               {b, b != NULL ? (unsigned)strlen(b) : 0},
                               {c, c != NULL ? (unsigned)strlen(c) : 0}};
    live_show(lines, c != NULL ? 3 : b != NULL ? 2 : 1);
}

TEST(one_line_is_wiped_before_a_message) {
    message_init("frng-test", true);
    capture_begin();
    show("size 16", NULL, NULL);
    show("size 32", NULL, NULL);
    message("first");
    message("second");
    const char *text = capture_end();
    const char *wiped = "\rsize 16\033[K\rsize 32\033[K\r\033[Kfrng-test: first";
    ck_assert_int_eq(strncmp(text, wiped, strlen(wiped)), 0);
    const char *second = strstr(text, "\nfrng-test: second");
    ck_assert_msg(second != NULL, "wiped once: there is nothing to wipe any more");
}

TEST(a_report_begins_on_a_clean_line) {
    message_init("frng-test", true);
    capture_begin();
    show("x", NULL, NULL);
    fputs("report", message_stream());
    fputs(" goes on", message_stream());
    ck_assert_str_eq(capture_end(), "\rx\033[K\r\033[Kreport goes on");
    ck_assert_ptr_eq(message_stream(), stderr);
}

TEST(a_block_is_written_as_one_frame_and_then_only_where_it_changed) {
    capture_begin();
    show("a", "b", "");
    ck_assert_str_eq(capture_end(), "\033[?2026h\033[?25l\ra\033[K\n\rb\033[K\n\r\033[K"
                                    "\033[?25h\033[?2026l");
    capture_begin();
    show("a", "B", "");
    ck_assert_str_eq(capture_end(), "\033[?2026h\033[?25l\033[2A\n\rB\033[K\n\r\033[K"
                                    "\033[?25h\033[?2026l");
    capture_begin();
    show("a", "B", "");
    ck_assert_str_eq(capture_end(), "");
    capture_begin();
    show("a", "", NULL);
    ck_assert_str_eq(capture_end(), "\033[?2026h\033[?25l\033[2A\n\r\033[K\033[J"
                                    "\033[?25h\033[?2026l");
    capture_begin();
    live_erase();
    live_erase();
    ck_assert_str_eq(capture_end(), "\033[1A\r\033[J");
}

TEST(after_a_pause_nothing_above_is_touched) {
    clock_heed_pauses();
    capture_begin();
    show("a", "b", "");
    raise(SIGCONT);
    show("a", "b", "");
    const char *text = capture_end();
    assert_lacks(text, "A");
    capture_begin();
    raise(SIGCONT);
    live_erase();
    ck_assert_str_eq(capture_end(), "");
}

/* ---- On a terminal of our own ---- */

static int terminal = -1;

static void set_size(unsigned short columns, unsigned short rows) {
    const struct winsize size = {.ws_row = rows, .ws_col = columns};
    ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
}

static void open_terminal(unsigned short columns, unsigned short rows) {
    int end;
    ck_assert_int_eq(openpty(&terminal, &end, NULL, NULL, NULL), 0);
    ck_assert_int_eq(dup2(end, STDERR_FILENO), STDERR_FILENO);
    set_size(columns, rows);
}

static const char *shown_now(void) {
    static char text[4096];
    const ssize_t count = read(terminal, text, sizeof text - 1);
    ck_assert_int_gt(count, 0);
    text[count] = '\0';
    return text;
}

TEST(a_narrower_terminal_wraps_what_is_erased) {
    open_terminal(80, 24);
    ck_assert_uint_eq(live_measure().columns, 80);
    show("twelve chars", "x", "");
    shown_now();
    set_size(5, 24);
    show("y", "", NULL);
    assert_contains(shown_now(), "\033[4A\r\033[J\ry\033[K\r\n");
}

TEST(lines_that_left_a_low_terminal_are_erased_when_they_come_back) {
    open_terminal(80, 24);
    show("a", "b", "");
    shown_now();
    set_size(80, 2);
    show("z", NULL, NULL);
    shown_now();
    set_size(80, 24);
    show("a", "b", "");
    assert_contains(shown_now(), "\033[1A\r\033[J\ra");
}

TEST(a_terminal_without_a_size_has_the_usual_one) {
    open_terminal(0, 0);
    ck_assert_uint_eq(live_measure().columns, 80);
    ck_assert_uint_eq(live_measure().rows, 24);
    ck_assert(live_is_allowed());
}
