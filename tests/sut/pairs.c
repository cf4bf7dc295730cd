/* A test that draws keys of 64 bits, and fails when one comes twice. */
#include "frng_main.h"

static bool test(frng *f) {
    enum { KEYS_MAX = 64 };
    uint64_t keys[KEYS_MAX];
    for (size_t count = 0; count < KEYS_MAX; count++) {
        FRNG_TRY(frng_u64(f, &keys[count]));
        for (size_t i = 0; i < count; i++) FRNG_ASSERT(keys[i] != keys[count], "it is there");
    }
    return true;
}

FRNG_MAIN(test)
