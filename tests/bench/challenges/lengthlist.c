/* lengthlist: a length of 1..100, then as many numbers of 0..1000. Fails when the largest is 900 or
 * more.
 *
 * Smallest: one number, 900.
 *
 *     lengthlist      [900]  012ce6
 */
#include "challenge.h"

static bool test(frng *f) {
    uint8_t count;
    uint16_t largest = 0;
    FRNG_TRY(frng_u8_range(f, 1, 100, &count));
    while (count-- > 0) {
        uint16_t item;
        FRNG_TRY(frng_u16_max(f, 1000, &item));
        if (item > largest) largest = item;
    }
    FRNG_ASSERT(largest < 900, "%u is there", largest);
    return true;
}
