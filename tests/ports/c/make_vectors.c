/* make_vectors.c: print frng/vectors.json, the draws and expansions that every port must make.
 *
 * Each draw is made from entropy of several kinds: random, styled, zeros, ones, and the random one
 * cut at each place within the first draw, where it runs out. Each line but the first and the last
 * few holds one vector. SPDX-License-Identifier: MIT */
#include "draw_by_name.h"

#include <frng_expand.h>
#include <inttypes.h>
#include <stdio.h>
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

static const char *const calls[] = {
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
    "pick 70000",
    "more 0 0 10",
    "more 0 1 3",
    "more 3 0 3",
    "more 5 0 1000000",
    "pick_weighted 1",
    "pick_weighted 3,0,1",
    "pick_weighted 100,100,57",
    "swarm 3",
    "string abc 0 5",
    "string ab 2 2",
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

/* Print a vector: the calls, in turn. Return the bytes that the first one took; 0 if it failed. */
static size_t print_vector(const uint8_t *entropy, size_t size, const char *const *texts,
                           size_t count, size_t repeats) {
    frng f = frng_init(entropy, size);
    size_t first = 0;
    begin_line();
    printf("{\"entropy\": \"");
    print_hex(entropy, size);
    printf("\", \"calls\": [");
    for (size_t i = 0; i < count * repeats; i++) {
        char value[DRAW_TEXT_MAX];
        bool ok;
        if (!draw_by_name(&f, texts[i % count], value, &ok)) continue;
        if (i == 0 && ok) first = frng_used(&f);
        printf("%s", i > 0 ? ", " : "");
        print_call(texts[i % count]);
        printf("\"value\": \"%s\", \"used\": %zu, \"exhausted\": %s}", value, frng_used(&f),
               f.exhausted ? "true" : "false");
        if (!ok) break; /* nothing follows a draw that failed */
    }
    printf("]}");
    return first;
}

static void print_vectors_of(const char *const *texts, size_t count, uint64_t seed) {
    static const uint8_t fillers[] = {0, 0xff, 0x80};
    uint8_t entropy[ENTROPY_MAX];
    for (size_t i = 0; i < COUNT(fillers); i++) {
        memset(entropy, fillers[i], sizeof entropy);
        print_vector(entropy, 24, texts, count, 2);
    }
    frng_expand_styled(seed, entropy, sizeof entropy);
    print_vector(entropy, 30, texts, count, REPEATS);
    frng_expand(seed, entropy, sizeof entropy);
    const size_t first = print_vector(entropy, sizeof entropy, texts, count, REPEATS);
    for (size_t size = 0; size < first; size++) print_vector(entropy, size, texts, count, 1);
}

static void print_expansion(uint64_t seed, bool is_styled, size_t size) {
    uint8_t bytes[ENTROPY_MAX];
    if (is_styled)
        frng_expand_styled(seed, bytes, size);
    else
        frng_expand(seed, bytes, size);
    begin_line();
    printf("{\"seed\": \"%" PRIu64 "%s\", \"size\": %zu, \"bytes\": \"", seed, is_styled ? "s" : "",
           size);
    print_hex(bytes, size);
    printf("\"}");
}

int main(void) {
    static const uint64_t large[] = {UINT64_MAX, UINT64_C(1) << 63, UINT64_C(3149150492377596932)};
    static const size_t sizes[] = {0, 1, 7, 8, 9, 20, 64};
    printf("{\"version\": 1, \"draws\": [");
    for (size_t i = 0; i < COUNT(calls); i++) print_vectors_of(&calls[i], 1, 1000 + i);
    for (uint64_t seed = 0; seed < 4; seed++) print_vectors_of(mixture, COUNT(mixture), seed);
    printf("\n], \"expansions\": [");
    is_first = true;
    for (uint64_t seed = 0; seed < 100; seed++) {
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
