/* expr.c: expressions of a query language are printed, and parsed again.
 *
 * The tree of an expression has names, strings and differences. The printer writes parentheses only
 * where the parser needs them. Fails when the parser reads another tree than was printed.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_regex.h>
#include <frng_utf8.h>

enum { LEVELS = 5, NODES = 1 << (LEVELS + 1), NAME = 8, STRING = 4, TEXT = 64 * NODES };

typedef enum node_kind { NAMED, QUOTED, MINUS } node_kind;

typedef struct node {
    node_kind kind;
    char name[NAME]; /* of NAMED */
    char string[4 * STRING + 1];
    size_t size; /* of the string */
    struct node *left, *right;
} node;

typedef struct tree {
    node nodes[NODES];
    size_t used;
} tree;

static node *add_node(tree *t, node_kind kind) {
    node *n = &t->nodes[t->used++];
    FRNG_ASSERT(t->used <= NODES, "more than %d nodes", NODES);
    memset(n, 0, sizeof *n);
    n->kind = kind;
    return n;
}

/* ---- Draw ---- */

static bool draw_node(frng *f, tree *t, size_t levels, node **drawn) {
    bool deeper, is_named;
    FRNG_TRY(frng_depth(f, levels, &deeper));
    if (deeper) {
        node *n = *drawn = add_node(t, MINUS);
        return draw_node(f, t, levels - 1, &n->left) && draw_node(f, t, levels - 1, &n->right);
    }
    FRNG_TRY(frng_bool(f, &is_named));
    node *n = *drawn = add_node(t, is_named ? NAMED : QUOTED);
    if (is_named) return frng_regex(f, "[a-z](_?[a-z0-9]){0,3}", n->name);
    return frng_utf8(f, 0, STRING, n->string, &n->size);
}

/* ---- Print ---- */

typedef struct text {
    char bytes[TEXT];
    size_t size;
} text;

static void put(text *out, char byte) { out->bytes[out->size++] = byte; }

static void print_node(text *out, const node *n);

static void print_operand(text *out, const node *n, bool has_parentheses) {
    if (has_parentheses) put(out, '(');
    print_node(out, n);
    if (has_parentheses) put(out, ')');
}

static void print_node(text *out, const node *n) {
    if (n->kind == NAMED)
        for (const char *p = n->name; *p != '\0'; p++) put(out, *p);
    if (n->kind == QUOTED) {
        put(out, '"');
        for (size_t i = 0; i < n->size; i++) {
            if (n->string[i] == '"' || n->string[i] == '\\') put(out, '\\');
            put(out, n->string[i]);
        }
        put(out, '"');
    }
    if (n->kind != MINUS) return;
#ifdef FIXED
    const bool needs = n->right->kind == MINUS;
#else
    const bool needs = false; /* the operators are all alike, it seems */
#endif
    print_operand(out, n->left, false);
    put(out, '-');
    print_operand(out, n->right, needs);
}

/* ---- Parse ---- */

static node *parse_differences(tree *t, const char **p);

static node *parse_operand(tree *t, const char **p) {
    if (**p == '(') {
        ++*p;
        node *inner = parse_differences(t, p);
        ++*p;
        return inner;
    }
    node *n = add_node(t, **p == '"' ? QUOTED : NAMED);
    if (n->kind == NAMED) {
        for (size_t i = 0; **p != '-' && **p != ')' && **p != '\0'; i++) n->name[i] = *(*p)++;
        return n;
    }
    for (++*p; **p != '"'; ++*p) {
        if (**p == '\\') ++*p;
        n->string[n->size++] = **p;
    }
    ++*p;
    return n;
}

static node *parse_differences(tree *t, const char **p) {
    node *left = parse_operand(t, p);
    while (**p == '-') {
        ++*p;
        node *n = add_node(t, MINUS);
        n->left = left;
        n->right = parse_operand(t, p);
        left = n;
    }
    return left;
}

/* ---- Test ---- */

static bool is_same(const node *a, const node *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == NAMED) return strcmp(a->name, b->name) == 0;
    if (a->kind == QUOTED) return a->size == b->size && memcmp(a->string, b->string, a->size) == 0;
    return is_same(a->left, b->left) && is_same(a->right, b->right);
}

static bool test(frng *f) {
    tree drawn = {.used = 0}, parsed = {.used = 0};
    text printed = {.size = 0};
    node *root;
    FRNG_TRY(draw_node(f, &drawn, LEVELS, &root));
    print_node(&printed, root);
    frng_say(f, "%s", printed.bytes);
    const char *p = printed.bytes;
    FRNG_ASSERT(is_same(root, parse_differences(&parsed, &p)), "%s is read in another way",
                printed.bytes);
    return true;
}

FRNG_MAIN(test)
