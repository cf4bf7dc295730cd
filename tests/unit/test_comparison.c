/* comparison.h: where two runs differ first, on literal records. */
#include "comparison.h"
#include "frng_more.h"
#include "suite.h"

#include <string.h>

static frng_trace_record text(uint8_t kind, const char *words) {
    frng_trace_record r = {.kind = kind};
    memcpy(r.u.text, words, strnlen(words, sizeof r.u.text));
    return r;
}

static frng_trace_record draw(uint64_t start, uint8_t kind, uint64_t value) {
    frng_trace_record r = {.start = start, .taken = 1, .kind = kind, .width = 1};
    r.u.draw.value = value;
    return r;
}

static frng_trace_record state(uint64_t word) { return draw(0, FRNG_TRACE_STATE, word); }

enum { COUNT = 9 };

/* A run: note, draw 1, line, state, a string (draw 2), note, draw 3, state, state. */
static void fill(frng_trace_record records[COUNT + 3]) {
    const frng_trace_record all[] = {text(FRNG_TRACE_NOTE, "who"),
                                     draw(0, FRNG_UINT, 7),
                                     text(FRNG_TRACE_SAY, "at 10 ms"),
                                     state(10),
                                     draw(1, FRNG_LETTER, 2),
                                     draw(2, FRNG_LETTER, 0),
                                     text(FRNG_TRACE_STEP, "fault"),
                                     draw(3, FRNG_BOOL, 1),
                                     state(30)};
    memcpy(records, all, sizeof all);
}

static frng_trace_record ours[COUNT + 3], theirs[COUNT + 3];
static reported_run a, b;

static run_difference find(void) {
    run_difference d = {.input.size = 4, .input.seed = 9};
    comparison_find(&a, &b, &d);
    ck_assert_uint_eq(d.input.seed, 9);
    return d;
}

static void begin(void) {
    fill(ours);
    fill(theirs);
    a = (reported_run){ours, COUNT, COUNT, 5, 4, outcome_of_status(0)};
    b = (reported_run){theirs, COUNT, COUNT, 5, 4, outcome_of_status(0)};
}

TEST(equal_runs_do_not_differ) {
    begin();
    ck_assert_int_eq(find().kind, DIFFERENCE_NONE);
    theirs[2] = text(FRNG_TRACE_SAY, "0x55d0"); /* a line may have an address */
    ck_assert_int_eq(find().kind, DIFFERENCE_NONE);
    a.reported = b.reported = 1000;
    ck_assert_int_eq(find().kind, DIFFERENCE_NONE);
}

TEST(another_state_is_that_after_a_draw) {
    begin();
    theirs[3] = state(11);
    const run_difference d = find();
    ck_assert_int_eq(d.kind, DIFFERENCE_STATE);
    ck_assert_uint_eq(d.draw, 1);
    ck_assert_uint_eq(d.offset, 0);
    ck_assert_str_eq(d.note, "who");
    ck_assert_str_eq(d.said, "at 10 ms");
}

TEST(a_string_is_one_draw_and_a_step_names_what_follows) {
    begin();
    theirs[7] = draw(3, FRNG_BOOL, 0);
    const run_difference d = find();
    ck_assert_int_eq(d.kind, DIFFERENCE_DRAW);
    ck_assert_uint_eq(d.draw, 3);
    ck_assert_uint_eq(d.offset, 3);
    ck_assert_str_eq(d.note, "fault");
}

TEST(one_more_draw_in_either_run_is_named) {
    for (int other = 0; other < 2; other++) {
        begin();
        frng_trace_record *longer = other ? theirs : ours;
        memmove(longer + 4, longer + 3, 6 * sizeof *longer);
        longer[3] = draw(1, FRNG_BOOL, 1);
        (other ? &b : &a)->count = (other ? &b : &a)->reported = COUNT + 1;
        const run_difference d = find();
        ck_assert_int_eq(d.kind, DIFFERENCE_DRAW);
        ck_assert_uint_eq(d.draw, 2);
        ck_assert_uint_eq(d.offset, 1);
        ck_assert_str_eq(d.note, "");
    }
}

TEST(runs_end_alike_or_not) {
    begin();
    b.end = outcome_of_status(6);
    ck_assert_int_eq(find().kind, DIFFERENCE_END);
    ck_assert_uint_eq(find().draw, 3);
    begin();
    b.digest++;
    ck_assert_int_eq(find().kind, DIFFERENCE_END);
    a.reported = b.reported = COUNT + 1;
    ck_assert_int_eq(find().kind, DIFFERENCE_LATER);
    begin();
    b.count = b.reported = COUNT - 1;
    ck_assert_int_eq(find().kind, DIFFERENCE_STATE);
    b.reported = COUNT; /* it had more than there was room for */
    ck_assert_int_eq(find().kind, DIFFERENCE_LATER);
    a.count = b.count = a.reported = b.reported = 0;
    ck_assert_int_eq(find().kind, DIFFERENCE_NONE);
}

TEST(long_lines_are_whole_and_texts_end) {
    begin();
    memset(ours[1].u.text, 'x', 32);
    for (int i = 0; i < 8; i++) {
        ours[i] = text(FRNG_TRACE_SAY, "");
        memset(ours[i].u.text, 'a' + i, sizeof ours[i].u.text);
        ours[i].width = 1;
    }
    ours[8] = state(1);
    theirs[0] = state(2);
    run_difference d = find();
    ck_assert_uint_eq(strlen(d.said), FRNG_SAY_MAX);
    ck_assert_int_eq(d.said[33], 'b');
    memset(ours[0].u.text, 'n', sizeof ours[0].u.text);
    ours[0].kind = FRNG_TRACE_NOTE;
    ours[1] = draw(0, FRNG_UINT, 8);
    d = find();
    ck_assert_uint_eq(strlen(d.note), 31);
}
