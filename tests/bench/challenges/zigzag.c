/* zigzag: two numbers m and n of 32 bits. Fails when m is 1000 or more and |m - n| is 1. Who lowers
 * one of them at a time goes down by steps of two.
 *
 * Smallest: (1000, 999). Any m below 1000 passes, whatever n is.
 *
 *     zigzag          (1000, 999)  e8030000e7030000
 */
#include "challenge.h"

static bool test(frng *f) {
    uint32_t m, n;
    FRNG_TRY(frng_u32(f, &m));
    FRNG_TRY(frng_u32(f, &n));
    const uint32_t difference = m < n ? n - m : m - n;
    FRNG_ASSERT(m < 1000 || difference != 1, "%u and %u", m, n);
    return true;
}
