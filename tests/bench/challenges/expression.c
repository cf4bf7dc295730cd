/* expression: expressions up to 8 deep, one after the other. Fails when one has another value after
 * a - (b - c) was rewritten as a - b - c.
 *
 * Smallest: a variable takes fewer bytes than a number.
 *
 *     expression          (- v0 (- v0 v0))
 *         ac2c00ac2c002c00
 */
#include "challenge.h"

enum { DEPTH_MAX = 8, NODES_MAX = 9841 }; /* three children at most */

typedef enum kind { NUMBER, VARIABLE, NEGATE, ADD, SUBTRACT, IF, KINDS } kind;

typedef struct node {
    kind what;
    int32_t number; /* or the variable */
    struct node *child[3];
} node;

typedef struct expression {
    node nodes[NODES_MAX];
    size_t count;
} expression;

static size_t arity(kind what) {
    static const size_t children[KINDS] = {[NEGATE] = 1, [ADD] = 2, [SUBTRACT] = 2, [IF] = 3};
    return children[what];
}

static bool draw_node(frng *f, expression *e, int depth, node **drawn) {
    uint8_t what;
    size_t variable;
    int16_t number;
    node *n = &e->nodes[e->count++];
    *drawn = n;
    FRNG_TRY(frng_u8_max(f, depth < DEPTH_MAX ? KINDS - 1 : VARIABLE, &what));
    n->what = (kind)what;
    if (n->what == NUMBER) {
        FRNG_TRY(frng_i16_range(f, -100, 100, &number));
        n->number = number;
    } else if (n->what == VARIABLE) {
        FRNG_TRY(frng_pick(f, 4, &variable));
        n->number = (int32_t)variable;
    }
    for (size_t i = 0; i < arity(n->what); i++) {
        FRNG_TRY(draw_node(f, e, depth + 1, &n->child[i]));
    }
    return true;
}

static int64_t value(const node *n, bool rewrites) {
    if (n->what == NUMBER) return n->number;
    if (n->what == VARIABLE) return 10 + n->number;
    const int64_t a = value(n->child[0], rewrites);
    if (n->what == NEGATE) return -a;
    if (n->what == IF) return value(n->child[a != 0 ? 1 : 2], rewrites);
    const node *right = n->child[1];
    if (n->what == SUBTRACT && right->what == SUBTRACT && rewrites) {
        return a - value(right->child[0], true) - value(right->child[1], true);
    }
    const int64_t b = value(right, rewrites);
    return n->what == ADD ? a + b : a - b;
}

static bool test(frng *f) {
    static expression e;
    node *root;
    for (;;) {
        e.count = 0;
        FRNG_TRY(draw_node(f, &e, 0, &root));
        FRNG_ASSERT(value(root, false) == value(root, true), "%zu nodes", e.count);
    }
}
