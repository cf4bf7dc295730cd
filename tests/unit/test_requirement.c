/* requirement.h and vacuity.h: what is asked of the runs of a search, and signs that they tested
 * nothing. */
#include "stats.h"
#include "suite.h"

#include <string.h>

static tally t;
static requirement r;

TEST(a_label_and_a_percentage_are_parsed) {
    ck_assert(requirement_parse("long:1%", &r));
    ck_assert_str_eq(r.label, "long");
    ck_assert_double_eq(r.percent, 1);
    ck_assert(requirement_parse("a: b:0.25%", &r));
    ck_assert_str_eq(r.label, "a: b");
    ck_assert_double_eq(r.percent, 0.25);
    ck_assert(requirement_parse("x:100%", &r));
    ck_assert(requirement_parse("x:00.50%", &r));
    ck_assert_str_eq(r.text, "x:00.50%");
}

TEST(anything_else_is_refused) {
    static const char *const wrong[] = {
        "",       "long",   "long:",  "long:%", "long:1", ":1%",   "x:0%",     "x:0.0%",
        "x:101%", "x:-1%",  "x:+1%",  "x: 1%",  "x:1 %",  "x:1%%", "x:1.%",    "x:.5%",
        "x:1e1%", "x:0x1%", "x:inf%", "x:nan%", "x:1,5%", "x:1%y", "x:1.2.3%", "x:100.01%"};
    strcpy(r.label, "kept");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(!requirement_parse(wrong[i], &r), "%s", wrong[i]);
    }
    ck_assert_str_eq(r.label, "kept");
}

TEST(a_long_label_is_compared_as_far_as_it_is_kept) {
    char text[120];
    memset(text, 'x', sizeof text);
    strcpy(text + 100, ":50%");
    ck_assert(requirement_parse(text, &r));
    ck_assert_uint_eq(strlen(r.label), sizeof r.label - 1);
    t.runs = 2;
    tally_row_of(&t, TALLY_LABEL, text)->runs = 1;
    ck_assert(requirement_is_met(&r, &t));
}

TEST(a_requirement_is_met_from_its_share_on) {
    ck_assert(requirement_parse("a:1%", &r));
    ck_assert(!requirement_is_met(&r, &t));
    t.runs = 1000;
    ck_assert(!requirement_is_met(&r, &t));
    tally_row *a = tally_row_of(&t, TALLY_LABEL, "a");
    ck_assert(!requirement_is_met(&r, &t));
    a->runs = 9;
    ck_assert(!requirement_is_met(&r, &t));
    a->runs = 10;
    ck_assert(requirement_is_met(&r, &t));
    ck_assert(requirement_parse("a:100%", &r));
    ck_assert(!requirement_is_met(&r, &t));
    a->runs = 1000;
    ck_assert(requirement_is_met(&r, &t));
    ck_assert_uint_eq(requirement_runs(&r, &t), 1000);
}

/* ---- vacuity.h ---- */

/* Add `count` runs of `size` bytes. Each makes `draws` draws and uses `drawn` bytes. */
static void add_runs(uint64_t count, uint64_t drawn, unsigned draws, uint64_t size) {
    t.runs += count;
    t.reported += count;
    if (draws < FRNG_FEW_DRAWS) t.few[draws] += count;
    for (uint64_t i = 0; i < count; i++) histogram_add(&t.drawn, drawn);
    if (drawn > t.used_max) t.used_max = drawn;
    if (size > t.size_max) t.size_max = size;
}

TEST(runs_that_draw_nothing_test_nothing) {
    add_runs(19, 0, 0, 16);
    ck_assert_int_eq(vacuity_of(&t), VACUITY_NONE); /* too few */
    add_runs(1, 0, 0, 16);
    ck_assert_int_eq(vacuity_of(&t), VACUITY_NO_DRAWS);
    t.ran_out = 20;
    t.used_max = 16;
    ck_assert_int_eq(vacuity_of(&t), VACUITY_STARVED);
}

TEST(nothing_is_known_of_a_plain_program) {
    t.runs = 5000;
    t.size_max = 1 << 20;
    ck_assert_int_eq(vacuity_of(&t), VACUITY_NONE);
    add_runs(5000, 0, 0, 16);
    ck_assert_int_eq(vacuity_of(&t), VACUITY_NONE);
}

TEST(most_runs_must_end_within_a_few_small_draws) {
    add_runs(50, 30, 30, 64);
    add_runs(49, 1, 1, 64);
    ck_assert_int_eq(vacuity_of(&t), VACUITY_NONE);
    add_runs(2, 3, 3, 64);
    ck_assert_int_eq(vacuity_of(&t), VACUITY_FEW_DRAWS);
    ck_assert_uint_eq(vacuity_few(&t), 51);
}

TEST(a_large_draw_may_be_a_whole_test) {
    add_runs(100, 500, 1, 1024);
    ck_assert_int_eq(vacuity_of(&t), VACUITY_NONE);
}

TEST(each_sign_has_a_word) {
    ck_assert_ptr_null(vacuity_word(VACUITY_NONE));
    for (int v = VACUITY_NONE + 1; v < VACUITY_COUNT; v++) {
        ck_assert_ptr_nonnull(vacuity_word((vacuity)v));
    }
}
