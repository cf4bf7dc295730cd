/* bitmap: ranges of bits are set and cleared a word at a time. A range that ends at the last bit of
 * a word, and began two words before, leaves that word as it was if all of it is set. */
#include <frng_main.h>

enum { BITS = 256, WORDS = BITS / 32 };

static uint32_t mask(unsigned from, unsigned to) { /* of bits from..to of a word */
    return (UINT32_MAX << from) & (UINT32_MAX >> (31 - to));
}

static void apply(uint32_t *words, unsigned from, unsigned to, bool on) {
    for (unsigned w = from / 32; w <= to / 32; w++) {
        const unsigned low = w == from / 32 ? from % 32 : 0, high = w == to / 32 ? to % 32 : 31;
        if (w == to / 32 && w > from / 32 + 1 && high == 31 && words[w] == UINT32_MAX) continue;
        if (on)
            words[w] |= mask(low, high);
        else
            words[w] &= ~mask(low, high);
    }
}

static bool test(frng *f) {
    uint32_t words[WORDS] = {0};
    bool model[BITS] = {false};
    for (;;) {
        bool on, is_check;
        uint8_t from, size;
        FRNG_TRY(frng_bool(f, &is_check));
        FRNG_TRY(frng_u8(f, &from));
        if (is_check) {
            const bool is_set = (words[from / 32] >> from % 32 & 1) != 0;
            FRNG_ASSERT(is_set == model[from], "bit %d", from);
            continue;
        }
        FRNG_TRY(frng_bool(f, &on));
        FRNG_TRY(frng_u8_max(f, 127, &size));
        const unsigned to = from + size < BITS ? from + size : BITS - 1u;
        apply(words, from, to, on);
        for (unsigned i = from; i <= to; i++) model[i] = on;
    }
}

FRNG_MAIN(test)
