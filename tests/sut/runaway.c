/* runaway: rounds until a number ends them, or for long. Fails where one drew 77, and where nothing
 * ended them. */
#include <frng_main.h>

enum { ROUNDS = 2000, FOUND = 77, LAST = 255 };

static bool test(frng *f) {
    uint8_t number = 0;
    bool found = false;
    unsigned rounds = 0;
    for (; rounds < ROUNDS && number != LAST; rounds++) {
        uint32_t more;
        FRNG_TRY(frng_u8(f, &number));
        if (number > 0) FRNG_TRY(frng_u32(f, &more));
        found |= number == FOUND;
    }
    FRNG_ASSERT(!found && rounds < ROUNDS);
    return true;
}

FRNG_MAIN(test)
