/* What runs say of a failure rate.
 *
 * After failures: the interval of Clopper and Pearson, by bisecting the incomplete beta function,
 * which is a continued fraction. It needs no library, and holds for few runs too. After passes
 * alone: an upper bound that holds although the search chose when to stop, and for all stretches of
 * a search or of a fleet together; its proof is at confidence_bound. Texts round ends outward, so
 * that what is printed is true. */
#include "rates.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* ---- Intervals ---- */

enum { STEPS_MAX = 60 }; /* of a bisection; a double has fewer digits */

/* Return the continued fraction of the incomplete beta function, by Lentz's method. It converges
 * fast for x below the mean (a + 1) / (a + b + 2). Abramowitz and Stegun 26.5.8. */
static double beta_fraction(double x, double a, double b) {
    const double tiny = 1e-300, precision = 1e-14;
    enum { TERMS_MAX = 100000 };
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < TERMS_MAX; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (int i = 0; i < 2; i++) {
            const double term = i == 0 ? even : odd;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            if (fabs(c) < tiny) c = tiny;
            change = c * d;
            value *= change;
        }
        if (fabs(change - 1) < precision) break;
    }
    return value;
}

/* Return the regularized incomplete beta function: the chance that of a + b - 1 runs, each of which
 * fails with probability x, at least a do. */
static double beta(double x, double a, double b) {
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - beta(1 - x, b, a);
    const double log_front =
        lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x) - log(a);
    return exp(log_front) * beta_fraction(x, a, b);
}

/* Return the probability x of one failure at which at least a of a + b - 1 runs fail with
 * probability `chance`. */
static double beta_inverse(double chance, double a, double b) {
    double low = 0, high = 1;
    for (int i = 0; i < STEPS_MAX; i++) {
        const double middle = (low + high) / 2;
        if (beta(middle, a, b) < chance) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

rate_interval rate_of(uint64_t failed, uint64_t runs) {
    const double tail = 0.025;
    const double k = (double)failed, n = (double)runs;
    assert(failed <= runs);
    return (rate_interval){
        .seen = runs > 0 ? k / n : 0,
        .low = failed > 0 ? beta_inverse(tail, k, n - k + 1) : 0,
        .high = failed < runs ? beta_inverse(1 - tail, k + 1, n - k) : 1,
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

/* ---- An upper bound after fresh runs passed ---- */

/* Proof that the bound holds although the search stops at a moment it chose: Each stretch runs
 * seeds of its own at one size, so it is an experiment independent of all before it. A size that
 * fails with probability q passes n runs in a row with probability (1 - q)^n. So the n-th pass
 * makes stretch j state a false bound with probability alpha(j) at most. It does not matter when
 * the search leaves the stretch: its bounds only sharpen, and the first false one needs all the
 * passes before it. The alphas of all stretches, 0.05 / (j (j + 1)), add up to 0.05. So the
 * probability that any bound of a search is false, the last one included, is 0.05 at most.
 *
 * * In a mixture each run is plain or styled with equal chances, and fails with q = (a + b) / 2 if
 * those fail with a and b. A stretch does not draw the styles: it takes them in turn, and `passed`
 * counts only n / 2 plain runs and as many styled ones. These pass with probability ((1 - a) (1 -
 * b))^(n / 2). That is at most (1 - q)^n, because the geometric mean of 1 - a and 1 - b is at most
 * their arithmetic mean, 1 - q. So the bound holds for q, and the further a and b lie apart, the
 * more often it does.
 *
 * * Growing, while nothing fails, is the first stretch, though it runs several sizes. It claims of
 * each of them the bound of the one with the fewest passes, n. Let q be the share of the size that
 * fails most often, and m >= n its passes. The claim is false if 1 - alpha^(1/n) < q; then
 * 1 - alpha^(1/m) < q as well. So the first false claim needs as many passes in a row, of this one
 * size, as in any stretch: the number of sizes does not matter, nor which had more runs. (What runs
 * draw decides how many sizes there are. With each one added the bound begins anew from no passes.)
 *
 * * A search that keeps going, or that adopts failures of others, is no exception: the proof holds
 * for any end of a stretch, and for any reason to begin the next one but its own runs.
 *
 * * The workers of a fleet pool what they count at one size, just below the smallest failure of
 * all: n is the sum of the passes of their stretches there, J the sum of all stretches that they
 * began. The bound holds for these, too. Let M be (1 - q)^-n as long as all these stretches pass,
 * and 0 from the first failure on. M begins at 1 with the first stretch at that size, and no
 * further run or stretch changes its mean, because the seeds of each are independent of all before
 * them. So M ever reaches 1 / alpha with probability alpha at most (Ville's inequality). The bound
 * of n and J is false if M is above 1 / alpha(J). If the first stretch at that size was stretch j
 * of the fleet in time, then J is at least j, so that the size has a false bound with probability
 * alpha(j) at most. Each j is the first stretch of one size at most, and the alphas add up to 0.05
 * again.
 *
 * * It does no harm that a report is late, or that a worker has ended: what the pool counts is M or
 * less. A worker leaves the size only for a smaller failure, and then the pool is about a smaller
 * size. But two workers with one --rng-seed make the same runs, which count once. */
double confidence_bound(uint64_t passed, uint64_t stretch_number) {
    assert(passed == 0 || stretch_number > 0);
    if (passed == 0) return 1;
    const double j = (double)stretch_number;
    const double alpha = 0.05 / (j * (j + 1));
    return -expm1(log(alpha) / (double)passed);
}
