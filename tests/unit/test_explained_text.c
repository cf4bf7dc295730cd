/* explained_text.h: statements in words, and as a column of the table of draws. */
#include "explained_text.h"
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
    snprintf(text, sizeof text, "%s", explained_text_format(&all, 0, line));
    return text;
}

static const char *put(void) {
    static const uint8_t bytes[] = {7, 8, 9};
    FILE *out = fmemopen(text, sizeof text, "w");
    text[0] = '\0';
    explained_text_put(out, &all, bytes, sizeof bytes);
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
    ck_assert_str_eq(explained_text_name(&all, 0, name), "key");
    ck_assert_str_eq(explained_text_name(&all, 2, name), "offset 2");
    records[2] = note_of(1, "key");
    ck_assert_str_eq(explained_text_name(&all, 0, name), "key at offset 0");
    ck_assert_str_eq(explained_text_name(&all, 1, name), "key at offset 1");
}

TEST(names_of_the_target_are_escaped) {
    char name[EXPLAINED_NAME_MAX];
    begin();
    records[0] = note_of(0, "\033[31m");
    ck_assert_str_eq(explained_text_name(&all, 0, name), "\\x1b[31m");
}

TEST(a_weighted_draw_is_told_by_its_index) {
    const statement s = {.kind = STATEMENT_SET, .values = {0, 2}, .value_count = 2};
    char line[EXPLAINED_TEXT_MAX];
    begin();
    draws[0].is_index = true;
    draws[0].statement = s;
    ck_assert_str_eq(explained_text_format(&all, 0, line), "index 0 or 2");
    draws[0].statement = (statement){.kind = STATEMENT_ONLY};
    ck_assert_str_eq(explained_text_format(&all, 0, line), "only index 7");
}

TEST(letters_are_shown_if_a_run_has_shown_them) {
    char value[EXPLAINED_VALUE_MAX];
    const explained_draw d = {.record = {.kind = FRNG_LETTER, .width = 1}};
    ck_assert_str_eq(explained_text_value(&d, 0, value), "end");
    ck_assert_str_eq(explained_text_value(&d, 3, value), "letter 3");
    const uint64_t c = 3 | (uint64_t)'c' << 32 | EXPLANATION_LETTER_KNOWN;
    ck_assert_str_eq(explained_text_value(&d, c, value), "'c'");
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
