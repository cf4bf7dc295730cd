/* divide: the quotient that does not fit, INT_MIN / -1.
 *
 * VARIANT 1: two draws of 32 bits.
 * VARIANT 2: a stack machine of 64 bits with 6 operations.
 * VARIANT 3: an operation of 4, two numbers of 32 bits, and a byte of flags; remainders only.
 * VARIANT 4: 16 bits, the bounds of the type by frng_i16_range; the second after a list of names.
 * VARIANT 5: -INT64_MIN, as the absolute value of a difference from a middle.
 * VARIANT 6: an operation of 5, a number of 32 bits, one of 16 and another of 32, once.
 * VARIANT 7: an operation of 4 and two numbers of 32 bits, once. */
#include <frng_main.h>

#if VARIANT == 1
static bool test(frng *f) {
    int32_t a, b;
    FRNG_TRY(frng_i32(f, &a));
    FRNG_TRY(frng_i32(f, &b));
    if (b == 0) return true;
    FRNG_ASSERT(a != INT32_MIN || b != -1, "%d / %d", a, b);
    return true;
}
#elif VARIANT == 2
typedef struct machine {
    int64_t stack[16];
    unsigned depth;
} machine;

enum { PUSH, ADD, NEGATE, DIVIDE, SWAP, DROP };

static int64_t apply(uint8_t operation, int64_t a, int64_t b) {
    if (operation == ADD) return (int64_t)((uint64_t)a + (uint64_t)b);
    if (b == 0) return 0;
    FRNG_ASSERT(a != INT64_MIN || b != -1, "the quotient does not fit");
    return a / b;
}

static bool step(frng *f, machine *m) {
    uint8_t operation;
    FRNG_TRY(frng_u8_max(f, DROP, &operation));
    if (operation == PUSH && m->depth < 16) {
        FRNG_TRY(frng_i64(f, &m->stack[m->depth]));
        m->depth++;
    } else if (operation == NEGATE && m->depth > 0) {
        m->stack[m->depth - 1] = (int64_t)(0 - (uint64_t)m->stack[m->depth - 1]);
    } else if ((operation == ADD || operation == DIVIDE) && m->depth > 1) {
        m->depth--;
        m->stack[m->depth - 1] = apply(operation, m->stack[m->depth - 1], m->stack[m->depth]);
    } else if (operation == SWAP && m->depth > 1) {
        const int64_t top = m->stack[m->depth - 1];
        m->stack[m->depth - 1] = m->stack[m->depth - 2];
        m->stack[m->depth - 2] = top;
    } else if (operation == DROP && m->depth > 0) {
        m->depth--;
    }
    return true;
}

static bool test(frng *f) {
    machine m = {.depth = 0};
    for (;;) FRNG_TRY(step(f, &m));
}
#elif VARIANT == 3
static bool test(frng *f) {
    for (;;) {
        uint8_t operation, flags;
        int32_t a, b;
        FRNG_TRY(frng_u8_max(f, 3, &operation));
        FRNG_TRY(frng_i32(f, &a));
        FRNG_TRY(frng_i32(f, &b));
        FRNG_TRY(frng_u8(f, &flags));
        if (operation != 3 || b == 0) continue;
        FRNG_ASSERT(a != INT32_MIN || b != -1, "%d %% %d, flags %d", a, b, flags);
    }
}
#elif VARIANT == 4
static bool test(frng *f) {
    int16_t scale, value;
    uint8_t count, letter;
    FRNG_TRY(frng_i16_range(f, INT16_MIN, INT16_MAX, &value));
    FRNG_TRY(frng_u8_max(f, 4, &count));
    for (int i = 0; i < count; i++) FRNG_TRY(frng_u8_range(f, 'a', 'z', &letter));
    FRNG_TRY(frng_i16_range(f, INT16_MIN, INT16_MAX, &scale));
    FRNG_ASSERT(value != INT16_MIN || scale != -1);
    return true;
}
#elif VARIANT == 6
static bool test(frng *f) {
    uint8_t operation;
    uint16_t precision;
    int32_t a, b;
    FRNG_TRY(frng_u8_max(f, 4, &operation));
    FRNG_TRY(frng_i32(f, &a));
    FRNG_TRY(frng_u16(f, &precision));
    FRNG_TRY(frng_i32(f, &b));
    FRNG_ASSERT(operation < 3 || a != INT32_MIN || b != -1, "%u digits", precision);
    return true;
}
#elif VARIANT == 7
static bool test(frng *f) {
    uint8_t operation;
    int32_t a, b;
    FRNG_TRY(frng_u8_max(f, 3, &operation));
    FRNG_TRY(frng_i32(f, &a));
    FRNG_TRY(frng_i32(f, &b));
    FRNG_ASSERT(operation != 2 || a != INT32_MIN || b != -1, "%d / %d", a, b);
    return true;
}
#else
static bool test(frng *f) {
    int64_t middle, value;
    FRNG_TRY(frng_i64_range(f, -1000, 1000, &middle));
    for (;;) {
        FRNG_TRY(frng_i64(f, &value));
        const int64_t apart = (int64_t)((uint64_t)value - (uint64_t)middle);
        FRNG_ASSERT(apart != INT64_MIN, "%lld from %lld", (long long)value, (long long)middle);
    }
}
#endif

FRNG_MAIN(test)
