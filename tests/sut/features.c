/* features.c: a test that lies in the table of features, as a test could by mistake that writes
 * where it should not.
 *
 *     sut-features LIE
 *
 * It fails if its third byte is 200. LIE says which features its runs have shown:
 *
 *     turns    all of them, runs 0 and 1 in turn
 *     wild     those of records that make no sense
 *     count    more of them than there are
 *
 * SPDX-License-Identifier: MIT */
#include "frng_assert.h"
#include "frng_main.h"

static const char *lie;

static bool is(const char *name) { return strcmp(lie, name) == 0; }

static void fill(frng_feature_table *table) {
    for (uint32_t i = 0; i < FRNG_FEATURES; i++) {
        const frng_feature_record wild = {.run = i % 3 == 0 ? UINT32_MAX : 0,
                                          .feature = i % 3 == 1 ? UINT32_MAX - i : i,
                                          .offset = i % 3 == 2 ? UINT64_MAX - i : 1};
        const frng_feature_record turn = {.run = i % 2, .feature = i, .offset = 1};
        table->records[i] = is("wild") ? wild : turn;
    }
    table->count = is("count") ? UINT64_MAX : FRNG_FEATURES;
}

static bool test(frng *f) {
    uint8_t byte;
    if (frng__guide()->active != NULL) fill(frng__guide()->active);
    for (int i = 0; i < 20; i++) {
        FRNG_TRY(frng_u8(f, &byte));
        FRNG_ASSERT(i != 2 || byte != 200);
    }
    return true;
}

int main(int argc, char **argv) {
    lie = argc > 1 ? argv[1] : "turns";
    return frng_run(test);
}
