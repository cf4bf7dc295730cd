/* classic.c: the challenges that other tools are measured on, and small ones like them.
 * SPDX-License-Identifier: MIT */
#include "challenge.h"

/* ---- Lists of numbers ---- */

enum { LIST_MAX = 400 };

typedef struct list {
    int32_t items[LIST_MAX];
    size_t count;
} list;

/* How a list goes on: up to `most` items, each after a "more" that comes in so many of eight. */
typedef struct list_style {
    uint8_t most, eighths;
    bool (*draw)(frng *f, int32_t *item);
} list_style;

#define ITEM(name, type, draw)                                                                     \
    static bool name(frng *f, int32_t *item) {                                                     \
        type drawn;                                                                                \
        FRNG_TRY(draw);                                                                            \
        *item = drawn;                                                                             \
        return true;                                                                               \
    }
ITEM(draw_i8, int8_t, frng_i8(f, &drawn))
ITEM(draw_u8, uint8_t, frng_u8(f, &drawn))
ITEM(draw_i16, int16_t, frng_i16(f, &drawn))
ITEM(draw_i32, int32_t, frng_i32(f, &drawn))
ITEM(draw_to_10, uint8_t, frng_u8_max(f, 10, &drawn))

/* Whether there is another item after `count`. */
static bool draw_more(frng *f, list_style s, size_t count, bool *more) {
    *more = false;
    if (count == s.most) return true;
    return s.eighths == 4 ? frng_bool(f, more) : frng_chance(f, s.eighths, 8, more);
}

/* Draw a list behind what *l has. */
static bool draw_list(frng *f, list_style s, list *l) {
    for (size_t count = 0;; count++) {
        bool more;
        FRNG_TRY(draw_more(f, s, count, &more));
        if (!more) return true;
        FRNG_TRY(s.draw(f, &l->items[l->count]));
        l->count++;
    }
}

/* Draw a list of lists of this style, all of them into *l. */
static bool draw_lists(frng *f, list_style s, list *l) {
    for (size_t count = 0;; count++) {
        bool more;
        FRNG_TRY(draw_more(f, s, count, &more));
        if (!more) return true;
        FRNG_TRY(draw_list(f, s, l));
    }
}

static size_t find(const list *l, int32_t item) {
    size_t i = 0;
    while (i < l->count && l->items[i] != item) i++;
    return i;
}

static size_t count_distinct(const list *l) {
    size_t distinct = 0;
    for (size_t i = 0; i < l->count; i++) distinct += find(l, l->items[i]) == i;
    return distinct;
}

static bool is_same(const list *a, const list *b) {
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof a->items[0]) == 0;
}

/* bound5: five lists of up to 10 numbers, each of which adds up to less than 256 in 16 bits. Fails
 * when all of them together, in 16 bits too, add up to 5 * 256 or more: the sum wraps round.
 *
 * Smallest: three empty lists, then [-1] and [-32768], whose sum wraps to 32767. One number, or
 * numbers in one list, cannot do it: the total would be that list's. Two in two lists, as late as
 * they may be, are fewest bytes and simplest; beside 0 or 1 no other number wraps.
 *
 *     bound5         [] [] [] [-1] [-32768]  00000001ffff0001008000
 */
static int wrap(int sum) {
    return sum > INT16_MAX ? sum - 65536 : sum < INT16_MIN ? sum + 65536 : sum;
}

static bool bound5(frng *f) {
    int total = 0;
    for (int i = 0; i < 5; i++) {
        list l = {.count = 0};
        int sum = 0;
        FRNG_TRY(draw_list(f, (list_style){10, 4, draw_i16}, &l));
        for (size_t k = 0; k < l.count; k++) sum = wrap(sum + l.items[k]);
        if (sum >= 256) return true; /* not what the test is about */
        total = wrap(total + sum);
    }
    FRNG_ASSERT(total < 5 * 256, "the total is %d", total);
    return true;
}

