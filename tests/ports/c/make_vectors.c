/* make_vectors.c: print frng/vectors.json, the draws and expansions that every port must make.
 *
 * Each draw is made from entropy of several kinds: random, styled, zeros, ones, and the random one
 * cut at each place within the first draw, where it fails, and fails again; and from numbers beside
 * those that bounded draws reject. Each line but the first and the last few holds one vector.
 * SPDX-License-Identifier: MIT */
#include "draw_by_name.h"

#include <frng_encode.h>
#include <frng_expand.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { ENTROPY_MAX = 64, REPEATS = 3 };

/* Doubles by their bits: 0, 1, -1, 0.1, 1e300, the largest, the least denormal. */
#define F64_0 "0000000000000000"
#define F64_1 "3ff0000000000000"
#define F64_MINUS_1 "bff0000000000000"
#define F64_TENTH "3fb999999999999a"
#define F64_MAX "7fefffffffffffff"
#define F64_MINUS_MAX "ffefffffffffffff"
#define F64_LEAST "0000000000000001"
#define F64_MINUS_TENTH "bfb999999999999a"

#define LETTERS_32 "abcdefghijklmnopqrstuvwxyz012345"

/* Draws that each port has. */
static const char *const required_calls[] = {
    "bytes 0",
    "bytes 1",
    "bytes 7",
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8_range 0 9",
    "u8_range 5 5",
    "u8_range 0 255",
    "u8_range 200 255",
    "u8_range 0 127",
    "u8_range 0 128",
    "u16_range 0 999",
    "u16_range 1 65535",
    "u32_range 0 10",
    "u32_range 7 4294967295",
    "u32_range 0 2147483648",
    "u64_range 0 99",
    "u64_range 1 18446744073709551615",
    "u64_range 0 9223372036854775808",
    "u64_range 10000000000 10000000006",
    "i8_range -128 127",
    "i8_range -5 5",
    "i8_range -128 -1",
    "i16_range -1000 1000",
    "i16_range -32768 32767",
    "i32_range -7 3",
    "i32_range -2147483648 2147483646",
    "i64_range -9223372036854775808 9223372036854775807",
    "i64_range -9223372036854775808 0",
    "i64_range -3 3000000000",
    "index 1",
    "index 10",
    "index 1000000007",
    "weighted 1",
    "weighted 3,0,1",
    "weighted 0,0,4294967295,4294967295",
    "swarm_weights 0",
    "swarm_weights 2",
    "shuffle 1",
    "shuffle 3",
    "shuffle 4",
    "f64",
    "chance 0 1",
    "chance 1 1",
    "chance 1 8",
    "chance 2 3",
    "chance 4294967294 4294967295",
    "pick 1",
    "pick 6",
    "pick 256",
    "pick 257",
    "pick 65536",
    "pick 70000",
    "more 0 0 10",
    "more 0 1 3",
    "more 3 0 3",
    "more 5 0 1000000",
};

/* Draws that a port can lack. */
static const char *const other_calls[] = {
    "pick_weighted 1",
    "pick_weighted 3,0,1",
    "pick_weighted 100,100,57",
    "swarm 3",
    "string abc 0 5",
    "string ab 2 2",
    "string " LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32 " 0 3",
    "string " LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32 "Z 0 3",
    "u8_mixed 0 255",
    "u16_mixed 3 1000",
    "u32_mixed 0 4294967295",
    "u64_mixed 0 18446744073709551615",
    "i8_mixed -128 127",
    "i16_mixed -3 1000",
    "i32_mixed 5 70000",
    "i64_mixed -9223372036854775808 9223372036854775807",
    "i64_mixed -70000 -5",
    "f64_any",
    "f64_range " F64_0 " " F64_1,
    "f64_range " F64_MINUS_1 " " F64_TENTH,
    "f64_range " F64_MINUS_MAX " " F64_MAX,
    "f64_range " F64_0 " " F64_LEAST,
    "subset 1",
    "subset 10",
    "subset 64",
    "permutation 1",
    "permutation 5",
    "date",
};

/* Draws of several kinds in one run. */
static const char *const mixture[] = {
    "bool",
    "u8_range 0 9",
    "u32",
    "bytes 3",
    "i16_range -5 300",
    "pick 3",
    "weighted 1,2",
    "u64_range 0 99",
    "chance 1 3",
    "more 1 0 4",
    "f64",
    "i8",
};

/* Draws of a number from 0 to `max`, of `width` bytes, some of which are rejected. Numbers from
 * `edge` on mean something else than those below, if it is not 0. */
typedef struct bounded {
    const char *text;
    size_t width;
    uint64_t max, edge;
} bounded;

