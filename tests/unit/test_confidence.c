/* confidence.h: what is known of a failure that does not always happen. */
#include "confidence.h"
#include "suite.h"

#include <math.h>

/* Intervals, to half a unit of the last digit. */
static const struct {
    uint64_t failed, runs;
    double low, high, nearest;
} rows[] = {
    /* R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in
     * Medicine 17 (1998), table I, method 5 (Clopper and Pearson): four digits. */
    {81, 263, 0.2527, 0.3676, 0.5e-4},       {15, 148, 0.0578, 0.1617, 0.5e-4},
    {0, 20, 0.0000, 0.1684, 0.5e-4},         {1, 29, 0.0009, 0.1776, 0.5e-4},
    {0, 1, 0.0000, 0.9750, 0.5e-4},          /* 1 - 0.025^(1/n) */
    {300000, 1000000, 0.2991, 0.3009, 1e-4}, /* the normal distribution is near by now */
};

TEST_EACH(it_is_that_of_the_published_table_and_mirrored, sizeof rows / sizeof rows[0]) {
    const uint64_t failed = rows[_i].failed, runs = rows[_i].runs;
    const rate_interval r = rate_of(failed, runs), mirrored = rate_of(runs - failed, runs);
    ck_assert_double_eq_tol(r.low, rows[_i].low, rows[_i].nearest + 1e-9);
    ck_assert_double_eq_tol(r.high, rows[_i].high, rows[_i].nearest + 1e-9);
    ck_assert_double_eq_tol(r.seen, (double)failed / (double)runs, 1e-15);
    ck_assert_double_eq_tol(r.low, 1 - mirrored.high, 1e-9);
    ck_assert_double_eq_tol(r.high, 1 - mirrored.low, 1e-9);
}

/* Where none fails, or one does, one end is a root. */
TEST(its_ends_are_where_what_was_seen_becomes_unlikely) {
    for (uint64_t runs = 1; runs < 2000000; runs += 1 + runs / 3) {
        const double n = (double)runs;
        ck_assert_double_eq_tol(rate_of(0, runs).high, -expm1(log(0.025) / n), 1e-12);
        ck_assert_double_eq_tol(rate_of(1, runs).low, -expm1(log(0.975) / n), 1e-12);
    }
}

/* What is written is in test_values.c; here, that no text says more than is known. */
TEST(a_bound_is_rounded_up) {
    for (double share = 0.0001; share < 0.99; share *= 1.01) {
        char text[RATE_TEXT_MAX];
        const double told = strtod(rate_format_bound(share, text), NULL) / 100;
        ck_assert_msg(told >= share - 1e-9 && told <= 1.11 * share, "%s for %g", text, share);
    }
}

/* What is told holds what is known: no end is told nearer than it is, and none as all or none. */
TEST(an_interval_is_rounded_outward) {
    for (uint64_t runs = 1; runs <= 2000; runs += 1 + runs / 8) {
        for (uint64_t failed = 0; failed <= runs; failed += 1 + runs / 50) {
            double seen, low, high;
            char text[RATE_TEXT_MAX];
            const rate_interval r = rate_of(failed, runs);
            const int count = sscanf(rate_format(r, text), "%lf%%, 95%% confidence %lf to %lf%%",
                                     &seen, &low, &high);
            ck_assert_int_eq(count, 3);
            ck_assert_msg(low <= 100 * r.low + 1e-6 && high >= 100 * r.high - 1e-6, "%s", text);
            ck_assert((low > 0) == (failed > 0) && (high < 100) == (failed < runs));
        }
    }
}
