/* canary.c: a program that must fail. `frng-search --canary` runs it in place of the target: a
 * machine where it does not fail finds no other failures either.
 *
 * It fails when a byte below 64 follows another one, so that its smallest failure has 2 bytes and
 * one input of 16 at that size fails. It draws, asserts and ends as other targets do. */
#include <frng_main.h>

enum { LOW_MAX = 63 };

static bool test(frng *f) {
    uint8_t before, now;
    FRNG_TRY(frng_u8(f, &before));
    for (;;) {
        FRNG_TRY(frng_u8(f, &now));
        FRNG_ASSERT(before > LOW_MAX || now > LOW_MAX, "the canary is found: %u follows %u", now,
                    before);
        before = now;
    }
}

FRNG_MAIN(test)
