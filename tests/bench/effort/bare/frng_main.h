/* Makes the runs of a test in a bare loop: `./test SIZE:RUNS...`, half of them styled. This is what
 * no search can do without. SPDX-License-Identifier: MIT */
#pragma once
#include <frng.h>
#include <frng_assert.h>
#include <frng_expand.h>

#include <stdio.h>
#include <stdlib.h>

static int bare_loop(bool (*test)(frng *f), int argc, char **argv) {
    uint64_t seed = 0;
    for (int i = 1; i < argc; i++) {
        unsigned long long size, runs;
        if (sscanf(argv[i], "%llu:%llu", &size, &runs) != 2) return 2;
        uint8_t *bytes = malloc(size + 1);
        if (bytes == NULL) return 2;
        for (; runs > 0; runs--) {
            if (seed % 2 == 0)
                frng_expand(seed++, bytes, size);
            else
                frng_expand_styled(seed++, bytes, size);
            frng f = frng_init(bytes, size);
            if (!test(&f) && !f.exhausted) return 1;
        }
        free(bytes);
    }
    return 0;
}

#define FRNG_MAIN(test)                                                                            \
    int main(int argc, char **argv) { return bare_loop(test, argc, argv); }
