/* definitions: modules of 1 to 12 types, each defined by earlier ones: a scalar, an array, a pair
 * or a pointer. Fails when the layout of a module's last type is wrong, for the alignment of an
 * array is taken from the size of all of it.
 *
 * Smallest: a scalar of 1 byte, an array of two, and a pair of both.
 *
 *     definitions         3: scalar 1, array 0 x 2, pair 0 1
 *         2b01400020800080
 */
#include "challenge.h"

enum { TYPES_MAX = 12, LENGTH_MAX = 8, WORD = 8 };

typedef enum kind { SCALAR, ARRAY, PAIR, POINTER, KINDS } kind;

typedef struct layout {
    unsigned size, align;
} layout;

typedef struct type {
    layout right, wrong;
} type;

static unsigned round_up(unsigned size, unsigned align) {
    return (size + align - 1) / align * align;
}

static layout scalar_of(unsigned size) { return (layout){size, size}; }

static layout pair_of(layout a, layout b) {
    const unsigned align = a.align > b.align ? a.align : b.align;
    return (layout){round_up(round_up(a.size, b.align) + b.size, align), align};
}

static layout array_of(layout item, unsigned length, bool is_wrong) {
    layout l = {item.size * length, item.align};
    if (!is_wrong) return l;
    for (l.align = WORD; l.size % l.align != 0;) l.align /= 2;
    return l;
}

static bool define(frng *f, type *types, size_t count) {
    type *t = &types[count];
    uint8_t drawn = SCALAR, number;
    size_t a, b;
    if (count > 0) FRNG_TRY(frng_u8_max(f, KINDS - 1, &drawn));
    switch ((kind)drawn) {
    case SCALAR:
        FRNG_TRY(frng_u8_max(f, 2, &number));
        t->right = t->wrong = scalar_of(1u << number);
        return true;
    case ARRAY:
        FRNG_TRY(frng_pick(f, count, &a) && frng_u8_range(f, 1, LENGTH_MAX, &number));
        t->right = array_of(types[a].right, number, false);
        t->wrong = array_of(types[a].wrong, number, true);
        return true;
    case PAIR:
        FRNG_TRY(frng_pick(f, count, &a) && frng_pick(f, count, &b));
        t->right = pair_of(types[a].right, types[b].right);
        t->wrong = pair_of(types[a].wrong, types[b].wrong);
        return true;
    case POINTER:
    case KINDS: break;
    }
    FRNG_TRY(frng_pick(f, count, &a));
    t->right = t->wrong = scalar_of(WORD);
    return true;
}

static bool module(frng *f) {
    type types[TYPES_MAX];
    uint8_t count;
    FRNG_TRY(frng_u8_range(f, 1, TYPES_MAX, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(define(f, types, i));
    const type *last = &types[count - 1];
    FRNG_ASSERT(last->right.size == last->wrong.size, "%u bytes, not %u", last->wrong.size,
                last->right.size);
    return true;
}

TEST_AGAIN(module)
