/* formats: formats as printf knows them, with their arguments. Blanks before a number are copied in
 * tens; five that are left over are forgotten. Fails when an output is too short.
 *
 * Smallest: 15 blanks before one digit.
 *
 *     formats             %16d of 0
 *         1000cd001a0400000000
 */
#include "challenge.h"

enum { PIECES_MAX = 40, WIDTH_MAX = 999, TENS = 10 };

typedef enum conversion { CHARACTER, STRING, UNSIGNED, HEX, DECIMAL, CONVERSIONS } conversion;

static unsigned digits_of(uint32_t number, unsigned base) {
    unsigned digits = 1;
    for (; number >= base; number /= base) digits++;
    return digits;
}

static bool convert(frng *f) {
    uint8_t what, precision;
    uint16_t width;
    uint64_t flags;
    int32_t number;
    FRNG_TRY(frng_u8_max(f, CONVERSIONS - 1, &what) && frng_subset(f, 4, &flags));
    FRNG_TRY(frng_u16_max(f, WIDTH_MAX, &width));
    if ((conversion)what == CHARACTER || (conversion)what == STRING) {
        return frng_u8(f, &precision); /* the character or the length */
    }
    FRNG_TRY(frng_i32(f, &number));
    const bool is_signed = (conversion)what == DECIMAL;
    const uint32_t size = is_signed && number < 0 ? 0 - (uint32_t)number : (uint32_t)number;
    const unsigned digits =
        digits_of(size, (conversion)what == HEX ? 16 : 10) + (is_signed && number < 0);
    const unsigned blanks = width > digits ? width - digits : 0;
    const bool is_left = (flags & 1) != 0; /* blanks come after it */
    FRNG_ASSERT(!is_signed || is_left || blanks < TENS || blanks % TENS != 5, "%u blanks", blanks);
    return true;
}

static bool draw_format(frng *f) {
    for (size_t count = 0;; count++) {
        bool more, is_text;
        size_t letter;
        FRNG_TRY(frng_more(f, count, 0, PIECES_MAX, &more));
        if (!more) return true;
        FRNG_TRY(frng_bool(f, &is_text));
        if (is_text)
            FRNG_TRY(frng_pick(f, 95, &letter));
        else
            FRNG_TRY(convert(f));
    }
}

TEST_AGAIN(draw_format)
