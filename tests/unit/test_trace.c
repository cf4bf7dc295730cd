/* trace.h: a table of draws. Records that are nonsense are fuzzed (tests/fuzz/traces.c). */
#include "fixture.h"
#include "trace.h"

#include "frng_more.h"

static const uint8_t entropy[16] = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
                                    0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f};
static char text[8192];

#define BITS(hexadecimal) UINT64_C(0x##hexadecimal)
#define DRAW(at, size, is_a, bytes, least, most, is)                                               \
    {                                                                                              \
        .start = (at), .taken = (size), .kind = (is_a), .width = (bytes), .u.draw.min = (least),   \
        .u.draw.max = (most), .u.draw.value = (is)                                                 \
    }
#define MARK(kind_, words)                                                                         \
    { .kind = FRNG_TRACE_##kind_, .u.text = words }
#define COIN(at, is) DRAW(at, 1, FRNG_BOOL, 1, 0, 1, is)

static const char *print(const frng_trace_record *records, uint64_t count, uint64_t told) {
    FILE *out = fmemopen(text, sizeof text, "w");
    trace_print(out, &(trace){records, count, told, entropy, sizeof entropy}, &(remarks){NULL, 0});
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

TEST(each_kind_is_shown_as_what_it_is) {
    static const struct {
        frng_trace_record record;
        const char *kind, *value;
    } cases[] = {
        {COIN(0, 0), "bool", "false"},
        {DRAW(0, 1, FRNG_MORE, 1, 0, 1, 1), "more", "true"},
        {DRAW(0, 1, FRNG_UINT, 1, 0, 6, 3), "u8 0..6", "3"},
        {DRAW(0, 2, FRNG_UINT, 2, 0, 65535, 9), "u16", "9"},
        {DRAW(0, 1, FRNG_INT, 1, -3ull, 3, -3ull), "i8 -3..3", "-3"},
        {DRAW(0, 3, FRNG_MIXED_INT, 4, -9ull, 9, -5ull), "mixed i32 -9..9", "-5"},
        {DRAW(0, 8, FRNG_INDEX, 8, 0, 9, 4), "index 0..9", "4"},
        {DRAW(0, 8, FRNG_WEIGHTED, 8, 0, 3, 2), "weighted 0..3", "2"},
        {DRAW(0, 4, FRNG_CHANCE, 4, 1, 3, 1), "chance 1/3", "true"},
        {DRAW(0, 9, FRNG_BYTES, 1, 0, 9, 0), "bytes 9", ""},
        {DRAW(0, 8, FRNG_F64, 8, 0, 0, 1ull << 63), "f64", "0.5"},
        {DRAW(0, 2, FRNG_REAL, 8, 0, 0, BITS(3fb999999999999a)), "double", "0.1"},
        {DRAW(0, 8, FRNG_REAL_RANGE, 8, BITS(bff0000000000000), BITS(4059000000000000),
              BITS(bfe0000000000000)),
         "double -1..100", "-0.5"},
        {DRAW(0, 1, FRNG_SUBSET, 1, 0, 255, 0x85), "subset of 8", "{0, 2, 7}"},
        {DRAW(0, 4, FRNG_DATE, 4, 0, 3652058, 59), "date", "2000-02-29"},
        {DRAW(0, 4, 99, 4, 0, 9, 5), "kind 99", "5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char kind[TRACE_VALUE_MAX], value[TRACE_VALUE_MAX];
        trace_format_row(&cases[i].record, 1, kind, value);
        ck_assert_str_eq(kind, cases[i].kind);
        ck_assert_str_eq(value, cases[i].value);
    }
}

TEST(columns_are_as_wide_as_they_must) {
    static const frng_trace_record records[] = {
        COIN(0, 0),
        MARK(NOTE, "long name"),
        DRAW(1, 3, FRNG_UINT, 1, 0, 6, 3),
        DRAW(4, 2, FRNG_UINT, 2, 0, 65535, 0x6554),
        DRAW(6, 10, FRNG_BYTES, 1, 0, 10, 0),
        DRAW(15, 2, FRNG_BOOL, 2, 0, 1, 1), /* beyond the input */
    };
    ck_assert_str_eq(print(records, 6, 6),
                     "offset  note       bytes               draw      value\n"
                     "     0             10                  bool      false\n"
                     "     1  long name  43 (2 rejected)     u8 0..6   3\n"
                     "     4             5465                u16       25940\n"
                     "     6             768798a9bacbdced..  bytes 10  \n"
                     "    15             ?                   bool      true\n");
}

TEST(a_string_is_one_row) {
    static const frng_trace_record records[] = {
        DRAW(0, 1, FRNG_LETTER, 1, 0, 26, 3 | (uint64_t)'c' << 32),
        DRAW(1, 2, FRNG_LETTER, 1, 0, 26, 1 | (uint64_t)'"' << 32),
        DRAW(3, 1, FRNG_LETTER, 1, 0, 26, 0), /* its end */
        DRAW(4, 1, FRNG_LETTER, 1, 0, 26, 2 | (uint64_t)'b' << 32),
        DRAW(6, 1, FRNG_LETTER, 1, 0, 26, 2 | (uint64_t)'b' << 32), /* elsewhere */
    };
    ck_assert_str_eq(print(records, 5, 5), "offset  bytes     draw    value\n"
                                           "     0  10213243  string  \"c\"\"\n"
                                           "     4  54        string  \"b\"\n"
                                           "     6  76        string  \"b\"\n");
}

TEST(notes_steps_and_lines_stand_before_their_draws) {
    static const frng_trace_record records[] = {
        MARK(NOTE, "lone"),
        MARK(NOTE, "\x1b[2J\xff\r\n"),
        COIN(0, 1),
        MARK(STEP, "insert"),
        MARK(NOTE, "who"),
        MARK(SAY, "short"),
        COIN(1, 1),
        {.kind = FRNG_TRACE_SAY, .width = 1, .u.text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,"},
        MARK(SAY, " and "),
        {.kind = FRNG_TRACE_SAY, .width = 1, .u.text = "torn"},
        MARK(STEP, "erase"),
        MARK(NOTE, "end"),
        MARK(SAY, "bye"),
        MARK(STEP, "all"),
    };
    ck_assert_str_eq(print(records, 14, 16), "offset  note                 bytes  draw  value\n"
                                             "        lone\n"
                                             "     0  \\x1b[2J\\xff\\x0d\\x0a  10     bool  true\n"
                                             "1. insert\n"
                                             "      > short\n"
                                             "     1  who                  21     bool  true\n"
                                             "      > aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, and \n"
                                             "      > torn\n"
                                             "2. erase\n"
                                             "        end\n"
                                             "      > bye\n"
                                             "3. all\n"
                                             "... and 2 more\n");
}
