/* coupling: a list of up to 32 numbers of 0..10, all of them below its length. Fails when some item
 * i is not i, and the item that it names names i.
 *
 * Smallest: two items that name each other.
 *
 *     coupling        [1, 0]  0118010100
 */
#include "challenge.h"

enum { ITEMS_MAX = 32 };

static bool test(frng *f) {
    uint8_t items[ITEMS_MAX];
    size_t count;
    for (count = 0; count < ITEMS_MAX; count++) {
        bool more;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_u8_max(f, 10, &items[count]));
    }
    for (size_t i = 0; i < count; i++) {
        if (items[i] >= count) return true; /* not what the test is about */
    }
    for (size_t i = 0; i < count; i++) {
        FRNG_ASSERT(items[i] == i || items[items[i]] != i, "%zu and %u", i, items[i]);
    }
    return true;
}
