/* poisoned: 5 to 20 lists of up to 9 values, each of which is poison once in 20 times, or a number
 * of 0..10. Fails when any is poison.
 *
 * Smallest: five lists, four empty and the last [poison].
 *
 *     poisoned        [] [] [] [] [poison]  00010101011b01000000
 */
#include "challenge.h"

static bool draw_value(frng *f, bool *poisoned) {
    bool poison;
    uint8_t number;
    FRNG_TRY(frng_chance(f, 1, 20, &poison));
    if (poison) *poisoned = true;
    return poison || frng_u8_max(f, 10, &number);
}

static bool draw_list(frng *f, bool *poisoned) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, 9, &count));
    while (count-- > 0) FRNG_TRY(draw_value(f, poisoned));
    return true;
}

static bool test(frng *f) {
    bool poisoned = false;
    uint8_t lists;
    FRNG_TRY(frng_u8_range(f, 5, 20, &lists));
    while (lists-- > 0) FRNG_TRY(draw_list(f, &poisoned));
    FRNG_ASSERT(!poisoned);
    return true;
}
