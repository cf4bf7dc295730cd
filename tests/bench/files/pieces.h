/* pieces.h: the reader of formats.c and nests.c: pieces of a file, such as its lines and tokens,
 * and a `main` that asks PREDICATE about the whole file. SPDX-License-Identifier: MIT */
#ifndef PIECES_H
#define PIECES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 20, ITEMS_MAX = 1 << 14, DEPTH_MAX = 64 };

/* A piece of the file. */
typedef struct piece {
    const char *at;
    size_t size;
} piece;

static inline bool same(piece a, piece b) {
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static inline bool is(piece a, const char *word) { return same(a, (piece){word, strlen(word)}); }

static inline bool is_in(char c, const char *signs) {
    return c != '\0' && strchr(signs, c) != NULL;
}

/* Cut off what comes before the first of the signs; the sign is *by, or 0 at the end. */
static inline piece cut(piece *rest, const char *signs, char *by) {
    piece got = {rest->at, 0};
    while (got.size < rest->size && !is_in(got.at[got.size], signs)) got.size++;
    const bool found = got.size < rest->size;
    *by = found ? got.at[got.size] : '\0';
    rest->at += got.size + found;
    rest->size -= got.size + found;
    return got;
}

static inline piece trim(piece p) {
    while (p.size > 0 && is_in(p.at[0], " \t\r\n")) p.at++, p.size--;
    while (p.size > 0 && is_in(p.at[p.size - 1], " \t\r\n")) p.size--;
    return p;
}

static inline bool is_word_sign(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next word, string in quotes or sign; blanks before it are skipped. Empty at the end. */
static inline piece token(piece *rest) {
    while (rest->size > 0 && is_in(*rest->at, " \t\r\n")) rest->at++, rest->size--;
    piece got = {rest->at, 0};
    if (rest->size > 0 && is_in(*rest->at, "'\"")) {
        for (got.size = 1; got.size < rest->size && got.at[got.size] != *got.at;) got.size++;
        got.size += got.size < rest->size;
    } else {
        while (got.size < rest->size && is_word_sign(got.at[got.size])) got.size++;
        if (got.size == 0) got.size = rest->size > 0;
    }
    rest->at += got.size;
    rest->size -= got.size;
    return got;
}

static piece items[ITEMS_MAX], others[ITEMS_MAX];

bool PREDICATE(piece file);

int main(int argc, char **argv) {
    static char bytes[BYTES_MAX + 1];
    FILE *file = fopen(argc > 1 ? argv[1] : NAME, "rb");
    if (!file) return 2;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || size > BYTES_MAX) return 2;
    return PREDICATE((piece){bytes, size}) ? 0 : 1;
}

#endif
