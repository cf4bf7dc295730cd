/* messages.h: every message is one line that says what is wrong, whatever is in its arguments. */
#include "fixture.h"
#include "messages.h"

#include <errno.h>
#include <pty.h>
#include <sys/ioctl.h>

/* Text as an enemy would name a file: it takes lines, colours and the terminal's title. */
#define HOSTILE "a\nb\033[31m\r\x07\xff\xc2\x9b\x7f%s%n"
#define ESCAPED "a\\x0ab\\x1b[31m\\x0d\\x07\\xff\\xc2\\x9b\\x7f%s%n"

static void assert_one_line(const char *text) {
    ck_assert_int_eq(strncmp(text, "frng-test: ", 11), 0);
    const char *end = strchr(text, '\n');
    ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", text);
    for (const char *c = text; c < end; c++) {
        ck_assert_msg((unsigned char)*c >= 0x20 && *c != 0x7f, "a control character in '%s'", text);
    }
}

TEST(a_message_begins_with_the_tool) {
    message_init("frng-test", false);
    capture_begin();
    message("%s: %d runs", "./sut", 3);
    ck_assert_str_eq(capture_end(), "frng-test: ./sut: 3 runs\n");
    ck_assert_str_eq(message_program(), "frng-test");
}

TEST(an_error_of_the_system_ends_the_line) {
    message_init("frng-test", false);
    capture_begin();
    message_error(ENOSPC, "%s: cannot be written", "out");
    ck_assert_str_eq(capture_end(), "frng-test: out: cannot be written: No space left on device\n");
}

TEST(an_error_of_usage_names_the_help) {
    message_init("frng-test", false);
    capture_begin();
    message_usage("option '%s' needs a value", "--time");
    ck_assert_str_eq(capture_end(),
                     "frng-test: option '--time' needs a value; see 'frng-test --help'\n");
}

TEST(control_characters_are_escaped) {
    message_init("frng-test", false);
    for (int kind = 0; kind < 3; kind++) {
        capture_begin();
        if (kind == 0) message("%s", HOSTILE);
        if (kind == 1) message_error(EIO, "%s", HOSTILE);
        if (kind == 2) message_usage("%s", HOSTILE);
        const char *text = capture_end();
        assert_one_line(text);
        assert_contains(text, ESCAPED);
    }
}

TEST(messages_are_never_cut) {
    static char word[20001], escaped[80001];
    memset(word, '\x01', 20000);
    for (int i = 0; i < 20000; i++) memcpy(escaped + 4 * i, "\\x01", 4);
    message_init("frng-test", false);
    capture_begin();
    message("%s: the end", word);
    const char *text = capture_end();
    assert_one_line(text);
    ck_assert(strstr(text, escaped) != NULL);
    assert_contains(text, ": the end");
}

/* ---- The status line ---- */

TEST(a_status_line_is_wiped_before_a_message) {
    message_init("frng-test", true);
    ck_assert(message_is_terminal());
    capture_begin();
    message_status("size 16");
    message_status("size 32");
    message("first");
    message("second");
    const char *text = capture_end();
    const char *wiped = "\rsize 16\033[K\rsize 32\033[K\r\033[Kfrng-test: first";
    ck_assert_int_eq(strncmp(text, wiped, strlen(wiped)), 0);
    const char *second = strstr(text, "\nfrng-test: second");
    ck_assert_msg(second != NULL, "wiped once: there is nothing to wipe any more");
    message_init("frng-test", false);
    ck_assert(!message_is_terminal());
}

TEST(a_report_begins_on_a_clean_line) {
    message_init("frng-test", true);
    capture_begin();
    message_status("x");
    fputs("report", message_stream());
    fputs(" goes on", message_stream());
    ck_assert_str_eq(capture_end(), "\rx\033[K\r\033[Kreport goes on");
    ck_assert_ptr_eq(message_stream(), stderr);
}

TEST(a_status_line_fits_the_terminal) {
    struct winsize size = {.ws_row = 24, .ws_col = 11};
    char line[201], text[256];
    int terminal, other;
    memset(line, 'w', 200);
    line[200] = '\0';
    capture_begin();
    message_status(line);
    ck_assert_uint_eq(strspn(capture_end() + 1, "w"), 79);
    ck_assert_int_eq(openpty(&terminal, &other, NULL, NULL, &size), 0);
    const int saved = dup(STDERR_FILENO);
    ck_assert_int_eq(dup2(other, STDERR_FILENO), STDERR_FILENO);
    message_init("frng-test", true);
    message_status(line);
    dup2(saved, STDERR_FILENO);
    const ssize_t count = read(terminal, text, sizeof text - 1);
    ck_assert_int_gt(count, 0);
    text[count] = '\0';
    ck_assert_str_eq(text, "\rwwwwwwwwww\033[K");
}
