/* rates.c: tests of one and of ten microseconds, for guided.py --rates --suite rates.
 * SPDX-License-Identifier: MIT */
#include "guided.h"

/* Keys are put into a sorted list and looked for, so many times. */
static bool use_list(frng *f, unsigned steps) {
    uint32_t keys[64], key;
    unsigned count = 0;
    for (unsigned i = 0; i < steps; i++) {
        bool puts;
        unsigned low = 0, high = count;
        FRNG_TRY(frng_bool(f, &puts));
        FRNG_TRY(frng_u32_max(f, 9999, &key));
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (keys[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        FRNG_ASSERT(low == count || keys[low] >= key);
        if (!puts || count == 64 || (low < count && keys[low] == key)) continue;
        memmove(keys + low + 1, keys + low, (count - low) * sizeof keys[0]);
        keys[low] = key, count++;
    }
    for (unsigned i = 1; i < count; i++) FRNG_ASSERT(keys[i - 1] < keys[i]);
    return true;
}

TEST(one) { return use_list(f, 20); }

TEST(ten) { return use_list(f, 300); }

FRNG_MAIN(TEST_OF(SELECTED))
