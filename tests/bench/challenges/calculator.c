/* calculator: expressions of integers, + and /, up to eight operators deep. Those with a literal 0
 * for a divisor are none. Fails when the evaluation divides by zero.
 *
 * Smallest: (/ 0 (+ 0 0)). The divisor must be an operation, so that two operators and three
 * numbers are the fewest; addition is simpler than division, and all numbers can be 0.
 *
 *     calculator      (/ 0 (+ 0 0))
 *         00000000000000c00000000000000000000000000000000000000080000000000000000000000000
 *         000000000000000000000000
 */
#include "challenge.h"

enum { DEPTH_MAX = 8, NODES_MAX = 1 << (DEPTH_MAX + 1) };

typedef enum kind { INTEGER, ADD, DIVIDE, KINDS } kind;

typedef struct node {
    kind what;
    int32_t value;
    size_t left, right;
} node;

typedef struct expression {
    node nodes[NODES_MAX];
    size_t count;
    bool literal_zero; /* somewhere it divides by the literal 0 */
    bool divided_by_zero;
} expression;

static bool draw(frng *f, expression *e, int depth, size_t *index) {
    static const uint32_t weights[KINDS] = {[INTEGER] = 2, [ADD] = 1, [DIVIDE] = 1};
    node *n;
    size_t what = INTEGER;
    *index = e->count++;
    n = &e->nodes[*index];
    if (depth < DEPTH_MAX) FRNG_TRY(frng_weighted(f, weights, KINDS, &what));
    n->what = (kind)what;
    if (n->what == INTEGER) return frng_i32(f, &n->value);
    FRNG_TRY(draw(f, e, depth + 1, &n->left));
    FRNG_TRY(draw(f, e, depth + 1, &n->right));
    if (n->what == DIVIDE) {
        const node *divisor = &e->nodes[n->right];
        if (divisor->what == INTEGER && divisor->value == 0) e->literal_zero = true;
    }
    return true;
}

static int64_t evaluate(expression *e, size_t index) {
    const node *n = &e->nodes[index];
    if (n->what == INTEGER) return n->value;
    const int64_t left = evaluate(e, n->left), right = evaluate(e, n->right);
    if (n->what == ADD) return left + right;
    if (right != 0) return left / right;
    e->divided_by_zero = true;
    return 0;
}

static bool test(frng *f) {
    expression e = {.count = 0};
    size_t root;
    FRNG_TRY(draw(f, &e, 0, &root));
    if (e.literal_zero) return true; /* no expression */
    evaluate(&e, root);
    FRNG_ASSERT(!e.divided_by_zero, "%zu nodes", e.count);
    return true;
}
