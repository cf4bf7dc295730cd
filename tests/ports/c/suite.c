/* suite.c: the reference that the ports are compared with. Its first argument chooses what it does:
 *
 *     digests         print the digests of DIGESTS.md
 *     vectors FILE    compare draws and expansions with the lines that test_ports.py makes of
 *                     vectors.json; print how many there are
 *     empty ...       be the target of that name
 *
 * SPDX-License-Identifier: MIT */
#include "draw_by_name.h"

#include <frng_main.h>
#include <inttypes.h>

/* ---- Digests ---- */

enum { DRAWS = 10000, ENTROPY_SIZE = 400000, SEEDS = 300, SEED_SIZE = 1003 };

typedef struct digest {
    uint64_t value;
} digest;

#define DIGEST_BEGIN ((digest){UINT64_C(0xcbf29ce484222325)})

static void fold_byte(digest *d, uint8_t byte) {
    d->value = (d->value ^ byte) * UINT64_C(0x100000001b3);
}

static void fold(digest *d, uint64_t number) {
    for (int i = 0; i < 8; i++) fold_byte(d, (uint8_t)(number >> (8 * i)));
}

typedef enum kind {
    BYTES,
    BOOL,
    ANY_NUMBER,
    RANGE = ANY_NUMBER + 8,
    INDEX = RANGE + 8,
    WEIGHTED,
    SWARM_WEIGHTS,
    SHUFFLE,
    F64,
    CHANCE,
    KIND_COUNT
} kind;

static const char *const kind_names[KIND_COUNT] = {
    "bytes",    "bool",      "u8",        "u16",       "u32",       "u64",       "i8",
    "i16",      "i32",       "i64",       "u8_range",  "u16_range", "u32_range", "u64_range",
    "i8_range", "i16_range", "i32_range", "i64_range", "index",     "weighted",  "swarm_weights",
    "shuffle",  "f64",       "chance",
};

typedef struct range {
    uint64_t min, max; /* signed ones in two's complement */
} range;

static range range_of(uint64_t a, uint64_t b, unsigned bits, bool is_signed) {
    const uint64_t top = UINT64_MAX >> (64 - bits);
    const uint64_t spans[] = {a >> 8 & 15, a >> 8 & top, top,
                              (UINT64_C(1) << (a >> 8) % bits) - 1 + (a >> 16 & 1)};
    const uint64_t span = spans[a % 4], any = b & top;
    const uint64_t low = any < top - span ? any : top - span;
    const uint64_t shift = is_signed ? UINT64_C(1) << (bits - 1) : 0;
    return (range){low - shift, low + span - shift};
}

/* Draw a number of one type, of any value or of a range. */
#define DRAW(name, type)                                                                           \
    static bool draw_##name(frng *f, const range *r, uint64_t *value) {                            \
        type number;                                                                               \
        const bool ok = r != NULL ? frng_##name##_range(f, (type)r->min, (type)r->max, &number)    \
                                  : frng_##name(f, &number);                                       \
        *value = (uint64_t)number;                                                                 \
        return ok;                                                                                 \
    }

DRAW(u8, uint8_t)
DRAW(u16, uint16_t)
DRAW(u32, uint32_t)
DRAW(u64, uint64_t)
DRAW(i8, int8_t)
DRAW(i16, int16_t)
DRAW(i32, int32_t)
DRAW(i64, int64_t)

/* Draw number `type` of u8 .. i64. */
static bool draw_number(frng *f, unsigned type, const range *r, uint64_t *value) {
    static bool (*const draws[])(frng *, const range *, uint64_t *) = {
        draw_u8, draw_u16, draw_u32, draw_u64, draw_i8, draw_i16, draw_i32, draw_i64};
    return draws[type](f, r, value);
}

static bool fold_bytes(frng *f, uint64_t a, digest *d) {
    const uint8_t *bytes;
    const size_t count = a & 15;
    FRNG_TRY(frng_bytes(f, count, &bytes));
    for (size_t j = 0; j < count; j++) fold(d, bytes[j]);
    return true;
}

static bool fold_weighted(frng *f, uint64_t a, uint64_t b, digest *d) {
    uint32_t weights[8];
    size_t index;
    for (int j = 0; j < 8; j++) weights[j] = (b >> (8 * j) & 255) + (j == 0);
    FRNG_TRY(frng_weighted(f, weights, 1 + (a & 7), &index));
    fold(d, index);
    return true;
}

