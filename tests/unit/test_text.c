/* pass.h: what is a text, as a table. */
#include "pass.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

typedef struct sample {
    const char *bytes;
    size_t size;
} sample;

#define SAMPLE(text)                                                                               \
    { text, sizeof text - 1 }

static const sample texts[] = {
    SAMPLE(""),
    SAMPLE(" "),
    SAMPLE("int main(void) { return 0; }\n"),
    SAMPLE("\t\n\v\f\r\x1b"),
    SAMPLE("~"),
    SAMPLE("\xc2\x80"),         /* U+0080, the first of two bytes */
    SAMPLE("\xdf\xbf"),         /* U+07FF, the last */
    SAMPLE("\xe0\xa0\x80"),     /* U+0800 */
    SAMPLE("\xed\x9f\xbf"),     /* U+D7FF, before the surrogates */
    SAMPLE("\xee\x80\x80"),     /* U+E000, behind them */
    SAMPLE("\xef\xbb\xbfx"),    /* a byte order mark */
    SAMPLE("\xef\xbf\xbf"),     /* U+FFFF */
    SAMPLE("\xf0\x90\x80\x80"), /* U+10000 */
    SAMPLE("\xf4\x8f\xbf\xbf"), /* U+10FFFF */
    SAMPLE("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z"),
};

static const sample others[] = {
    SAMPLE("\0"),
    SAMPLE("a\0b"),
    SAMPLE("abc\0"),
    SAMPLE("\x7f"),
    SAMPLE("\x80"), /* goes on, and nothing began */
    SAMPLE("a\xbf"),
    SAMPLE("\xc3\xa4\xa4"),
    SAMPLE("\xc0\x80"), /* too long */
    SAMPLE("\xc1\xbf"),
    SAMPLE("\xe0\x80\x80"),
    SAMPLE("\xe0\x9f\xbf"),
    SAMPLE("\xf0\x80\x80\x80"),
    SAMPLE("\xf0\x8f\xbf\xbf"),
    SAMPLE("\xed\xa0\x80"), /* surrogates */
    SAMPLE("\xed\xbf\xbf"),
    SAMPLE("\xf4\x90\x80\x80"), /* above U+10FFFF */
    SAMPLE("\xf5\x80\x80\x80"),
    SAMPLE("\xf8\x88\x80\x80\x80"),
    SAMPLE("\xfe"),
    SAMPLE("\xff"),
    SAMPLE("\xc3"), /* cut short */
    SAMPLE("a\xe2\x82"),
    SAMPLE("\xe2"),
    SAMPLE("\xf0\x9f\x98"),
    SAMPLE("\xf0"),
    SAMPLE("\xc3z"), /* does not go on */
    SAMPLE("\xe2\x82z"),
    SAMPLE("\xe2z\xac"),
    SAMPLE("\xf0\x9f\x98z"),
    SAMPLE("\xc3\xc3\xa4"),
};

/* In memory of just that size, so that ASan sees a read too many. */
static bool is_text(const char *bytes, size_t size) {
    uint8_t *copy = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    if (size > 0) memcpy(copy, bytes, size);
    const bool is = text_is(copy, size);
    free(copy);
    return is;
}

TEST(texts_are_told_from_other_bytes) {
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(is_text(texts[i].bytes, texts[i].size), "text %d", (int)i);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert_msg(!is_text(others[i].bytes, others[i].size), "other %d", (int)i);
    }
    ck_assert(text_is(NULL, 0));
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

/* One bad byte spoils a text wherever it stands. */
TEST(one_zero_anywhere_makes_it_no_text) {
    char text[] = "a\xc3\xa4 b\n\xe2\x82\xac.";
    const size_t size = sizeof text - 1;
    ck_assert(is_text(text, size));
    for (size_t i = 0; i < size; i++) {
        const char was = text[i];
        text[i] = '\0';
        ck_assert(!is_text(text, size));
        text[i] = (char)0xff;
        ck_assert(!is_text(text, size));
        text[i] = was;
        const bool is_end = i == 0 || (text[i] & 0xc0) != 0x80;
        ck_assert(is_text(text, i) == is_end); /* cut off before it */
    }
}
