/* pass.h: the ends of chunks, in test cases with and without reported draws. */
#include "pass.h"
#include "suite.h"

#include "drawn.h"

/* c: a coin, b: a byte's number, w: one of two bytes. */
static testcase shape(const char *kinds, bool has_trace) {
    static draw draws[32];
    testcase t = {
        .draws = draws, .count = strlen(kinds), .trace = has_trace ? TRACE_WHOLE : TRACE_NONE};
    for (size_t i = 0; i < t.count; i++) {
        draws[i] = (draw){.kind = FRNG_UINT, .width = kinds[i] == 'w' ? 2 : 1, .max = 255};
        if (kinds[i] == 'c') draws[i] = (draw){.kind = FRNG_BOOL, .width = 1, .max = 1};
    }
    return t;
}

TEST(counts_and_ends) {
    const testcase t = shape("cbcbcbc", true);
    ck_assert_uint_eq(chunk_count(&t, 0, 1), 3);
    ck_assert_uint_eq(chunk_count(&t, 0, 2), 1);
    ck_assert_uint_eq(chunk_count(&t, 0, 4), 0);
    ck_assert_uint_eq(chunk_count(&t, 1, 1), 2);
    ck_assert_uint_eq(chunk_count(&t, 5, 1), 0);
    ck_assert_uint_eq(chunk_count(&t, 6, 1), 0);
    ck_assert_uint_eq(chunk_end(&t, 0, 1, 1), 2);
    ck_assert_uint_eq(chunk_end(&t, 0, 1, 3), 6);
    ck_assert_uint_eq(chunk_end(&t, 0, 3, 1), 6);
    ck_assert_uint_eq(chunk_end(&t, 1, 2, 1), 5);
}

/* Without a word of the draws, the end may be one as well. */
TEST(the_end_of_raw_bytes) {
    const testcase raw = shape("bbb", false), told = shape("bbb", true);
    ck_assert_uint_eq(chunk_count(&raw, 0, 1), 3);
    ck_assert_uint_eq(chunk_end(&raw, 0, 1, 3), 3);
    ck_assert_uint_eq(chunk_count(&raw, 2, 1), 1);
    ck_assert_uint_eq(chunk_count(&told, 0, 1), 2);
    ck_assert_uint_eq(chunk_count(&told, 2, 1), 0);
}

TEST(other_widths_are_not_alike) {
    const testcase t = shape("bwbw", true);
    ck_assert_uint_eq(chunk_count(&t, 0, 1), 1);
    ck_assert_uint_eq(chunk_end(&t, 0, 1, 1), 2);
}

/* All that is counted has an end, and they follow each other. */
TEST(ends_of_all_units) {
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        char kinds[20] = {0};
        const size_t length = 1 + dice(&state, 16);
        const bool has_trace = dice(&state, 2) == 0;
        for (size_t k = 0; k < length; k++) kinds[k] = has_trace ? "cbw"[dice(&state, 3)] : 'b';
        const testcase t = shape(kinds, has_trace);
        const size_t at = dice(&state, length), step = 1 + dice(&state, 4);
        const uint64_t count = chunk_count(&t, at, step);
        size_t last = at;
        for (uint64_t k = 1; k <= count; k++) {
            const size_t end = chunk_end(&t, at, step, k);
            if (end <= last || end > t.count) ck_abort_msg("%s: no end", kinds);
            if (end < t.count && !same_type(&t.draws[at], &t.draws[end])) {
                ck_abort_msg("%s: not alike", kinds);
            }
            if (end == t.count && t.trace != TRACE_NONE) ck_abort_msg("%s: at the end", kinds);
            last = end;
        }
    }
}
