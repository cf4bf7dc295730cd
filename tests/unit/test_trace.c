/* trace.h: a table of draws; statements in words, and as a column of it; and what is wrong with a
 * record, on one line. What programs print of each kind is in tests/transcripts/drawn.t, and
 * records that are nonsense are fuzzed (tests/fuzz/traces.c). */
#include "frng_more.h"
#include "suite.h"
#include "trace.h"

static frng_trace_record record_of(unsigned kind, uint64_t start, uint64_t taken, unsigned width,
                                   uint64_t min, uint64_t max, uint64_t value) {
    return (frng_trace_record){.start = start,
                               .taken = taken,
                               .kind = (uint8_t)kind,
                               .width = (uint8_t)width,
                               .u.draw = {min, max, value}};
}

static frng_trace_record note_of(uint64_t start, const char *name) {
    frng_trace_record r = {.start = start, .kind = FRNG_TRACE_NOTE};
    strncpy(r.u.text, name, sizeof r.u.text - 1);
    return r;
}

static frng_trace_record records[5];
static explained_draw draws[3];
static explanation all;
static char text[8192];

/* Three draws of a byte: "key", "size" and one without a name. */
static void begin(void) {
    const uint64_t starts[] = {0, 0, 1, 1, 2};
    for (size_t i = 0; i < 5; i++)
        records[i] = record_of(FRNG_UINT, starts[i], 1, 1, 0, 99, 7 + starts[i]);
    draws[0] = (explained_draw){.record = records[1], .statement.kind = STATEMENT_ANY};
    draws[1] = (explained_draw){.record = records[3], .statement.kind = STATEMENT_ANY};
    draws[2] = (explained_draw){.record = records[4], .statement.kind = STATEMENT_ANY};
    records[0] = note_of(0, "key");
    records[2] = note_of(1, "size");
    all = (explanation){.state = EXPLANATION_MADE,
                        .draws = draws,
                        .count = 3,
                        .explained = 3,
                        .records = records,
                        .record_count = 5,
                        .runs = 1234};
}

SUITE(.before_each = begin);