/* coupling: a list of up to 32 numbers of 0..10, all of them below its length. Fails when some item
 * i is not i, and the item that it names names i.
 *
 * Smallest: two items that name each other.
 *
 *     coupling        [1, 0]  0118010100
 */
static bool coupling(frng *f) {
    list l = {.count = 0};
    FRNG_TRY(draw_list(f, (list_style){32, 4, draw_to_10}, &l));
    for (size_t i = 0; i < l.count; i++) {
        if ((size_t)l.items[i] >= l.count) return true; /* not what the test is about */
    }
    for (size_t i = 0; i < l.count; i++) {
        const size_t at = (size_t)l.items[i];
        FRNG_ASSERT(at == i || (size_t)l.items[at] != i, "%zu and %zu", i, at);
    }
    return true;
}

/* deletion: a list of up to 32 numbers that is not empty, and an index into it. Fails when the
 * number at the index is still there after its first occurrence was removed.
 *
 * Smallest: the simplest number twice.
 *
 *     deletion        ([0, 0], 0)  00000000000000000000000000e00000000000000000
 */
static bool deletion(frng *f) {
    list l = {.count = 0};
    size_t index;
    FRNG_TRY(draw_list(f, (list_style){32, 7, draw_i8}, &l));
    if (l.count == 0) return true;
    FRNG_TRY(frng_index(f, l.count, &index));
    const int32_t item = l.items[index];
    const size_t at = find(&l, item);
    l.count--;
    memmove(&l.items[at], &l.items[at + 1], (l.count - at) * sizeof l.items[0]);
    FRNG_ASSERT(find(&l, item) == l.count, "%d is still there", item);
    return true;
}

/* distinct: a list of up to 32 numbers. Fails when three or more of them are distinct.
 *
 * Smallest: the three simplest. The test looks at nothing but which are equal.
 *
 *     distinct         [0, 1, -1]  0100000000010100000001ffffffff00
 */
static bool distinct(frng *f) {
    list l = {.count = 0};
    FRNG_TRY(draw_list(f, (list_style){32, 4, draw_i32}, &l));
    FRNG_ASSERT(count_distinct(&l) < 3, "%zu distinct numbers", count_distinct(&l));
    return true;
}

/* large_union: a list of up to 16 lists of up to 16 numbers. Fails when five or more distinct
 * numbers are in them.
 *
 * Smallest: one list with the five simplest numbers. More lists are more bytes, and the test looks
 * at nothing but which numbers are equal.
 *
 *     large_union         [[0, 1, -1, 2, -2]]
 *         010100000000010100000001ffffffff010200000001feffffff0000
 */
static bool large_union(frng *f) {
    list all = {.count = 0};
    FRNG_TRY(draw_lists(f, (list_style){16, 4, draw_i32}, &all));
    FRNG_ASSERT(count_distinct(&all) < 5, "%zu distinct numbers", count_distinct(&all));
    return true;
}

/* nestedlists: a list of up to 20 lists of up to 20 numbers. Fails when they have more than ten
 * numbers in all.
 *
 * Smallest: one list of eleven zeros. More lists are more bytes, and the test looks at no number.
 *
 *     nestedlists         [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
 *         00000000000000000000000000000000000000000000000000000000000000000000000000000000
 *         00000000000000000000000000000000000000000000c0000000c0
 */
static bool nestedlists(frng *f) {
    list all = {.count = 0};
    FRNG_TRY(draw_lists(f, (list_style){20, 6, draw_u8}, &all));
    FRNG_ASSERT(all.count <= 10, "%zu items", all.count);
    return true;
}

/* reverse: a list of up to 32 numbers. Fails when it is not its own reverse.
 *
 * Smallest: the two simplest numbers that differ. The test looks at nothing but which are equal.
 *
 *     reverse         [0, 1]  0100000000010100000000
 */
