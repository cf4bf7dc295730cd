/* trace.h: a table of draws. What programs print of each kind is in tests/transcripts/drawn.t, and
 * records that are nonsense are fuzzed (tests/fuzz/traces.c). */
#include "fixture.h"
#include "trace.h"

#include "frng_more.h"

static const uint8_t entropy[16] = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
                                    0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f};
static char text[8192];

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

TEST(what_programs_do_not_print_is_shown_as_what_it_is) {
    static const frng_trace_record records[] = {
        COIN(0, 0),
        MARK(NOTE, "long name"),
        DRAW(1, 3, FRNG_UINT, 1, 0, 6, 3),
        DRAW(4, 2, FRNG_MIXED_UINT, 2, 0, 65535, 0x6554),
        DRAW(6, 10, FRNG_BYTES, 1, 0, 10, 0),
        DRAW(0, 1, FRNG_INT, 1, -3ull, 3, -3ull),
        DRAW(0, 4, 99, 4, 0, 9, 5),
        DRAW(15, 2, FRNG_BOOL, 2, 0, 1, 1), /* beyond the input */
        DRAW(0, 1, FRNG_LETTER, 1, 0, 26, 3 | (uint64_t)'c' << 32),
        DRAW(1, 2, FRNG_LETTER, 1, 0, 26, 1 | (uint64_t)'"' << 32),
        DRAW(3, 1, FRNG_LETTER, 1, 0, 26, 0), /* its end */
        DRAW(4, 1, FRNG_LETTER, 1, 0, 26, 2 | (uint64_t)'b' << 32),
        DRAW(6, 1, FRNG_LETTER, 1, 0, 26, 2 | (uint64_t)'b' << 32), /* elsewhere */
    };
    ck_assert_str_eq(print(records, 13, 13),
                     "offset  note       bytes               draw       value\n"
                     "     0             10                  bool       false\n"
                     "     1  long name  43 (2 rejected)     u8 0..6    3\n"
                     "     4             5465                mixed u16  25940\n"
                     "     6             768798a9bacbdced..  bytes 10   \n"
                     "     0             10                  i8 -3..3   -3\n"
                     "     0             10213243            kind 99    5\n"
                     "    15             ?                   bool       true\n"
                     "     0             10213243            string     \"c\"\"\n"
                     "     4             54                  string     \"b\"\n"
                     "     6             76                  string     \"b\"\n");
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
