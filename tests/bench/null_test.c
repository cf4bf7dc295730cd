/* null_test: draws all bytes and passes, to measure what a run costs around the test.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

static bool test(frng *f) {
    const size_t size = frng_left(f);
    const uint8_t *bytes;
    uint64_t sum = 0, word;
    FRNG_TRY(frng_bytes(f, size, &bytes));
    for (size_t i = 0; i + 8 <= size; i += 8) { /* so that what is measured is not the reading */
        memcpy(&word, bytes + i, 8);
        sum += word;
    }
    return sum != UINT64_C(0x6a09e667f3bcc909); /* small sums are of styled seeds too */
}

FRNG_MAIN(test)
