/* messages.h: every message is one line that says what is wrong, whatever is in its arguments. */
#include "fixture.h"
#include "messages.h"

#include <errno.h>

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
