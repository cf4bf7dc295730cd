/* The predicates of hard.py: cheap ones, for files of some MiB. Exit status 0: interesting; 1: not;
 * 2: unreadable. The file is the first argument, NAME where there is none.
 *
 *     -DHAS='"a\0b\0"'   these words are in the file, in this order
 *     -DNEST='"{}"'      and these brackets are nested well
 *     -DTAGS=1           and so are the tags
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NEST
#define NEST ""
#endif
#ifndef TAGS
#define TAGS 0
#endif

enum { BYTES_MAX = 1 << 23, DEPTH_MAX = 1 << 16 };

static char bytes[BYTES_MAX + 1];

static bool has(const char *at, const char *end) {
    static const char words[] = HAS;
    for (const char *word = words; *word != '\0'; word += strlen(word) + 1) {
        at = memmem(at, (size_t)(end - at), word, strlen(word));
        if (at == NULL) return false;
        at += strlen(word);
    }
    return true;
}

static bool nests(const char *at, const char *end) {
    static const char signs[] = NEST;
    static char stack[DEPTH_MAX];
    size_t depth = 0;
    for (; at < end && sizeof signs > 1; at++) {
        const char *sign = memchr(signs, *at, sizeof signs - 1);
        if (sign == NULL) continue;
        if ((sign - signs) % 2 == 0) {
            if (depth == DEPTH_MAX) return false;
            stack[depth++] = sign[1];
        } else if (depth == 0 || stack[--depth] != *at) {
            return false;
        }
    }
    return depth == 0;
}

static bool tags(const char *at, const char *end) {
    static const char *stack[DEPTH_MAX];
    static size_t sizes[DEPTH_MAX];
    size_t depth = 0;
    while (TAGS && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        const bool closes = at[1] == '/';
        const char *name = at + 1 + closes, *last = memchr(name, '>', (size_t)(end - name));
        if (last == NULL || last == name || depth == DEPTH_MAX) return false;
        const size_t size = (size_t)(last - name);
        at = last;
        if (!closes) {
            stack[depth] = name;
            sizes[depth++] = size;
        } else if (depth-- == 0 || sizes[depth] != size || memcmp(stack[depth], name, size) != 0) {
            return false;
        }
    }
    return depth == 0;
}

int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : NAME, "rb");
    if (file == NULL) return 2;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || size > BYTES_MAX) return 2;
    bytes[size] = '\0';
    const char *end = bytes + size;
    return has(bytes, end) && nests(bytes, end) && tags(bytes, end) ? 0 : 1;
}
