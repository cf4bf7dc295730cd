/* A test that passes, without a draw where NOTHING is set. With -DFAILS it fails as those of the
 * checks of vectors.json (DRAWS.md), and discards as those where DISCARDS is set. */
#include <frng_main.h>

#ifndef FAILS
static bool test(frng *f) {
    uint8_t x;
    while (getenv("NOTHING") == NULL) FRNG_TRY(frng_u8(f, &x));
    return true;
}
#else
static bool test(frng *f) {
    uint8_t first, x;
    int high = 0;
    FRNG_ASSERT(getenv("AT_ONCE") == NULL, "at once");
    FRNG_TRY(frng_u8(f, &first));
    FRNG_TRY(frng_assume(f, first % 8 == 0 || getenv("DISCARDS") == NULL));
    for (x = first; x != 77;) {
        high += x >= 240;
        FRNG_ASSERT(high < 4 || first / 4 != 24, "four");
        FRNG_TRY(frng_u8(f, &x));
    }
    return true;
}
#endif

FRNG_MAIN(test)
