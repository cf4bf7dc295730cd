/* reduction.h: what a step changed: what both test cases do not begin with and do not end with. */
#include "fixture.h"

#include "frng.h"
#include "reduction.h"

/* Return a test case of draws of one byte, each of which has its rank as its value. */
static testcase case_of(const char *bytes, draw draws[8], uint8_t kind, bool has_trace) {
    testcase t = {.bytes = (uint8_t *)bytes,
                  .size = strlen(bytes),
                  .trace = has_trace ? TRACE_WHOLE : TRACE_NONE};
    t.draws = draws;
    t.count = t.size;
    for (size_t i = 0; i < t.count; i++) {
        draws[i] = (draw){.kind = kind, .width = 1, .max = 255, .rank = t.bytes[i]};
    }
    return t;
}

static step_change changed(const char *from, const char *to, uint8_t kind, bool has_trace) {
    draw before[8], after[8];
    const testcase a = case_of(from, before, kind, has_trace);
    const testcase b = case_of(to, after, kind, has_trace);
    return step_change_of(&a, &b);
}

TEST(what_was_deleted_and_what_came) {
    const step_change c = changed("abcdef", "abXf", FRNG_UINT, true);
    ck_assert_uint_eq(c.bytes.offset, 2);
    ck_assert_uint_eq(c.bytes.removed, 3);
    ck_assert_uint_eq(c.bytes.inserted, 1);
    ck_assert_mem_eq(c.bytes.before, "cde", 3);
    ck_assert_mem_eq(c.bytes.after, "X", 1);
    ck_assert_uint_eq(c.draws.at, 2);
    ck_assert_uint_eq(c.draws.removed, 3);
    ck_assert_uint_eq(c.draws.inserted, 1);
    ck_assert_uint_eq(c.draws.before[2].u.draw.value, 'e');
    ck_assert_uint_eq(c.draws.after[0].u.draw.value, 'X');
}

TEST(a_row_of_equal_draws_loses_its_last) {
    const step_change c = changed("aaaa", "aaa", FRNG_UINT, true);
    ck_assert_uint_eq(c.draws.at, 3);
    ck_assert_uint_eq(c.draws.removed, 1);
    ck_assert_uint_eq(c.draws.inserted, 0);
}

TEST(raw_bytes_are_notes_and_without_a_trace_there_are_no_draws) {
    step_change c = changed("ab", "a\x07", FRNG_BYTES, true);
    ck_assert_uint_eq(c.draws.after[0].kind, FRNG_TRACE_NOTE);
    ck_assert_str_eq(c.draws.after[0].u.text, "0x07");
    c = changed("ab", "a", FRNG_BYTES, false);
    ck_assert_uint_eq(c.draws.removed, 0);
    ck_assert_uint_eq(c.bytes.removed, 1);
}
