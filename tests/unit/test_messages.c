/* messages.h: every message is one line that says what is wrong, whatever is in its arguments. */
#include "fixture.h"
#include "messages.h"

#include <errno.h>

/* Text as an enemy would name a file: it takes lines, colours and the terminal's title. */
#define HOSTILE "a\nb\033[31m\r\x07\xff\xc2\x9b\x7f%s%n"
#define ESCAPED "a\\x0ab\\x1b[31m\\x0d\\x07\\xff\\xc2\\x9b\\x7f%s%n"

/* A message, an error of the system, and one of usage. */
static const char *print(int kind, const char *text) {
    message_init("frng-test", false);
    capture_begin();
    if (kind == 0) message("%s", text);
    if (kind == 1) message_error(ENOSPC, "%s", text);
    if (kind == 2) message_usage("%s", text);
    return capture_end();
}

TEST(a_message_is_one_line_with_its_reason_whatever_is_in_it) {
    ck_assert_str_eq(print(0, HOSTILE), "frng-test: " ESCAPED "\n");
    ck_assert_str_eq(print(1, HOSTILE), "frng-test: " ESCAPED ": No space left on device\n");
    ck_assert_str_eq(print(2, HOSTILE), "frng-test: " ESCAPED "; see 'frng-test --help'\n");
}

TEST(messages_are_never_cut) {
    static char word[20001], expected[80100] = "frng-test: ";
    memset(word, '\x01', 20000);
    for (int i = 0; i < 20000; i++) memcpy(expected + 11 + 4 * i, "\\x01", 4);
    strcat(expected, "\n");
    ck_assert_str_eq(print(0, word), expected);
}
