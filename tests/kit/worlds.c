/* worlds.c: simulated worlds that follow from their draws alone, and some that do not. The last
 * argument says what decides the order of their nodes:
 *
 *     kit-worlds index         the number of a node; deterministic
 *     kit-worlds sorted        its address
 *     kit-worlds hashed        a hash of its address
 *     kit-worlds stack         a word of the stack that was never written
 *     kit-worlds heap          a word of the heap that was never written
 *     kit-worlds draws         a hash of its address decides whether there is one more draw
 *     kit-worlds silent        as hashed, but without frng_digest
 *     kit-worlds content       what malloc'ed and written memory holds; deterministic
 *     kit-worlds fails         index, and fails now and then
 *
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_more.h"

enum { NODES = 5, ROUNDS = 6 };

typedef struct node {
    uint64_t id, load;
} node;

static const char *how;

static bool is(const char *what) { return strcmp(how, what) == 0; }

static uint64_t hash(const void *address) {
    uint64_t z = (uint64_t)(uintptr_t)address;
    z = (z ^ (z >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    return z ^ (z >> 33);
}

__attribute__((noinline)) static uint64_t from_stack(void) {
    volatile uint64_t words[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return words[32];
#pragma GCC diagnostic pop
}

static uint64_t from_heap(void) {
    uint64_t *words = malloc(48 * sizeof *words), word = 0;
    if (words == NULL) abort();
    __asm__ volatile("" : : "r"(words) : "memory");
    word = words[40];
    free(words);
    return word;
}

static int by_address(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t) * (node *const *)a, y = (uintptr_t) * (node *const *)b;
    return (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b) {
    const uint64_t x = hash(*(node *const *)a), y = hash(*(node *const *)b);
    return (x > y) - (x < y);
}

static int by_content(const void *a, const void *b) {
    const node *x = *(node *const *)a, *y = *(node *const *)b;
    return (x->load > y->load) - (x->load < y->load);
}

/* The node that acts next. */
static uint64_t choose(node **nodes) {
    if (is("sorted")) qsort(nodes, NODES, sizeof *nodes, by_address);
    if (is("hashed") || is("silent")) qsort(nodes, NODES, sizeof *nodes, by_hash);
    if (is("content")) qsort(nodes, NODES, sizeof *nodes, by_content);
    if (is("stack")) return nodes[from_stack() % NODES]->id;
    if (is("heap")) return nodes[from_heap() % NODES]->id;
    return nodes[0]->id;
}

static bool step(frng *f, node **nodes, unsigned time) {
    uint8_t who;
    frng_note(f, "who");
    FRNG_TRY(frng_u8_max(f, 3, &who));
    nodes[who]->load += 1 + who;
    if (time < 30) { /* deterministic until then */
        frng_say(f, "at %u ms node %d is busy", time, who);
        frng_digest(f, time);
        return true;
    }
    if (is("draws") && hash(nodes[0]) % 2 == 0) {
        frng_note(f, "more");
        FRNG_TRY(frng_u8(f, &who));
    }
    const uint64_t next = choose(nodes);
    frng_say(f, "at %u ms node %d is next", time, (int)next);
    if (!is("silent")) frng_digest(f, (uint64_t)time << 32 | next);
    FRNG_ASSERT(!is("fails") || time < 50 || who != 3, "node 3 is busy at %u ms", time);
    return true;
}

static bool test(frng *f) {
    node *nodes[NODES];
    for (unsigned i = 0; i < NODES; i++) {
        nodes[i] = malloc(sizeof *nodes[i]);
        if (nodes[i] == NULL) abort();
        *nodes[i] = (node){.id = i, .load = 0};
    }
    bool ok = true;
    for (unsigned round = 0; round < ROUNDS && ok; round++) ok = step(f, nodes, 10 * round);
    for (unsigned i = 0; i < NODES; i++) free(nodes[i]);
    return ok;
}

int main(int argc, char **argv) {
    how = argc > 1 ? argv[argc - 1] : "index";
    return frng_run(test);
}