static const bounded bounded_calls[] = {
    {"u8_range 0 10", 1, 10, 0},
    {"u8_range 100 254", 1, 154, 0},
    {"i8_range -100 100", 1, 200, 100},
    {"u16_range 0 999", 2, 999, 0},
    {"i16_range -32768 32766", 2, 65534, 0},
    {"u32_range 0 10", 4, 10, 0},
    {"i32_range -7 3", 4, 10, 7},
    {"u32_range 0 3221225471", 4, 3221225471, 0},
    {"u64_range 0 99", 8, 99, 0},
    {"u64_range 0 13835058055282163711", 8, UINT64_C(13835058055282163711), 0},
    {"i64_range -9223372036854775808 0", 8, UINT64_C(1) << 63, 0},
    {"index 1000000007", 8, 1000000006, 0},
    {"weighted 1,1,1", 8, 2, 0},
    {"weighted 0,5,7,0", 8, 11, 5},
    {"swarm_weights 1", 4, 99, 0},
    {"chance 2 3", 4, 2, 0},
    {"chance 1000 60000", 4, 59999, 1000},
    {"pick 6", 1, 5, 0},
    {"pick 257", 2, 256, 0},
    {"pick 70000", 4, 69999, 0},
    {"more 0 1 3", 1, 254, 85},
    {"more 1 1 3", 1, 254, 85},
    {"more 1 0 30", 1, 254, 15},
    {"more 1 0 32", 1, 254, 15},
    {"pick_weighted 3,0,4", 1, 6, 3},
    {"f64_range " F64_MINUS_TENTH " " F64_1, 8, 4953959590107546, 900719925474100},
    {"f64_range " F64_MINUS_1 " " F64_TENTH, 8, 4953959590107546, 900719925474099},
    {"date", 4, 3652058, 2921939},
};

/* Draws from these bytes, in hexadecimal. */
typedef struct exact {
    const char *text;
    const char *entropy;
} exact;

static const exact exact_calls[] = {
    /* ranks on both sides of the last one that both signs have */
    {"i16_mixed -3 1000", "4700474047804780"},
    {"i8_mixed -128 5", "80008020804080608080"},
    /* the first bytes of doubles: counts of bits, fractions */
    {"f64_any", "355a5a5a5a5a5a5a5a"},
    {"f64_any", "365a5a5a5a5a5a5a5a"},
    {"f64_any", "37"},
    {"f64_any", "3f5a5a5a5a5a5a5a5a"},
    {"f64_any", "400f"},
    {"f64_any", "4110"},
    {"f64_any", "5f5a5a5a5a1f"},
    {"f64_any", "6000"},
    {"f64_any", "7f5a5a5a5aff"},
    {"f64_any", "80e07f0000000000ff"},
    /* weights that are all 0 */
    {"swarm 3", "20406000"},
};

static bool is_first = true;

static void begin_line(void) {
    printf("%s\n", is_first ? "" : ",");
    is_first = false;
}

static void print_hex(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
}

/* Print a call's name and arguments. */
static void print_call(const char *text) {
    const char *rest = text + strcspn(text, " ");
    printf("{\"draw\": \"%.*s\", \"arguments\": [", (int)(rest - text), text);
    for (const char *between = ""; rest[0] != '\0'; between = ", ") {
        const char *word = rest + 1;
        rest = word + strcspn(word, " ");
        printf("%s\"%.*s\"", between, (int)(rest - word), word);
    }
    printf("], ");
}

/* Make a draw, and print it with its value. */
static void print_draw(frng *f, const char *text) {
    char value[DRAW_TEXT_MAX];
    bool ok;
    if (!draw_by_name(f, text, value, &ok) || ok == f->exhausted) abort();
    print_call(text);
    printf("\"value\": \"%s\", \"used\": %zu, \"exhausted\": %s}", value, frng_used(f),
           f->exhausted ? "true" : "false");
}

/* Print a vector: the calls, in turn, until one fails, and `last`, which then fails, too. Return
 * the bytes that the first one took; 0 if it failed. */
static size_t print_vector(const uint8_t *entropy, size_t size, const char *const *texts,
                           size_t count, size_t repeats, const char *last) {
    frng f = frng_init(entropy, size);
    size_t first = 0;
    begin_line();
    printf("{\"entropy\": \"");
    print_hex(entropy, size);
    printf("\", \"calls\": [");
    for (size_t i = 0; i < count * repeats && !f.exhausted; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_draw(&f, texts[i % count]);
        if (i == 0 && !f.exhausted) first = frng_used(&f);
        if (!f.exhausted) continue;
        printf(", ");
        print_draw(&f, last);
    }
    printf("]}");
    return first;
}

