/* difference: two numbers x and y of 1..2^31-1. Fails when x is 10 or more and |x - y| is what
 * LEAST and MOST say: 0, small (1 to 4), or one.
 *
 * Smallest: x is 10, and y the smallest that is as near as it must be: 10, 6, 9. Any x below
 * passes, whatever y is.
 *
 *     difference_0      (10, 10)  1300000013000000
 *     difference_small  (10, 6)  130000000b000000
 *     difference_one    (10, 9)  1300000011000000
 */
#include "challenge.h"

static bool test(frng *f) {
    int32_t x, y;
    FRNG_TRY(frng_i32_range(f, 1, INT32_MAX, &x));
    FRNG_TRY(frng_i32_range(f, 1, INT32_MAX, &y));
    const int32_t difference = x < y ? y - x : x - y;
    FRNG_ASSERT(x < 10 || difference < LEAST || difference > MOST, "%d and %d", x, y);
    return true;
}
