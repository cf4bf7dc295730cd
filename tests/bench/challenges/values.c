/* values.c: challenges of the shapes that users write, whose tests draw something as a whole and
 * look at it. SPDX-License-Identifier: MIT */
#include "challenge.h"

/* dates: cards, each of a day of issue and the years until it is renewed, at most 30. Fails when a
 * card of 29 February is renewed in a year that has no such day.
 *
 * Smallest: 29 February 2000, renewed a year later.
 *
 *     dates               2000-02-29 1
 *         0b0f010009
 */
static bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static bool dates(frng *f) {
    int year, month, day;
    uint8_t years;
    FRNG_TRY(frng_date(f, &year, &month, &day) && frng_u8_max(f, 30, &years));
    FRNG_ASSERT(month != 2 || day != 29 || is_leap(year + years), "%d", year + years);
    return true;
}

/* definitions: modules of 1 to 12 types, each defined by earlier ones: a scalar, an array, a pair
 * or a pointer. Fails when the layout of a module's last type is wrong, for the alignment of an
 * array is taken from the size of all of it.
 *
 * Smallest: a scalar of 1 byte, an array of two, and a pair of both.
 *
 *     definitions         3: scalar 1, array 0 x 2, pair 0 1
 *         2b01400020800080
 */
enum { TYPES_MAX = 12, WORD = 8 };

typedef struct layout {
    unsigned size, align;
} layout;

typedef struct type {
    layout right, wrong;
} type;

static unsigned round_up(unsigned size, unsigned align) {
    return (size + align - 1) / align * align;
}

static layout pair_of(layout a, layout b) {
    const unsigned align = a.align > b.align ? a.align : b.align;
    return (layout){round_up(round_up(a.size, b.align) + b.size, align), align};
}

static type array_of(type item, unsigned length) {
    type array = {{item.right.size * length, item.right.align}, {item.wrong.size * length, WORD}};
    while (array.wrong.size % array.wrong.align != 0) array.wrong.align /= 2;
    return array;
}

static bool define(frng *f, type *types, size_t count) {
    enum { SCALAR, ARRAY, PAIR, POINTER };
    uint8_t what = SCALAR, number;
    size_t a, b;
    unsigned size = WORD;
    if (count > 0) FRNG_TRY(frng_u8_max(f, POINTER, &what));
    if (what == SCALAR) {
        FRNG_TRY(frng_u8_max(f, 2, &number));
        size = 1u << number;
    } else {
        FRNG_TRY(frng_pick(f, count, &a));
    }
    if (what == ARRAY) {
        FRNG_TRY(frng_u8_range(f, 1, 8, &number));
        types[count] = array_of(types[a], number);
    } else if (what == PAIR) {
        FRNG_TRY(frng_pick(f, count, &b));
        types[count] = (type){pair_of(types[a].right, types[b].right),
                              pair_of(types[a].wrong, types[b].wrong)};
    } else {
        types[count] = (type){{size, size}, {size, size}};
    }
    return true;
}