static void print_vectors_of(const char *const *texts, size_t count, const char *last,
                             uint64_t seed) {
    static const uint8_t fillers[] = {0, 0xff};
    uint8_t entropy[ENTROPY_MAX];
    for (size_t i = 0; i < COUNT(fillers); i++) {
        memset(entropy, fillers[i], sizeof entropy);
        print_vector(entropy, 24, texts, count, 2, last);
    }
    frng_expand_styled(seed, entropy, sizeof entropy);
    print_vector(entropy, 30, texts, count, REPEATS, last);
    frng_expand(seed, entropy, sizeof entropy);
    const size_t first = print_vector(entropy, sizeof entropy, texts, count, REPEATS, last);
    for (size_t size = 0; size < first; size++) print_vector(entropy, size, texts, count, 1, last);
}

/* The lowest values of a bounded draw, those beside its edge, and the highest, from the smallest
 * numbers that mean them, each after the number just below, which is rejected or means the value
 * before. */
static void print_numbers_beside_rejected(const bounded *b) {
    uint8_t entropy[2 * 9 * 8];
    size_t size = 0;
    for (uint64_t i = 0; i < 9; i++) {
        const uint64_t parts[] = {i, b->edge + i - 4, b->max + i - 8}; /* of three each */
        if (i / 3 == 1 && b->edge == 0) continue;
        const uint64_t number = frng__unbounded(b->width, b->max, parts[i / 3]);
        size += frng__store_number(number - 1, b->width, entropy + size);
        size += frng__store_number(number, b->width, entropy + size);
    }
    print_vector(entropy, size, &b->text, 1, 18, b->text);
}

/* Doubles near powers of two and special ones, one step or some steps away. */
static void print_doubles_near(uint64_t special) {
    static const char *const text = "f64_any";
    uint8_t entropy[8 * 9];
    for (uint64_t how = 0; how < 8; how++) {
        const uint64_t number =
            ((special + how) % 3 + 1) | special << 2 | UINT64_C(5) << 16 | how << 21;
        entropy[9 * how] = 128;
        frng__store_number(number | special % 2 << 63, 8, entropy + 9 * how + 1);
    }
    print_vector(entropy, sizeof entropy, &text, 1, 8, text);
}

static void print_exact(const exact *e) {
    uint8_t entropy[ENTROPY_MAX];
    size_t size = 0;
    unsigned byte;
    while (sscanf(e->entropy + 2 * size, "%2x", &byte) == 1) entropy[size++] = (uint8_t)byte;
    print_vector(entropy, size, &e->text, 1, 5, e->text);
}

static void print_expansion_of(const char *seed, const uint8_t *bytes, size_t size) {
    begin_line();
    printf("{\"seed\": \"%s\", \"size\": %zu, \"bytes\": \"", seed, size);
    print_hex(bytes, size);
    printf("\"}");
}

static void expand(uint64_t seed, bool is_styled, uint8_t *bytes, size_t size) {
    if (is_styled)
        frng_expand_styled(seed, bytes, size);
    else
        frng_expand(seed, bytes, size);
}

static void print_expansion(uint64_t seed, bool is_styled, size_t size) {
    uint8_t bytes[ENTROPY_MAX];
    char text[32];
    expand(seed, is_styled, bytes, size);
    sprintf(text, "%" PRIu64 "%s", seed, is_styled ? "s" : "");
    print_expansion_of(text, bytes, size);
}

int main(void) {
    static const uint64_t large[] = {UINT64_MAX, UINT64_C(1) << 63, UINT64_C(3149150492377596932)};
    static const size_t sizes[] = {0, 1, 7, 8, 9, 20, 64};
    printf("{\"version\": 1, \"draws\": [");
    for (size_t i = 0; i < COUNT(required_calls); i++)
        print_vectors_of(&required_calls[i], 1, "bool", 1000 + i);
    for (size_t i = 0; i < COUNT(other_calls); i++) /* a port without them skips their vectors */
        print_vectors_of(&other_calls[i], 1, other_calls[i], 2000 + i);
    for (uint64_t seed = 0; seed < 4; seed++)
        print_vectors_of(mixture, COUNT(mixture), "bool", seed);
    for (size_t i = 0; i < COUNT(bounded_calls); i++)
        print_numbers_beside_rejected(&bounded_calls[i]);
    for (uint64_t special = 0; special < 8; special++) print_doubles_near(special);
    for (size_t i = 0; i < COUNT(exact_calls); i++) print_exact(&exact_calls[i]);
    printf("\n], \"expansions\": [");
    is_first = true;
    for (uint64_t seed = 0; seed < 60; seed++) {
        print_expansion(seed, false, 1 + seed % ENTROPY_MAX);
        print_expansion(seed, true, ENTROPY_MAX);
    }
    for (size_t i = 0; i < COUNT(sizes); i++) {
        print_expansion(5, false, sizes[i]);
        print_expansion(39, true, sizes[i]);
        for (size_t k = 0; k < COUNT(large); k++) print_expansion(large[k], i % 2 == 1, sizes[i]);
    }
    printf("\n]}\n");
    return 0;
}
