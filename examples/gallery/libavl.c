/* libavl: the sign of the closest node.
 *
 * Library: libavl's search for the closest key
 * Bug: `avl_search_closest` says "greater" of a smaller node
 * Packages: libavl-dev
 * Link: -lavl
 *
 * avl.h, on avl_search_closest: "Searches for a node with the key closest (or equal) to the given
 * item. Return values: -1 if the returned node is smaller, 0 if the returned node is equal or if
 * the tree is empty, 1 if the returned node is greater".
 *
 * The model is an array of flags. The node may be any neighbour: the header does not say what
 * "closest" means for keys that cannot be subtracted.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>

#include <avl.h>

enum { KEYS = 16 };

typedef struct sets {
    avl_tree_t *tree;
    bool model[KEYS];
    unsigned count;
} sets;

static void *item(unsigned key) { return (void *)(uintptr_t)key; }
static unsigned key_of(const avl_node_t *node) { return (unsigned)(uintptr_t)node->item; }

static int compare(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return (x > y) - (x < y);
}

static void insert(sets *s, unsigned key) {
    const bool added = avl_insert(s->tree, item(key)) != NULL;
    FRNG_ASSERT(added == !s->model[key], "insert %u: %s", key, added ? "added" : "not added");
    s->count += added;
    s->model[key] = true;
}

static void delete_at(sets *s, unsigned rank) {
    avl_node_t *node = avl_at(s->tree, rank);
    FRNG_ASSERT((node != NULL) == (rank < s->count), "no node of rank %u of %u", rank, s->count);
    if (node == NULL) return;
    FRNG_ASSERT(avl_index(node) == rank, "rank %u, not %u", avl_index(node), rank);
    s->model[key_of(node)] = false;
    s->count--;
    avl_delete_node(s->tree, node);
}

static void search_closest(const sets *s, unsigned key) {
    avl_node_t *node;
    const int result = avl_search_closest(s->tree, item(key), &node);
    FRNG_ASSERT((node != NULL) == (s->count > 0), "%u nodes, but node is %p", s->count,
                (void *)node);
    const int wanted = node == NULL ? 0 : compare(node->item, item(key));
    FRNG_ASSERT(result == wanted, "closest to %u is %u: returns %d, not %d", key, key_of(node),
                result, wanted);
}

static bool step(frng *f, sets *s) {
    static const char *const names[] = {"insert", "delete", "search closest"};
    uint8_t operation, key;
    FRNG_TRY(frng_u8_max(f, 2, &operation));
    frng_step(f, names[operation]);
    frng_note(f, operation == 1 ? "rank" : "key");
    FRNG_TRY(frng_u8_max(f, KEYS - 1, &key));
    switch (operation) {
    case 0: insert(s, key); break;
    case 1: delete_at(s, key); break;
    default: search_closest(s, key); break;
    }
    return true;
}

static bool test(frng *f) {
    sets s = {.tree = avl_alloc_tree(compare, NULL)};
    while (step(f, &s)) {
    }
    avl_free_tree(s.tree);
    return true;
}

FRNG_MAIN(test)
