#include "seeds.h"

#include "frng_expand.h"

/* A bijection in which each bit of the input changes about half of the output bits. */
static uint64_t mix(uint64_t x) { return frng__splitmix64(&x); }

uint64_t seeds_fresh(uint64_t master_seed, uint64_t size, uint64_t number) {
    return mix(mix(master_seed) ^ size) + number;
}

uint64_t seeds_first_resumed(seed_input best) {
    /* A search that does not resume never makes 2^62 runs. */
    const uint64_t seed = mix(best.seed) ^ (best.style == SEED_STYLED ? UINT64_MAX : 0);
    return (UINT64_C(1) << 62) | (mix(seed ^ best.size) >> 2);
}
