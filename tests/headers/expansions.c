/* expansions.c: the expansions of frng_expand.h in hex, one for each line of stdin: a seed, 1 if it
 * is styled, a size, and the size of each fill before the last, which goes elsewhere each time. */
#include "frng_expand.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    uint64_t seed;
    int is_styled;
    size_t size, step;
    while (scanf("%" SCNu64 " %d %zu %zu", &seed, &is_styled, &size, &step) == 4) {
        frng_expansion e = is_styled ? frng_expansion_styled(seed) : frng_expansion_init(seed);
        while (size > 0) {
            uint8_t bytes[4096];
            const size_t count = step > 0 && step < size ? step : size;
            if (count > sizeof bytes) return 1;
            frng_expansion_fill(&e, bytes, count);
            for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
            size -= count;
        }
        puts("");
    }
    return 0;
}
