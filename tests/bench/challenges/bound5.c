/* bound5: five lists of up to 10 numbers, each of which adds up to less than 256 in 16 bits. Fails
 * when all of them together, in 16 bits too, add up to 5 * 256 or more: the sum wraps round.
 *
 * Smallest: three empty lists, then [-1] and [-32768], whose sum wraps to 32767. One number, or
 * numbers in one list, cannot do it: the total would be that list's. Two in two lists, as late as
 * they may be, are fewest bytes and simplest; beside 0 or 1 no other number wraps.
 *
 *     bound5         [] [] [] [-1] [-32768]  00000001ffff0001008000
 */
#include "challenge.h"

enum { LISTS = 5, ITEMS_MAX = 10 };

static int16_t add(int16_t a, int16_t b) {
    const int sum = a + b;
    return (int16_t)(sum > INT16_MAX ? sum - 65536 : sum < INT16_MIN ? sum + 65536 : sum);
}

static bool draw_sum(frng *f, int16_t *sum) {
    *sum = 0;
    for (int count = 0; count < ITEMS_MAX; count++) {
        bool more;
        int16_t item;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_i16(f, &item));
        *sum = add(*sum, item);
    }
    return true;
}

static bool test(frng *f) {
    int16_t total = 0;
    for (int list = 0; list < LISTS; list++) {
        int16_t sum;
        FRNG_TRY(draw_sum(f, &sum));
        if (sum >= 256) return true; /* not what the test is about */
        total = add(total, sum);
    }
    FRNG_ASSERT(total < LISTS * 256, "the total is %d", total);
    return true;
}
