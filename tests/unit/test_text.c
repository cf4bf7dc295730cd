/* pass.h: what is a text, as a table. */
#include "pass.h"
#include "suite.h"

/* Between bars. The texts hold the first and last characters of each length, those beside the
 * surrogates, and a byte order mark. The others go on where nothing began, are too long,
 * surrogates, above U+10FFFF, cut short, or do not go on. */
static const char texts[] =
    "|| |int main(void) { return 0; }\n|\t\n\v\f\r\x1b|~|\xc2\x80|\xdf\xbf|\xe0\xa0\x80|"
    "\xed\x9f\xbf|\xee\x80\x80|\xef\xbb\xbfx|\xef\xbf\xbf|\xf0\x90\x80\x80|"
    "\xf4\x8f\xbf\xbf|a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z|";
static const char others[] =
    "|\0|a\0b|abc\0|\x7f|\x80|a\xbf|\xc3\xa4\xa4|\xc0\x80|\xc1\xbf|\xe0\x80\x80|\xe0\x9f\xbf|"
    "\xf0\x80\x80\x80|"
    "\xf0\x8f\xbf\xbf|\xed\xa0\x80|\xed\xbf\xbf|\xf4\x90\x80\x80|\xf5\x80\x80\x80|"
    "\xf8\x88\x80\x80\x80|\xfe|\xff|"
    "\xc3|a\xe2\x82|\xe2|\xf0\x9f\x98|\xf0|\xc3z|\xe2\x82z|\xe2z\xac|\xf0\x9f\x98z|\xc3\xc3\xa4|";

/* In memory of just that size, so that ASan sees a read too many. */
static bool is_text(const char *bytes, size_t size) {
    uint8_t *copy = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    if (size > 0) memcpy(copy, bytes, size);
    const bool is = text_errors(copy, size) == 0;
    free(copy);
    return is;
}

static void check(const char *all, size_t size, bool expected) {
    for (const char *at = all + 1; at < all + size; at++) {
        const char *end = memchr(at, '|', (size_t)(all + size - at));
        ck_assert_msg(is_text(at, (size_t)(end - at)) == expected, "%.*s", (int)(end - at), at);
        at = end;
    }
}

TEST(texts_are_told_from_other_bytes) {
    check(texts, sizeof texts - 1, true);
    check(others, sizeof others - 1, false);
    ck_assert(text_errors(NULL, 0) == 0);
}

/* A latin-1 text is reduced as one, also for a target that reads it and tells no draws. */
TEST(a_few_bytes_that_are_not_utf_8_leave_a_text) {
    static const struct {
        const char *bytes;
        bool is_of_file, is_of_entropy;
    } all[] = {
        {"A caf\xe9, and then\n the rest\n", true, false},
        {"A caf\xe9, and then\n the rest\nof a text that is as long as few seeds of text are\n",
         true, true},
        {"8=F\x01"
         "34=15\x01"
         "58=text of a message\x01"
         "10=234\x01\n",
         true, false},
        {"\1\1\1\1\1\1\1\1", false, false},
        {"\xe9"
         "A caf\xe9, and then\n the rest\n",
         false, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        testcase t;
        const uint8_t *bytes = (const uint8_t *)all[i].bytes;
        testcase_init(&t, bytes, strlen(all[i].bytes), NULL, 0);
        ck_assert((passes_for(&t, true) == pass_list_of_text) == all[i].is_of_file);
        ck_assert((passes_for(&t, false) == pass_list_of_text) == all[i].is_of_entropy);
        testcase_finish(&t);
    }
}

/* A byte alone: ASCII, and of its control characters the few that texts have. */
TEST(printable_and_blank_bytes_are_text) {
    for (int c = 0; c < 256; c++) {
        const char byte = (char)c;
        const bool is_printable = c >= ' ' && c < 0x7f;
        const bool is_allowed = (c >= '\t' && c <= '\r') || c == 0x1b;
        ck_assert_msg(is_text(&byte, 1) == (is_printable || is_allowed), "byte %d", c);
    }
}

/* Every code point as UTF-8 would write it, in each length that it has room in: the shortest alone
 * is right. */
TEST(each_code_point_is_text) {
    for (uint32_t code = 0x80; code < 0x200000; code += code < 0x11000 ? 1 : 61) {
        const char two[] = {(char)(0xc0 | code >> 6), (char)(0x80 | (code & 63))};
        const char three[] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                              (char)(0x80 | (code & 63))};
        const char four[] = {(char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 63)),
                             (char)(0x80 | (code >> 6 & 63)), (char)(0x80 | (code & 63))};
        const bool is_code = code < 0x110000 && !(code >= 0xd800 && code < 0xe000);
        if (code < 0x800) ck_assert(is_text(two, 2));
        if (code < 0x10000) ck_assert(is_text(three, 3) == (is_code && code >= 0x800));
        ck_assert_msg(is_text(four, 4) == (is_code && code >= 0x10000), "U+%X", code);
    }
}
