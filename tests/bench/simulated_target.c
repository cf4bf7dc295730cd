#include "simulated_target.h"

#include <math.h>
#include <stdlib.h>

/* What a run takes: its start, and each byte that it draws. */
static const double start_s = 0.2, byte_s = 0.005;

double simulated_target_seconds(uint64_t drawn) { return start_s + byte_s * (double)drawn; }

/* Fill in the negative binomial distribution: the last event is in the message `n` if all but one
 * are among those before it. */
void simulated_target_init(simulated_target *t, uint64_t size_max) {
    const double chance = 1 / t->rarity;
    double here = pow(chance, t->events);
    t->messages_max = size_max / t->message;
    t->fails = calloc(t->messages_max + 1, sizeof *t->fails);
    if (t->fails == NULL) abort();
    for (uint64_t n = t->events; n <= t->messages_max; n++) {
        t->fails[n] = t->fails[n - 1] + here;
        here *= (double)n / (double)(n + 1 - t->events) * (1 - chance);
    }
}

void simulated_target_finish(simulated_target *t) { free(t->fails); }

double simulated_target_share(const simulated_target *t, uint64_t size) {
    const uint64_t messages = size / t->message;
    return t->fails[messages < t->messages_max ? messages : t->messages_max];
}

uint64_t simulated_target_minimum(const simulated_target *t) {
    return (uint64_t)t->events * t->message;
}

uint64_t simulated_target_drawn(const simulated_target *t, uint64_t size, double chance) {
    const double wanted = chance * simulated_target_share(t, size);
    uint64_t below = t->events - 1, above = size / t->message; /* fails[below] <= wanted */
    while (above - below > 1) {
        const uint64_t middle = below + (above - below) / 2;
        if (t->fails[middle] <= wanted) {
            below = middle;
        } else {
            above = middle;
        }
    }
    return above * t->message;
}
