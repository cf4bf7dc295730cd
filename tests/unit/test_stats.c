/* stats.h: tallies, and shares of --require. */
#include "stats.h"
#include "suite.h"

#include <string.h>

/* ---- Statistics that add up, and quantiles from them ---- */

static tally one, two, both;

TEST(buckets_are_exact_below_16_and_at_most_an_eighth_wide) {
    uint64_t before = 0;
    for (uint64_t value = 0; value < 16; value++) ck_assert_uint_eq(frng__bucket(value), value);
    ck_assert_uint_eq(frng__bucket(16), 16);
    ck_assert_uint_eq(frng__bucket(17), 16);
    ck_assert_uint_eq(frng__bucket(18), 17);
    ck_assert_uint_eq(frng__bucket(31), 23);
    ck_assert_uint_eq(frng__bucket(32), 24);
    ck_assert_uint_eq(frng__bucket(UINT64_MAX), 495);
    for (uint64_t value = 1; value < 1 << 20; value++) {
        ck_assert_uint_ge(frng__bucket(value), before);
        ck_assert_uint_le(frng__bucket(value), before + 1);
        before = frng__bucket(value);
    }
}

TEST(quantiles_of_small_values_are_exact) {
    histogram h = {0};
    ck_assert_uint_eq(histogram_quantile(&h, 1, 2), 0);
    for (uint64_t i = 1; i <= 9; i++) histogram_add(&h, i);
    ck_assert_uint_eq(h.count, 9);
    ck_assert_uint_eq(histogram_quantile(&h, 0, 4), 1);
    ck_assert_uint_eq(histogram_quantile(&h, 1, 4), 3);
    ck_assert_uint_eq(histogram_quantile(&h, 1, 2), 5);
    ck_assert_uint_eq(histogram_quantile(&h, 3, 4), 7);
    ck_assert_uint_eq(histogram_quantile(&h, 4, 4), 9);
}

TEST(quantiles_of_large_values_are_close) {
    histogram h = {0};
    for (uint64_t i = 0; i < 100000; i++) histogram_add(&h, i * 1000);
    const uint64_t median = histogram_quantile(&h, 1, 2);
    ck_assert_uint_ge(median, 45000000);
    ck_assert_uint_le(median, 55000000);
    ck_assert_uint_eq(h.max, 99999000);
    histogram same = {0};
    for (int i = 0; i < 7; i++) histogram_add(&same, 1000001);
    ck_assert_uint_eq(histogram_quantile(&same, 1, 2), 1000001);
    histogram_add(&same, UINT64_MAX);
    ck_assert_uint_eq(histogram_quantile(&same, 2, 2), UINT64_MAX);
}

static void mark(tally *t, const char *name, uint64_t size) {
    tally_row *row = tally_row_of(t, TALLY_LABEL, name);
    ck_assert_ptr_nonnull(row);
    row->runs++;
    histogram_add(&row->values, size);
}

TEST(tallies_add_up_by_the_names_of_rows) {
    one.runs = one.reported = 5;
    one.ran_out = 1;
    one.size_max = 64;
    mark(&one, "a", 3);
    mark(&one, "b", 4);
    two.runs = two.reported = 7;
    two.size_max = 16;
    mark(&two, "b", 6);
    mark(&two, "c", 1);
    tally_merge(&both, &one);
    tally_merge(&both, &two);
    ck_assert_uint_eq(both.runs, 12);
    ck_assert_uint_eq(both.ran_out, 1);
    ck_assert_uint_eq(both.size_max, 64);
    ck_assert_uint_eq(both.row_count, 3);
    const tally_row *b = tally_find_label(&both, "b");
    ck_assert_uint_eq(b->runs, 2);
    ck_assert_uint_eq(b->values.min, 4);
    ck_assert_uint_eq(b->values.max, 6);
    ck_assert_ptr_null(tally_find_label(&both, "d"));
}

TEST(rows_are_sorted_by_runs_and_then_by_name) {
    static const char *const names[] = {"d", "b", "a", "c", "b", "c", "d", "d"};
    size_t order[FRNG_LABELS_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) mark(&one, names[i], 1);
    tally_row_of(&one, TALLY_MEASURE, "m")->runs = 99;
    ck_assert_uint_eq(tally_sort(&one, TALLY_LABEL, order), 4);
    static const char *const sorted[] = {"d", "b", "c", "a"};
    for (size_t i = 0; i < 4; i++) ck_assert_str_eq(one.rows[order[i]].name, sorted[i]);
    ck_assert_uint_eq(tally_sort(&one, TALLY_MEASURE, order), 1);
}

