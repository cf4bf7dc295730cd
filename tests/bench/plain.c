/* plain.c: programs that know nothing of frng and read numbers from stdin, by name: plain NAME, or
 * linked as plain-NAME. SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MAX = 256 };

static uint64_t keys[KEYS_MAX];
static unsigned key_count;

static bool get(void *to, size_t size) { return fread(to, size, 1, stdin) == 1; }

static void fail(const char *what) {
    fprintf(stderr, "assertion failed: %s\n", what);
    abort();
}

static bool has(uint64_t key) {
    for (unsigned i = 0; i < key_count; i++) {
        if (keys[i] == key) return true;
    }
    return false;
}

static void add(uint64_t key) {
    if (key_count < KEYS_MAX) keys[key_count++] = key;
}

/* 40 pushes in a row of bytes below 128, pops are the others. */
static void counter(void) {
    int depth = 0;
    for (uint8_t byte; get(&byte, 1);) {
        depth = byte < 128 ? depth + 1 : 0;
        if (depth == 40) fail("depth < 40");
    }
}

/* Two equal numbers of 64 bits anywhere. */
static void equal(void) {
    for (uint64_t number; get(&number, 8); add(number)) {
        if (has(number)) fail("!has(number)");
    }
}

/* A delete of a key that was put: a byte and a key. */
static void deleted(void) {
    for (uint8_t operation; get(&operation, 1);) {
        uint64_t key;
        if (!get(&key, 8)) return;
        if (operation % 3 == 0) add(key);
        if (operation % 3 == 1 && has(key)) fail("deleted");
    }
}

/* 12 messages of up to 1000 bytes, 11,800 in all. */
static void limit(void) {
    unsigned sum = 0;
    uint16_t size;
    for (int i = 0; i < 12; i++) {
        if (!get(&size, 2)) return;
        sum += (unsigned)((uint32_t)size * 1001 >> 16);
    }
    if (sum >= 11800) fail("sum < 11800");
}

int main(int argc, char **argv) {
    const char *dash = strrchr(argv[0], '-');
    const char *name = argc > 1 ? argv[1] : dash != NULL ? dash + 1 : "";
    if (strcmp(name, "counter") == 0)
        counter();
    else if (strcmp(name, "equal") == 0)
        equal();
    else if (strcmp(name, "keys") == 0)
        deleted();
    else if (strcmp(name, "limit") == 0)
        limit();
    else
        return 64;
    return 0;
}
