/* One half of a program in two files: the test and its main. */
#include "frng_main.h"

#ifdef __cplusplus
extern "C" {
#endif
void pair_check(unsigned value);
#ifdef __cplusplus
}
#endif

static bool test(frng *f) {
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(x != 1, "in the file with the main");
    pair_check(x);
    return x != 3;
}

FRNG_MAIN(test)