static bool fold_swarm_weights(frng *f, uint64_t a, digest *d) {
    uint32_t weights[8];
    FRNG_TRY(frng_swarm_weights(f, weights, 1 + (a & 7)));
    for (size_t j = 0; j < 1 + (a & 7); j++) fold(d, weights[j]);
    return true;
}

static bool fold_shuffle(frng *f, uint64_t a, digest *d) {
    uint8_t list[8];
    for (uint8_t j = 0; j < 8; j++) list[j] = j;
    FRNG_TRY(frng_shuffle(f, list, a & 7, 1));
    for (size_t j = 0; j < (a & 7); j++) fold(d, list[j]);
    return true;
}

static bool fold_other(frng *f, kind k, uint64_t a, uint64_t b, digest *d) {
    const uint32_t denominator = 1 + (a & 65535);
    uint64_t bits;
    double real;
    size_t index;
    bool is_true;
    switch (k) {
    case BOOL:
        FRNG_TRY(frng_bool(f, &is_true));
        fold(d, is_true);
        return true;
    case INDEX:
        FRNG_TRY(frng_index(f, (size_t)(1 + (a >> (33 + b % 31))), &index));
        fold(d, index);
        return true;
    case F64:
        FRNG_TRY(frng_f64(f, &real));
        memcpy(&bits, &real, sizeof bits);
        fold(d, bits);
        return true;
    default:
        FRNG_TRY(
            frng_chance(f, (uint32_t)(b % (denominator + UINT64_C(1))), denominator, &is_true));
        fold(d, is_true);
        return true;
    }
}

static bool fold_draw(frng *f, kind k, uint64_t a, uint64_t b, digest *d) {
    if (k >= ANY_NUMBER && k < INDEX) {
        const unsigned type = (k - ANY_NUMBER) % 8;
        const range r = range_of(a, b, 8u << type % 4, type >= 4);
        uint64_t value;
        FRNG_TRY(draw_number(f, type, k >= RANGE ? &r : NULL, &value));
        fold(d, value);
        return true;
    }
    switch (k) {
    case BYTES: return fold_bytes(f, a, d);
    case WEIGHTED: return fold_weighted(f, a, b, d);
    case SWARM_WEIGHTS: return fold_swarm_weights(f, a, d);
    case SHUFFLE: return fold_shuffle(f, a, d);
    default: return fold_other(f, k, a, b, d);
    }
}

static bool print_digest_of_kind(kind k) {
    static uint8_t entropy[ENTROPY_SIZE], bounds[DRAWS * 16];
    digest d = DIGEST_BEGIN;
    frng_expand(100 + (uint64_t)k, entropy, sizeof entropy);
    frng_expand(200 + (uint64_t)k, bounds, sizeof bounds);
    frng f = frng_init(entropy, sizeof entropy);
    for (size_t i = 0; i < DRAWS; i++) {
        const uint64_t a = frng__load(bounds + 16 * i, 8), b = frng__load(bounds + 16 * i + 8, 8);
        if (!fold_draw(&f, k, a, b, &d)) return false;
    }
    fold(&d, frng_used(&f));
    printf("%s %016" PRIx64 "\n", kind_names[k], d.value);
    return true;
}

static void print_digest_of_expansion(const char *name, bool is_styled) {
    uint8_t bytes[SEED_SIZE];
    digest d = DIGEST_BEGIN;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        if (is_styled)
            frng_expand_styled(seed, bytes, sizeof bytes);
        else
            frng_expand(seed, bytes, sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; i++) fold_byte(&d, bytes[i]);
    }
    printf("%s %016" PRIx64 "\n", name, d.value);
}

static int print_digests(void) {
    for (kind k = BYTES; k < KIND_COUNT; k++) {
        if (!print_digest_of_kind(k)) return 1;
    }
    print_digest_of_expansion("expand", false);
    print_digest_of_expansion("expand_styled", true);
    return 0;
}

/* ---- Vectors ---- */

enum { LINE_MAX_SIZE = 4096 };

typedef struct reader {
    uint8_t entropy[LINE_MAX_SIZE];
    frng f;
    size_t vectors;
} reader;

static size_t read_hex(const char *text, uint8_t *bytes) {
    size_t size = 0;
    unsigned byte;
    while (sscanf(text + 2 * size, "%2x", &byte) == 1) bytes[size++] = (uint8_t)byte;
    return size;
}

/* Expand a seed, "17", or a styled one, "17s". */
static void expand_text(const char *text, uint8_t *bytes, size_t size) {
    char *end;
    const uint64_t seed = strtoull(text, &end, 10);
    (*end == 's' ? frng_expand_styled : frng_expand)(seed, bytes, size);
}

