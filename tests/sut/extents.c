/* extents: two sizes, each with a part of it that is used. Fails where 300 are used in all. */
#include <frng_main.h>

static bool test(frng *f) {
    unsigned sum = 0;
    for (int i = 0; i < 2; i++) {
        uint8_t size, used;
        FRNG_TRY(frng_u8(f, &size));
        FRNG_TRY(frng_u8_max(f, size, &used));
        sum += used;
    }
    FRNG_ASSERT(sum < 300);
    return true;
}

FRNG_MAIN(test)
