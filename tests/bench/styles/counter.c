/* counter: the same operation many times, which uniform draws never make.
 *
 * VARIANT 1: a stack of 40 that only `clear` empties; push or clear, a coin each.
 * VARIANT 2: 24 equal operations of 6 in a row, one byte each.
 * VARIANT 3: 16 retries without another operation between; an operation of 5 by frng_index, and a
 *            number of 32 bits with each.
 * VARIANT 4: a lease renewed 30 times; weights drawn for each run, a flag after each operation.
 * VARIANT 5: 48 more opening brackets than closing ones of 4 kinds, in a text of letters.
 * VARIANT 6: 20 writes in a row, the last of 4 operations, each of a short length below 64 of 256.
 * VARIANT 7: 12 grants in a row of 5 operations; each to a client whose number must be odd, and of
 *            a size in the lower half of 16 bits. */
#include <frng_main.h>

#if VARIANT == 1
static bool test(frng *f) {
    uint32_t items[40], depth = 0;
    for (;;) {
        bool is_push;
        FRNG_TRY(frng_bool(f, &is_push));
        if (!is_push) depth = 0;
        if (!is_push) continue;
        FRNG_ASSERT(depth < 40, "the stack overflows");
        items[depth] = depth;
        depth += items[depth] == depth;
    }
}
#elif VARIANT == 2
static bool test(frng *f) {
    uint8_t operation, before = 0;
    for (unsigned equal = 0;; before = operation) {
        FRNG_TRY(frng_u8_max(f, 5, &operation));
        equal = operation == before ? equal + 1 : 0;
        FRNG_ASSERT(equal < 24, "%d again", operation);
    }
}
#elif VARIANT == 3
enum { CONNECT, SEND, RECEIVE, CLOSE, RETRY, COUNT };

static bool test(frng *f) {
    unsigned retries = 0;
    for (;;) {
        size_t operation;
        uint32_t value;
        FRNG_TRY(frng_index(f, COUNT, &operation));
        FRNG_TRY(frng_u32(f, &value));
        retries = operation == RETRY ? retries + 1 : 0;
        FRNG_ASSERT(retries < 16, "gave up, value %u", value);
    }
}
#elif VARIANT == 4
enum { RENEW, RELEASE, STEAL, TICK, COUNT };

static bool test(frng *f) {
    uint32_t weights[COUNT];
    unsigned renewed = 0;
    FRNG_TRY(frng_swarm_weights(f, weights, COUNT));
    for (;;) {
        size_t operation;
        bool is_late;
        FRNG_TRY(frng_weighted(f, weights, COUNT, &operation));
        FRNG_TRY(frng_bool(f, &is_late));
        if (operation == RENEW) renewed++;
        if (operation == RELEASE || operation == STEAL) renewed = 0;
        FRNG_ASSERT(renewed < 30, "renewed %u times", renewed);
    }
}
#elif VARIANT == 6
static bool test(frng *f) {
    for (unsigned writes = 0;;) {
        uint8_t operation, length;
        FRNG_TRY(frng_u8_max(f, 3, &operation));
        FRNG_TRY(frng_u8(f, &length));
        writes = operation == 3 && length < 64 ? writes + 1 : 0;
        FRNG_ASSERT(writes < 20, "%u short writes", writes);
    }
}
#elif VARIANT == 7
static bool test(frng *f) {
    for (unsigned grants = 0;;) {
        uint8_t operation;
        uint32_t client;
        uint16_t size;
        FRNG_TRY(frng_u8_max(f, 4, &operation));
        FRNG_TRY(frng_u32(f, &client));
        FRNG_TRY(frng_u16(f, &size));
        grants = operation == 4 && client % 2 == 1 && size < 0x8000 ? grants + 1 : 0;
        FRNG_ASSERT(grants < 12, "%u grants", grants);
    }
}
#else
static bool test(frng *f) {
    static const char letters[] = "([{<)]}>abcdefgh";
    int depth = 0;
    for (int length = 0; length < 4096; length++) {
        uint8_t index;
        FRNG_TRY(frng_u8_max(f, 15, &index));
        const char letter = letters[index];
        if (strchr("([{<", letter) != NULL) depth++;
        if (strchr(")]}>", letter) != NULL && depth > 0) depth--;
        FRNG_ASSERT(depth < 48, "too deep");
    }
    return true;
}
#endif

FRNG_MAIN(test)
