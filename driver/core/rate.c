#include "rate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

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

double rate_round_down(double value, int decimals) { return -rate_round_up(-value, decimals); }

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
