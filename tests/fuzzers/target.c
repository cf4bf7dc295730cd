/* A target for libFuzzer, in C and in C++, with two bugs of two bytes. */
#include "frng_main.h"

static bool test(frng *f) {
    uint8_t kind, x;
    FRNG_TRY(frng_u8_max(f, 1, &kind));
    FRNG_TRY(frng_u8(f, &x));
#ifdef RETURNS_FALSE
    return kind == 0 || x < 250;
#else
    FRNG_ASSERT(kind == 0 || x < 250, "x is %u", x);
    return true;
#endif
}

FRNG_MAIN(test)
