/* binheap: a binary heap, and a function to sort it that only begins to. A size of 0..20 is drawn.
 * A node of size 0 is absent; any other is absent once in eight times, or has a key not below its
 * parent's and two children of half the size. Fails when the root's key and then to_list() of the
 * merged children are not sorted, or not what the sorted heap is.
 *
 * Smallest: four nodes, the root's left child with two children. The root and its children alone
 * merge into a chain, which is sorted. With two children at one side and none at the other, these
 * come out with the right one first, and must be in the wrong order for that: 0 to the left, 1 to
 * the right. Size 4 is the smallest that has three levels. `(key, left, right)`, `-` is absent.
 *
 * binheap merges with an absent heap as the challenge does: the other one as it is. binheap_swap,
 * with -DSWAP_ALWAYS, goes on swapping the children below, as its rule for two heaps would.
 *
 *     binheap         4, (0, (0, (0), (1)), -)
 *         31000000200000000000000020000000000000002000000000000000200200000000000000
 *     binheap_swap    4, (0, (0, (1), (0)), -)
 *         31000000200000000000000020000000000000002002000000000000200000000000000000
 */
#include "challenge.h"

enum { SIZE_MAX_DRAWN = 20, NODES_MAX = 31 };

typedef struct node {
    int32_t key;
    struct node *left, *right; /* NULL: absent */
} node;

typedef struct heap {
    node nodes[NODES_MAX];
    size_t count;
} heap;

typedef struct sequence {
    int32_t keys[NODES_MAX];
    size_t count;
} sequence;

static bool draw_node(frng *f, heap *h, int32_t bound, unsigned size, node **drawn) {
    bool absent;
    node *n;
    *drawn = NULL;
    if (size == 0) return true;
    FRNG_TRY(frng_chance(f, 1, 8, &absent));
    if (absent) return true;
    *drawn = n = &h->nodes[h->count++];
    FRNG_TRY(frng_i32_range(f, bound, INT32_MAX, &n->key));
    FRNG_TRY(draw_node(f, h, n->key, size / 2, &n->left));
    return draw_node(f, h, n->key, size / 2, &n->right);
}

static node *merge(node *a, node *b) {
#ifdef SWAP_ALWAYS
    if (a == NULL && b == NULL) return NULL;
    const bool b_first = a == NULL || (b != NULL && b->key < a->key);
#else
    if (a == NULL || b == NULL) return a != NULL ? a : b;
    const bool b_first = b->key < a->key;
#endif
    node *first = b_first ? b : a, *other = b_first ? a : b;
    node *left = first->left;
    first->left = merge(first->right, other);
    first->right = left;
    return first;
}

static void to_list(const node *root, sequence *s) {
    const node *stack[NODES_MAX + 1];
    size_t depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        const node *n = stack[--depth];
        if (n == NULL) continue;
        s->keys[s->count++] = n->key;
        stack[depth++] = n->left;
        stack[depth++] = n->right;
    }
}

static void sort(sequence *s) {
    for (size_t i = 1; i < s->count; i++) {
        for (size_t k = i; k > 0 && s->keys[k] < s->keys[k - 1]; k--) {
            const int32_t key = s->keys[k];
            s->keys[k] = s->keys[k - 1];
            s->keys[k - 1] = key;
        }
    }
}

static bool test(frng *f) {
    heap h = {.count = 0};
    sequence right = {.count = 0}, wrong = {.count = 0};
    node *root;
    uint8_t size;
    FRNG_TRY(frng_u8_max(f, SIZE_MAX_DRAWN, &size));
    FRNG_TRY(draw_node(f, &h, INT32_MIN, size, &root));
    if (root == NULL) return true;
    to_list(root, &right);
    sort(&right);
    wrong.keys[wrong.count++] = root->key;
    to_list(merge(root->left, root->right), &wrong);
    bool same = wrong.count == right.count;
    for (size_t i = 0; same && i < right.count; i++) same = wrong.keys[i] == right.keys[i];
    FRNG_ASSERT(same, "a heap of %zu", right.count);
    return true;
}
