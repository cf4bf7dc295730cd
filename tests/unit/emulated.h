/* emulated.h: for unit tests: what an emulator of one process (qemu-user) cannot do is skipped, and
 * said. tests/run.sh sets FRNG_EMULATED there, and shows these lines. */
#ifndef EMULATED_H
#define EMULATED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* True if this test, or program of tests, is skipped for what qemu-user lacks. */
static inline bool emulator_lacks(const char *test, const char *lack) {
    if (getenv("FRNG_EMULATED") == NULL) return false;
    printf("skipped: %s: qemu-user lacks %s\n", test, lack);
    fflush(stdout);
    return true;
}

#define SKIP_WHERE_EMULATOR_LACKS(lack)                                                            \
    do {                                                                                           \
        if (emulator_lacks(__func__, lack)) return;                                                \
    } while (0)

#endif