/* "SEED SIZE HEX" */
static bool is_expansion_right(const char *line) {
    char seed[64], hex[LINE_MAX_SIZE] = "";
    uint8_t wanted[LINE_MAX_SIZE], bytes[LINE_MAX_SIZE];
    size_t size;
    if (sscanf(line, "%63s %zu %4095s", seed, &size, hex) < 2) return false;
    if (read_hex(hex, wanted) != size) return false;
    expand_text(seed, bytes, size);
    return memcmp(bytes, wanted, size) == 0;
}

/* "DRAW ARGUMENT... = VALUE USED EXHAUSTED" */
static bool is_draw_right(reader *r, char *line) {
    char *end = strstr(line, " = "), wanted[LINE_MAX_SIZE] = "", value[DRAW_TEXT_MAX];
    size_t used;
    int exhausted;
    bool ok;
    if (end == NULL) return false;
    *end = '\0';
    end += 3;
    if (end[0] != ' ') end += sscanf(end, "%4095s", wanted) == 1 ? strlen(wanted) : 0;
    if (sscanf(end, "%zu %d", &used, &exhausted) != 2) return false;
    return draw_by_name(&r->f, line, value, &ok) && strcmp(value, wanted) == 0 &&
           frng_used(&r->f) == used && r->f.exhausted == (exhausted == 1) && ok == !exhausted;
}

static bool is_line_right(reader *r, char *line) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "expand ", 7) == 0) {
        r->vectors++;
        return is_expansion_right(line + 7);
    }
    if (strncmp(line, "entropy ", 8) != 0) return is_draw_right(r, line);
    r->vectors++;
    r->f = frng_init(r->entropy, read_hex(line + 8, r->entropy));
    return true;
}

static int compare_vectors(const char *name) {
    static reader r;
    char line[2 * LINE_MAX_SIZE];
    FILE *file = fopen(name, "r");
    if (file == NULL) return 2;
    while (fgets(line, sizeof line, file) != NULL) {
        if (is_line_right(&r, line)) continue;
        printf("vector %zu differs: %s\n", r.vectors, line);
        return 1;
    }
    fclose(file);
    printf("%zu vectors\n", r.vectors);
    return 0;
}

/* ---- Targets ---- */

static int draws_wanted; /* by the target `draws` */

static bool test_empty(frng *f) {
    (void)f;
    return true;
}

static bool test_draws(frng *f) {
    uint8_t x;
    for (int i = 0; i < draws_wanted; i++) FRNG_TRY(frng_u8(f, &x));
    return true;
}

static bool test_fails(frng *f) {
    bool x;
    FRNG_TRY(frng_bool(f, &x));
    FRNG_ASSERT(false, "always");
    return true;
}

static bool test_two_bugs(frng *f) {
    uint8_t x, previous = 255;
    int high = 0;
    for (;; previous = x) {
        FRNG_TRY(frng_u8(f, &x));
        FRNG_ASSERT(x != 0 || previous != 0, "few");
        high += x >= 128;
        FRNG_ASSERT(high < 4, "many");
    }
}

/* A draw of 0..9 by `% 10`, which its record does not say. */
static bool lie(frng *f, uint64_t *value) {
    const size_t start = f->used;
    if (!frng__take(f, 1)) return frng__ask(f, FRNG_UINT, start, 1, 0, 9, NULL);
    *value = f->base[start] % 10;
    return frng__done(f, FRNG_UINT, start, 1, 0, 9, *value);
}

static bool test_liar(frng *f) {
    for (;;) {
        bool is_lie;
        uint64_t value = 0;
        frng_step(f, "step");
        FRNG_TRY(frng_bool(f, &is_lie));
        if (is_lie) FRNG_TRY(lie(f, &value));
        FRNG_ASSERT(value != 7, "seven");
    }
}

static bool test_stateful(frng *f) {
    static int runs;
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(runs++ < 50, "too many runs");
    return true;
}

static bool test_exits(frng *f) {
    uint8_t x, previous = 0;
    for (;; previous = x) {
        FRNG_TRY(frng_u8(f, &x));
        if (x < 64) exit(0);
        FRNG_ASSERT(x <= 250 || previous <= 250, "two large ones");
    }
}

static bool test_hangs(frng *f) {
    volatile bool hangs = false;
    uint8_t x;
    for (;;) {
        FRNG_TRY(frng_u8(f, &x));
        hangs = x == 200;
        while (hangs) {
        }
    }
}

