/* units.h: what is a number, a size and a duration, what is not, and how each is written. */
#include "fixture.h"
#include "units.h"

#include "clock.h"

#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef bool parser(const char *text, uint64_t *value);

static void refuses(parser *parse, const char *text) {
    uint64_t value = 4711;
    ck_assert_msg(!parse(text, &value), "'%s' was taken for %llu", text, (unsigned long long)value);
    ck_assert_msg(value == 4711, "'%s' was refused, but left a value", text);
}

static void takes(parser *parse, const char *text, uint64_t expected) {
    uint64_t value = 4711;
    ck_assert_msg(parse(text, &value), "'%s' was refused", text);
    ck_assert_uint_eq(value, expected);
}

/* Check texts with their values, and texts that are refused, separated by blanks. */
static void check(parser *parse, const char *numbers, const char *refused) {
    static const char *const junk[] = {"", " ", " 1", "1 ", "\t1", "1\n", "10 k", "4 K", "0x 1"};
    char words[512], *rest = words;
    for (size_t i = 0; i < COUNT_OF(junk); i++) refuses(parse, junk[i]);
    snprintf(words, sizeof words, "%s", numbers);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        takes(parse, word, strtoull(value, NULL, 10));
    }
    snprintf(words, sizeof words,
             "%s -1 +1 1.5 1e3 one 1,000 0b1 -- 0x 0X x1 1x K KM 1\xff \xd9\xa1 1_0 #1 "
             "18446744073709551616 18446744073709551620 99999999999999999999999999",
             refused);
    rest = words;
    for (char *word; (word = strsep(&rest, " ")) != NULL;) refuses(parse, word);
}

TEST(numbers_are_what_their_parsers_take) {
    check(units_parse_count,
          "0=0 007=7 18446744073709551615=18446744073709551615 10k=10000 0G=0 3M=3000000 "
          "00000000000000000000000000000018446744073709551615=18446744073709551615 "
          "18446744073G=18446744073000000000",
          "0x10 10K 18446744074G 18446744073709552k 10kk 10ki 1.5k k a");
    check(units_parse_seed,
          "0=0 0x0=0 010=10 0xDEADbeef=3735928559 0XfF=255 0x00000000000000000001=1 "
          "18446744073709551615=18446744073709551615 0xffffffffffffffff=18446744073709551615",
          "0x10000000000000000 0xg 0x-1 0x0x1 ff 1f 10k");
    check(units_parse_size,
          "0=0 0G=0 16=16 4K=4096 1M=1048576 2G=2147483648 4KiB=4096 1MiB=1048576 "
          "2GiB=2147483648 18446744073709551615=18446744073709551615 "
          "17179869183G=18446744072635809792",
          "17179869184G 18014398509481984K 4k 4KK 4Ki 4iB 4KiBs 4kiB 17179869184GiB 4KB 4T 1.5M");
}

static void lasts(const char *text, int64_t expected_ns) {
    int64_t value = 4711;
    ck_assert_msg(units_parse_duration(text, &value), "'%s' was refused", text);
    ck_assert_int_eq(value, expected_ns);
}

TEST(durations_are_numbers_with_units) {
    lasts("10s", 10 * CLOCK_NS_PER_S);
    lasts("250ms", 250 * CLOCK_NS_PER_MS);
    lasts("1.5h", 5400 * CLOCK_NS_PER_S);
    lasts("2m", 120 * CLOCK_NS_PER_S);
    lasts("0.000001ms", 1);
    lasts("0.000000001s", 1);
    lasts("00.100000000s", CLOCK_NS_PER_S / 10);
    lasts("0.999999999h", INT64_C(3599999996400));
    lasts("9223372035s", INT64_C(9223372035) * CLOCK_NS_PER_S);
    lasts("1h0m30.5s", 3600 * CLOCK_NS_PER_S + CLOCK_NS_PER_S * 61 / 2);
    lasts("1h2m3s4ms", 3723 * CLOCK_NS_PER_S + 4 * CLOCK_NS_PER_MS);
    lasts("0h90m", 5400 * CLOCK_NS_PER_S);
    lasts("2562046h", INT64_C(2562046) * 3600 * CLOCK_NS_PER_S);
}

TEST(a_text_that_is_no_duration_is_refused) {
    static const char *const bad[] = {"",
                                      "s",
                                      "10",
                                      "ms",
                                      "-1s",
                                      "+1s",
                                      " 1s",
                                      "1s ",
                                      "1 s",
                                      "0s",
                                      "0.0h",
                                      "0ms",
                                      ".5s",
                                      "1.s",
                                      "1..5s",
                                      "1.5.5s",
                                      "1S",
                                      "1sec",
                                      "1us",
                                      "1ns",
                                      "1d",
                                      "30m1h",
                                      "1h1h",
                                      "1h30",
                                      "h30m",
                                      "1.5h30m",
                                      "1h 30m",
                                      "1h-30m",
                                      "1ms1s",
                                      "0h0m",
                                      "1e3s",
                                      "0x1s",
                                      "1,5s",
                                      "0.0000000001s",
                                      "1.-5s",
                                      "1.+5s",
                                      "1. 5s",
                                      "infs",
                                      "nans",
                                      "1m s",
                                      "1mss",
                                      "0.0000001ms",
                                      "2562047.999999999h",
                                      "9223372037s",
                                      "18446744073709551615ms",
                                      "18446744073709551616ms",
                                      "99999999999999999999999h",
                                      "2562046h2562046h",
                                      "2562046h153722866m"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int64_t value = 4711;
        ck_assert_msg(!units_parse_duration(bad[i], &value), "'%s' was taken", bad[i]);
        ck_assert_msg(value == 4711, "'%s' was refused, but left a value", bad[i]);
    }
}