TEST(names_beyond_the_room_are_lost_and_counted) {
    char name[16];
    for (int i = 0; i < FRNG_LABELS_MAX; i++) {
        snprintf(name, sizeof name, "n%d", i);
        mark(&one, name, 1);
    }
    ck_assert_ptr_null(tally_row_of(&one, TALLY_LABEL, "more"));
    mark(&two, "n3", 1);
    mark(&two, "more", 1);
    mark(&two, "more", 1);
    tally_merge(&one, &two);
    ck_assert_uint_eq(one.lost, 2);
    ck_assert_uint_eq(tally_find_label(&one, "n3")->runs, 2);
}

TEST(a_label_is_found_by_as_much_of_its_name_as_is_kept) {
    char name[100] = {0};
    memset(name, 'x', sizeof name - 1);
    tally_row_of(&one, TALLY_LABEL, name);
    ck_assert_ptr_nonnull(tally_find_label(&one, name));
    ck_assert_ptr_null(tally_find_label(&one, "xx"));
    tally_row_of(&one, TALLY_MEASURE, "m");
    ck_assert_ptr_null(tally_find_label(&one, "m"));
}

TEST(clearing_leaves_no_row) {
    mark(&one, "a", 1);
    tally_clear(&one);
    ck_assert_uint_eq(one.row_count, 0);
    mark(&one, "a", 1);
    ck_assert_uint_eq(one.rows[0].runs, 1);
    ck_assert_uint_eq(one.rows[0].values.count, 1);
}

TEST(what_a_report_counts_is_bounded) {
    static frng_histogram lie;
    histogram h = {0};
    memset(&lie, 0xff, sizeof lie);
    lie.min = 0;
    histogram_add_untrusted(&h, &lie, 10);
    ck_assert_uint_eq(h.count, 10);
    lie.min = 9, lie.max = 3;
    histogram_add_untrusted(&h, &lie, 10);
    ck_assert_uint_eq(h.count, 10);
    memset(&lie, 0, sizeof lie);
    lie.count = 5;
    histogram_add_untrusted(&h, &lie, 10);
    ck_assert_uint_eq(h.count, 10);
}

TEST(sums_of_what_runs_drew_add_up) {
    static tally all, first, second;
    static const uint64_t drawn[] = {0, 3, 15, 16, 17, 100, 4095, 4096, 1 << 20};
    enum { RUNS = sizeof drawn / sizeof *drawn };
    uint64_t sum = 0;
    ck_assert_uint_eq(tally_sum_drawn(&all), 0);
    for (size_t i = 0; i < RUNS; i++) {
        tally *part = i < RUNS / 2 ? &first : &second;
        histogram_add(&part->drawn, drawn[i]);
        part->runs++;
        part->reported++;
        sum += drawn[i];
    }
    tally_merge(&all, &first);
    tally_merge(&all, &second);
    ck_assert_uint_eq(tally_sum_drawn(&all), tally_sum_drawn(&first) + tally_sum_drawn(&second));
    ck_assert_uint_le(tally_sum_drawn(&all), sum);
    ck_assert_uint_ge(tally_sum_drawn(&all), sum - sum / 8);
    all.runs++; /* one that told nothing */
    ck_assert_uint_eq(tally_sum_drawn(&all), UINT64_MAX);
    all.reported++;
    ck_assert_uint_eq(tally_sum_drawn(&all), UINT64_MAX);
}

TEST(the_most_used_is_unknown_unless_each_run_tells) {
    one.runs = one.reported = 2;
    one.used_max = 7;
    ck_assert_uint_eq(tally_most_used(&one), 7);
    one.runs++;
    ck_assert_uint_eq(tally_most_used(&one), UINT64_MAX);
    one.failed++;
    ck_assert_uint_eq(tally_most_used(&one), 7);
    two.used_max = 9;
    tally_merge(&two, &one);
    ck_assert_uint_eq(two.used_max, 9);
}

/* ---- What is asked of the runs of a search, and signs that they tested
 * nothing ---- */

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

/* vacuity.h. */

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
