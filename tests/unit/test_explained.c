/* explained.h: statements in words, and as a column of the table of draws; and what is wrong with a
 * record, on one line that fits a terminal. */
#include "explained.h"
#include "frng_more.h"
#include "suite.h"
#include "trace.h"

enum { DRAWS = 3 };

static frng_trace_record records[2 * DRAWS];
static explained_draw draws[DRAWS];
static explanation all;
static char text[4096];

static frng_trace_record draw_of(uint64_t start, uint8_t kind, uint8_t width, uint64_t value) {
    frng_trace_record r = {.start = start, .taken = width, .kind = kind, .width = width};
    r.u.draw.max = 99;
    r.u.draw.value = value;
    return r;
}

static frng_trace_record note_of(uint64_t start, const char *name) {
    frng_trace_record r = {.start = start, .kind = FRNG_TRACE_NOTE};
    strncpy(r.u.text, name, sizeof r.u.text - 1);
    return r;
}

/* Three draws of a byte: "key", "size" and one without a name. */
static void begin(void) {
    const frng_trace_record told[] = {note_of(0, "key"), draw_of(0, FRNG_UINT, 1, 7),
                                      note_of(1, "size"), draw_of(1, FRNG_UINT, 1, 8),
                                      draw_of(2, FRNG_UINT, 1, 9)};
    memcpy(records, told, sizeof told);
    memset(draws, 0, sizeof draws);
    draws[0].record = records[1];
    draws[1].record = records[3];
    draws[2].record = records[4];
    all = (explanation){.state = EXPLANATION_MADE,
                        .draws = draws,
                        .count = DRAWS,
                        .explained = DRAWS,
                        .records = records,
                        .record_count = 5,
                        .runs = 1234};
    for (size_t i = 0; i < DRAWS; i++) draws[i].statement.kind = STATEMENT_ANY;
}

static const char *format(statement s) {
    char line[EXPLAINED_TEXT_MAX];
    begin();
    draws[0].statement = s;
    snprintf(text, sizeof text, "%s", explained_format(&all, 0, line));
    return text;
}

