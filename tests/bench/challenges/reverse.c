/* reverse: a list of up to 32 numbers. Fails when it is not its own reverse.
 *
 * Smallest: the two simplest numbers that differ. The test looks at nothing but which are equal.
 *
 *     reverse         [0, 1]  0100000000010100000000
 *     reverse_length  [0, 1]  110000000001000000
 */
#include "numbers.h"

static bool test(frng *f) {
    numbers l;
    bool same = true;
    FRNG_TRY(draw_numbers(f, &l));
    for (size_t i = 0; i < l.count; i++) same = same && l.items[i] == l.items[l.count - 1 - i];
    FRNG_ASSERT(same, "%zu numbers", l.count);
    return true;
}