static bool draw_numbers(frng *f) {
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    frng_note(f, "u8");
    FRNG_TRY(frng_u8(f, &u8));
    FRNG_ASSERT(u8 != 77, "77");
    frng_note(f, "u16");
    FRNG_TRY(frng_u16(f, &u16));
    frng_note(f, "u32");
    FRNG_TRY(frng_u32(f, &u32));
    frng_note(f, "u64");
    FRNG_TRY(frng_u64(f, &u64));
    frng_note(f, "i8");
    FRNG_TRY(frng_i8(f, &i8));
    frng_note(f, "i16");
    FRNG_TRY(frng_i16(f, &i16));
    frng_note(f, "i32");
    FRNG_TRY(frng_i32(f, &i32));
    frng_note(f, "i64");
    FRNG_TRY(frng_i64(f, &i64));
    return true;
}

static bool draw_ranges(frng *f) {
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    frng_note(f, "u8_range");
    FRNG_TRY(frng_u8_range(f, 3, 12, &u8));
    frng_note(f, "u16_range");
    FRNG_TRY(frng_u16_range(f, 3, 1002, &u16));
    frng_note(f, "u32_range");
    FRNG_TRY(frng_u32_range(f, 3, 100002, &u32));
    frng_note(f, "u64_range");
    FRNG_TRY(frng_u64_range(f, 3, UINT64_C(10000000002), &u64));
    frng_note(f, "i8_range");
    FRNG_TRY(frng_i8_range(f, -5, 5, &i8));
    frng_note(f, "i16_range");
    FRNG_TRY(frng_i16_range(f, -500, 500, &i16));
    frng_note(f, "i32_range");
    FRNG_TRY(frng_i32_range(f, -50000, 50000, &i32));
    frng_note(f, "i64_range");
    FRNG_TRY(frng_i64_range(f, INT64_C(-5000000000), INT64_C(5000000000), &i64));
    return true;
}

static bool draw_others(frng *f) {
    static const uint32_t weights[] = {3, 0, 1};
    static const uint8_t primes[] = {2, 3, 5, 7};
    uint32_t swarm[2];
    uint8_t list[] = {0, 1, 2}, prime;
    size_t index;
    double real;
    bool is_true;
    frng_note(f, "index");
    FRNG_TRY(frng_index(f, 10, &index));
    frng_note(f, "weighted");
    FRNG_TRY(frng_weighted(f, weights, 3, &index));
    frng_note(f, "swarm_weights");
    FRNG_TRY(frng_swarm_weights(f, swarm, 2));
    frng_note(f, "shuffle");
    FRNG_TRY(frng_shuffle(f, list, 3, 1));
    frng_note(f, "f64");
    FRNG_TRY(frng_f64(f, &real));
    frng_note(f, "chance");
    FRNG_TRY(frng_chance(f, 1, 8, &is_true));
    frng_note(f, "pick");
    FRNG_TRY(frng_element(f, primes, &prime));
    frng_note(f, "more");
    FRNG_TRY(frng_more(f, 1, 0, 3, &is_true));
    return true;
}

/* Each required draw in turn, with bounds that are not round. */
static bool test_kinds(frng *f) {
    const uint8_t *bytes;
    bool is_true;
    for (;;) {
        frng_step(f, "all kinds");
        frng_note(f, "bytes");
        FRNG_TRY(frng_bytes(f, 3, &bytes));
        frng_note(f, "bool");
        FRNG_TRY(frng_bool(f, &is_true));
        FRNG_TRY(draw_numbers(f));
        FRNG_TRY(draw_ranges(f));
        FRNG_TRY(draw_others(f));
    }
}

typedef struct target {
    const char *name;
    frng_test test;
} target;

int main(int argc, char **argv) {
    static const target targets[] = {
        {"empty", test_empty},       {"draws", test_draws}, {"fails", test_fails},
        {"two-bugs", test_two_bugs}, {"liar", test_liar},   {"stateful", test_stateful},
        {"exits", test_exits},       {"hangs", test_hangs}, {"kinds", test_kinds},
    };
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "digests") == 0) return print_digests();
    if (strcmp(name, "vectors") == 0 && argc > 2) return compare_vectors(argv[2]);
    draws_wanted = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(name, targets[i].name) == 0) return frng_run(targets[i].test);
    }
    fprintf(stderr, "suite: no such sub-command: %s\n", name);
    return 2;
}
