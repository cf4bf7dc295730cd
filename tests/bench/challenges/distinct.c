/* distinct: a list of up to 32 numbers. Fails when three or more of them are distinct.
 *
 * Smallest: the three simplest. The test looks at nothing but which are equal.
 *
 *     distinct         [0, 1, -1]  0100000000010100000001ffffffff00
 *     distinct_length  [0, 1, -1]  190000000001000000ffffffff
 */
#include "numbers.h"

static bool test(frng *f) {
    numbers l;
    size_t distinct = 0;
    FRNG_TRY(draw_numbers(f, &l));
    for (size_t i = 0; i < l.count; i++) {
        size_t k = 0;
        while (l.items[k] != l.items[i]) k++;
        if (k == i) distinct++;
    }
    FRNG_ASSERT(distinct < 3, "%zu distinct numbers", distinct);
    return true;
}
