/* rare.c: failures that uniform entropy seldom or never meets: edges, repetitions and equal draws.
 *
 *     rare NAME          a test by its name; or the program is linked under the name
 *
 * The targets of tests/transcripts/styles.t. There a site of this file is known by its line.
 * SPDX-License-Identifier: MIT */
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

static void drop(table *t, uint64_t key) {
    for (unsigned i = 0; i < t->count; i++) {
        if (t->keys[i] == key) t->keys[i] = t->keys[--t->count];
    }
}

/* A stack of 40 that only `clear` empties; push or clear, a coin each. */
static bool counter(frng *f) {
    for (unsigned depth = 0;;) {
        bool is_push;
        FRNG_TRY(frng_bool(f, &is_push));
        depth = is_push ? depth + 1 : 0;
        FRNG_ASSERT(depth <= 40, "the stack overflows");
    }
}

/* INT_MIN / -1 of two draws of 32 bits. */
static bool divide(frng *f) {
    int32_t a, b;
    FRNG_TRY(frng_i32(f, &a));
    FRNG_TRY(frng_i32(f, &b));
    FRNG_ASSERT(b == 0 || a != INT32_MIN || b != -1, "%d / %d", a, b);
    return true;
}

/* Two equal draws of 64 bits. */
static bool equal(frng *f) {
    uint64_t a, b;
    FRNG_TRY(frng_u64(f, &a));
    FRNG_TRY(frng_u64(f, &b));
    FRNG_ASSERT(a != b);
    return true;
}

/* The second put of a key of 64 bits loses its value: put, get, delete, by a byte. */
static bool keys(frng *f) {
    table live = {.count = 0};
    for (;;) {
        uint8_t operation;
        uint32_t value;
        uint64_t key;
        FRNG_TRY(frng_u8_max(f, 2, &operation));
        FRNG_TRY(frng_u64(f, &key));
        if (operation == 2) drop(&live, key);
        if (operation != 0) continue;
        FRNG_TRY(frng_u32(f, &value));
        FRNG_ASSERT(!has(&live, key), "the value is not %u", value);
        add(&live, key);
    }
}

/* A queue of 12 with all of its room used: each message has 1..100 bytes, and a byte of priority;
 * at 1,170 of 1,200 bytes. */
static bool limit(frng *f) {
    for (unsigned used = 0, count = 0;;) {
        uint8_t size, priority;
        FRNG_TRY(frng_u8_range(f, 1, 100, &size));
        FRNG_TRY(frng_u8(f, &priority));
        if (count == 12) used = count = 0;
        used += size;
        count++;
        FRNG_ASSERT(used < 1170, "%u bytes in %u messages, priority %d", used, count, priority);
    }
}

/* A transfer of at most 1000 to a balance wraps round; both balances are of 64 bits. */
static bool overflow(frng *f) {
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

static const struct {
    const char *name;
    frng_test test;
} tests[] = {{"counter", counter}, {"divide", divide}, {"equal", equal},
             {"keys", keys},       {"limit", limit},   {"overflow", overflow}};

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    const char *name = argc > 1 ? argv[1] : slash != NULL ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(tests[i].name, name) == 0) return frng_run(tests[i].test);
    }
    return 64;
}
