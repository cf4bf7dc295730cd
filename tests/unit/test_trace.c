/* trace.h: a table of draws, made of records that may be nonsense. */
#include "fixture.h"
#include "trace.h"

#include "frng_more.h"

static const uint8_t entropy[16] = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
                                    0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f};
static char text[8192];

static frng_trace_record draw(uint64_t start, uint64_t taken, int kind, int width, uint64_t max,
                              uint64_t value) {
    frng_trace_record r = {.start = start, .taken = taken};
    r.kind = (uint8_t)kind;
    r.width = (uint8_t)width;
    r.u.draw.max = max;
    r.u.draw.value = value;
    return r;
}

static frng_trace_record note(const char *name) {
    frng_trace_record r = {.kind = FRNG_TRACE_NOTE};
    strncpy(r.u.text, name, sizeof r.u.text - 1);
    return r;
}

static const char *print(const frng_trace_record *records, uint64_t count, uint64_t told) {
    FILE *out = fmemopen(text, sizeof text, "w");
    trace_print(out, &(trace){records, count, told, entropy, sizeof entropy}, &(remarks){NULL, 0});
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

TEST(an_empty_table_is_its_head) {
    ck_assert_str_eq(print(NULL, 0, 0), "offset  bytes  draw  value\n");
}

TEST(columns_are_as_wide_as_they_must) {
    const frng_trace_record records[] = {
        draw(0, 1, FRNG_BOOL, 1, 1, 0), note("long name"), draw(1, 3, FRNG_UINT, 1, 6, 3),
        draw(4, 2, FRNG_UINT, 2, 65535, 0x6554), draw(6, 10, FRNG_BYTES, 1, 10, 0)};
    ck_assert_str_eq(print(records, 5, 5),
                     "offset  note       bytes               draw      value\n"
                     "     0             10                  bool      false\n"
                     "     1  long name  43 (2 rejected)     u8 0..6   3\n"
                     "     4             5465                u16       25940\n"
                     "     6             768798a9bacbdced..  bytes 10  \n");
}

TEST(each_kind_is_shown_as_what_it_is) {
    frng_trace_record records[] = {
        draw(0, 1, FRNG_INT, 1, 3, (uint64_t)-3), draw(1, 8, FRNG_INDEX, 8, 9, 4),
        draw(1, 8, FRNG_WEIGHTED, 8, 3, 2), draw(1, 8, FRNG_F64, 8, 0, UINT64_C(1) << 63),
        draw(9, 4, FRNG_CHANCE, 4, 3, 1)};
    records[0].u.draw.min = (uint64_t)-3;
    records[4].u.draw.min = 1;
    print(records, 5, 5);
    ck_assert_ptr_nonnull(strstr(text, "i8 -3..3       -3\n"));
    ck_assert_ptr_nonnull(strstr(text, "index 0..9     4\n"));
    ck_assert_ptr_nonnull(strstr(text, "weighted 0..3  2\n"));
    ck_assert_ptr_nonnull(strstr(text, "f64            0.5\n"));
    ck_assert_ptr_nonnull(strstr(text, "chance 1/3     true\n"));
}

TEST(notes_without_draws_have_their_lines) {
    const frng_trace_record records[] = {note("one"), note("two"), draw(0, 1, FRNG_BOOL, 1, 1, 1),
                                         note("end")};
    ck_assert_str_eq(print(records, 4, 6), "offset  note  bytes  draw  value\n"
                                           "        one\n"
                                           "     0  two   10     bool  true\n"
                                           "        end\n"
                                           "... and 2 more\n");
}

TEST(a_step_is_the_heading_of_its_draws) {
    frng_trace_record records[] = {draw(0, 1, FRNG_BOOL, 1, 1, 1),
                                   note("insert"),
                                   note("key"),
                                   draw(1, 1, FRNG_UINT, 1, 255, 7),
                                   note("erase"),
                                   note("end"),
                                   note("all")};
    records[1].kind = records[4].kind = records[6].kind = FRNG_TRACE_STEP;
    ck_assert_str_eq(print(records, 7, 7), "offset  note  bytes  draw  value\n"
                                           "     0        10     bool  true\n"
                                           "1. insert\n"
                                           "     1  key   21     u8    7\n"
                                           "2. erase\n"
                                           "        end\n"
                                           "3. all\n");
}

TEST(what_a_test_says_is_a_line_of_its_own) {
    frng_trace_record records[] = {note("who"),  note("short"), draw(0, 1, FRNG_BOOL, 1, 1, 1),
                                   note(""),     note(" and "), note("torn"),
                                   note("other")};
    for (int i = 1; i < 7; i++)
        if (i != 2) records[i].kind = FRNG_TRACE_SAY;
    memset(records[3].u.text, 'a', sizeof records[3].u.text);
    records[3].width = records[5].width = 1;
    ck_assert_str_eq(print(records, 6, 6), "offset  note  bytes  draw  value\n"
                                           "      > short\n"
                                           "     0  who   10     bool  true\n"
                                           "      > aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa and \n"
                                           "      > torn\n");
    ck_assert_msg(strstr(print(records, 2, 2), "        who\n      > short\n") != NULL,
                  "a note without a draw stays before a line");
    for (int i = 0; i < 7; i++) { /* a line that never ends */
        records[i].kind = FRNG_TRACE_SAY;
        records[i].width = 1;
        memset(records[i].u.text, '\x1b', sizeof records[i].u.text);
    }
    print(records, 7, 7);
    ck_assert_ptr_null(strchr(text, '\x1b'));
    ck_assert_ptr_nonnull(strstr(text, "\\x1b\n      > \\x1b"));
}

TEST(draws_of_frng_more_are_shown_as_people_read_them) {
    frng_trace_record records[] = {
        draw(0, 1, FRNG_LETTER, 1, 26, 3 | (uint64_t)'c' << 32),
        draw(1, 2, FRNG_LETTER, 1, 26, 1 | (uint64_t)'"' << 32),
        draw(3, 1, FRNG_LETTER, 1, 26, 0),
        draw(4, 1, FRNG_LETTER, 1, 26, 2 | (uint64_t)'b' << 32),
        draw(5, 3, FRNG_MIXED_INT, 4, 9, (uint64_t)-5),
        draw(8, 2, FRNG_REAL, 8, 0, UINT64_C(0x3fb999999999999a)),
        draw(8, 8, FRNG_REAL_RANGE, 8, UINT64_C(0x4059000000000000), UINT64_C(0xbfe0000000000000)),
        draw(8, 1, FRNG_SUBSET, 1, 255, 0x85),
        draw(9, 4, FRNG_DATE, 4, 3652058, 59),
        draw(13, 1, FRNG_MORE, 1, 1, 1)};
    records[4].u.draw.min = (uint64_t)-9;
    records[6].u.draw.min = UINT64_C(0xbff0000000000000);
    static const char *const shown[] = {"10213243  ",
                                        "  \"c\"\"\n",
                                        "     4  54  ",
                                        "  \"b\"\n",
                                        "  657687  ",
                                        "mixed i32 -9..9  -5\n",
                                        "double           0.1\n",
                                        "double -1..100   -0.5\n",
                                        "subset of 8      {0, 2, 7}\n",
                                        "date             2000-02-29\n",
                                        "more             true\n"};
    print(records, 10, 10);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        ck_assert_msg(strstr(text, shown[i]) != NULL, "no %s in\n%s", shown[i], text);
    }
}

