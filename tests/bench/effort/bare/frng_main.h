/* Makes the runs of a test in a bare loop: `./test SIZE:RUNS[:GROWTH[:ROW]]...`, half of them
 * styled; a failed assertion leaves its run by a jump. No search can do without this. With a
 * GROWTH each row of runs has a fork, as in a search: 1 + those before / GROWTH, ROW at most.
 * SPDX-License-Identifier: MIT */
#pragma once
#include <frng.h>
#include <frng_assert.h>
#include <frng_expand.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf bare_start;

/* frng_assert.h calls these. */
void frng_on_assert(const char *site) { (void)site; }
void frng__leave_known(int status) { longjmp(bare_start, status); }

/* Run the test with `runs` seeds, the first of which is `first`. Return the exit status. */
static int bare_row(bool (*test)(frng *f), uint64_t first, size_t size, uint64_t runs) {
    static uint64_t seed, end;
    uint8_t *bytes = malloc(size + 1);
    if (bytes == NULL) return 2;
    for (seed = first, end = first + runs; seed < end; seed++) {
        if (seed % 2 == 0)
            frng_expand(seed, bytes, size);
        else
            frng_expand_styled(seed, bytes, size);
        frng f = frng_init(bytes, size);
        if (setjmp(bare_start) == 0 && !test(&f) && !f.exhausted) return 1;
    }
    free(bytes);
    return 0;
}

/* The same in a fork. */
static int bare_fork(bool (*test)(frng *f), uint64_t first, size_t size, uint64_t runs) {
    int status = 2;
    const pid_t child = fork();
    if (child == 0) _exit(bare_row(test, first, size, runs));
    return waitpid(child, &status, 0) == child ? status : 2;
}

static int bare_loop(bool (*test)(frng *f), int argc, char **argv) {
    int status = 0;
    for (int i = 1; i < argc && status == 0; i++) {
        unsigned long long size, runs, growth = 0, most = UINT64_MAX;
        if (sscanf(argv[i], "%llu:%llu:%llu:%llu", &size, &runs, &growth, &most) < 2) return 2;
        if (growth == 0) status = bare_row(test, 0, size, runs);
        for (uint64_t ran = 0, row; growth > 0 && ran < runs && status == 0; ran += row) {
            row = 1 + ran / growth < most ? 1 + ran / growth : most;
            if (row > runs - ran) row = runs - ran;
            status = bare_fork(test, ran, size, row);
        }
    }
    return status;
}

#define FRNG_MAIN(test)                                                                            \
    int main(int argc, char **argv) { return bare_loop(test, argc, argv); }
