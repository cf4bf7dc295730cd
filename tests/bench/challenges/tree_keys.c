/* tree_keys: a search tree of keys below 200. Fails when a node is erased whose two children stay
 * and whose successor, below its right child, has a child: that is lost.
 *
 * Smallest: the least five keys.
 *
 *     tree_keys           insert 1, insert 0, insert 4, insert 2, insert 3, erase 1
 *         01020101010601030105ab02
 */
#include "challenge.h"

enum { KEYS = 200 };

typedef struct node {
    bool is_there;
    int left, right; /* keys, or -1 */
} node;

typedef struct tree {
    node nodes[KEYS];
    int root;
} tree;

/* Return where the key is, or has to be. */
static int *find(tree *t, int key) {
    int *at = &t->root;
    while (*at >= 0 && *at != key) at = key < *at ? &t->nodes[*at].left : &t->nodes[*at].right;
    return at;
}

static void insert(tree *t, int key) {
    int *at = find(t, key);
    if (*at == key) return;
    t->nodes[key] = (node){true, -1, -1};
    *at = key;
}

static void erase(tree *t, int key) {
    int *at = find(t, key);
    if (*at != key) return;
    const node gone = t->nodes[key];
    t->nodes[key].is_there = false;
    if (gone.left < 0 || gone.right < 0) {
        *at = gone.left < 0 ? gone.right : gone.left;
        return;
    }
    int *next = &t->nodes[key].right;
    while (t->nodes[*next].left >= 0) next = &t->nodes[*next].left;
    const int successor = *next;
    node *s = &t->nodes[successor];
    FRNG_ASSERT(successor == gone.right || s->right < 0, "%d is lost", s->right);
    *next = s->right;
    s->left = gone.left;
    s->right = t->nodes[key].right;
    *at = successor;
}

static bool test(frng *f) {
    static tree t;
    memset(&t, 0, sizeof t);
    t.root = -1;
    for (;;) {
        uint8_t erases, key;
        FRNG_TRY(frng_u8_max(f, 2, &erases) && frng_u8_max(f, KEYS - 1, &key));
        if (erases == 2)
            erase(&t, key);
        else
            insert(&t, key);
    }
}
