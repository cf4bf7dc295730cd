#include "confidence_bound.h"

#include <assert.h>
#include <math.h>

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
