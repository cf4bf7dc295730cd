/* turns.c: threads whose turns follow from their draws alone, or also from an address: how long a
 * chain of a hash table is.
 *
 *     kit-turns fixed
 *     kit-turns hashed
 *
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_sched.h"

static bool is_fixed;

static uint64_t chain_of(const void *key) {
    const uint64_t z = (uint64_t)(uintptr_t)key * UINT64_C(0xff51afd7ed558ccd);
    return is_fixed ? 1 : z >> 62;
}

static void *work(void *argument) {
    (void)argument;
    for (int i = 0; i < 4; i++) {
        void *key = malloc(1);
        for (uint64_t left = chain_of(key); left > 0; left--) frng_point("probes");
        free(key);
        frng_yield();
    }
    return NULL;
}

static void *begin(void *argument) {
    (void)argument;
    for (int i = 0; i < 3; i++) frng_spawn(work, NULL);
    return NULL;
}

static bool test(frng *f) { return frng_sched_run(f, begin, NULL); }

int main(int argc, char **argv) {
    is_fixed = argc > 1 && strcmp(argv[1], "fixed") == 0;
    return frng_run(test);
}
