/* html.h: nothing that is written as text becomes markup. */
#include "fixture.h"
#include "html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct literal {
    const char *text, *escaped;
} literal;

static const literal literals[] = {
    {"", ""},
    {"plain, words", "plain, words"},
    {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
    {"a & b", "a &amp; b"},
    {"\" onload=\"x", "&quot; onload=&quot;x"},
    {"it's", "it&#39;s"},
    {"\x1b[31mred", "\\x1b[31mred"},
    {"bad \xff\xc0\xaf utf-8", "bad \\xff\\xc0\\xaf utf-8"},
    {"Grüße, 世界", "Grüße, 世界"},
    {"two\nlines\tand", "two\nlines\tand"},
    {"right \xe2\x80\xae to left", "right \\xe2\\x80\\xae to left"}, /* U+202E */
};

static const char *text_of(html *h) {
    ck_assert(!h->failed);
    html_raw(h, ""); /* no page has no text */
    char *copy = strndup(h->text != NULL ? h->text : "", h->size);
    html_finish(h);
    return copy;
}

static void expect(html *h, const char *expected) {
    const char *text = text_of(h);
    ck_assert_str_eq(text, expected);
    free((char *)text);
}

TEST_EACH(text_is_escaped, sizeof literals / sizeof literals[0]) {
    html h = {.text = NULL};
    html_text(&h, literals[_i].text, HTML_TEXT_MAX);
    expect(&h, literals[_i].escaped);
    html_put(&h, "%s", literals[_i].text);
    expect(&h, literals[_i].escaped);
}

TEST(a_limit_says_how_much_is_left) {
    html h = {.text = NULL};
    ck_assert_uint_eq(html_left(&h), SIZE_MAX);
    h.limit = 5;
    ck_assert_uint_eq(html_left(&h), 5);
    html_raw(&h, "abc");
    ck_assert_uint_eq(html_left(&h), 2);
    html_raw(&h, "defg"); /* a limit ends lists, and cuts nothing */
    ck_assert_uint_eq(html_left(&h), 0);
    expect(&h, "abcdefg");
}

TEST(a_long_text_is_cut_between_characters) {
    html h = {.text = NULL};
    html_text(&h, "abcä", 4);
    expect(&h, "abc…");
    html_text(&h, "abcä", 5);
    expect(&h, "abcä");
    html_text(&h, "<<<<", 2);
    expect(&h, "&lt;&lt;…");
}

TEST(numbers_are_formatted) {
    html h = {.text = NULL};
    const uint64_t most = UINT64_MAX;
    html_put(&h, "<b>%d %u %zu %" PRIu64 " %.2f%%</b>", -7, 8u, (size_t)9, most, 1.005);
    expect(&h, "<b>-7 8 9 18446744073709551615 1.00%</b>");
}

TEST(markup_stays_as_it_is) {
    html h = {.text = NULL};
    html_raw(&h, "<p class=\"x\">100% & more");
    expect(&h, "<p class=\"x\">100% & more");
}
