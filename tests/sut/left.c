/* left: draws while bytes are left. Fails where the numbers add up to 300. */
#include <frng_main.h>

static bool test(frng *f) {
    unsigned sum = 0;
    while (frng_left(f) >= 2) {
        uint8_t most, number;
        FRNG_TRY(frng_u8(f, &most));
        FRNG_TRY(frng_u8_max(f, most, &number));
        sum += number;
    }
    FRNG_ASSERT(sum < 300);
    return true;
}

FRNG_MAIN(test)
