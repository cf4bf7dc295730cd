/* The predicates of cases.py that have to be fast: exit status 0, the file is interesting; 1, it is
 * not; 2, it cannot be read. One of them is compiled into a program of its own:
 *
 *     -DPREDICATE=subsequence   the bytes of MARK are in the file in this order, at any distance
 *     -DPREDICATE=records       a byte with the length and so many bytes, again and again to the
 *                               end of the file, and the sum of the latter is at least SUM
 *     -DPREDICATE=json          one JSON text (UTF-8 is not checked), but an object has two members
 *                               of the same name; anything else that is wrong is not interesting
 *     -DNAME='"file"'           what is read where no argument names a file
 *     -DSLEEP_MS=, -DBURN_MS=   asleep, or at work, so long before the verdict
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef MARK
#define MARK "frng"
#endif
#ifndef SUM
#define SUM 1
#endif
#ifndef SLEEP_MS
#define SLEEP_MS 0
#endif
#ifndef BURN_MS
#define BURN_MS 0
#endif

enum { BYTES_MAX = 1 << 20, DEPTH_MAX = 200, NAMES_MAX = 1 << 16 };

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

/* ---- JSON ---- */

typedef struct name {
    const unsigned char *at;
    size_t length;
} name;

/* The names of all objects that the parser is in, the innermost one's last. */
static name names[NAMES_MAX];
static size_t name_count;
static bool repeated;

static bool value(text *t, unsigned depth);

static void space(text *t) {
    while (t->at < t->end && *t->at && strchr(" \t\r\n", *t->at)) t->at++;
}

static bool accept(text *t, char c) {
    bool yes = t->at < t->end && *t->at == (unsigned char)c;
    t->at += yes;
    return yes;
}

static bool word(text *t, const char *w) {
    while (*w && accept(t, *w)) w++;
    return !*w;
}

static bool digits(text *t) {
    const unsigned char *start = t->at;
    while (t->at < t->end && *t->at >= '0' && *t->at <= '9') t->at++;
    return t->at > start;
}

static bool number(text *t) {
    accept(t, '-');
    if (!accept(t, '0') && !digits(t)) return false;
    if (accept(t, '.') && !digits(t)) return false;
    if (!accept(t, 'e') && !accept(t, 'E')) return true;
    if (!accept(t, '+')) accept(t, '-');
    return digits(t);
}

static bool escape(text *t) {
    if (t->at == t->end || !*t->at) return false;
    unsigned char c = *t->at++;
    if (c != 'u') return strchr("\"\\/bfnrt", c);
    for (int i = 0; i < 4; i++, t->at++) {
        if (t->at == t->end || !*t->at || !strchr("0123456789abcdefABCDEF", *t->at)) return false;
    }
    return true;
}

static bool string(text *t) {
    if (!accept(t, '"')) return false;
    while (t->at < t->end && *t->at >= ' ') {
        unsigned char c = *t->at++;
        if (c == '"') return true;
        if (c == '\\' && !escape(t)) return false;
    }
    return false;
}

static bool add_name(size_t first, name n) {
    for (size_t i = first; i < name_count; i++) {
        repeated |= names[i].length == n.length && memcmp(names[i].at, n.at, n.length) == 0;
    }
    if (name_count == NAMES_MAX) return false;
    names[name_count++] = n;
    return true;
}

static bool member(text *t, unsigned depth, size_t first) {
    space(t);
    const unsigned char *start = t->at;
    if (!string(t) || !add_name(first, (name){start, (size_t)(t->at - start)})) return false;
    space(t);
    return accept(t, ':') && value(t, depth);
}

static bool object(text *t, unsigned depth) {
    const size_t first = name_count;
    space(t);
    if (accept(t, '}')) return true;
    do {
        if (!member(t, depth, first)) return false;
    } while (accept(t, ','));
    name_count = first;
    return accept(t, '}');
}

static bool array(text *t, unsigned depth) {
    space(t);
    if (accept(t, ']')) return true;
    do {
        if (!value(t, depth)) return false;
    } while (accept(t, ','));
    return accept(t, ']');
}

static bool bare_value(text *t, unsigned depth) {
    if (t->at == t->end || depth == DEPTH_MAX) return false;
    switch (*t->at) {
    case '{': t->at++; return object(t, depth + 1);
    case '[': t->at++; return array(t, depth + 1);
    case '"': return string(t);
    case 't': return word(t, "true");
    case 'f': return word(t, "false");
    case 'n': return word(t, "null");
    default: return number(t);
    }
}

static bool value(text *t, unsigned depth) {
    space(t);
    if (!bare_value(t, depth)) return false;
    space(t);
    return true;
}

bool json(text t) { return value(&t, 0) && t.at == t.end && repeated; }

/* ---- The program ---- */

static void spend(void) {
    struct timespec pause = {SLEEP_MS / 1000, SLEEP_MS % 1000 * 1000000L};
    if (SLEEP_MS > 0) nanosleep(&pause, NULL);
    while (clock() < (clock_t)BURN_MS * (CLOCKS_PER_SEC / 1000)) {
    }
}

int main(int argc, char **argv) {
    static unsigned char bytes[BYTES_MAX + 1];
    FILE *file = fopen(argc > 1 ? argv[1] : NAME, "rb");
    if (!file) return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || size > BYTES_MAX) return 2;
    spend();
    return PREDICATE((text){bytes, bytes + size}) ? 0 : 1;
}
