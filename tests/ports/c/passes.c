/* A test that passes. With -DFAILS it fails at the fourth byte of 240 or more. */
#include <frng_main.h>

static bool test(frng *f) {
    uint8_t x;
    int high = 0;
    for (;;) {
        FRNG_TRY(frng_u8(f, &x));
        high += x >= 240;
#ifdef FAILS
        FRNG_ASSERT(high < 4, "four");
#endif
    }
}

FRNG_MAIN(test)
