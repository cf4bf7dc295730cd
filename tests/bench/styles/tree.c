/* tree: a binary search tree beside a set. To delete a node with two children loses the right
 * child of a successor that is five steps down, but not that of a nearer one. */
#include <frng_main.h>

enum { NODES = 256 };

typedef struct tree {
    int left[NODES], right[NODES], root; /* -1: none; a node is its key */
} tree;

static void insert(tree *t, int key) {
    int *at = &t->root;
    while (*at >= 0 && *at != key) at = key < *at ? &t->left[*at] : &t->right[*at];
    if (*at == key) return;
    *at = key;
    t->left[key] = t->right[key] = -1;
}

static void delete (tree *t, int key) {
    int *at = &t->root;
    while (*at >= 0 && *at != key) at = key < *at ? &t->left[*at] : &t->right[*at];
    if (*at < 0) return;
    if (t->left[key] < 0 || t->right[key] < 0) {
        *at = t->left[key] < 0 ? t->right[key] : t->left[key];
        return;
    }
    int *next = &t->right[key];
    int steps = 0;
    for (; t->left[*next] >= 0; steps++) next = &t->left[*next];
    const int successor = *next;
    if (next == &t->right[key]) {
        t->left[successor] = t->left[key];
    } else {
        *next = steps == 5 ? -1 : t->right[successor]; /* the bug */
        t->left[successor] = t->left[key];
        t->right[successor] = t->right[key];
    }
    *at = successor;
}

static int count(const tree *t, int at) {
    return at < 0 ? 0 : 1 + count(t, t->left[at]) + count(t, t->right[at]);
}

static bool test(frng *f) {
    tree t = {.root = -1};
    bool model[NODES] = {false};
    int size = 0;
    for (;;) {
        bool is_insert;
        uint8_t key;
        FRNG_TRY(frng_bool(f, &is_insert));
        FRNG_TRY(frng_u8(f, &key));
        size += is_insert ? !model[key] : -(int)model[key];
        model[key] = is_insert;
        if (is_insert)
            insert(&t, key);
        else
            delete (&t, key);
        FRNG_ASSERT(count(&t, t.root) == size, "%d of %d", count(&t, t.root), size);
    }
}

FRNG_MAIN(test)
