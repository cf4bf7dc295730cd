/* sum_pair: a number of 0..1000; a text of up to 20 bytes, a coin and an integer that do not
 * matter; another number of 0..1000. Fails when the two add up to more than 1000.
 *
 * Smallest: 1, 1000, and as little as can be between.
 *
 *     sum_pair        1, "", false, 0, 1000  4200010000000000bfff
 */
#include "challenge.h"

static bool draw_text(frng *f, char *text) {
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, 20, &count));
    for (size_t i = 0; i < count; i++) {
        uint8_t letter;
        FRNG_TRY(frng_u8_max(f, 25, &letter));
        text[i] = (char)('a' + letter);
    }
    text[count] = '\0';
    return true;
}

static bool test(frng *f) {
    uint16_t first, second;
    char text[21];
    bool coin;
    int32_t integer;
    FRNG_TRY(frng_u16_max(f, 1000, &first));
    FRNG_TRY(draw_text(f, text));
    FRNG_TRY(frng_bool(f, &coin));
    FRNG_TRY(frng_i32(f, &integer));
    FRNG_TRY(frng_u16_max(f, 1000, &second));
    FRNG_ASSERT(first + second <= 1000, "%u + %u, and %s %d %d", first, second, text, coin,
                integer);
    return true;
}
