#include "vacuity.h"

#include "tally.h"

#include <stdbool.h>
#include <stddef.h>

/* Fewer runs say little. */
enum { RUNS_MIN = 20 };

/* Runs that draw more bytes than this in their few draws may test much. */
enum { FEW_BYTES_MAX = 16 };

uint64_t vacuity_few(const tally *t) {
    uint64_t runs = 0;
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) runs += t->few[i];
    return runs;
}

vacuity vacuity_of(const tally *t) {
    if (t->runs < RUNS_MIN || tally_most_used(t) == UINT64_MAX) return VACUITY_NONE;
    if (t->drawn.max == 0) return t->ran_out == 0 ? VACUITY_NO_DRAWS : VACUITY_STARVED;
    if (vacuity_few(t) > t->reported / 2 && histogram_quantile(&t->drawn, 1, 2) <= FEW_BYTES_MAX) {
        return VACUITY_FEW_DRAWS;
    }
    return VACUITY_NONE;
}

const char *vacuity_word(vacuity v) {
    static const char *const words[VACUITY_COUNT] = {
        [VACUITY_NO_DRAWS] = "no-draws",
        [VACUITY_STARVED] = "starved",
        [VACUITY_FEW_DRAWS] = "few-draws",
    };
    return words[v];
}
