/* assert.c: a program with a main of its own, and an assertion that does not hold for all values.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

static bool test(frng *f) {
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t value;
        frng_note(f, "value");
        FRNG_TRY(frng_u8_range(f, 10, 209, &value));
        sum += value;
    }
    FRNG_ASSERT(sum < 600, "sum %u", (unsigned)sum);
    return true;
}

int main(void) { return frng_run(test); }
