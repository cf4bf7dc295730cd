#include "confidence_bound.h"

#include <assert.h>
#include <math.h>

/* Proof that the bound holds although the search stops at a moment it chose: Each window runs seeds
 * of its own at one size, so it is an experiment independent of all before it. A size that fails
 * with probability q passes n runs in a row with probability (1 - q)^n. So the n-th pass makes
 * window j state a false bound with probability alpha(j) at most. It does not matter when the
 * search leaves the window: its bounds only sharpen, and the first false one needs all the passes
 * before it. The alphas of all windows, 0.05 / (j (j + 1)), add up to 0.05. So the probability that
 * any bound of a search is false, the last one included, is 0.05 at most.
 *
 * In a mixture each run is plain or styled with equal chances, and fails with q = (a + b) / 2 if
 * those fail with a and b. A window does not draw the styles: it takes them in turn, and `passed`
 * counts only n / 2 plain runs and as many styled ones. These pass with probability
 * ((1 - a) (1 - b))^(n / 2). That is at most (1 - q)^n, because the geometric mean of 1 - a and
 * 1 - b is at most their arithmetic mean, 1 - q. So the bound holds for q, and the further a and b
 * lie apart, the more often it does. */
double confidence_bound(uint64_t passed, uint64_t window_number) {
    assert(passed == 0 || window_number > 0);
    if (passed == 0) return 1;
    const double j = (double)window_number;
    const double alpha = 0.05 / (j * (j + 1));
    return -expm1(log(alpha) / (double)passed);
}
