/* The predicates of cases.py that have to be fast: exit status 0, the file is interesting; 1, it is
 * not; 2, it cannot be read. One of them is compiled into a program of its own:
 *
 *     -DPREDICATE=subsequence   the bytes of MARK are in the file in this order, at any distance
 *     -DPREDICATE=records       a byte with the length and so many bytes, again and again to the
 *                               end of the file, and the sum of the latter is at least SUM
 *     -DNAME='"file"'           what is read where no argument names a file
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifndef MARK
#define MARK "frng"
#endif
#ifndef SUM
#define SUM 1
#endif

enum { BYTES_MAX = 1 << 20 };

typedef struct text {
    const unsigned char *at, *end;
} text;

/* ---- Sequences ---- */

bool subsequence(text t) {
    static const unsigned char mark[] = MARK;
    size_t have = 0;
    for (; t.at < t.end && have < sizeof mark - 1; t.at++) have += *t.at == mark[have];
    return have == sizeof mark - 1;
}

bool records(text t) {
    unsigned long sum = 0;
    while (t.at < t.end) {
        size_t length = *t.at++;
        if (length > (size_t)(t.end - t.at)) return false;
        for (; length > 0; length--) sum += *t.at++;
    }
    return sum >= SUM;
}

/* ---- The program ---- */

int main(int argc, char **argv) {
    static unsigned char bytes[BYTES_MAX + 1];
    FILE *file = fopen(argc > 1 ? argv[1] : NAME, "rb");
    if (!file) return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || size > BYTES_MAX) return 2;
    return PREDICATE((text){bytes, bytes + size}) ? 0 : 1;
}
