/* orders.c: nodes of frng_sim.h that ask each other in the order of their addresses, or, with the
 * argument `fixed`, of their numbers. SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_sim.h"

enum { NODES = 4, EVENTS = 64 };

typedef struct node {
    uint8_t number;
} node;

static const char *const names[] = {"S0", "S1", "S2", "S3"};
static bool is_fixed;

static uint64_t rank(const node *n) {
    uint64_t z = (uint64_t)(uintptr_t)n;
    if (is_fixed) return n->number;
    z = (z ^ (z >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    return z ^ (z >> 33);
}

static int compare(const void *a, const void *b) {
    const uint64_t x = rank(*(node *const *)a), y = rank(*(node *const *)b);
    return (x > y) - (x < y);
}

static bool test(frng *f) {
    node *nodes[NODES];
    frng_sim s;
    frng_sim_event events[EVENTS], e;
    int messages[EVENTS] = {0};
    frng_sim_init(&s, f, names, events, messages);
    for (uint8_t i = 0; i < NODES; i++) {
        nodes[i] = (node *)malloc(sizeof *nodes[i]);
        if (nodes[i] == NULL) abort();
        nodes[i]->number = i;
        frng_sim_after(&s, i, (i + 1u) * FRNG_SIM_MS, 0, 0);
    }
    qsort(nodes, NODES, sizeof *nodes, compare);
    while (frng_sim_next(&s, &e)) {
        frng_sim_say(&s, e.node, "gets %d", (int)e.type);
        for (int i = 0; i < NODES && e.type == FRNG_SIM_TIMER; i++)
            if (nodes[i]->number != e.node)
                frng_sim_send(&s, e.node, nodes[i]->number, "ask", messages);
        if (e.type == FRNG_SIM_TIMER) frng_sim_after(&s, e.node, 20 * FRNG_SIM_MS, 0, 0);
    }
    for (int i = 0; i < NODES; i++) free(nodes[i]);
    return false; /* out of entropy: passed */
}

int main(int argc, char **argv) {
    is_fixed = argc > 1 && strcmp(argv[argc - 1], "fixed") == 0;
    return frng_run(test);
}
