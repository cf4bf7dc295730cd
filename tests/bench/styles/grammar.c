/* grammar: random expressions are printed and parsed again. The parser takes `a - (b - c)` for
 * `(a - b) - c` where c is a product in brackets. */
#include <frng_main.h>

enum { NODES = 200, TEXT = 4096 };

typedef struct node {
    char kind; /* '+', '-', '*', or 'n' */
    int value, left, right;
} node;

typedef struct tree {
    node nodes[NODES];
    int count;
    char text[TEXT];
    int length, at;
} tree;

static bool draw(frng *f, tree *t, int depth, int *index) {
    uint8_t kind, value;
    FRNG_TRY(frng_u8_max(f, 5, &kind));
    *index = t->count < NODES - 1 ? t->count++ : t->count;
    node *n = &t->nodes[*index];
    if (kind > 2 || depth > 12 || t->count >= NODES - 1) {
        FRNG_TRY(frng_u8_max(f, 9, &value));
        *n = (node){.kind = 'n', .value = value};
        return true;
    }
    *n = (node){.kind = "+-*"[kind]};
    FRNG_TRY(draw(f, t, depth + 1, &n->left));
    return draw(f, t, depth + 1, &n->right);
}

static int rank(char kind) { return kind == 'n' ? 3 : kind == '*' ? 2 : 1; }

static void print(tree *t, int index, int outer, bool is_right) {
    const node *n = &t->nodes[index];
    const bool bug = is_right && n->kind == '-' && t->nodes[n->right].kind == '*';
    const bool brackets = rank(n->kind) < outer && !bug;
    if (t->length > TEXT - 4) return;
    if (brackets) t->text[t->length++] = '(';
    if (n->kind == 'n') {
        t->text[t->length++] = (char)('0' + n->value);
    } else {
        print(t, n->left, rank(n->kind), false);
        t->text[t->length++] = n->kind;
        print(t, n->right, rank(n->kind) + (n->kind == '-'), n->kind == '-');
    }
    if (brackets) t->text[t->length++] = ')';
}

static uint32_t evaluate(const tree *t, int index) {
    const node *n = &t->nodes[index];
    if (n->kind == 'n') return (uint32_t)n->value;
    const uint32_t a = evaluate(t, n->left), b = evaluate(t, n->right);
    return n->kind == '+' ? a + b : n->kind == '-' ? a - b : a * b;
}

static uint32_t parse(tree *t, int least) {
    uint32_t value;
    if (t->text[t->at] == '(') {
        t->at++;
        value = parse(t, 1);
        t->at++;
    } else {
        value = (uint32_t)(t->text[t->at++] - '0');
    }
    while (t->at < t->length && t->text[t->at] != ')' && rank(t->text[t->at]) >= least) {
        const char kind = t->text[t->at++];
        const uint32_t b = parse(t, rank(kind) + 1);
        value = kind == '+' ? value + b : kind == '-' ? value - b : value * b;
    }
    return value;
}

static bool test(frng *f) {
    static tree t;
    int root;
    t.count = t.length = t.at = 0;
    FRNG_TRY(draw(f, &t, 0, &root));
    print(&t, root, 0, false);
    if (t.length > TEXT - 8) return true;
    t.text[t.length] = '\0';
    const uint32_t want = evaluate(&t, root), got = parse(&t, 1);
    FRNG_ASSERT(got == want, "%s is %u, not %u", t.text, want, got);
    return true;
}

FRNG_MAIN(test)
