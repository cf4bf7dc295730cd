/* The other half: asserts and draws, without a main; with PAIR_HOOK it listens, too. */
#include "frng.h"
#include "frng_assert.h"

#ifdef __cplusplus
extern "C" {
#endif
void pair_check(unsigned value);
#ifdef PAIR_HOOK
void frng_on_assert(const char *site) { fprintf(stderr, "hook: %s\n", site); }
#endif
#ifdef __cplusplus
}
#endif

void pair_check(unsigned value) {
    if (value < 128)
        FRNG_ASSERT(value != 2, "value is %u", value);
    else
        FRNG_ASSERT((value & 1) == 0);
}
