/* machine.c: a system under test that fails after 8 operations in order, of 12. Any other ends the
 * run, or with RESETS begins anew; each state has a draw of its own, or with EDGES an edge. With
 * LEADS it draws up to 99 bytes before, and fails after 3.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

static const size_t order[8] = {3, 7, 1, 11, 0, 5, 9, 2};

#ifdef EDGES
/* Each state has code that no compiler merges with that of another. */
static bool shows(frng *f, unsigned state) {
    (void)f;
    if (state == 1) __asm__ volatile("# 1");
    if (state == 2) __asm__ volatile("# 2");
    if (state == 3) __asm__ volatile("# 3");
    if (state == 4) __asm__ volatile("# 4");
    if (state == 5) __asm__ volatile("# 5");
    if (state == 6) __asm__ volatile("# 6");
    if (state == 7) __asm__ volatile("# 7");
    return true;
}
#else
static bool shows(frng *f, unsigned state) {
    uint16_t argument;
    return frng_u16_max(f, (uint16_t)(3u << state), &argument);
}
#endif

static bool lead(frng *f) {
    uint8_t count, byte;
    FRNG_TRY(frng_u8_max(f, 99, &count));
    for (; count > 0; count--) FRNG_TRY(frng_u8(f, &byte));
    return true;
}

static bool test(frng *f) {
    const bool resets = getenv("RESETS") != NULL;
    const unsigned states = getenv("LEADS") != NULL ? 3 : 8;
    unsigned state = 0;
    if (states < 8) FRNG_TRY(lead(f));
    for (;;) {
        size_t operation;
        FRNG_TRY(frng_index(f, 12, &operation));
        const bool is_right = operation == order[state];
        if (!is_right && !resets) return true;
        state = is_right ? state + 1 : 0;
        FRNG_ASSERT(state < states);
        if (is_right && !shows(f, state)) return false;
    }
}

FRNG_MAIN(test)
