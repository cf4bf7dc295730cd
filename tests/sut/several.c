/* several.c: a program with several bugs, of which each run shows the first that it meets.
 *
 * sut-several [KIND]
 *
 * KIND `assert` (the default): three bugs of different depth in one loop. `often`: the shallow
 * one ends half of all steps. `hang`: the shallow one hangs. `flaky`: a bug that fails half of
 * the time, and one that always does. `many`: 40 ways to exit. `none`: no bug.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *kind = "assert";

static bool is(const char *name) { return strcmp(kind, name) == 0; }

static void shallow(uint8_t op) {
    if (is("hang")) {
        if (op == 7) pause();
        return;
    }
    FRNG_ASSERT(op >= (is("often") ? 128 : 8), "shallow");
}

/* A clock decides: no seed repeats it. */
static void flaky(uint8_t op) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (op < 16 && (now.tv_nsec >> 4) % 2 == 0) _exit(9);
}

static bool test(frng *f) {
    unsigned low = 0, high = 0;
    for (;;) {
        uint8_t op;
        FRNG_TRY(frng_u8(f, &op));
        if (is("none")) continue;
        if (is("many")) _exit(1 + op % 40);
        if (is("flaky")) {
            flaky(op);
        } else {
            shallow(op);
        }
        low = op < 128 ? low + 1 : 0;
        high = op < 128 ? 0 : high + 1;
        if (low == 4) _exit(3);
        FRNG_ASSERT(high < 9, "deep");
    }
}

int main(int argc, char **argv) {
    if (argc > 1) kind = argv[1];
    return frng_run(test);
}
