/* compare.c: a test that returns whether two values are equal, instead of crashing when they are
 * not. The codec loses the highest bit. SPDX-License-Identifier: MIT */
#include "frng_main.h"

static bool test(frng *f) {
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    const uint8_t encoded = value & 0x7f;
    return encoded == value;
}

FRNG_MAIN(test)
