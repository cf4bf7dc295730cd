/* keys: an operation on a key of 64 bits that an earlier one put.
 *
 * VARIANT 1: the second put of a key loses its value: put, get, delete, by a byte.
 * VARIANT 2: a delete after a put leaves the count as it was; values of 64 bits: 17 bytes.
 * VARIANT 3: put, delete, put again; the operation by frng_index, then key, then a byte.
 * VARIANT 4: a rename to the name of another: two keys in one operation; the operation is weighted.
 * VARIANT 5: a get of a key put before, whose value has 1 to 8 bytes of any length.
 * VARIANT 6: a key of two halves, put, deleted and got; a number of 16 bits with each operation. */
#include <frng_main.h>

enum { KEYS_MAX = 64 };

typedef struct table {
    uint64_t keys[KEYS_MAX];
    unsigned count;
} table;

static bool has(const table *t, uint64_t key) {
    for (unsigned i = 0; i < t->count; i++) {
        if (t->keys[i] == key) return true;
    }
    return false;
}

static void add(table *t, uint64_t key) {
    if (t->count < KEYS_MAX) t->keys[t->count++] = key;
}

#if VARIANT == 1 || VARIANT == 3 || VARIANT == 6
static void drop(table *t, uint64_t key) {
    for (unsigned i = 0; i < t->count; i++) {
        if (t->keys[i] == key) t->keys[i] = t->keys[--t->count];
    }
}
#endif

#if VARIANT == 1
static bool step(frng *f, table *t, table *dead) {
    uint8_t operation;
    uint32_t value;
    uint64_t key;
    (void)dead;
    FRNG_TRY(frng_u8_max(f, 2, &operation));
    FRNG_TRY(frng_u64(f, &key));
    if (operation == 0) {
        FRNG_TRY(frng_u32(f, &value));
        FRNG_ASSERT(!has(t, key), "the value is not %u", value);
        add(t, key);
    } else if (operation == 2) {
        drop(t, key);
    }
    return true;
}
#elif VARIANT == 2
static bool step(frng *f, table *t, table *dead) {
    uint8_t operation;
    uint64_t key, value;
    (void)dead;
    FRNG_TRY(frng_u8_max(f, 3, &operation));
    FRNG_TRY(frng_u64(f, &key));
    FRNG_TRY(frng_u64(f, &value));
    if (operation == 0) add(t, key);
    FRNG_ASSERT(operation != 3 || !has(t, key), "the count is %u", t->count);
    return true;
}
#elif VARIANT == 3
static bool step(frng *f, table *t, table *dead) {
    size_t operation;
    uint64_t key;
    uint8_t value;
    FRNG_TRY(frng_index(f, 3, &operation));
    FRNG_TRY(frng_u64(f, &key));
    FRNG_TRY(frng_u8(f, &value));
    if (operation == 0) {
        FRNG_ASSERT(!has(dead, key), "%d comes back from the dead", value);
        add(t, key);
    } else if (operation == 1 && has(t, key)) {
        drop(t, key);
        add(dead, key);
    }
    return true;
}
#elif VARIANT == 4
static bool step(frng *f, table *t, table *dead) {
    static const uint32_t weights[] = {5, 3, 1, 1};
    size_t operation;
    uint64_t from, to;
    (void)dead;
    FRNG_TRY(frng_weighted(f, weights, 4, &operation));
    FRNG_TRY(frng_u64(f, &from));
    if (operation == 0) add(t, from);
    if (operation != 1) return true;
    FRNG_TRY(frng_u64(f, &to));
    FRNG_ASSERT(from == to || !has(t, to), "the other is lost");
    return true;
}
#elif VARIANT == 6
static bool step(frng *f, table *t, table *dead) {
    uint8_t operation;
    uint16_t flags;
    uint32_t high, low;
    FRNG_TRY(frng_u8_max(f, 2, &operation));
    FRNG_TRY(frng_u16(f, &flags));
    FRNG_TRY(frng_u32(f, &high));
    FRNG_TRY(frng_u32(f, &low));
    const uint64_t key = (uint64_t)high << 32 | low;
    FRNG_ASSERT(operation != 2 || !has(dead, key), "%u: got a key that was deleted", flags);
    if (operation == 0) add(t, key);
    if (operation != 1 || !has(t, key)) return true;
    drop(t, key);
    add(dead, key);
    return true;
}
#else
static bool step(frng *f, table *t, table *dead) {
    bool is_put;
    uint64_t key;
    uint8_t size;
    const uint8_t *value;
    (void)dead;
    FRNG_TRY(frng_bool(f, &is_put));
    FRNG_TRY(frng_u64(f, &key));
    FRNG_ASSERT(is_put || !has(t, key), "got nothing");
    if (!is_put) return true;
    FRNG_TRY(frng_u8_range(f, 1, 8, &size));
    FRNG_TRY(frng_bytes(f, size, &value));
    add(t, key);
    return true;
}
#endif

static bool test(frng *f) {
    table live = {.count = 0}, dead = {.count = 0};
    for (;;) FRNG_TRY(step(f, &live, &dead));
}

FRNG_MAIN(test)
