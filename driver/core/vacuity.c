#include "vacuity.h"

#include "tally.h"

#include <stdbool.h>
#include <stddef.h>

/* Fewer runs say little. */
enum { RUNS_MIN = 20 };

/* Runs that draw more bytes than this in their few draws may test much. */
enum { FEW_BYTES_MAX = 16 };

/* A test that never draws more than a part of the largest size gets nothing from that size. */
enum { SAME_FACTOR = 4, SAME_SIZE_MIN = 64 };

uint64_t vacuity_few(const tally *t) {
    uint64_t runs = 0;
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) runs += t->few[i];
    return runs;
}

vacuity vacuity_of(const tally *t) {
    const uint64_t used = tally_most_used(t);
    if (t->runs < RUNS_MIN || used == UINT64_MAX) return VACUITY_NONE;
    if (t->drawn.max == 0) return t->ran_out == 0 ? VACUITY_NO_DRAWS : VACUITY_STARVED;
    if (vacuity_few(t) > t->reported / 2 && histogram_quantile(&t->drawn, 1, 2) <= FEW_BYTES_MAX) {
        return VACUITY_FEW_DRAWS;
    }
    const bool is_far = t->size_max >= SAME_SIZE_MIN && t->size_max / SAME_FACTOR >= used;
    return is_far ? VACUITY_SAME_SIZES : VACUITY_NONE;
}

const char *vacuity_word(vacuity v) {
    static const char *const words[VACUITY_COUNT] = {
        [VACUITY_NO_DRAWS] = "no-draws",
        [VACUITY_STARVED] = "starved",
        [VACUITY_FEW_DRAWS] = "few-draws",
        [VACUITY_SAME_SIZES] = "same-sizes",
    };
    return words[v];
}
