/* null_empty.c: a test that does nothing. What a run of it takes is frng's. */
#include "frng_main.h"

static bool test(frng *f) {
    (void)f;
    return true;
}

FRNG_MAIN(test)
