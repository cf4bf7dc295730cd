/* late_true: coins, until one is true. Fails at that one. To begin with it comes after 1000 that
 * are false; deletion by ones would be 1000 calls, and 60 are enough.
 *
 * Smallest: true.
 *
 *     late_true       true  01
 */
#include "challenge.h"

static bool test(frng *f) {
    for (size_t count = 0;; count++) {
        bool coin;
        FRNG_TRY(frng_bool(f, &coin));
        FRNG_ASSERT(!coin, "after %zu", count);
    }
}
