/* equal: two equal draws of a wide type.
 *
 * VARIANT 1: two draws of 64 bits.
 * VARIANT 2: a list of up to 16, "more?" before each.
 * VARIANT 3: records of an identity of 64 bits, a kind and flags: 11 bytes each.
 * VARIANT 4: three draws of 32 bits in a range, the first and the last equal.
 * VARIANT 5: identities of 128 bits of two halves; a number of 16 bits between them.
 * VARIANT 6: two signed ones of 64 bits that differ by one.
 * VARIANT 7: two names of 8 bytes, 3 bytes between them, among up to 16. */
#include <frng_main.h>

enum { ITEMS_MAX = 16 };

#if VARIANT == 1
static bool test(frng *f) {
    uint64_t a, b;
    FRNG_TRY(frng_u64(f, &a));
    FRNG_TRY(frng_u64(f, &b));
    FRNG_ASSERT(a != b);
    return true;
}
#elif VARIANT == 2
static bool test(frng *f) {
    uint64_t items[ITEMS_MAX];
    for (int count = 0; count < ITEMS_MAX; count++) {
        bool more;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_u64(f, &items[count]));
        for (int i = 0; i < count; i++) FRNG_ASSERT(items[i] != items[count]);
    }
    return true;
}
#elif VARIANT == 3
static bool test(frng *f) {
    uint64_t items[ITEMS_MAX];
    uint8_t kind;
    uint16_t flags;
    for (int count = 0; count < ITEMS_MAX; count++) {
        FRNG_TRY(frng_u8_max(f, 9, &kind));
        FRNG_TRY(frng_u64(f, &items[count]));
        FRNG_TRY(frng_u16(f, &flags));
        for (int i = 0; i < count; i++) FRNG_ASSERT(items[i] != items[count], "%d %d", kind, flags);
    }
    return true;
}
#elif VARIANT == 4
static bool test(frng *f) {
    int32_t a, b, c;
    FRNG_TRY(frng_i32_range(f, 1, 1999999999, &a));
    FRNG_TRY(frng_i32_range(f, 1, 1999999999, &b));
    FRNG_TRY(frng_i32_range(f, 1, 1999999999, &c));
    FRNG_ASSERT(a != c || a == b);
    return true;
}
#elif VARIANT == 5
static bool test(frng *f) {
    uint64_t high[ITEMS_MAX], low[ITEMS_MAX];
    uint16_t node;
    for (int count = 0; count < ITEMS_MAX; count++) {
        FRNG_TRY(frng_u64(f, &high[count]));
        FRNG_TRY(frng_u16(f, &node));
        FRNG_TRY(frng_u64(f, &low[count]));
        for (int i = 0; i < count; i++) {
            FRNG_ASSERT(high[i] != high[count] || low[i] != low[count], "node %d", node);
        }
    }
    return true;
}
#elif VARIANT == 7
static bool test(frng *f) {
    const uint8_t *names[ITEMS_MAX], *rest;
    for (int count = 0; count < ITEMS_MAX; count++) {
        FRNG_TRY(frng_bytes(f, 8, &names[count]));
        FRNG_TRY(frng_bytes(f, 3, &rest));
        for (int i = 0; i < count; i++) FRNG_ASSERT(memcmp(names[i], names[count], 8) != 0);
    }
    return true;
}
#else
static bool test(frng *f) {
    int64_t a, b;
    FRNG_TRY(frng_i64(f, &a));
    FRNG_TRY(frng_i64(f, &b));
    FRNG_ASSERT((uint64_t)a - (uint64_t)b != 1);
    return true;
}
#endif

FRNG_MAIN(test)
