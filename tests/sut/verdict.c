/* A program with FRNG_MAIN. The first byte says how it ends; stdout says what it was given. */
#include "frng_main.h"

static bool test(frng *f) {
    const size_t size = frng_left(f);
    const uint8_t *rest;
    uint8_t way;
    unsigned sum = 0;
    printf("size %zu", size);
    FRNG_TRY(frng_u8(f, &way));
    FRNG_TRY(frng_bytes(f, size - 1, &rest));
    for (size_t i = 0; i < size - 1; i++) sum = (sum * 31 + rest[i]) % 1000003;
    printf(" sum %u", sum);
    switch (way) {
    case 'f': return false;
    case 'x': /* one byte too many */ FRNG_TRY(frng_u8(f, &way)); break;
    case 'X': /* out of entropy, but true */
        if (frng_u8(f, &way)) break;
        return true;
    case 'a': FRNG_ASSERT(way != 'a', "as told"); break;
    case 's': exit(7);
    }
    return true;
}

FRNG_MAIN(test)