TEST(counts_are_written_with_separators) {
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {{0, "0"},
                 {9, "9"},
                 {999, "999"},
                 {1000, "1,000"},
                 {12345, "12,345"},
                 {999999, "999,999"},
                 {1234567, "1,234,567"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    char text[UNITS_TEXT_MAX];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_str_eq(units_format_count(text, cases[i].value), cases[i].text);
    }
    ck_assert_msg(units_format_count(text, 1) == text, "the text given is returned");
}

TEST(formats_of_sizes_read_back) {
    char text[UNITS_TEXT_MAX];
    ck_assert_str_eq(units_format_size(text, 0), "0");
    ck_assert_str_eq(units_format_size(text, 41), "41");
    ck_assert_str_eq(units_format_size(text, 1023), "1023");
    ck_assert_str_eq(units_format_size(text, 1024), "1K");
    ck_assert_str_eq(units_format_size(text, 1025), "1025");
    ck_assert_str_eq(units_format_size(text, 4 << 20), "4M");
    ck_assert_str_eq(units_format_size(text, UINT64_C(8) << 30), "8G");
    ck_assert_str_eq(units_format_size(text, UINT64_C(5) << 40), "5120G");
    for (int shift = 0; shift < 64; shift++) {
        for (int by = -1; by <= 1; by++) {
            const uint64_t size = (UINT64_C(1) << shift) + (uint64_t)by;
            takes(units_parse_size, units_format_size(text, size), size);
        }
    }
    takes(units_parse_size, units_format_size(text, UINT64_MAX), UINT64_MAX);
}

TEST(formats_of_elapsed_times) {
    static const struct {
        int64_t span_ns;
        const char *text;
    } cases[] = {{0, "0.00 s"},
                 {400 * CLOCK_NS_PER_MS, "0.40 s"},
                 {9900 * CLOCK_NS_PER_MS, "9.90 s"},
                 {9999 * CLOCK_NS_PER_MS, "9.99 s"},
                 {10 * CLOCK_NS_PER_S, "0:10"},
                 {67 * CLOCK_NS_PER_S, "1:07"},
                 {3599 * CLOCK_NS_PER_S, "59:59"},
                 {3600 * CLOCK_NS_PER_S, "1:00:00"},
                 {(100 * 3600 + 62) * CLOCK_NS_PER_S, "100:01:02"},
                 {INT64_MAX, "2562047:47:16"}};
    char text[UNITS_TEXT_MAX];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_str_eq(units_format_elapsed(text, cases[i].span_ns), cases[i].text);
    }
}

/* A replay command repeats --timeout: what is written must be what was parsed. */
TEST(formats_of_durations_read_back) {
    static const int64_t spans_ns[] = {1,
                                       999,
                                       CLOCK_NS_PER_MS / 2,
                                       CLOCK_NS_PER_MS,
                                       CLOCK_NS_PER_MS * 3 / 2,
                                       CLOCK_NS_PER_MS + 1,
                                       CLOCK_NS_PER_S,
                                       CLOCK_NS_PER_S / 3,
                                       INT64_C(3599999996400),
                                       INT64_C(2562046) * 3600 * CLOCK_NS_PER_S,
                                       INT64_C(2562046) * 3600 * CLOCK_NS_PER_S + 1};
    char text[UNITS_TEXT_MAX];
    ck_assert_str_eq(units_format_duration(text, CLOCK_NS_PER_S / 4), "250ms");
    ck_assert_str_eq(units_format_duration(text, 10 * CLOCK_NS_PER_S), "10s");
    ck_assert_str_eq(units_format_duration(text, 90 * CLOCK_NS_PER_S), "90s");
    ck_assert_str_eq(units_format_duration(text, 120 * CLOCK_NS_PER_S), "2m");
    ck_assert_str_eq(units_format_duration(text, 7200 * CLOCK_NS_PER_S), "2h");
    ck_assert_str_eq(units_format_duration(text, CLOCK_NS_PER_MS / 2), "0.5ms");
    ck_assert_str_eq(units_format_duration(text, 1), "0.000001ms");
    for (size_t i = 0; i < COUNT_OF(spans_ns); i++) {
        lasts(units_format_duration(text, spans_ns[i]), spans_ns[i]);
    }
}

TEST(a_rate_is_a_count_a_second) {
    char text[UNITS_TEXT_MAX];
    ck_assert_str_eq(units_format_rate(text, 1000, 2000000000), "500");
    ck_assert_str_eq(units_format_rate(text, 3000, 1000000), "3,000,000");
    ck_assert_str_eq(units_format_rate(text, 5, 0), "0");
    ck_assert_str_eq(units_format_rate(text, 0, 1), "0");
    ck_assert_str_eq(units_format_rate(text, UINT64_MAX, 1), "1,000,000,000,000,000,000");
    ck_assert_str_eq(units_format_rate(text, UINT64_MAX, INT64_MAX), "2,000,000,000");
}
