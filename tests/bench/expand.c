/* expand plain|styled SIZE SECONDS: how long the expansion of a seed takes.
 *
 * prints `ns=52.7`, the mean over seeds in turn, each with a style of its own. versions.py compares
 * two builds. SPDX-License-Identifier: MIT */
#include "frng_expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const bool is_styled = strcmp(argv[1], "styled") == 0;
    const size_t size = strtoull(argv[2], NULL, 0);
    const double wanted_ns = strtod(argv[3], NULL) * 1e9;
    const uint64_t batch = 1 + (1 << 20) / (size + 16); /* between looks at the clock */
    uint8_t *bytes = calloc(1, size + 1);
    if (bytes == NULL) return 2;
    const double start_ns = now_ns();
    double took_ns;
    uint64_t seed = 0;
    do {
        for (const uint64_t end = seed + batch; seed < end; seed++) {
            if (is_styled) {
                frng_expand_styled(seed, bytes, size);
            } else {
                frng_expand(seed, bytes, size);
            }
            __asm__ volatile("" : : "r"(bytes) : "memory"); /* the bytes are wanted */
        }
        took_ns = now_ns() - start_ns;
    } while (took_ns < wanted_ns);
    printf("ns=%.2f\n", took_ns / (double)seed);
    free(bytes);
    return 0;
}
