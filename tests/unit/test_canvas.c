/* canvas.h: untrusted text on cells, with colours and wide characters. */
#include "fixture.h"

#include "canvas.h"

static canvas c;

static const char *row(unsigned at) {
    static char text[CANVAS_TEXT_MAX];
    canvas_text(&c, at, false, text);
    return text;
}

/* Return a text as it is shown in `columns`, cut where it does not fit. */
static const char *shown(canvas_charset charset, unsigned columns, const char *text) {
    canvas_init(&c, columns, 1, charset);
    canvas_put((canvas_pen){&c, 0, 0, columns, INK_PLAIN}, text);
    return row(0);
}

TEST(text_is_cut_at_the_end_with_a_sign) {
    ck_assert_str_eq(shown(CHARSET_ASCII, 5, "abcde"), "abcde");
    ck_assert_str_eq(shown(CHARSET_ASCII, 5, "abcdef"), "abcd>");
    ck_assert_str_eq(shown(CHARSET_UTF8, 5, "abcdef"), "abcd…");
    ck_assert_str_eq(shown(CHARSET_UTF8, 0, "abcdef"), "");
}

TEST(a_wide_character_takes_two_cells_or_none) {
    ck_assert_str_eq(shown(CHARSET_UTF8, 4, "日本"), "日本");
    ck_assert_str_eq(shown(CHARSET_UTF8, 4, "日本x"), "日…");
    ck_assert_str_eq(shown(CHARSET_UTF8, 5, "日本xy"), "日本…");
    ck_assert_uint_eq(canvas_width(&c, "日本x"), 5);
    ck_assert_uint_eq(canvas_width(&c, "🦀"), 2);
}

TEST(what_has_no_width_is_dropped) {
    ck_assert_str_eq(shown(CHARSET_UTF8, 9, "e\u0301a\u200b\ufeffb"), "eab");
    ck_assert_str_eq(shown(CHARSET_UTF8, 9, "a\tb"), "a b");
}

TEST(no_control_character_reaches_a_cell) {
    ck_assert_str_eq(shown(CHARSET_UTF8, 20,
                           "a\033[31m\r\n\x07\x7f"
                           "b\xc2\x9b"
                           "c"),
                     "a[31mbc");
    ck_assert_str_eq(shown(CHARSET_ASCII, 20,
                           "a\xc3\xa9\xff"
                           "b"),
                     "a??b");
    ck_assert_str_eq(shown(CHARSET_UTF8, 20, "a\xe2\x82"), "a\uFFFD");
}

TEST(colours_begin_and_end_and_blanks_at_the_end_go) {
    char text[CANVAS_TEXT_MAX];
    canvas_init(&c, 20, 2, CHARSET_ASCII);
    canvas_put((canvas_pen){&c, 0, 1, 20, INK_RED}, "ab");
    canvas_put((canvas_pen){&c, 0, 4, 20, INK_PLAIN}, "c  ");
    ck_assert_uint_eq(canvas_text(&c, 0, true, text), 5);
    ck_assert_str_eq(text, " \033[0;31mab \033[0mc");
    ck_assert_uint_eq(canvas_text(&c, 1, true, text), 0);
    ck_assert_str_eq(text, "");
    canvas_put((canvas_pen){&c, 1, 0, 20, INK_STRONG}, "x");
    canvas_text(&c, 1, true, text);
    ck_assert_str_eq(text, "\033[0;1mx\033[0m");
}

TEST(the_longest_row_of_changing_colours_fits) {
    char text[CANVAS_TEXT_MAX];
    canvas_init(&c, 100000, 100000, CHARSET_UTF8);
    ck_assert_uint_eq(c.columns, CANVAS_COLUMNS_MAX);
    ck_assert_uint_eq(c.rows, CANVAS_ROWS_MAX);
    for (unsigned i = 0; i < CANVAS_COLUMNS_MAX; i++)
        canvas_set((canvas_pen){&c, CANVAS_ROWS_MAX - 1, i, i + 1, i % 2 == 0 ? INK_RED : INK_BLUE},
                   0x10fff0);
    ck_assert_uint_eq(canvas_text(&c, CANVAS_ROWS_MAX - 1, true, text), CANVAS_COLUMNS_MAX);
    ck_assert_uint_lt(strlen(text), sizeof text);
}

TEST(nothing_outside_is_changed) {
    canvas_init(&c, 3, 2, CHARSET_ASCII);
    ck_assert_uint_eq(canvas_put((canvas_pen){&c, 9, 0, 3, INK_PLAIN}, "abc"), 3);
    ck_assert_uint_eq(canvas_put((canvas_pen){&c, 0, 7, 9, INK_PLAIN}, "abc"), 7);
    canvas_set((canvas_pen){&c, 0, 3, 3 + 1, INK_PLAIN}, 'x');
    ck_assert_str_eq(row(0), "");
    ck_assert_str_eq(row(1), "");
}
