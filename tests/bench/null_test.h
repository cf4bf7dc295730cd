/* null_test.h: a test that only draws, as much as it was told. SPDX-License-Identifier: MIT */
#ifndef NULL_TEST_H
#define NULL_TEST_H

#include "frng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t null_test_bytes; /* to be drawn; 0: all there are */

/* Words at a time, so that what is measured is not the reading. */
static bool null_test_read(frng *f, size_t count, uint64_t *sum) {
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

/* Not inlined: what a loop around a test gains by that is lost for any test worth the name. */
__attribute__((noinline)) static bool null_test(frng *f) {
    enum { CHUNK = 4096 };
    size_t left = null_test_bytes > 0 ? null_test_bytes : frng_left(f);
    uint64_t sum = 0;
    while (left > 0) {
        const size_t count = left < CHUNK ? left : CHUNK;
        FRNG_TRY(null_test_read(f, count, &sum));
        left -= count;
    }
    return sum != UINT64_C(0x6a09e667f3bcc909); /* small sums are of styled seeds too */
}

/* `words` is argv without the program: a count of bytes, or nothing for all of them. */
static void null_test_parse(char **words) {
    if (words[0] != NULL) null_test_bytes = strtoull(words[0], NULL, 0);
}

#endif
