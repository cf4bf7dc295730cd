/* limit: values that add up to a limit, all of it and no more.
 *
 * VARIANT 1: 16 amounts of 0..1000 add up to 15,500.
 * VARIANT 2: shares of 32 bits that add up to UINT32_MAX exactly.
 * VARIANT 3: a queue of 12 with all of its room used: each message has 1..100 bytes, and a byte of
 *            priority; at 1,170 of 1,200 bytes.
 * VARIANT 4: a bucket of tokens that is exactly empty: takes of 32 bits from 2^32 tokens; a coin
 *            for each.
 * VARIANT 5: ten numbers of 64 bits, scaled to 0..999,999, with an average below 20,000. */
#include <frng_main.h>

#if VARIANT == 1
static bool test(frng *f) {
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) {
        uint16_t amount;
        FRNG_TRY(frng_u16_max(f, 1000, &amount));
        sum += amount;
    }
    FRNG_ASSERT(sum < 15500, "%u", sum);
    return true;
}
#elif VARIANT == 2
static bool test(frng *f) {
    uint64_t sum = 0;
    for (int i = 0; sum < UINT32_MAX && i < 64; i++) {
        uint32_t share;
        FRNG_TRY(frng_u32(f, &share));
        if (share == UINT32_MAX) return true;
        sum += share;
        FRNG_ASSERT(sum != UINT32_MAX, "after %d shares", i);
    }
    return true;
}
#elif VARIANT == 3
static bool test(frng *f) {
    unsigned used = 0, count = 0;
    for (;;) {
        uint8_t size, priority;
        FRNG_TRY(frng_u8_range(f, 1, 100, &size));
        FRNG_TRY(frng_u8_max(f, 3, &priority));
        if (count == 12) used = count = 0;
        used += size;
        count++;
        FRNG_ASSERT(used < 1170, "%u bytes in %u messages, priority %d", used, count, priority);
    }
}
#elif VARIANT == 4
static bool test(frng *f) {
    uint64_t tokens = UINT64_C(1) << 32;
    for (;;) {
        bool is_take;
        uint32_t amount;
        FRNG_TRY(frng_bool(f, &is_take));
        FRNG_TRY(frng_u32(f, &amount));
        if (is_take && amount > tokens) continue;
        tokens = is_take ? tokens - amount : UINT64_C(1) << 32;
        FRNG_ASSERT(tokens > 0, "the bucket is empty");
    }
}
#else
static bool test(frng *f) {
    uint64_t sum = 0;
    for (int i = 0; i < 10; i++) {
        uint64_t number;
        FRNG_TRY(frng_u64_max(f, 999999, &number));
        sum += number;
    }
    FRNG_ASSERT(sum >= 200000, "%llu", (unsigned long long)sum);
    return true;
}
#endif

FRNG_MAIN(test)
