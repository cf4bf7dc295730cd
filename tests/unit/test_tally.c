/* tally.h, text.h: tallies, shares of --require, and the warning of unused input. */
#include "suite.h"
#include "tally.h"
#include "text.h"

/* ---- Statistics that add up, and quantiles from them ---- */

static tally one, two, both;

TEST(buckets_are_exact_below_16_and_at_most_an_eighth_wide) {
    static const uint64_t edges[][2] = {{0, 0},   {15, 15}, {16, 16}, {17, 16},
                                        {18, 17}, {31, 23}, {32, 24}, {UINT64_MAX, 495}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        ck_assert_uint_eq(frng__bucket(edges[i][0]), edges[i][1]);
    for (uint64_t value = 1; value < 1 << 20; value++) {
        const uint64_t before = frng__bucket(value - 1);
        ck_assert_uint_ge(frng__bucket(value), before);
        ck_assert_uint_le(frng__bucket(value), before + 1);
    }
}

TEST(quantiles_of_small_values_are_exact_and_of_large_ones_close) {
    histogram h = {0}, large = {0}, same = {0};
    ck_assert_uint_eq(histogram_quantile(&h, 1, 2), 0);
    for (uint64_t i = 1; i <= 8; i++) histogram_add(&h, i);
    ck_assert_uint_eq(histogram_quantile(&h, 3, 4), 6);
    histogram_add(&h, 9);
    for (unsigned i = 0; i <= 4; i++) ck_assert_uint_eq(histogram_quantile(&h, i, 4), 1 + 2 * i);
    for (uint64_t i = 0; i < 100000; i++) histogram_add(&large, i * 1000);
    const uint64_t median = histogram_quantile(&large, 1, 2);
    ck_assert(median >= 45000000 && median <= 55000000 && large.max == 99999000);
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

/* Two tallies count the bytes that runs drew, and their labels; the sum has the rows of both. */
TEST(tallies_add_up_by_the_names_of_rows) {
    static const uint64_t drawn[] = {0, 3, 15, 16, 17, 100, 4095, 4096, 1 << 20};
    enum { RUNS = sizeof drawn / sizeof *drawn };
    uint64_t sum = 0;
    ck_assert_uint_eq(tally_sum_drawn(&both), 0);
    for (size_t i = 0; i < RUNS; i++) {
        tally *part = i < RUNS / 2 ? &one : &two;
        histogram_add(&part->drawn, drawn[i]);
        part->runs++;
        part->reported++;
        sum += drawn[i];
    }
    one.ran_out = 1;
    one.size_max = 64;
    one.used_max = 7;
    mark(&one, "a", 3);
    mark(&one, "b", 4);
    two.size_max = 16;
    two.used_max = 9;
    mark(&two, "b", 6);
    mark(&two, "c", 1);
    tally_merge(&both, &one);
    tally_merge(&both, &two);
    ck_assert(both.runs == RUNS && both.ran_out == 1 && both.size_max == 64 && both.row_count == 3);
    const tally_row *b = tally_row_of(&both, TALLY_LABEL, "b");
    ck_assert(b->runs == 2 && b->values.min == 4 && b->values.max == 6);
    ck_assert_uint_eq(tally_sum_drawn(&both), tally_sum_drawn(&one) + tally_sum_drawn(&two));
    ck_assert(tally_sum_drawn(&both) <= sum && tally_sum_drawn(&both) >= sum - sum / 8);
    ck_assert_uint_eq(tally_most_used(&both), 9);
    both.runs++; /* one that told nothing */
    ck_assert(tally_most_used(&both) == UINT64_MAX && tally_sum_drawn(&both) == UINT64_MAX);
    both.failed++;
    ck_assert(tally_most_used(&both) == 9 && tally_sum_drawn(&both) == UINT64_MAX);
    tally_clear(&both);
    ck_assert_uint_eq(both.row_count, 0);
    mark(&both, "a", 1);
    ck_assert(both.rows[0].runs == 1 && both.rows[0].values.count == 1);
}

TEST(rows_are_sorted_by_runs_and_then_by_name) {
    static const char *const names[] = {"d", "c", "a", "b", "c", "b", "d", "d"};
    size_t order[FRNG_LABELS_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) mark(&one, names[i], 1);
    tally_row_of(&one, TALLY_MEASURE, "m")->runs = 99;
    ck_assert_uint_eq(tally_sort(&one, TALLY_LABEL, order), 4);
    static const char *const sorted[] = {"d", "b", "c", "a"};
    for (size_t i = 0; i < 4; i++) ck_assert_str_eq(one.rows[order[i]].name, sorted[i]);
    ck_assert_uint_eq(tally_sort(&one, TALLY_MEASURE, order), 1);
}

TEST(names_beyond_the_room_are_lost_and_long_ones_are_cut) {
    char name[100] = {0};
    memset(name, 'x', sizeof name - 1);
    ck_assert_ptr_eq(tally_row_of(&one, TALLY_LABEL, "xx"), &one.rows[0]);
    tally_row_of(&one, TALLY_LABEL, name)->runs = 7;
    strcpy(name + 90, ":1%"); /* it is compared as far as it is kept */
    requirement r;
    ck_assert(requirement_parse(name, &r));
    ck_assert_uint_eq(requirement_runs(&r, &one), 7);
    for (int i = 2; i < FRNG_LABELS_MAX; i++) {
        snprintf(name, sizeof name, "n%d", i);
        mark(&one, name, 1);
    }
    ck_assert_ptr_null(tally_row_of(&one, TALLY_LABEL, "more"));
    mark(&two, "n3", 1);
    mark(&two, "more", 1);
    mark(&two, "more", 1);
    tally_merge(&one, &two);
    ck_assert_uint_eq(one.lost, 2);
    ck_assert_uint_eq(tally_row_of(&one, TALLY_LABEL, "n3")->runs, 2);
}

TEST(what_a_report_counts_is_bounded) {
    static frng_histogram lies[] = {{.min = 0}, {.min = 9}, {.count = 5}};
    histogram h = {0};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        if (i < 2) memset(lies[i].buckets, 0xff, sizeof lies[i].buckets);
        if (i < 2) lies[i].count = UINT64_MAX, lies[i].max = i == 0 ? UINT64_MAX : 3;
        histogram_add_untrusted(&h, &lies[i], 10);
        ck_assert_uint_eq(h.count, 10);
    }
}

/* ---- What is asked of the runs of a search, and signs that they tested nothing ---- */

TEST(a_requirement_is_met_from_its_share_on) {
    requirement of_few, of_all;
    ck_assert(requirement_parse("a:1%", &of_few) && requirement_parse("a:100%", &of_all));
    ck_assert(!requirement_is_met(&of_few, &one)); /* no runs, and no label */
    one.runs = 1000;
    ck_assert(!requirement_is_met(&of_few, &one));
    tally_row *a = tally_row_of(&one, TALLY_LABEL, "a");
    for (a->runs = 0; a->runs <= 1000; a->runs++) {
        ck_assert_int_eq(requirement_is_met(&of_few, &one), a->runs >= 10);
        ck_assert_int_eq(requirement_is_met(&of_all, &one), a->runs == 1000);
        ck_assert_uint_eq(requirement_runs(&of_all, &one), a->runs);
    }
}

/* A row has two kinds of runs: the number of runs, the bytes and the draws of each. */
TEST(runs_that_draw_little_test_nothing) {
    static const struct {
        uint64_t runs[2], drawn[2];
        unsigned draws[2];
        uint64_t ran_out, untold;
        const char *warning;
        uint64_t discarded;
    } all[] = {{{19, 0}, {0, 0}, {0, 0}, 0, 0, NULL}, /* too few */
               {{20, 0}, {0, 0}, {0, 0}, 0, 0, "no-draws"},
               {{20, 0}, {0, 0}, {0, 0}, 20, 0, "starved"},
               {{5000, 0}, {0, 0}, {0, 0}, 0, 1, NULL}, /* a plain program tells nothing */
               {{50, 49}, {30, 1}, {30, 1}, 0, 0, NULL},
               {{50, 51}, {30, 3}, {30, 3}, 0, 0, "few-draws"},
               {{100, 0}, {500, 0}, {1, 0}, 0, 0, NULL}, /* a large draw may be a whole test */
               {{100, 0}, {500, 0}, {9, 0}, 0, 0, NULL, 50},
               {{100, 0}, {500, 0}, {9, 0}, 0, 0, "discarded", 51},
               {{100, 0}, {500, 0}, {9, 0}, 0, 0, "discarded", 90},
               {{19, 0}, {500, 0}, {9, 0}, 0, 0, NULL, 12},
               {{100, 0}, {500, 0}, {9, 0}, 0, 0, "discarded", 91}}; /* too many */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        memset(&one, 0, sizeof one);
        for (size_t k = 0; k < 2; k++) {
            one.reported += all[i].runs[k];
            if (all[i].draws[k] < FRNG_FEW_DRAWS) one.few[all[i].draws[k]] += all[i].runs[k];
            for (uint64_t n = 0; n < all[i].runs[k]; n++)
                histogram_add(&one.drawn, all[i].drawn[k]);
        }
        one.runs = one.reported + all[i].untold;
        one.ran_out = all[i].ran_out;
        one.discarded = all[i].discarded;
        ck_assert_int_eq(tally_is_discarded(&one), all[i].discarded == 91);
        const char *warning = tally_warning(&one);
        ck_assert_msg(warning == all[i].warning || (warning != NULL && all[i].warning != NULL &&
                                                    strcmp(warning, all[i].warning) == 0),
                      "row %zu: %s", i, warning != NULL ? warning : "none");
    }
}
