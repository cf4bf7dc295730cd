/* What runs say of a failure rate.
 *
 * After failures: the interval of Clopper and Pearson, by bisecting sums of the binomial
 * distribution; it holds for few runs too. After passes alone: an upper bound that holds although
 * the search chose when to stop, and for all stretches of a search or of a fleet together
 * (search/README.md has the proof). Texts round ends outward, so that what is printed is true. */
#include "confidence.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* ---- Intervals ---- */

/* Return the chance that of n runs, each of which fails with probability p, at least k do. The
 * terms of the sum get smaller from the first, as k is above the mean. */
static double chance_of_least(double k, double n, double p) {
    if (k <= n * p) return 1 - chance_of_least(n - k + 1, n, 1 - p);
    double term =
        exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p));
    double sum = term;
    for (; k < n && term > sum * 1e-17; k++) {
        term *= (n - k) / (k + 1) * p / (1 - p);
        sum += term;
    }
    return sum;
}

/* Return the probability of one failure at which at least k of n runs fail with this chance, by
 * bisection. */
static double probability_of(double chance, double k, double n) {
    double low = 0;
    for (double step = 0.5; step > 1e-18; step /= 2) { /* a double has fewer digits */
        if (chance_of_least(k, n, low + step) < chance) low += step;
    }
    return low;
}

rate_interval rate_of(uint64_t failed, uint64_t runs) {
    const double tail = 0.025;
    const double k = (double)failed, n = (double)runs;
    assert(failed <= runs);
    return (rate_interval){
        .seen = runs > 0 ? k / n : 0,
        .low = failed > 0 ? probability_of(tail, k, n) : 0,
        .high = failed < runs ? probability_of(1 - tail, k + 1, n) : 1,
    };
}

enum { DECIMALS_MAX = 6 };

static const double hair = 1e-9; /* error of a computed share, in units: too small to round up
                                    for */

double rate_round_up(double value, int decimals) {
    const double unit = pow(10, -decimals);
    return ceil(value / unit - hair) * unit;
}

/* Return enough decimals to distinguish a share in percent from none and from all: "0.05",
 * "99.9". */
static int decimals_of(double percent) {
    const double apart = percent < 100 - percent ? percent : 100 - percent;
    double unit = 1;
    int decimals = 0;
    while (apart > 0 && apart < unit * (1 - hair) && decimals < DECIMALS_MAX) {
        unit /= 10;
        decimals++;
    }
    return decimals;
}

const char *rate_format(rate_interval r, char text[RATE_TEXT_MAX]) {
    const double seen = 100 * r.seen, low = 100 * r.low, high = 100 * r.high;
    const int of_low = decimals_of(low), of_high = decimals_of(high);
    snprintf(text, RATE_TEXT_MAX, "%.*f%%, 95%% confidence %.*f to %.*f%%", decimals_of(seen), seen,
             of_low, rate_round_down(low, of_low), of_high, rate_round_up(high, of_high));
    return text;
}

const char *rate_format_bound(double share, char text[RATE_TEXT_MAX]) {
    const double percent = 100 * share;
    int decimals = 1;
    for (double unit = 1; percent < unit && decimals < DECIMALS_MAX; unit /= 10) decimals++;
    if (percent > 9.9) decimals = 0;
    snprintf(text, RATE_TEXT_MAX, "%.*f%%", decimals, rate_round_up(percent, decimals));
    return text;
}

double confidence_bound(uint64_t passed, uint64_t stretch_number) {
    assert(passed == 0 || stretch_number > 0);
    if (passed == 0) return 1;
    const double j = (double)stretch_number;
    const double alpha = 0.05 / (j * (j + 1));
    return -expm1(log(alpha) / (double)passed);
}
