/* orders: 1 to 10 products with prices, and orders of them in up to 6 lines each. Fails when an
 * order has one product in two lines, which cost 1000 or more together: the discount comes twice.
 *
 * Smallest: a price of 25, 20 pieces in each line.
 *
 *     orders              1 product of 25; 1 order by 0: 20 of 0, 20 of 0
 *         015f3f2200014a00f400f4
 */
#include "challenge.h"

enum { PRODUCTS_MAX = 10, ORDERS_MAX = 2000, LINES_MAX = 6, PIECES_MAX = 20, LIMIT = 1000 };

typedef struct line {
    size_t product;
    uint8_t pieces;
} line;

static bool draw_order(frng *f, const uint16_t *prices, size_t products) {
    line lines[LINES_MAX];
    uint8_t count;
    size_t customer;
    FRNG_TRY(frng_pick(f, 5, &customer) && frng_u8_max(f, LINES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        line *l = &lines[i];
        FRNG_TRY(frng_pick(f, products, &l->product));
        FRNG_TRY(frng_u8_range(f, 1, PIECES_MAX, &l->pieces));
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            const line *a = &lines[k], *b = &lines[i];
            const bool is_twice = a->product == b->product;
            FRNG_ASSERT(!is_twice || prices[a->product] * (a->pieces + b->pieces) < LIMIT,
                        "product %zu", a->product);
        }
    }
    return true;
}

static bool test(frng *f) {
    uint16_t prices[PRODUCTS_MAX], orders;
    uint8_t products;
    FRNG_TRY(frng_u8_range(f, 1, PRODUCTS_MAX, &products));
    for (size_t i = 0; i < products; i++) FRNG_TRY(frng_u16_max(f, 100, &prices[i]));
    FRNG_TRY(frng_u16_max(f, ORDERS_MAX, &orders));
    for (; orders > 0; orders--) FRNG_TRY(draw_order(f, prices, products));
    return true;
}
