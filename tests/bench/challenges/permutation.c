/* permutation: trees whose keys come in the order of a permutation of 1 to 30 numbers. Fails when a
 * new key goes left, right and left below the root, or right, left and right: a rotation is wrong
 * there.
 *
 * Smallest: four keys, 0 at the root.
 *
 *     permutation         0 3 1 2
 *         1b00ab00
 */
#include "challenge.h"

enum { KEYS_MAX = 30 };

typedef struct node {
    size_t key;
    struct node *child[2];
} node;

/* Insert a node, and return true if its way turned at each step. */
static bool insert(node *root, node *added) {
    unsigned steps = 0;
    bool turns = true, before = false;
    for (node *n = root;; steps++) {
        const bool side = added->key > n->key;
        turns &= steps == 0 || side != before;
        before = side;
        if (n->child[side] == NULL) {
            n->child[side] = added;
            return turns && steps == 2;
        }
        n = n->child[side];
    }
}

static bool build(frng *f) {
    node nodes[KEYS_MAX] = {{0}};
    size_t order[KEYS_MAX];
    uint8_t count;
    FRNG_TRY(frng_u8_range(f, 1, KEYS_MAX, &count));
    FRNG_TRY(frng_permutation(f, count, order));
    nodes[0].key = order[0];
    for (size_t i = 1; i < count; i++) {
        nodes[i].key = order[i];
        FRNG_ASSERT(!insert(&nodes[0], &nodes[i]), "key %zu", order[i]);
    }
    return true;
}

TEST_AGAIN(build)
