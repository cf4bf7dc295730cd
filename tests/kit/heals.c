/* heals.c: a test that checks progress when its entropy is out. Faults cut nodes off. When a draw
 * fails, the test heals them all, and a message must come around within some time. The bug: a node
 * that was cut off twice stays so. With the argument `fixed` it does not.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_more.h"

enum { NODES = 4 };

typedef struct cluster {
    uint8_t cuts[NODES]; /* how often each is cut off now */
    bool is_fixed;
} cluster;

static bool cut(frng *f, cluster *c) {
    uint8_t who;
    frng_step(f, "cut");
    FRNG_TRY(frng_u8_max(f, NODES - 1, &who));
    c->cuts[who]++;
    frng_say(f, "cuts off S%d", who);
    return true;
}

static void heal(cluster *c) {
    for (int i = 0; i < NODES; i++) {
        if (c->cuts[i] > 0) c->cuts[i]--;
        if (c->is_fixed) c->cuts[i] = 0;
    }
}

/* Nothing is drawn from here on. */
static void check_progress(frng *f, const cluster *c) {
    int at = 0;
    for (int time = 0; time < 100 && at < NODES; time++) at += c->cuts[at] == 0;
    frng_say(f, "healed: the message came to S%d", at);
    FRNG_ASSERT(at == NODES, "the message is stuck before S%d", at);
}

static bool is_fixed;

static bool test(frng *f) {
    cluster c = {{0}, is_fixed};
    while (cut(f, &c)) {
    }
    FRNG_ASSERT(f->exhausted);
    heal(&c);
    check_progress(f, &c);
    return false; /* out of entropy: passed */
}

int main(int argc, char **argv) {
    is_fixed = argc > 1 && strcmp(argv[argc - 1], "fixed") == 0;
    return frng_run(test);
}
