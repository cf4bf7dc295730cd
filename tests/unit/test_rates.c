/* rates.h: what is known of a failure that does not always happen. */
#include "rates.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The chance that of n runs k fail, by itself: no function of rate.c is asked. */
static double chance_of(uint64_t k, uint64_t n, double share) {
    const double a = (double)k, b = (double)(n - k);
    return exp(lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1) + a * log(share) +
               b * log1p(-share));
}

/* At the lower end as many failures as were seen, or more, have a chance of 2.5%; at the upper end
 * as many or fewer. */
TEST(its_ends_are_where_what_was_seen_becomes_unlikely) {
    static const uint64_t counts[] = {3, 20, 77, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const uint64_t n = counts[i];
        for (uint64_t k = 1; k < n; k += 1 + n / 40) {
            const rate_interval r = rate_of(k, n);
            double more = 0, fewer = 0;
            for (uint64_t j = k; j <= n; j++) more += chance_of(j, n, r.low);
            for (uint64_t j = 0; j <= k; j++) fewer += chance_of(j, n, r.high);
            ck_assert_double_eq_tol(more, 0.025, 1e-7);
            ck_assert_double_eq_tol(fewer, 0.025, 1e-7);
        }
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

/* A searcher claims anew after each run. All its sizes fail with probability q; once one fails, the
 * next smaller one has its turn, with a stretch of its own. A fleet is such a searcher. */
static bool claims_what_is_false(uint64_t state, double q, bool counts_stretches) {
    uint64_t passed = 0, stretch = 1;
    for (int run = 0; run < 3000; run++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const bool fails = (double)(state >> 11) / 9007199254740992.0 < q;
        passed = fails ? 0 : passed + 1;
        stretch += fails;
        if (confidence_bound(passed, counts_stretches ? stretch : 1) < q && passed > 0) return true;
    }
    return false;
}

TEST(claims_are_false_in_5_of_100_searches_at_most) {
    int false_claims = 0, without_stretches = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        false_claims += claims_what_is_false(seed, 0.02, true);
        without_stretches += claims_what_is_false(seed, 0.02, false);
    }
    ck_assert_int_le(false_claims, 20);
    ck_assert_int_gt(without_stretches, 20); /* so the correction is needed */
}
