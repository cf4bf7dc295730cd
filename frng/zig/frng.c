/* frng.c: frng's headers for frng.zig. SPDX-License-Identifier: MIT */
#include <frng_main.h>

int frng_zig_run(frng_test test) { return frng_run(test); }

void frng_zig_expand(uint64_t seed, bool is_styled, uint8_t *bytes, size_t size) {
    if (is_styled)
        frng_expand_styled(seed, bytes, size);
    else
        frng_expand(seed, bytes, size);
}