TEST(nonsense_is_shown_and_harms_nobody) {
    const uint64_t odd[] = {0, 1, 7, 8, 15, 16, 17, UINT64_MAX - 1, UINT64_MAX};
    const int widths[] = {0, 1, 7, 8, 9, 255};
    enum { ODD = sizeof odd / sizeof *odd, WIDTHS = sizeof widths / sizeof *widths };
    const int kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 254, 255};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const int kind = kinds[k];
        for (int i = 0; i < ODD * ODD * WIDTHS; i++) {
            const frng_trace_record r = draw(odd[i % ODD], odd[i / ODD % ODD], kind,
                                             widths[i / ODD / ODD], odd[i % ODD], odd[i / ODD % 9]);
            print(&r, 1, UINT64_MAX);
            const char *c = text;
            while (*c == '\n' || (*c >= 0x20 && *c < 0x7f)) c++;
            ck_assert_msg(*c == '\0', "kind %d: %s", kind, text);
        }
    }
}

TEST(a_note_reaches_no_terminal_raw) {
    frng_trace_record records[] = {note("\x1b[2J\x9b\xff\r\n\t\b"), draw(0, 1, FRNG_BOOL, 1, 1, 1)};
    for (int end = 0; end < 2; end++) {
        print(records, 2, 2);
        for (const char *c = text; *c != '\0'; c++) {
            ck_assert(*c == '\n' || (*c >= 0x20 && *c < 0x7f));
        }
        memset(records[0].u.text, 0x1b, sizeof records[0].u.text); /* and one without an end */
    }
}
