/* A test that passes. */
#include <frng_main.h>

static bool test(frng *f) {
    uint8_t x;
    for (;;) FRNG_TRY(frng_u8(f, &x));
}

FRNG_MAIN(test)
