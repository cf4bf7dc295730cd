/* seed_text.h: which texts are seeds, of which style, and how each is written. */
#include "fixture.h"
#include "seed_input.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void takes(const char *text, uint64_t seed, seed_style style) {
    seed_input t = {.size = 41, .seed = 4711};
    ck_assert_msg(seed_text_parse(text, &t), "'%s' was refused", text);
    ck_assert_uint_eq(t.seed, seed);
    ck_assert_int_eq(t.style, style);
    ck_assert_msg(t.size == 41, "a seed has no size");
}

static void refuses(const char *text) {
    seed_input t = {.size = 41, .seed = 4711, .style = SEED_STYLED};
    ck_assert_msg(!seed_text_parse(text, &t), "'%s' was taken", text);
    ck_assert_msg(t.size == 41 && t.seed == 4711 && t.style == SEED_STYLED,
                  "'%s' was refused, but left a seed", text);
}

TEST(a_number_is_a_plain_seed) {
    takes("0", 0, SEED_PLAIN);
    takes("17", 17, SEED_PLAIN);
    takes("007", 7, SEED_PLAIN);
    takes("0x11", 17, SEED_PLAIN);
    takes("0XfF", 255, SEED_PLAIN);
    takes("18446744073709551615", UINT64_MAX, SEED_PLAIN);
    takes("00000000000000000000000000000000000000000000000000001", 1, SEED_PLAIN);
}

TEST(a_number_and_an_s_are_a_styled_seed) {
    takes("0s", 0, SEED_STYLED);
    takes("17s", 17, SEED_STYLED);
    takes("0x11s", 17, SEED_STYLED);
    takes("0Xffs", 255, SEED_STYLED);
    takes("6801666893750869883s", UINT64_C(6801666893750869883), SEED_STYLED);
    takes("18446744073709551615s", UINT64_MAX, SEED_STYLED);
    takes("0xffffffffffffffffs", UINT64_MAX, SEED_STYLED);
    takes("00000000000000000000000000000000000000000000000000001s", 1, SEED_STYLED);
}

TEST(anything_else_is_no_seed) {
    static const char *const junk[] = {"",
                                       " ",
                                       "s",
                                       "S",
                                       "17S",
                                       "17ss",
                                       "s17",
                                       "17 s",
                                       "17s ",
                                       " 17s",
                                       "17s\n",
                                       "1s7",
                                       "17.0s",
                                       "-17s",
                                       "+17s",
                                       "0xs",
                                       "0xsff",
                                       "0x",
                                       "xs",
                                       "17sx",
                                       "17x",
                                       "17st",
                                       "17sec",
                                       "1e3s",
                                       "ffs",
                                       "17\xff",
                                       "17s\xff",
                                       "17,5",
                                       "17s,5",
                                       "17:40s",
                                       "17:40,99s",
                                       "styled",
                                       "\xd9\xa1s",
                                       "18446744073709551616",
                                       "18446744073709551616s",
                                       "0x10000000000000000s"};
    for (size_t i = 0; i < COUNT_OF(junk); i++) refuses(junk[i]);
}

TEST(what_is_written_is_read_back) {
    static const uint64_t seeds[] = {0, 1, 17, UINT64_C(1) << 53 | 1, INT64_MAX, UINT64_MAX};
    char text[SEED_TEXT_MAX];
    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        takes(seed_text_format(text, &(seed_input){.seed = seeds[i]}), seeds[i], SEED_PLAIN);
        takes(seed_text_format(text, &(seed_input){.seed = seeds[i], .style = SEED_STYLED}),
              seeds[i], SEED_STYLED);
    }
    ck_assert_str_eq(text, "18446744073709551615s");
    ck_assert_str_eq(seed_text_format(text, &(seed_input){.size = 3, .seed = 17}), "17");
}