static const char *put(void) {
    static const uint8_t bytes[] = {7, 8, 9};
    FILE *out = fmemopen(text, sizeof text, "w");
    text[0] = '\0';
    explained_put(out, &all, bytes, sizeof bytes);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

TEST(each_kind_of_statement_has_its_words) {
    const statement range = {.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1};
    statement s = range;
    ck_assert_str_eq(format((statement){.kind = STATEMENT_ANY}), "any");
    ck_assert_str_eq(format((statement){.kind = STATEMENT_ONLY}), "only 7");
    ck_assert_str_eq(format((statement){.kind = STATEMENT_FIXED}), "its only value");
    ck_assert_str_eq(format((statement){.kind = STATEMENT_NONE}), "not tried");
    ck_assert_str_eq(format(range), "4..20");
    s.step = 2;
    ck_assert_str_eq(format(s), "4..20, even");
    s.low = 5;
    ck_assert_str_eq(format(s), "5..20, odd");
    s.step = 5;
    ck_assert_str_eq(format(s), "5..20 in steps of 5");
    s = (statement){.kind = STATEMENT_SET, .values = {1, 4, 9}, .value_count = 3};
    ck_assert_str_eq(format(s), "1, 4 or 9");
    s.kind = STATEMENT_EXCEPT;
    ck_assert_str_eq(format(s), "any but 1, 4 and 9");
    s = (statement){.kind = STATEMENT_SOME, .tried = 40, .failed = 12};
    ck_assert_str_eq(format(s), "12 of 40 others");
}

TEST(an_equal_draw_is_named) {
    statement s = {.kind = STATEMENT_EQUAL, .other = 1};
    ck_assert_str_eq(format(s), "= size");
    s.other = 2;
    ck_assert_str_eq(format(s), "= offset 2");
}

TEST(a_name_that_is_used_twice_has_its_offset) {
    char name[EXPLAINED_NAME_MAX];
    begin();
    ck_assert_str_eq(explained_name(&all, 0, name), "key");
    ck_assert_str_eq(explained_name(&all, 2, name), "offset 2");
    records[2] = note_of(1, "key");
    ck_assert_str_eq(explained_name(&all, 0, name), "key at offset 0");
    ck_assert_str_eq(explained_name(&all, 1, name), "key at offset 1");
}

TEST(names_of_the_target_are_escaped) {
    char name[EXPLAINED_NAME_MAX];
    begin();
    records[0] = note_of(0, "\033[31m");
    ck_assert_str_eq(explained_name(&all, 0, name), "\\x1b[31m");
}

TEST(a_weighted_draw_is_told_by_its_index) {
    const statement s = {.kind = STATEMENT_SET, .values = {0, 2}, .value_count = 2};
    char line[EXPLAINED_TEXT_MAX];
    begin();
    draws[0].is_index = true;
    draws[0].statement = s;
    ck_assert_str_eq(explained_format(&all, 0, line), "index 0 or 2");
    draws[0].statement = (statement){.kind = STATEMENT_ONLY};
    ck_assert_str_eq(explained_format(&all, 0, line), "only index 7");
}

TEST(letters_are_shown_if_a_run_has_shown_them) {
    char value[EXPLAINED_VALUE_MAX];
    const explained_draw d = {.record = {.kind = FRNG_LETTER, .width = 1}};
    ck_assert_str_eq(explained_value(&d, 0, value), "end");
    ck_assert_str_eq(explained_value(&d, 3, value), "letter 3");
    const uint64_t c = 3 | (uint64_t)'c' << 32 | EXPLANATION_LETTER_KNOWN;
    ck_assert_str_eq(explained_value(&d, c, value), "'c'");
}

TEST(the_report_has_a_row_for_each_name) {
    begin();
    draws[1].statement = (statement){.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1};
    all.any_count = 2;
    all.together = 20;
    all.together_failed = 19;
    ck_assert_str_eq(
        put(), "  explain  values that fail, with one draw changed at a time (1,234 runs)\n"
               "           key       any\n"
               "           size      4..20\n"
               "           offset 2  any\n"
               "           random values of all \"any\" draws at once fail in 19 of 20 runs\n");
}

TEST(draws_that_fail_with_their_values_only_are_counted) {
    begin();
    draws[0].statement.kind = STATEMENT_ONLY;
    ck_assert_ptr_nonnull(strstr(put(), "           no other value of the other draw fails\n"));
    draws[2].statement.kind = STATEMENT_ONLY;
    ck_assert_ptr_nonnull(strstr(put(), "runs)\n           size  any\n"
                                        "           no other value of the other 2 draws fails\n"));
    draws[1].statement.kind = STATEMENT_FIXED;
    ck_assert_ptr_nonnull(strstr(put(), "runs)\n           no other value of the 3 draws fails\n"));
}

TEST(an_explanation_that_was_asked_for_is_a_column) {
    begin();
    all.is_asked = true;
    draws[1].statement = (statement){.kind = STATEMENT_EQUAL, .other = 0};
    ck_assert_str_eq(put(),
                     "  explain  values that fail, with one draw changed at a time (1,234 runs)\n"
                     "offset  note  bytes  draw      value  fails with\n"
                     "     0  key   07     u8 0..99  7      any\n"
                     "     1  size  08     u8 0..99  8      = key\n"
                     "     2        09     u8 0..99  9      any\n");
}

TEST(a_cut_says_how_far_it_came) {
    begin();
    all.cut = CUT_CALLS;
    all.explained = 1;
    put();
    ck_assert_ptr_nonnull(strstr(text, "           key  any\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "1 of 3 draws explained: 2,000 runs are over; --explain yes"));
    all.cut = CUT_TIME;
    ck_assert_ptr_nonnull(strstr(put(), "1 of 3 draws explained: one minute or --time is over; "));
    all.is_asked = true;
    ck_assert_ptr_nonnull(strstr(put(), "1 of 3 draws explained: --time is over\n"));
    all.cut = CUT_STOPPED;
    ck_assert_ptr_nonnull(
        strstr(put(), "1 of 3 draws explained: a signal or an error stopped it\n"));
}

TEST(a_cut_after_the_last_draw_says_what_was_not_done) {
    begin();
    all.cut = CUT_TIME;
    ck_assert_ptr_null(strstr(put(), "draws explained"));
    ck_assert_ptr_nonnull(strstr(text, "not all draws were compared with each other: one minute"));
    all.any_count = 2;
    ck_assert_ptr_nonnull(strstr(put(), "the \"any\" draws were not changed at once: one minute"));
    all.together = 3;
    ck_assert_ptr_nonnull(
        strstr(put(), "the \"any\" draws were changed at once in fewer runs: one"));
}

TEST(no_explanation_has_its_reason_if_it_was_asked_for) {
    begin();
    all.state = EXPLANATION_FLAKY;
    ck_assert_str_eq(put(), "");
    all.state = EXPLANATION_SLOW;
    ck_assert_ptr_nonnull(strstr(put(), "  explain  nothing: runs take over 50 ms; "));
    all.state = EXPLANATION_FLAKY;
    all.is_asked = true;
    ck_assert_str_eq(put(), "  explain  nothing: the failure is flaky\n");
    all.state = EXPLANATION_NONE;
    ck_assert_str_eq(put(), "");
}

/* ---- Wrong records ---- */

static frng_trace_record record_of(unsigned kind, uint64_t start, uint64_t taken, unsigned width,
                                   uint64_t min, uint64_t max, uint64_t value) {
    frng_trace_record r = {
        .start = start, .taken = taken, .kind = (uint8_t)kind, .width = (uint8_t)width};
    r.u.draw.min = min;
    r.u.draw.max = max;
    r.u.draw.value = value;
    return r;
}

static const char *say(record_error error, frng_trace_record r, uint64_t right, const char *note) {
    wrong_record w = {.error = error, .record = r, .draw = 3, .right = right};
    strncpy(w.note, note, sizeof w.note - 1);
    return explained_wrong(&w, text);
}

TEST(both_values_are_shown_as_a_trace_shows_them) {
    const frng_trace_record u8 = record_of(FRNG_UINT, 2, 1, 1, 0, 9, 7);
    const frng_trace_record i32 = record_of(FRNG_INT, 2, 4, 4, UINT64_MAX - 8, 9, UINT64_MAX);
    ck_assert_str_eq(say(RECORD_VALUE, u8, 4, ""),
                     "draw 3 (u8 0..9 at byte 2) says 7, but its byte is 4");
    ck_assert_str_eq(say(RECORD_VALUE, u8, 4, "digit"),
                     "draw 3 (digit: u8 0..9 at byte 2) says 7, but its byte is 4");
    ck_assert_str_eq(say(RECORD_VALUE, i32, 4, ""),
                     "draw 3 (i32 -9..9 at byte 2) says -1, but its bytes are 4");
    ck_assert_str_eq(say(RECORD_VALUE, record_of(FRNG_BOOL, 0, 1, 1, 0, 1, 1), 0, ""),
                     "draw 3 (bool at byte 0) says true, but its byte is false");
    ck_assert_str_eq(say(RECORD_VALUE, record_of(FRNG_LETTER, 0, 1, 1, 0, 26, 7), 0, ""),
                     "draw 3 (letter at byte 0) says letter 7, but its byte is its end");
}

TEST(values_with_the_same_text_are_numbers) {
    ck_assert_str_eq(say(RECORD_VALUE, record_of(FRNG_BOOL, 0, 1, 1, 0, 1, 5), 1, ""),
                     "draw 3 (bool at byte 0) says 0x5, but its byte is 0x1");
}

TEST(each_error_has_its_words) {
    const frng_trace_record u8 = record_of(FRNG_UINT, 2, 1, 1, 0, 9, 7);
    ck_assert_str_eq(say(RECORD_EARLY, u8, 4, ""),
                     "draw 3 (u8 0..9 at byte 2) goes back: the last one ends at byte 4");
    ck_assert_str_eq(say(RECORD_LATE, u8, 1, ""), "draw 3 (u8 0..9 at byte 2) leaves out byte 1");
    ck_assert_str_eq(say(RECORD_BEYOND, u8, 2, ""),
                     "draw 3 (u8 0..9 at byte 2) ends beyond the 2 bytes of its run");
    ck_assert_str_eq(say(RECORD_WIDTH, record_of(FRNG_UINT, 2, 9, 9, 0, 9, 7), 0, ""),
                     "draw 3 (u64 0..9 at byte 2) has a width of 9 bytes, which no such draw has");
    ck_assert_str_eq(say(RECORD_BOUNDS, record_of(FRNG_UINT, 2, 1, 1, 0, 300, 7), 0, ""),
                     "draw 3 (u8 0..300 at byte 2) has bounds that no such draw has");
    ck_assert_str_eq(say(RECORD_LENGTH, u8, 2, ""),
                     "draw 3 (u8 0..9 at byte 2) takes 1 byte, but needs 2");
    ck_assert_str_eq(say(RECORD_LENGTH, u8, 0, ""),
                     "draw 3 (u8 0..9 at byte 2) says 7, but its byte is rejected");
    ck_assert_str_eq(say(RECORD_LENGTH, record_of(FRNG_UINT, 2, 1, 2, 0, 9, 7), 0, ""),
                     "draw 3 (u16 0..9 at byte 2) takes 1 byte, but needs more");
    ck_assert_str_eq(say(RECORD_LENGTH, record_of(FRNG_TRACE_NOTE, 2, 5, 0, 0, 0, 0), 0, ""),
                     "the note after draw 3 (at byte 2) takes 5 bytes, but only draws take bytes");
}

/* With the name of a tool and the consequence around it, a line ends before column 160. */
TEST(a_line_is_never_long) {
    const uint64_t least = UINT64_C(1) << 63, far = UINT64_C(1) << 40;
    for (unsigned kind = 0; kind < 256; kind++) {
        for (record_error error = RECORD_EARLY; error <= RECORD_VALUE; error++) {
            wrong_record w = {.error = error, .draw = 1000000, .right = far};
            w.record = record_of(kind, far, far, 255, least, least - 2, UINT64_MAX);
            if (error == RECORD_VALUE) w.right = UINT64_MAX - 1;
            memset(w.note, '\x1b', sizeof w.note - 1);
            explained_wrong(&w, text);
            ck_assert_msg(strlen(text) <= 120, "%zu: %s", strlen(text), text);
            ck_assert_ptr_null(strchr(text, '\x1b'));
        }
    }
}
