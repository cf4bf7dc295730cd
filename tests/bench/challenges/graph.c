/* graph: 1 to 8 nodes, and edges with lengths. Fails when a search for the shortest way from node 0
 * that never looks at a node again finds a longer way than there is.
 *
 * Smallest: the way in two edges is shorter than the one in a single edge.
 *
 *     graph               3 nodes, 3 edges: 0 1 0, 0 2 1, 1 2 0
 *         40430001560101ab0456ab01
 */
#include "challenge.h"

enum { NODES_MAX = 8, EDGES_MAX = 3000, LENGTH_MAX = 99, FAR = 1000 };

typedef struct edge {
    size_t from, to;
    uint8_t length;
} edge;

typedef struct graph {
    uint8_t nodes;
    uint16_t count;
    edge edges[EDGES_MAX];
} graph;

static bool draw_graph(frng *f, graph *g) {
    FRNG_TRY(frng_u8_range(f, 1, NODES_MAX, &g->nodes));
    FRNG_TRY(frng_u16_max(f, EDGES_MAX, &g->count));
    for (size_t i = 0; i < g->count; i++) {
        edge *e = &g->edges[i];
        FRNG_TRY(frng_pick(f, g->nodes, &e->from) && frng_pick(f, g->nodes, &e->to));
        FRNG_TRY(frng_u8_max(f, LENGTH_MAX, &e->length));
    }
    return true;
}

/* Round after round over all edges. */
static void measure(const graph *g, unsigned *far) {
    for (size_t n = 1; n < NODES_MAX; n++) far[n] = FAR;
    far[0] = 0;
    for (size_t round = 1; round < g->nodes; round++) {
        for (size_t i = 0; i < g->count; i++) {
            const edge *e = &g->edges[i];
            if (far[e->from] + e->length < far[e->to]) far[e->to] = far[e->from] + e->length;
        }
    }
}

/* Node after node, each in the order in which it was first seen. */
static void measure_wrongly(const graph *g, unsigned *far) {
    size_t queue[NODES_MAX] = {0}, used = 1;
    for (size_t n = 1; n < NODES_MAX; n++) far[n] = FAR;
    far[0] = 0;
    for (size_t at = 0; at < used; at++) {
        for (size_t i = 0; i < g->count; i++) {
            const edge *e = &g->edges[i];
            if (e->from != queue[at]) continue;
            if (far[e->to] == FAR) {
                queue[used++] = e->to;
                far[e->to] = far[e->from] + e->length;
            } else if (e->from == 0 && e->length < far[e->to] && e->to != 0) {
                far[e->to] = e->length; /* the shortest of several edges beside each other */
            }
        }
    }
}

static bool test(frng *f) {
    static graph g;
    unsigned right[NODES_MAX], wrong[NODES_MAX];
    FRNG_TRY(draw_graph(f, &g));
    measure(&g, right);
    measure_wrongly(&g, wrong);
    for (size_t n = 0; n < g.nodes; n++) {
        FRNG_ASSERT(right[n] == wrong[n], "%zu is %u away, not %u", n, right[n], wrong[n]);
    }
    return true;
}
