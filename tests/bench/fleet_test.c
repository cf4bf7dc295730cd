/* fleet_test SCALE POWER LEAST [NS]: draws all bytes, N of them, and fails by chance, as a digest
 * of them says: with a probability of (N / SCALE) to this power, and never below LEAST bytes. So
 * the smaller a failure, the harder it is to find. The test sleeps NS nanoseconds (10,000) for each
 * byte, so that many searches share few processors. SPDX-License-Identifier: MIT */
#include "frng.h"
#include "frng_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double scale, power;
static uint64_t least, byte_ns = 10000;

/* Return a number from 0 to 1 that looks like chance, and is the same for the same bytes. */
static double chance_of(const uint8_t *bytes, size_t count) {
    uint64_t x = count;
    for (size_t i = 0; i < count; i++) {
        x = (x ^ bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
        x ^= x >> 29;
    }
    return (double)(x >> 11) / (double)(UINT64_C(1) << 53);
}

static void wait_for(uint64_t span_ns) {
    nanosleep(&(struct timespec){(time_t)(span_ns / 1000000000), (long)(span_ns % 1000000000)},
              NULL);
}

static bool fleet_test(frng *f) {
    const size_t count = frng_left(f);
    const uint8_t *bytes;
    FRNG_TRY(frng_bytes(f, count, &bytes));
    wait_for(count * byte_ns);
    return count < least || chance_of(bytes, count) >= pow((double)count / scale, power);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: fleet_test SCALE POWER LEAST [NS]\n");
        return 64;
    }
    scale = strtod(argv[1], NULL);
    power = strtod(argv[2], NULL);
    least = strtoull(argv[3], NULL, 0);
    if (argc > 4) byte_ns = strtoull(argv[4], NULL, 0);
    return frng_run(fleet_test);
}