static bool reverse(frng *f) {
    list l = {.count = 0}, reversed = {.count = 0};
    FRNG_TRY(draw_list(f, (list_style){32, 4, draw_i32}, &l));
    for (size_t i = l.count; i > 0; i--) reversed.items[reversed.count++] = l.items[i - 1];
    FRNG_ASSERT(is_same(&l, &reversed), "%zu numbers", l.count);
    return true;
}

/* ---- A few numbers ---- */

/* difference: two numbers x and y of 1..2^31-1. Fails when x is 10 or more and |x - y| is 0, small
 * (1 to 4), or one.
 *
 * Smallest: x is 10, and y the smallest that is as near as it must be: 10, 6, 9. Any x below
 * passes, whatever y is.
 *
 *     difference_0      (10, 10)  1300000013000000
 *     difference_small  (10, 6)  130000000b000000
 *     difference_one    (10, 9)  1300000011000000
 */
static bool difference(frng *f) {
    const int32_t least = is_so(TO_4_APART | ONE_APART) ? 1 : 0,
                  most = is_so(TO_4_APART) ? 4 : least;
    int32_t x, y;
    FRNG_TRY(frng_i32_range(f, 1, INT32_MAX, &x));
    FRNG_TRY(frng_i32_range(f, 1, INT32_MAX, &y));
    const int32_t apart = x < y ? y - x : x - y;
    FRNG_ASSERT(x < 10 || apart < least || apart > most, "%d and %d", x, y);
    return true;
}

/* lengthlist: a length of 1..100, then as many numbers of 0..1000. Fails when the largest is 900 or
 * more.
 *
 * Smallest: one number, 900.
 *
 *     lengthlist      [900]  012ce6
 */
static bool lengthlist(frng *f) {
    uint8_t count;
    uint16_t largest = 0;
    FRNG_TRY(frng_u8_range(f, 1, 100, &count));
    while (count-- > 0) {
        uint16_t item;
        FRNG_TRY(frng_u16_max(f, 1000, &item));
        if (item > largest) largest = item;
    }
    FRNG_ASSERT(largest < 900, "%u is there", largest);
    return true;
}

/* zigzag: two numbers m and n of 32 bits. Fails when m is 1000 or more and |m - n| is 1. Who lowers
 * one of them at a time goes down by steps of two.
 *
 * Smallest: (1000, 999). Any m below 1000 passes, whatever n is.
 *
 *     zigzag          (1000, 999)  e8030000e7030000
 */
static bool zigzag(frng *f) {
    uint32_t m, n;
    FRNG_TRY(frng_u32(f, &m));
    FRNG_TRY(frng_u32(f, &n));
    FRNG_ASSERT(m < 1000 || (m < n ? n - m : m - n) != 1, "%u and %u", m, n);
    return true;
}

/* ---- Trees ---- */

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
 * binheap merges with an absent heap as the challenge does: the other one as it is. binheap_swap
 * goes on swapping the children below, as its rule for two heaps would.
 *
 *     binheap         4, (0, (0, (0), (1)), -)
 *         31000000200000000000000020000000000000002000000000000000200200000000000000
 *     binheap_swap    4, (0, (0, (1), (0)), -)
 *         31000000200000000000000020000000000000002002000000000000200000000000000000
 */
enum { HEAP_MAX = 31 };

typedef struct heap_node {
    int32_t key;
    struct heap_node *left, *right; /* NULL: absent */
} heap_node;

typedef struct heap {
    heap_node nodes[HEAP_MAX];
    size_t count;
} heap;

static bool draw_heap(frng *f, heap *h, int32_t bound, unsigned size, heap_node **drawn) {
    bool absent;
    heap_node *n;
    *drawn = NULL;
    if (size == 0) return true;
    FRNG_TRY(frng_chance(f, 1, 8, &absent));
    if (absent) return true;
    *drawn = n = &h->nodes[h->count++];
    FRNG_TRY(frng_i32_range(f, bound, INT32_MAX, &n->key));
    FRNG_TRY(draw_heap(f, h, n->key, size / 2, &n->left));
    return draw_heap(f, h, n->key, size / 2, &n->right);
}

