/* null_test [BYTES]: draws so many bytes, or all, and passes; to measure what a run costs around
 * the test. SPDX-License-Identifier: MIT */
#include "frng_main.h"

static size_t wanted; /* to be drawn; 0: all there are */

/* Words at a time, so that what is measured is not the reading. */
static bool read_all(frng *f, size_t count, uint64_t *sum) {
    const uint8_t *bytes;
    FRNG_TRY(frng_bytes(f, count, &bytes));
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        *sum += word;
    }
    for (; count > 0; count--) *sum += *bytes++;
    return true;
}

static bool test(frng *f) {
    enum { CHUNK = 4096 };
    size_t left = wanted > 0 ? wanted : frng_left(f);
    uint64_t sum = 0;
    while (left > 0) {
        const size_t count = left < CHUNK ? left : CHUNK;
        FRNG_TRY(read_all(f, count, &sum));
        left -= count;
    }
    return sum != UINT64_C(0x6a09e667f3bcc909); /* small sums are of styled seeds too */
}

int main(int argc, char **argv) {
    if (argc > 1) wanted = strtoull(argv[1], NULL, 0);
    return frng_run(test);
}
