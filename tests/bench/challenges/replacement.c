/* replacement: a number of 0..999999, then a list of up to 10 factors of 2..10. Fails when their
 * product is a million or more.
 *
 * Smallest: (100000, [10]). One factor is the fewest, and the number comes before it: it is as
 * small as the largest factor lets it be.
 *
 *     replacement     (100000, [10])  9b99991901e400
 */
#include "challenge.h"

enum { MILLION = 1000000, FACTORS_MAX = 10 };

static bool test(frng *f) {
    uint32_t start;
    FRNG_TRY(frng_u32_max(f, MILLION - 1, &start));
    uint64_t product = start;
    for (int count = 0; count < FACTORS_MAX; count++) {
        bool more;
        uint8_t factor;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_u8_range(f, 2, 10, &factor));
        product *= factor;
    }
    FRNG_ASSERT(product < MILLION, "%llu", (unsigned long long)product);
    return true;
}
