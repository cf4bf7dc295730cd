/* worlds.c: simulated worlds that follow from their draws alone, and some that do not. The last
 * argument says what decides the order of their nodes:
 *
 *     worlds index         the number of a node; deterministic
 *     worlds sorted        its address
 *     worlds hashed        a hash of its address
 *     worlds stack         a word of the stack that was never written
 *     worlds heap          a word of the heap that was never written
 *     worlds draws         a hash of its address decides whether there is one more draw
 *     worlds silent        as hashed, but without frng_digest
 *     worlds content       what malloc'ed and written memory holds; deterministic
 *     worlds fails         index, and fails now and then
 *     worlds cluster       as hashed, in frng_sim.h, without a digest of its own
 *     worlds cluster-index
 *     worlds cluster-names  index; its names look like what lines say of messages
 *     worlds threads       the points of threads, as hashed, where frng_sched.h works
 *     worlds threads-index
 *
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_sim.h"
#ifdef HAS_FIBERS
#include "frng_sched.h"
#endif

enum { NODES = 5, ROUNDS = 6, EVENTS = 64 };

typedef struct node {
    uint64_t id, load;
} node;

static const char *how;
static uint64_t (*rank)(const node *n); /* decides the order */

static bool is(const char *what) { return strcmp(how, what) == 0; }

static uint64_t index_of(const node *n) { return n->id; }
static uint64_t load_of(const node *n) { return n->load; }
static uint64_t address_of(const node *n) { return (uintptr_t)n; }

static uint64_t hash_of(const node *n) {
    uint64_t z = (uintptr_t)n;
    z = (z ^ (z >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    return z ^ (z >> 33);
}

static int by_rank(const void *a, const void *b) {
    const uint64_t x = rank(*(node *const *)a), y = rank(*(node *const *)b);
    return (x > y) - (x < y);
}

static node *new_node(unsigned id) {
    node *n = malloc(sizeof *n);
    if (n == NULL) abort();
    *n = (node){.id = id, .load = 0};
    return n;
}

/* ---- Worlds of their own ---- */

__attribute__((noinline)) static uint64_t from_stack(void) {
    volatile uint64_t words[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    uint64_t sum = 0; /* some of them may be written by what ran before */
    for (int i = 0; i < 64; i++) sum += words[i] / 8;
    return sum;
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

/* The node that acts next. */
static uint64_t choose(node **nodes) {
    if (is("stack")) return nodes[from_stack() % NODES]->id;
    if (is("heap")) return nodes[from_heap() % NODES]->id;
    qsort(nodes, NODES, sizeof(*nodes), by_rank);
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
    if (is("draws") && hash_of(nodes[0]) % 2 == 0) {
        frng_note(f, "more");
        FRNG_TRY(frng_u8(f, &who));
    }
    const uint64_t next = choose(nodes);
    frng_say(f, "at %u ms node %d is next", time, (int)next);
    if (!is("silent")) frng_digest(f, (uint64_t)time << 32 | next);
    FRNG_ASSERT(!is("fails") || time < 50 || who != 3, "node 3 is busy at %u ms", time);
    return true;
}

static bool rounds(frng *f, node **nodes) {
    bool ok = true;
    for (unsigned round = 0; round < ROUNDS && ok; round++) ok = step(f, nodes, 10 * round);
    return ok;
}

/* ---- Worlds of the kit ---- */

/* Nodes that ask each other in their order. */
static bool cluster(frng *f, node **nodes) {
    static const char *const plain[NODES] = {"S0", "S1", "S2", "S3", "S4"};
    static const char *const like_lines[NODES] = {"a -> b", "c -> d", "e -> f", "g, sent",
                                                  "network"};
    const char *const *names = is("cluster-names") ? like_lines : plain;
    frng_sim s;
    frng_sim_event events[EVENTS], e;
    int messages[EVENTS] = {0};
    frng_sim_init(&s, f, plain, events, messages);
    s.names = names;
    if (names != plain) s.latency = 2500;
    for (uint8_t i = 0; i < NODES; i++) frng_sim_after(&s, i, (i + 1u) * FRNG_SIM_MS, 0, 0);
    qsort(nodes, NODES, sizeof(*nodes), by_rank);
    while (frng_sim_next(&s, &e)) {
        frng_sim_say(&s, e.node, "gets %d", (int)e.type);
        for (int i = 0; i < NODES && e.type == FRNG_SIM_TIMER; i++)
            if (nodes[i]->id != e.node)
                frng_sim_send(&s, e.node, (uint8_t)nodes[i]->id,
                              names == plain ? "ask" : "ask, 1 ms", messages);
        if (e.type == FRNG_SIM_TIMER) frng_sim_after(&s, e.node, 20 * FRNG_SIM_MS, 0, 0);
    }
    return false; /* out of entropy: passed */
}

#ifdef HAS_FIBERS
/* Threads that follow the chain of a hash table, which is as long as a rank says. */
static void *work(void *argument) {
    for (int i = 0; i < 4; i++) {
        node *n = new_node(1);
        for (uint64_t left = rank(n); left > 0 && left < 4; left--) frng_point("probes");
        free(n);
        frng_yield();
    }
    return argument;
}

static void *begin(void *argument) {
    for (int i = 0; i < 3; i++) frng_spawn(work, argument);
    return argument;
}

static uint64_t top_of_hash(const node *n) { return hash_of(n) >> 62; }

static bool threads(frng *f, node **nodes) { return frng_sched_run(f, begin, nodes); }
#else
#define threads rounds
#define top_of_hash hash_of
#endif

static const struct {
    const char *name;
    bool (*run)(frng *f, node **nodes);
    uint64_t (*rank)(const node *n);
} worlds[] = {
    {"sorted", rounds, address_of},       {"hashed", rounds, hash_of},
    {"silent", rounds, hash_of},          {"content", rounds, load_of},
    {"cluster", cluster, hash_of},        {"cluster-index", cluster, index_of},
    {"cluster-names", cluster, index_of}, {"threads", threads, top_of_hash},
    {"threads-index", threads, index_of}, {"index", rounds, index_of}, /* and all others */
};

static bool test(frng *f) {
    node *nodes[NODES];
    size_t w = 0;
    while (w + 1 < sizeof worlds / sizeof *worlds && !is(worlds[w].name)) w++;
    rank = worlds[w].rank;
    for (unsigned i = 0; i < NODES; i++) nodes[i] = new_node(i);
    const bool ok = worlds[w].run(f, nodes);
    for (unsigned i = 0; i < NODES; i++) free(nodes[i]);
    return ok;
}

int main(int argc, char **argv) {
    how = argc > 1 ? argv[argc - 1] : "index";
    return frng_run(test);
}
