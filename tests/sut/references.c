/* references: a count of things, then two references to them. Fails for the references 2 and 1. */
#include <frng_main.h>
#include <frng_more.h>

static bool test(frng *f) {
    uint8_t count;
    size_t first, second;
    FRNG_TRY(frng_u8(f, &count));
    if (count == 0) return true;
    FRNG_TRY(frng_pick(f, count, &first));
    FRNG_TRY(frng_pick(f, count, &second));
    FRNG_ASSERT(first != 2 || second != 1);
    return true;
}

FRNG_MAIN(test)