static const char *put(void) {
    static const uint8_t bytes[] = {7, 8, 9};
    FILE *out = fmemopen(text, sizeof text, "w");
    text[0] = '\0';
    explained_put(out, &all, bytes, sizeof bytes);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

/* ---- Statements ---- */

TEST(each_kind_of_statement_has_its_words) {
    static const struct {
        statement s;
        const char *words;
        bool is_index;
    } cases[] = {
        {{.kind = STATEMENT_ANY}, "any", false},
        {{.kind = STATEMENT_ONLY}, "only 7", false},
        {{.kind = STATEMENT_ONLY}, "only index 7", true},
        {{.kind = STATEMENT_FIXED}, "its only value", false},
        {{.kind = STATEMENT_NONE}, "not tried", false},
        {{.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1}, "4..20", false},
        {{.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 2}, "4..20, even", false},
        {{.kind = STATEMENT_RANGE, .low = 5, .high = 21, .step = 2}, "5..21, odd", false},
        {{.kind = STATEMENT_RANGE, .low = 5, .high = 20, .step = 5}, "5..20 in steps of 5", false},
        {{.kind = STATEMENT_SET, .values = {1, 4, 9}, .value_count = 3}, "1, 4 or 9", false},
        {{.kind = STATEMENT_SET, .values = {0, 2}, .value_count = 2}, "index 0 or 2", true},
        {{.kind = STATEMENT_EXCEPT, .values = {1, 9}, .value_count = 2}, "any but 1 and 9", false},
        {{.kind = STATEMENT_SOME, .tried = 40, .failed = 12}, "12 of 40 others", false},
        {{.kind = STATEMENT_EQUAL, .other = 1}, "= size", false},
        {{.kind = STATEMENT_EQUAL, .other = 2}, "= offset 2", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        draws[0].statement = cases[i].s;
        draws[0].is_index = cases[i].is_index;
        ck_assert_str_eq(explained_format(&all, 0, text), cases[i].words);
    }
}

TEST(names_are_escaped_and_have_their_offset_if_they_are_used_twice) {
    ck_assert_str_eq(explained_name(&all, 0, text), "key");
    ck_assert_str_eq(explained_name(&all, 2, text), "offset 2");
    records[0] = records[2] = note_of(1, "\033k");
    records[0].start = 0;
    ck_assert_str_eq(explained_name(&all, 0, text), "\\x1bk at offset 0");
    ck_assert_str_eq(explained_name(&all, 1, text), "\\x1bk at offset 1");
}

TEST(letters_are_shown_if_a_run_has_shown_them) {
    const explained_draw d = {.record = {.kind = FRNG_LETTER, .width = 1}};
    const uint64_t c = 3 | (uint64_t)'c' << 32 | EXPLANATION_LETTER_KNOWN;
    ck_assert_str_eq(explained_value(&d, 0, text), "end");
    ck_assert_str_eq(explained_value(&d, 3, text), "letter 3");
    ck_assert_str_eq(explained_value(&d, c, text), "'c'");
}

/* ---- The report ---- */

#define HEAD "  explain  values that fail, with one draw changed at a time (1,234 runs)\n"

TEST(the_report_has_a_row_for_each_name_and_counts_draws_that_must_be_as_they_are) {
    draws[1].statement = (statement){.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1};
    all.together = 20;
    all.together_failed = 19;
    ck_assert_str_eq(
        put(),
        HEAD "           key       any\n"
             "           size      4..20\n"
             "           offset 2  any\n"
             "           random values of all \"any\" draws at once fail in 19 of 20 runs\n");
    all.together = 0;
    draws[0].statement.kind = STATEMENT_ONLY;
    ck_assert_str_eq(put(), HEAD "           size      4..20\n"
                                 "           offset 2  any\n"
                                 "           no other value of the other draw fails\n");
    draws[2].statement.kind = STATEMENT_FIXED;
    ck_assert_str_eq(put(), HEAD "           size  4..20\n"
                                 "           no other value of the other 2 draws fails\n");
    draws[1].statement.kind = STATEMENT_ONLY;
    ck_assert_str_eq(put(), HEAD "           no other value of the 3 draws fails\n");
}

TEST(a_cut_report_has_only_explained_draws) {
    all.explained = 1;
    ck_assert_str_eq(put(), HEAD "           key  any\n");
}

TEST(an_explanation_that_was_asked_for_is_a_column) {
    all.is_asked = true;
    draws[1].statement = (statement){.kind = STATEMENT_EQUAL, .other = 0};
    ck_assert_str_eq(put(), HEAD "offset  note  bytes  draw      value  fails with\n"
                                 "     0  key   07     u8 0..99  7      any\n"
                                 "     1  size  08     u8 0..99  8      = key\n"
                                 "     2        09     u8 0..99  9      any\n");
}

TEST(a_cut_and_no_explanation_have_their_reasons) {
    static const struct {
        explanation e;
        const char *says; /* as the last line */
    } cases[] = {
        {{.cut = CUT_CALLS, .explained = 1},
         "1 of 3 draws explained: 2,000 runs are over; --explain yes goes on"},
        {{.cut = CUT_TIME, .explained = 1},
         "1 of 3 draws explained: one minute or --time is over; --explain yes goes on"},
        {{.cut = CUT_TIME, .explained = 1, .is_asked = true},
         "1 of 3 draws explained: --time is over"},
        {{.cut = CUT_STOPPED, .explained = 1},
         "1 of 3 draws explained: a signal or an error stopped it"},
        {{.cut = CUT_STOPPED, .explained = 3},
         "not all draws were compared with each other: a signal or an error stopped it"},
        {{.cut = CUT_STOPPED, .explained = 3, .any_count = 2},
         "the \"any\" draws were not changed at once: a signal or an error stopped it"},
        {{.cut = CUT_STOPPED, .explained = 3, .any_count = 2, .together = 3},
         "the \"any\" draws were changed at once in fewer runs: a signal or an error stopped it"},
        {{.state = EXPLANATION_FLAKY}, ""},
        {{.state = EXPLANATION_FLAKY, .is_asked = true}, "nothing: the failure is flaky"},
        {{.state = EXPLANATION_SLOW},
         "nothing: runs take over 50 ms; --explain yes takes the time"},
        {{.state = EXPLANATION_LONG, .is_asked = true},
         "nothing: the program reports no draws, and 64 bytes are the most"},
        {{.state = EXPLANATION_STOPPED, .is_asked = true}, "nothing: the reduction was stopped"},
        {{.state = EXPLANATION_NONE, .is_asked = true}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        all = cases[i].e;
        all.draws = draws;
        all.count = 3;
        if (all.cut != CUT_NONE) all.state = EXPLANATION_MADE;
        put();
        char *last = text + strlen(text);
        if (last > text) *--last = '\0';
        while (last > text && last[-1] != '\n') last--;
        last += last[0] == '\0' ? 0 : strlen("  explain  ");
        ck_assert_str_eq(last, cases[i].says);
    }
}

/* ---- Wrong records ---- */

TEST(each_error_of_a_record_has_its_words) {
#define U8 record_of(FRNG_UINT, 2, 1, 1, 0, 9, 7), ""
#define SAYS "draw 3 (u8 0..9 at byte 2)"
    const struct {
        record_error error;
        uint64_t right;
        frng_trace_record record;
        const char *note, *says;
    } cases[] = {
        {RECORD_VALUE, 4, U8, SAYS " says 7, but its byte is 4"},
        {RECORD_VALUE, 4, record_of(FRNG_UINT, 2, 1, 1, 0, 9, 7), "digit",
         "draw 3 (digit: u8 0..9 at byte 2) says 7, but its byte is 4"},
        {RECORD_VALUE, 4, record_of(FRNG_INT, 2, 4, 4, UINT64_MAX - 8, 9, UINT64_MAX), "",
         "draw 3 (i32 -9..9 at byte 2) says -1, but its bytes are 4"},
        {RECORD_VALUE, 0, record_of(FRNG_LETTER, 0, 1, 1, 0, 26, 7), "",
         "draw 3 (letter at byte 0) says letter 7, but its byte is its end"},
        {RECORD_VALUE, 1, record_of(FRNG_BOOL, 0, 1, 1, 0, 1, 5), "", /* "true" both */
         "draw 3 (bool at byte 0) says 0x5, but its byte is 0x1"},
        {RECORD_EARLY, 4, U8, SAYS " goes back: the last one ends at byte 4"},
        {RECORD_LATE, 1, U8, SAYS " leaves out byte 1"},
        {RECORD_BEYOND, 2, U8, SAYS " ends beyond the 2 bytes of its run"},
        {RECORD_WIDTH, 0, record_of(FRNG_UINT, 2, 9, 9, 0, 9, 7), "",
         "draw 3 (u64 0..9 at byte 2) has a width of 9 bytes, which no such draw has"},
        {RECORD_BOUNDS, 0, record_of(FRNG_UINT, 2, 1, 1, 0, 300, 7), "",
         "draw 3 (u8 0..300 at byte 2) has bounds that no such draw has"},
        {RECORD_LENGTH, 2, U8, SAYS " takes 1 byte, but needs 2"},
        {RECORD_LENGTH, 0, U8, SAYS " takes 1 byte, but needs more"},
        {RECORD_LENGTH, 0, record_of(FRNG_UINT, 2, 1, 2, 0, 9, 7), "",
         "draw 3 (u16 0..9 at byte 2) takes 1 byte, but needs more"},
        {RECORD_LENGTH, 0, record_of(FRNG_TRACE_NOTE, 2, 5, 0, 0, 0, 0), "",
         "the note after draw 3 (at byte 2) takes 5 bytes, but only draws take bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wrong_record w = {.error = cases[i].error, .record = cases[i].record, .draw = 3};
        w.right = cases[i].right;
        strcpy(w.note, cases[i].note);
        ck_assert_str_eq(explained_wrong(&w, text), cases[i].says);
    }
}

/* ---- The table ---- */

static const uint8_t entropy[16] = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
                                    0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f};

#define DRAW(at, size, is_a, bytes, least, most, is)                                               \
    {                                                                                              \
        .start = (at), .taken = (size), .kind = (is_a), .width = (bytes), .u.draw.min = (least),   \
        .u.draw.max = (most), .u.draw.value = (is)                                                 \
    }
#define MARK(kind_, words)                                                                         \
    { .kind = FRNG_TRACE_##kind_, .u.text = words }
#define COIN(at, is) DRAW(at, 1, FRNG_BOOL, 1, 0, 1, is)

static const char *print(const frng_trace_record *list, uint64_t count, uint64_t told) {
    FILE *out = fmemopen(text, sizeof text, "w");
    trace_print(out, &(trace){list, count, told, entropy, sizeof entropy}, &(remarks){NULL, 0});
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

TEST(what_programs_do_not_print_is_shown_as_what_it_is) {
    static const frng_trace_record shown[] = {
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
    ck_assert_str_eq(print(shown, 13, 13),
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
    static const frng_trace_record shown[] = {
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
    ck_assert_str_eq(print(shown, 14, 16), "offset  note                 bytes  draw  value\n"
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
