/* bare_loop: the limit of how fast a test can be run: one process expands a seed, calls the test,
 * and takes the next seed. Nobody watches, nothing is reported.
 *
 *     bare_loop [--lazy] SIZE SECONDS [BYTES]
 *
 * prints `rate=47000000.0` for null_test with that argument. All of SIZE is expanded, or with
 * --lazy what the test draws. SPDX-License-Identifier: MIT */
#include "frng_expand.h"
#include "null_test.h"

#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    const bool lazy = argc > 1 && strcmp(argv[1], "--lazy") == 0;
    char **words = argv + 1 + lazy;
    if (argc < 3 + lazy) return 2;
    const size_t size = strtoull(words[0], NULL, 0);
    const double wanted_s = strtod(words[1], NULL);
    null_test_parse(words + 2);
    const size_t expanded =
        lazy && null_test_bytes > 0 && null_test_bytes < size ? null_test_bytes : size;
    const uint64_t batch = 1 + (1 << 20) / (expanded + 16); /* between looks at the clock */
    uint8_t *bytes = calloc(1, size + 1);
    if (bytes == NULL) return 2;
    const double start = now();
    double took_s;
    uint64_t seed = 0;
    do {
        for (uint64_t i = 0; i < batch; i++) {
            frng_expand(seed++, bytes, expanded);
            frng f = frng_init(bytes, size);
            if (!null_test(&f)) return 1;
        }
        took_s = now() - start;
    } while (took_s < wanted_s);
    printf("rate=%.1f\n", (double)seed / took_s);
    free(bytes);
    return 0;
}
