/* plain.c: programs that know nothing of frng and read numbers from stdin, by name: plain NAME, or
 * linked as plain-NAME. SPDX-License-Identifier: MIT */
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

/* Two equal numbers of 64 bits anywhere. */
static void equal(void) {
    uint64_t keys[256];
    for (size_t count = 0; count < 256 && get(&keys[count], 8); count++) {
        for (size_t i = 0; i < count; i++) {
            if (keys[i] == keys[count]) fail("!has(number)");
        }
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
    if (strcmp(name, "equal") == 0)
        equal();
    else if (strcmp(name, "limit") == 0)
        limit();
    else
        return 64;
    return 0;
}
