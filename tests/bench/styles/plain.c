/* plain: programs that know nothing of frng and read numbers from stdin. The argument of the
 * compiler, -DPLAIN_name, picks one; plain.py has the same ones in Python. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool get(void *to, size_t size) { return fread(to, size, 1, stdin) == 1; }

static void fail(const char *what) {
    fprintf(stderr, "assertion failed: %s\n", what);
    abort();
}

enum { KEYS_MAX = 256 };

#if defined(PLAIN_KEYS) || defined(PLAIN_RECORDS) || defined(PLAIN_EQUAL)
typedef struct set {
    uint64_t keys[KEYS_MAX];
    unsigned count;
} set;

static bool has(const set *s, uint64_t key) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->keys[i] == key) return true;
    }
    return false;
}

static void add(set *s, uint64_t key) {
    if (s->count < KEYS_MAX) s->keys[s->count++] = key;
}
#endif

#if defined(PLAIN_COUNTER) /* 40 pushes in a row of bytes below 128, pops are the others */
static void test(void) {
    int depth = 0;
    for (uint8_t byte; get(&byte, 1);) {
        depth = byte < 128 ? depth + 1 : 0;
        if (depth == 40) fail("depth < 40");
    }
}
#elif defined(PLAIN_RETRIES) /* 20 times operation 3 of 4, in the low bits of 32; a payload of 4 */
static void test(void) {
    struct {
        uint32_t operation, payload;
    } m;
    int retries = 0;
    while (get(&m, sizeof m)) {
        retries = m.operation % 4 == 3 ? retries + 1 : 0;
        if (retries == 20) fail("retries < 20");
    }
}
#elif defined(PLAIN_EQUAL)   /* two equal numbers of 64 bits anywhere */
static void test(void) {
    set seen = {.count = 0};
    for (uint64_t number; get(&number, 8); add(&seen, number)) {
        if (has(&seen, number)) fail("!has(number)");
    }
}
#elif defined(PLAIN_PAIR)    /* a header of 3 bytes, then two numbers of 64 bits that are equal */
static void test(void) {
    uint8_t head[3];
    uint64_t a, b;
    if (!get(head, sizeof head) || !get(&a, 8) || !get(&b, 8)) return;
    if (a == b) fail("a != b");
}
#elif defined(PLAIN_DIVIDE)  /* INT_MIN / -1 of the first two */
static void test(void) {
    int32_t a, b;
    if (!get(&a, 4) || !get(&b, 4) || b == 0) return;
    if (a == INT32_MIN && b == -1) fail("the quotient fits");
}
#elif defined(PLAIN_REMAINDER) /* operations of a byte on two numbers of 64 bits; 2 of 4 divide */
static void test(void) {
    for (uint8_t operation; get(&operation, 1);) {
        int64_t a, b;
        if (!get(&a, 8) || !get(&b, 8)) return;
        if (operation % 4 < 2 && a == INT64_MIN && b == -1) fail("the remainder exists");
    }
}
#elif defined(PLAIN_BOUNDS)    /* offset + length wraps round */
static void test(void) {
    uint32_t offset;
    uint16_t length;
    while (get(&offset, 4) && get(&length, 2)) {
        length %= 256;
        if ((uint32_t)(offset + length) <= 4096 && offset > 4096) fail("offset <= 4096");
    }
}
#elif defined(PLAIN_WRAPS)     /* a + b is 0, and neither is */
static void test(void) {
    uint32_t a, b;
    while (get(&a, 4) && get(&b, 4)) {
        if (a != 0 && b != 0 && (uint32_t)(a + b) == 0) fail("a + b > 0");
    }
}
#elif defined(PLAIN_KEYS)      /* a delete of a key that was put: a byte and a key */
static void test(void) {
    set keys = {.count = 0};
    for (uint8_t operation; get(&operation, 1);) {
        uint64_t key;
        if (!get(&key, 8)) return;
        if (operation % 3 == 0) add(&keys, key);
        if (operation % 3 == 1 && has(&keys, key)) fail("deleted");
    }
}
#elif defined(PLAIN_RECORDS)   /* a second put of a key: operation, key and value of 64 bits each */
static void test(void) {
    struct {
        uint64_t operation, key, value;
    } r;
    set keys = {.count = 0};
    while (get(&r, sizeof r)) {
        if (r.operation % 4 != 0) continue;
        if (has(&keys, r.key)) fail("one put of a key");
        add(&keys, r.key);
    }
}
#elif defined(PLAIN_LIMIT)     /* 12 messages of up to 1000 bytes, 11,800 in all */
static void test(void) {
    unsigned sum = 0;
    uint16_t size;
    for (int i = 0; i < 12; i++) {
        if (!get(&size, 2)) return;
        sum += (unsigned)((uint32_t)size * 1001 >> 16);
    }
    if (sum >= 11800) fail("sum < 11800");
}
#elif defined(PLAIN_BUCKET) /* takes of 32 bits from a bucket of 2^32 that leave exactly nothing */
static void test(void) {
    uint64_t tokens = UINT64_C(1) << 32;
    for (uint32_t amount; get(&amount, 4);) {
        if (amount <= tokens) tokens -= amount;
        if (tokens == 0) fail("tokens > 0");
        if (tokens < 4096) tokens = UINT64_C(1) << 32;
    }
}
#endif

int main(void) {
    test();
    return 0;
}
