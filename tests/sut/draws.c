/* draws.c: a system under test with a bug that decisions lead to: pushes and pops on a stack that
 * has room for 8, and takes a ninth. Nine bytes are needed at the least.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

static bool test(frng *f) {
    unsigned depth = 0;
    for (;;) {
        bool push;
        FRNG_TRY(frng_bool(f, &push));
        if (push) {
            if (++depth > 8) abort();
        } else if (depth > 0) {
            depth--;
        }
    }
}

FRNG_MAIN(test)
