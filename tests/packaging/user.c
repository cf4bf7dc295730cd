/* A program of a project that uses frng's headers. */
#include <frng_main.h>

static bool test(frng *f) {
    bool b;
    FRNG_TRY(frng_bool(f, &b));
    return true;
}

FRNG_MAIN(test)
