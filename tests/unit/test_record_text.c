/* record_text.h: what is wrong with a record, on one line that fits a terminal. */
#include "record_text.h"

#include "frng_more.h"

#include "suite.h"

static char text[RECORD_TEXT_MAX];

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
    return record_text(&w, text);
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
            record_text(&w, text);
            ck_assert_msg(strlen(text) <= 120, "%zu: %s", strlen(text), text);
            ck_assert_ptr_null(strchr(text, '\x1b'));
        }
    }
}