static heap_node *merge(heap_node *a, heap_node *b) {
    if ((a == NULL || b == NULL) && !(is_so(SWAPS) && a != b)) return a != NULL ? a : b;
    const bool b_first = a == NULL || (b != NULL && b->key < a->key);
    heap_node *first = b_first ? b : a, *other = b_first ? a : b;
    heap_node *left = first->left;
    first->left = merge(first->right, other);
    first->right = left;
    return first;
}

static void to_list(const heap_node *root, list *l) {
    const heap_node *stack[HEAP_MAX + 1];
    size_t depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        const heap_node *n = stack[--depth];
        if (n == NULL) continue;
        l->items[l->count++] = n->key;
        stack[depth++] = n->left;
        stack[depth++] = n->right;
    }
}

static int compare(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool binheap(frng *f) {
    heap h = {.count = 0};
    list right = {.count = 0}, wrong = {.count = 0};
    heap_node *root;
    uint8_t size;
    FRNG_TRY(frng_u8_max(f, 20, &size));
    FRNG_TRY(draw_heap(f, &h, INT32_MIN, size, &root));
    if (root == NULL) return true;
    to_list(root, &right);
    qsort(right.items, right.count, sizeof right.items[0], compare);
    wrong.items[wrong.count++] = root->key;
    to_list(merge(root->left, root->right), &wrong);
    FRNG_ASSERT(is_same(&right, &wrong), "a heap of %zu", right.count);
    return true;
}

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
typedef struct calculation {
    int64_t value;
    bool is_literal;
    bool has_literal_zero; /* somewhere it divides by the literal 0 */
    bool divides_by_zero;
} calculation;

static bool calculate(frng *f, int depth, calculation *c) {
    static const uint32_t weights[] = {2, 1, 1}; /* a number, a sum, a quotient */
    calculation a = {.value = 0}, b = {.value = 0};
    size_t what = 0;
    int32_t number;
    if (depth < 8) FRNG_TRY(frng_weighted(f, weights, 3, &what));
    if (what == 0) {
        FRNG_TRY(frng_i32(f, &number));
        *c = (calculation){.value = number, .is_literal = true};
        return true;
    }
    FRNG_TRY(calculate(f, depth + 1, &a) && calculate(f, depth + 1, &b));
    const bool is_zero = what == 2 && b.value == 0;
    *c = (calculation){.has_literal_zero = a.has_literal_zero || b.has_literal_zero,
                       .divides_by_zero = a.divides_by_zero || b.divides_by_zero || is_zero};
    if (is_zero && b.is_literal) c->has_literal_zero = true;
    if (!is_zero) c->value = what == 1 ? a.value + b.value : a.value / b.value;
    return true;
}

static bool calculator(frng *f) {
    calculation all;
    FRNG_TRY(calculate(f, 0, &all));
    if (all.has_literal_zero) return true; /* no expression */
    FRNG_ASSERT(!all.divides_by_zero);
    return true;
}

const challenge classics[] = {
    {"binheap", binheap, AS_IS},
    {"binheap_swap", binheap, SWAPS},
    {"bound5", bound5, AS_IS},
    {"calculator", calculator, AS_IS},
    {"coupling", coupling, AS_IS},
    {"deletion", deletion, AS_IS},
    {"difference_0", difference, AS_IS},
    {"difference_one", difference, ONE_APART},
    {"difference_small", difference, TO_4_APART},
    {"distinct", distinct, AS_IS},
    {"large_union", large_union, AS_IS},
    {"lengthlist", lengthlist, AS_IS},
    {"nestedlists", nestedlists, AS_IS},
    {"reverse", reverse, AS_IS},
    {"zigzag", zigzag, AS_IS},
    {NULL, NULL, AS_IS},
};