static bool definitions(frng *f) {
    type types[TYPES_MAX];
    uint8_t count;
    FRNG_TRY(frng_u8_range(f, 1, TYPES_MAX, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(define(f, types, i));
    const type *last = &types[count - 1];
    FRNG_ASSERT(last->right.size == last->wrong.size, "%u bytes, not %u", last->wrong.size,
                last->right.size);
    return true;
}

/* escapes: texts of the characters from space to '?'. Quotes and '<' and '>' are escaped first, and
 * then '&', also that of the escapes. This matters after '#' or '?' only. Fails when a text does
 * not come back.
 *
 * Smallest: of '#' and '?' and of '"', '<' and '>' those that come first.
 *
 *     escapes             #"
 *         261f01
 */
static bool escapes(frng *f) {
    static const char alphabet[] = " !\"#$%&'()*+,-./0123456789:;<=>?";
    char text[61];
    FRNG_TRY(frng_string(f, alphabet, 0, sizeof text - 1, text));
    const char *query = strpbrk(text, "#?");
    const char *escaped_twice = query != NULL ? strpbrk(query, "\"<>") : NULL;
    FRNG_ASSERT(escaped_twice == NULL, "%s", escaped_twice);
    return true;
}

/* expression: expressions up to 8 deep, one after the other. Fails when one has another value after
 * a - (b - c) was rewritten as a - b - c.
 *
 * Smallest: a variable takes fewer bytes than a number.
 *
 *     expression          (- v0 (- v0 v0))
 *         ac2c00ac2c002c00
 */
enum { DEPTH_MAX = 8, NODES_MAX = 9841 }; /* three children at most */

typedef enum kind { NUMBER, VARIABLE, NEGATE, ADD, SUBTRACT, IF, KINDS } kind;

typedef struct node {
    kind what;
    int64_t value; /* of a number or a variable */
    struct node *child[3];
} node;

typedef struct nodes {
    node list[NODES_MAX];
    size_t count;
} nodes;

static bool draw_node(frng *f, nodes *all, int depth, node **drawn) {
    static const size_t children[KINDS] = {[NEGATE] = 1, [ADD] = 2, [SUBTRACT] = 2, [IF] = 3};
    uint8_t what;
    size_t variable;
    int16_t number;
    node *n = &all->list[all->count++];
    *drawn = n;
    FRNG_TRY(frng_u8_max(f, depth < DEPTH_MAX ? KINDS - 1 : VARIABLE, &what));
    n->what = (kind)what;
    if (n->what == NUMBER) {
        FRNG_TRY(frng_i16_range(f, -100, 100, &number));
        n->value = number;
    } else if (n->what == VARIABLE) {
        FRNG_TRY(frng_pick(f, 4, &variable));
        n->value = 10 + (int64_t)variable;
    }
    for (size_t i = 0; i < children[what]; i++) {
        FRNG_TRY(draw_node(f, all, depth + 1, &n->child[i]));
    }
    return true;
}

static int64_t value(const node *n, bool rewrites) {
    if (n->what <= VARIABLE) return n->value;
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

static bool expression(frng *f) {
    static nodes all;
    node *root;
    all.count = 0;
    FRNG_TRY(draw_node(f, &all, 0, &root));
    FRNG_ASSERT(value(root, false) == value(root, true), "%zu nodes", all.count);
    return true;
}

/* floats: lists of readings of -100 to 100. Fails when two in a row are 10 or more, and the second
 * is larger by a quarter to a half.
 *
 * Smallest: 10 and 10.25. No shorter list has two readings. The first must be 10 or more, and whole
 * numbers are simpler than others; then the second is 10.25 to 10.5, where smaller is simpler.
 *
 *     floats              [10, 10.25]
 *         10f99399999999991910cd370ad7a3703d1a
 */
static bool floats(frng *f) {
    double before = 0, now;
    for (size_t count = 0;; count++, before = now) {
        bool more;
        FRNG_TRY(frng_more(f, count, 0, 100, &more));
        if (!more) return true;
        FRNG_TRY(frng_f64_range(f, -100, 100, &now));
        const bool jumps = count > 0 && now - before >= 0.25 && now - before <= 0.5;
        FRNG_ASSERT(!jumps || before < 10, "from %g to %g", before, now);
    }
}

/* formats: formats as printf knows them, with their arguments. Blanks before a number are copied in
 * tens; five that are left over are forgotten. Fails when an output is too short.
 *
 * Smallest: 15 blanks before one digit.
 *
 *     formats             %16d of 0
 *         1000cd001a0400000000
 */
static unsigned digits_of(uint32_t number) {
    unsigned digits = 1;
    for (; number >= 10; number /= 10) digits++;
    return digits;
}

static bool convert(frng *f) {
    enum { CHARACTER, STRING, UNSIGNED, HEX, DECIMAL };
    uint8_t what, precision;
    uint16_t width;
    uint64_t flags;
    int32_t number;
    FRNG_TRY(frng_u8_max(f, DECIMAL, &what) && frng_subset(f, 4, &flags));
    FRNG_TRY(frng_u16_max(f, 999, &width));
    if (what <= STRING) return frng_u8(f, &precision); /* the character or the length */
    FRNG_TRY(frng_i32(f, &number));
    if (what != DECIMAL || (flags & 1) != 0) return true; /* no blanks, or behind it */
    const bool is_negative = number < 0;
    const unsigned digits =
        is_negative + digits_of(is_negative ? 0 - (uint32_t)number : (uint32_t)number);
    const unsigned blanks = width > digits ? width - digits : 0;
    FRNG_ASSERT(blanks < 10 || blanks % 10 != 5, "%u blanks", blanks);
    return true;
}

static bool formats(frng *f) {
    for (size_t count = 0;; count++) {
        bool more, is_text;
        size_t letter;
        FRNG_TRY(frng_more(f, count, 0, 40, &more));
        if (!more) return true;
        FRNG_TRY(frng_bool(f, &is_text));
        FRNG_TRY(is_text ? frng_pick(f, 95, &letter) : convert(f));
    }
}

/* graph: 1 to 8 nodes, and edges with lengths. Fails when a search for the shortest way from node 0
 * that never looks at a node again finds a longer way than there is.
 *
 * Smallest: the way in two edges is shorter than the one in a single edge.
 *
 *     graph               3 nodes, 3 edges: 0 1 0, 0 2 1, 1 2 0
 *         40430001560101ab0456ab01
 */
enum { PLACES_MAX = 8, EDGES_MAX = 3000, FAR = 1000 };

typedef struct edge {
    size_t from, to;
    uint8_t length;
} edge;

typedef struct map {
    uint8_t places;
    uint16_t count;
    edge edges[EDGES_MAX];
} map;

static bool draw_map(frng *f, map *g) {
    FRNG_TRY(frng_u8_range(f, 1, PLACES_MAX, &g->places));
    FRNG_TRY(frng_u16_max(f, EDGES_MAX, &g->count));
    for (size_t i = 0; i < g->count; i++) {
        edge *e = &g->edges[i];
        FRNG_TRY(frng_pick(f, g->places, &e->from) && frng_pick(f, g->places, &e->to));
        FRNG_TRY(frng_u8_max(f, 99, &e->length));
    }
    return true;
}

static void set_off(unsigned *far) {
    for (size_t n = 1; n < PLACES_MAX; n++) far[n] = FAR;
    far[0] = 0;
}

/* Round after round over all edges. */
static void measure(const map *g, unsigned *far) {
    set_off(far);
    for (size_t round = 1; round < g->places; round++) {
        for (size_t i = 0; i < g->count; i++) {
            const edge *e = &g->edges[i];
            if (far[e->from] + e->length < far[e->to]) far[e->to] = far[e->from] + e->length;
        }
    }
}

/* Node after node, each in the order in which it was first seen. */
static void measure_wrongly(const map *g, unsigned *far) {
    size_t queue[PLACES_MAX] = {0}, used = 1;
    set_off(far);
    for (size_t at = 0; at < used; at++) {
        for (size_t i = 0; i < g->count; i++) {
            const edge *e = &g->edges[i];
            if (e->from != queue[at]) continue;
            if (far[e->to] == FAR) {
                queue[used++] = e->to;
                far[e->to] = far[e->from] + e->length;
            } else if (e->from == 0 && e->length < far[e->to] && e->to != 0) {
                far[e->to] = e->length; /* the shortest of several edges beside each other */
            }
        }
    }
}

static bool graph(frng *f) {
    static map g;
    unsigned right[PLACES_MAX], wrong[PLACES_MAX];
    FRNG_TRY(draw_map(f, &g));
    measure(&g, right);
    measure_wrongly(&g, wrong);
    for (size_t n = 0; n < g.places; n++) {
        FRNG_ASSERT(right[n] == wrong[n], "%zu is %u away, not %u", n, right[n], wrong[n]);
    }
    return true;
}

/* matrix: matrices of up to 12 rows and 12 columns. Fails when of two numbers beside each other the
 * left one is larger, and of the two below them the right one. The first column is not looked at.
 *
 * Smallest: 2 rows and 3 columns, of which the first does not matter.
 *
 *     matrix              2 x 3: 0 0 -1, 0 0 1
 *         162b0000ff000001
 */
static bool matrix(frng *f) {
    int8_t cells[12][12];
    uint8_t rows, columns;
    FRNG_TRY(frng_u8_range(f, 1, 12, &rows) && frng_u8_range(f, 1, 12, &columns));
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) FRNG_TRY(frng_i8(f, &cells[i][j]));
    }
    for (size_t i = 1; i < rows; i++) {
        for (size_t j = 2; j < columns; j++) {
            const int8_t *above = &cells[i - 1][j], *here = &cells[i][j];
            FRNG_ASSERT(above[-1] <= above[0] || here[-1] >= here[0], "at %zu, %zu", i, j);
        }
    }
    return true;
}

/* messages: up to 100 messages in each of many sessions, of a kind, 4 bytes and a priority. Fails
 * when a message has the kind and the checksum of two before it, the sum of their bytes modulo 32,
 * but not their bytes, and all three have a priority of 10 or more: it is dropped.
 *
 * Smallest: no two messages are enough. Of three, the first two have the simplest bytes, and the
 * third has the simplest others with their checksum. Kinds and priorities are the least.
 *
 *     messages            0 00000000 10, 0 00000000 10, 0 00000020 10
 *         100000000000501000000000005010000000002050
 */
enum { MESSAGES_MAX = 100, PRIORITY = 10, LENGTH = 4 };

typedef struct message {
    uint8_t kind, priority;
    const uint8_t *bytes;
} message;

static unsigned checksum(const message *m) {
    return ((unsigned)m->bytes[0] + m->bytes[1] + m->bytes[2] + m->bytes[3]) % 32u;
}

/* True if two messages that are not alike are taken for one. */
static bool is_taken_for(const message *a, const message *b) {
    if (a->kind != b->kind || memcmp(a->bytes, b->bytes, LENGTH) == 0) return false;
    return a->priority >= PRIORITY && checksum(a) == checksum(b);
}

static bool messages(frng *f) {
    message all[MESSAGES_MAX];
    for (size_t count = 0;; count++) {
        bool more;
        unsigned others = 0;
        message *now = &all[count];
        FRNG_TRY(frng_more(f, count, 0, MESSAGES_MAX, &more));
        if (!more) return true;
        FRNG_TRY(frng_u8_max(f, 3, &now->kind) && frng_bytes(f, LENGTH, &now->bytes));
        FRNG_TRY(frng_u8_max(f, 31, &now->priority));
        for (size_t i = 0; i < count; i++) others += is_taken_for(&all[i], now);
        FRNG_ASSERT(others < 2 || now->priority < PRIORITY, "message %zu is dropped", count);
    }
}

/* orders: 1 to 10 products with prices, and orders of them in up to 6 lines each. Fails when an
 * order has one product in two lines, which cost 1000 or more together: the discount comes twice.
 *
 * Smallest: a price of 25, 20 pieces in each line.
 *
 *     orders              1 product of 25; 1 order by 0: 20 of 0, 20 of 0
 *         015f3f2200014a00f400f4
 */
enum { PRODUCTS_MAX = 10, LINES_MAX = 6 };

static bool order(frng *f, const uint16_t *prices, size_t products) {
    size_t product[LINES_MAX], customer;
    uint8_t pieces[LINES_MAX], count;
    FRNG_TRY(frng_pick(f, 5, &customer) && frng_u8_max(f, LINES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        FRNG_TRY(frng_pick(f, products, &product[i]) && frng_u8_range(f, 1, 20, &pieces[i]));
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            const int price = prices[product[i]];
            FRNG_ASSERT(product[i] != product[k] || price * (pieces[i] + pieces[k]) < 1000,
                        "product %zu", product[i]);
        }
    }
    return true;
}

static bool orders(frng *f) {
    uint16_t prices[PRODUCTS_MAX], count;
    uint8_t products;
    FRNG_TRY(frng_u8_range(f, 1, PRODUCTS_MAX, &products));
    for (size_t i = 0; i < products; i++) FRNG_TRY(frng_u16_max(f, 100, &prices[i]));
    FRNG_TRY(frng_u16_max(f, 2000, &count));
    for (; count > 0; count--) FRNG_TRY(order(f, prices, products));
    return true;
}

/* records: up to 2,000 records, each with a key of up to 8 letters and a value. Fails when two keys
 * of one length have the same letters in sum, but other values: then one is taken for the other.
 *
 * Smallest: keys ab and ba.
 *
 *     records             ab 0, ba 1
 *         43003a010b003a0b0101
 */
enum { RECORDS_MAX = 2000, LETTERS_MAX = 8 };

typedef struct record {
    uint8_t length, key[LETTERS_MAX], value;
    unsigned sum;
} record;

static bool draw_record(frng *f, record *r) {
    size_t letter;
    r->sum = 0;
    FRNG_TRY(frng_u8_max(f, LETTERS_MAX, &r->length));
    for (size_t i = 0; i < r->length; i++) {
        FRNG_TRY(frng_pick(f, 26, &letter));
        r->key[i] = (uint8_t)letter;
        r->sum += (unsigned)letter;
    }
    return frng_u8(f, &r->value);
}

static void check_records(const record *a, const record *b) {
    if (a->length != b->length || a->sum != b->sum || memcmp(a->key, b->key, a->length) == 0)
        return;
    FRNG_ASSERT(a->value == b->value, "%u is found, not %u", a->value, b->value);
}

static bool records(frng *f) {
    static record all[RECORDS_MAX];
    uint16_t count;
    FRNG_TRY(frng_u16_max(f, RECORDS_MAX, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(draw_record(f, &all[i]));
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) check_records(&all[k], &all[i]);
    }
    return true;
}

const challenge values[] = {
    {"dates", dates, REPEATS},       {"definitions", definitions, REPEATS},
    {"escapes", escapes, REPEATS},   {"expression", expression, REPEATS},
    {"floats", floats, REPEATS},     {"formats", formats, REPEATS},
    {"graph", graph, AS_IS},         {"matrix", matrix, REPEATS},
    {"messages", messages, REPEATS}, {"orders", orders, AS_IS},
    {"records", records, AS_IS},     {NULL, NULL, AS_IS},
};
