/* overflow: a sum of two draws that wraps round, where a check does not expect it.
 *
 * VARIANT 1: offset + length <= size, in 32 bits; the length is at most 64.
 * VARIANT 2: the sum of two signed ones is INT32_MAX + 1 exactly: the check is off by one.
 * VARIANT 3: a transfer of at most 1000 to a balance; both balances are of 64 bits.
 * VARIANT 4: the sum of two is 0, neither of them is; a byte before each.
 * VARIANT 5: (low + high + 1) / 2 in 32 bits, of an interval that is at most 16 wide.
 * VARIANT 6: count * width in 32 bits is 0, neither of them is.
 * VARIANT 7: a start of 64 bits and a length of 32 end beyond the last address; a kind before. */
#include <frng_main.h>

#if VARIANT == 1
static bool test(frng *f) {
    for (;;) {
        uint32_t offset, length;
        FRNG_TRY(frng_u32(f, &offset));
        FRNG_TRY(frng_u32_max(f, 64, &length));
        if (offset + length > 4096) continue;
        FRNG_ASSERT(offset <= 4096, "%u bytes at %u", length, offset);
    }
}
#elif VARIANT == 2
static bool test(frng *f) {
    int32_t a, b;
    FRNG_TRY(frng_i32_range(f, 0, INT32_MAX, &a));
    FRNG_TRY(frng_i32_range(f, 0, INT32_MAX, &b));
    const int64_t sum = (int64_t)a + b;
    const bool is_refused = sum > (int64_t)INT32_MAX + 1; /* should be sum > INT32_MAX */
    FRNG_ASSERT(is_refused || sum <= INT32_MAX, "%d and %d", a, b);
    return true;
}
#elif VARIANT == 3
static bool test(frng *f) {
    uint64_t balances[2];
    for (int i = 0; i < 2; i++) FRNG_TRY(frng_u64(f, &balances[i]));
    for (;;) {
        bool from;
        uint16_t amount;
        FRNG_TRY(frng_bool(f, &from));
        FRNG_TRY(frng_u16_max(f, 1000, &amount));
        if (balances[from] < amount) continue;
        balances[from] -= amount;
        FRNG_ASSERT(balances[!from] + amount >= amount, "the balance wraps round");
        balances[!from] += amount;
    }
}
#elif VARIANT == 4
static bool test(frng *f) {
    for (;;) {
        uint8_t tag;
        uint32_t a, b;
        FRNG_TRY(frng_u8(f, &tag));
        FRNG_TRY(frng_u32(f, &a));
        FRNG_TRY(frng_u8(f, &tag));
        FRNG_TRY(frng_u32(f, &b));
        FRNG_ASSERT(a == 0 || b == 0 || a + b != 0, "%u and %u, tag %d", a, b, tag);
    }
}
#elif VARIANT == 5
static bool test(frng *f) {
    uint32_t low, width;
    FRNG_TRY(frng_u32(f, &low));
    FRNG_TRY(frng_u32_max(f, 16, &width));
    if (low > UINT32_MAX - width) width = UINT32_MAX - low;
    if ((low >> 31) == 0) return true;
    const uint64_t sum = (uint64_t)low + low + width + 1;
    FRNG_ASSERT(sum < UINT64_C(0x1fffffff0), "the middle of %u and %u", low, low + width);
    return true;
}
#elif VARIANT == 7
static bool test(frng *f) {
    for (;;) {
        uint8_t kind;
        uint64_t start;
        uint32_t length;
        FRNG_TRY(frng_u8_max(f, 6, &kind));
        FRNG_TRY(frng_u64(f, &start));
        FRNG_TRY(frng_u32(f, &length));
        FRNG_ASSERT(kind != 2 || start + length >= start, "%u bytes", length);
    }
}
#else
static bool test(frng *f) {
    for (;;) {
        uint32_t count, width;
        FRNG_TRY(frng_u32(f, &count));
        FRNG_TRY(frng_u32(f, &width));
        FRNG_ASSERT(count == 0 || width == 0 || count * width != 0, "%u of %u", count, width);
    }
}
#endif

FRNG_MAIN(test)
