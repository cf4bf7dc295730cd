/* Makes the runs of a test in a bare loop: `./test SIZE:RUNS...`, half of them styled; a failed
 * assertion leaves its run by a jump. This is what no search can do without.
 * SPDX-License-Identifier: MIT */
#pragma once
#include <frng.h>
#include <frng_assert.h>
#include <frng_expand.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf bare_start;

/* frng_assert.h calls these. */
void frng_on_assert(const char *site) { (void)site; }
void frng__leave_known(int status) { longjmp(bare_start, status); }

static int bare_loop(bool (*test)(frng *f), int argc, char **argv) {
    static unsigned long long seed, size, runs;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "%llu:%llu", &size, &runs) != 2) return 2;
        uint8_t *bytes = malloc(size + 1);
        if (bytes == NULL) return 2;
        for (; runs > 0; runs--) {
            if (seed % 2 == 0)
                frng_expand(seed++, bytes, size);
            else
                frng_expand_styled(seed++, bytes, size);
            frng f = frng_init(bytes, size);
            if (setjmp(bare_start) == 0 && !test(&f) && !f.exhausted) return 1;
        }
        free(bytes);
    }
    return 0;
}

#define FRNG_MAIN(test)                                                                            \
    int main(int argc, char **argv) { return bare_loop(test, argc, argv); }
