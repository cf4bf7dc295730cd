/* Every function of the headers, as C11 and as C++11: what it prints is the same with any compiler,
 * for either language, on any machine (compile.sh). Exits 1 when a draw fails that must not. */
#include "frng.h"
#include "frng_assert.h"
#include "frng_expand.h"
#include "frng_main.h"
#include "frng_more.h"

#include <inttypes.h>

/* An expression that works in both languages. */
#define SAY(name, format, value) printf("%-8s %4zu  %" format "\n", name, frng_used(f), value)

#define UNSIGNED(name, type, min, max, format)                                                     \
    static bool name(frng *f) {                                                                    \
        type x;                                                                                    \
        FRNG_TRY(frng_##name(f, &x));                                                              \
        SAY(#name, format, x);                                                                     \
        FRNG_TRY(frng_##name##_max(f, max, &x));                                                   \
        SAY(#name, format, x);                                                                     \
        FRNG_TRY(frng_##name##_range(f, min, max, &x));                                            \
        SAY(#name, format, x);                                                                     \
        return true;                                                                               \
    }
#define SIGNED(name, type, min, max, format)                                                       \
    static bool name(frng *f) {                                                                    \
        type x;                                                                                    \
        FRNG_TRY(frng_##name(f, &x));                                                              \
        SAY(#name, format, x);                                                                     \
        FRNG_TRY(frng_##name##_range(f, min, max, &x));                                            \
        SAY(#name, format, x);                                                                     \
        return true;                                                                               \
    }

UNSIGNED(u8, uint8_t, 100, 250, PRIu8)
UNSIGNED(u16, uint16_t, 100, 60000, PRIu16)
UNSIGNED(u32, uint32_t, 5, UINT32_C(3000000001), PRIu32)
UNSIGNED(u64, uint64_t, 1, UINT64_C(10000000000000000001), PRIu64)
SIGNED(i8, int8_t, -128, 126, PRId8)
SIGNED(i16, int16_t, -20000, 20000, PRId16)
SIGNED(i32, int32_t, INT32_MIN, 0, PRId32)
SIGNED(i64, int64_t, INT64_MIN, INT64_MAX - 1, PRId64)

static bool choices(frng *f) {
    uint32_t weights[4];
    char letters[] = "abcdefgh";
    const uint8_t *bytes;
    size_t index;
    double real;
    bool b;
    frng_note(f, "choices");
    FRNG_TRY(frng_bytes(f, 3, &bytes));
    SAY("bytes", PRIu8, bytes[2]);
    FRNG_TRY(frng_bool(f, &b));
    SAY("bool", "d", b ? 1 : 0);
    FRNG_TRY(frng_index(f, 1000003, &index));
    SAY("index", "zu", index);
    FRNG_TRY(frng_swarm_weights(f, weights, 4));
    SAY("swarm", PRIu32, weights[0] + 1000 * weights[1] + 1000000 * weights[2]);
    FRNG_TRY(frng_weighted(f, weights, 4, &index));
    SAY("weighted", "zu", index);
    FRNG_TRY(frng_shuffle(f, letters, 8, 1));
    SAY("shuffle", "s", letters);
    FRNG_TRY(frng_f64(f, &real));
    SAY("f64", ".17g", real);
    FRNG_TRY(frng_chance(f, 1, 3, &b));
    SAY("chance", "d", b ? 1 : 0);
    FRNG_ASSERT(frng_left(f) > 0, "%zu bytes are too few", frng_used(f));
    return true;
}

#define MIXED(name, type, min, max, format)                                                        \
    do {                                                                                           \
        type x;                                                                                    \
        FRNG_TRY(frng_##name##_mixed(f, min, max, &x));                                            \
        SAY(#name, format, x);                                                                     \
    } while (0)

static bool mixed(frng *f) {
    MIXED(u8, uint8_t, 0, 200, PRIu8);
    MIXED(u16, uint16_t, 7, UINT16_MAX, PRIu16);
    MIXED(u32, uint32_t, 0, UINT32_C(3000000000), PRIu32);
    MIXED(u64, uint64_t, 0, UINT64_MAX, PRIu64);
    MIXED(i8, int8_t, INT8_MIN, INT8_MAX, PRId8);
    MIXED(i16, int16_t, -3, 20000, PRId16);
    MIXED(i32, int32_t, INT32_MIN, -5, PRId32);
    MIXED(i64, int64_t, INT64_MIN, INT64_MAX, PRId64);
    return true;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool doubles(frng *f) {
    double real;
    for (int i = 0; i < 20; i++) {
        FRNG_TRY(frng_f64_any(f, &real));
        SAY("any", PRIx64, bits_of(real));
    }
    FRNG_TRY(frng_f64_range(f, -0.1, 1e9, &real));
    SAY("range", PRIx64, bits_of(real));
    FRNG_TRY(frng_f64_range(f, -1.7976931348623157e308, 1.7976931348623157e308, &real));
    SAY("range", PRIx64, bits_of(real));
    FRNG_TRY(frng_f64_range(f, 0, 4.9406564584124654e-324, &real));
    SAY("range", PRIx64, bits_of(real));
    return true;
}

static bool several(frng *f) {
    static const uint16_t primes[] = {2, 3, 5, 7, 11};
    static const uint32_t weights[] = {1, 0, 300};
    uint16_t prime;
    size_t index, order[6];
    uint64_t mask;
    for (size_t count = 200; count < UINT32_MAX / 999; count *= 999) {
        FRNG_TRY(frng_pick(f, count, &index));
        SAY("pick", "zu", index);
    }
    FRNG_TRY(frng_pick_weighted(f, weights, 3, &index));
    SAY("weighted", "zu", index);
    FRNG_TRY(frng_element(f, primes, &prime));
    SAY("element", PRIu16, prime);
    for (size_t count = 3; count <= 64; count = 2 * count + 1) {
        FRNG_TRY(frng_subset(f, count, &mask));
        SAY("subset", PRIx64, mask);
    }
    FRNG_TRY(frng_permutation(f, 6, order));
    for (size_t i = 0; i < 6; i++) SAY("order", "zu", order[i]);
    return true;
}

static bool texts(frng *f) {
    char text[21];
    int year, month, day;
    size_t count = 0;
    bool more = true;
    frng_step(f, "texts");
    for (; more; count += more) FRNG_TRY(frng_more(f, count, 2, 9, &more));
    SAY("list", "zu", count);
    FRNG_TRY(frng_string(f, FRNG_LOWER, 0, 20, text));
    SAY("lower", "s", text);
    FRNG_TRY(frng_string(f, FRNG_PRINTABLE, 5, 20, text));
    SAY("print", "s", text);
    FRNG_TRY(frng_string(f, FRNG_PRINTABLE FRNG_PRINTABLE, 3, 3, text));
    SAY("wide", "s", text);
    FRNG_TRY(frng_date(f, &year, &month, &day));
    SAY("date", "d", 10000 * year + 100 * month + day);
    return true;
}

static bool swarm(frng *f) {
    uint32_t weights[9], sum = 0;
    size_t index;
    FRNG_TRY(frng_swarm(f, weights, 9));
    for (size_t i = 0; i < 9; i++) sum = 10 * sum + weights[i];
    SAY("swarm", PRIu32, sum);
    FRNG_TRY(frng_pick_weighted(f, weights, 9, &index));
    SAY("picked", "zu", index);
    frng_say(f, "%d of %s", 1, "several");
    return true;
}

static bool more(frng *f) { return mixed(f) && doubles(f) && several(f) && texts(f) && swarm(f); }

static bool fill(frng *f, size_t count) {
    (void)count;
    f->ready = f->size;
    return true;
}

static size_t told;

static void drawn(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min, uint64_t max,
                  uint64_t value) {
    (void)f, (void)kind, (void)start, (void)width, (void)min, (void)max, (void)value;
    told++;
}

static void mark(frng *f, int kind, const char *name, uint64_t value) {
    printf("mark %d %5zu  %s %" PRIu64 "\n", kind, f->used, name, value);
}

static void say(frng *f, const char *format, va_list arguments) {
    printf("say    %4zu  %s: %d\n", f->used, format, va_arg(arguments, int));
}

static void note(frng *f, const char *name) { printf("%-8s %4zu  %s\n", "note", f->used, name); }

static bool all(frng *f) {
    return u8(f) && u16(f) && u32(f) && u64(f) && i8(f) && i16(f) && i32(f) && i64(f) && choices(f);
}

/* A digest (FNV-1a) of the bytes of a thousand styled seeds, each in two fills. */
static uint64_t styled(void) {
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        uint8_t bytes[1000];
        frng_expansion e = frng_expansion_styled(seed);
        frng_expansion_fill(&e, bytes, 24);
        frng_expansion_fill(&e, bytes + 24, sizeof bytes - 24);
        for (size_t i = 0; i < sizeof bytes; i++) {
            digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
        }
    }
    return digest;
}

int main(void) {
    static uint8_t entropy[1024];
    frng_host host;
    frng_expansion e = frng_expansion_init(92);
    frng f;
    host.fill = fill;
    host.drawn = drawn;
    host.note = note;
    host.mark = mark;
    host.say = say;
    host.choose = NULL;
    frng_expansion_fill(&e, entropy, 512);
    frng_expansion_fill(&e, entropy + 512, 512);
    for (int round = 0; round < 3; round++) {
        f = frng_init(entropy + 200 * round, 300);
        f.host = round == 2 ? &host : NULL;
        f.ready = round == 2 ? 0 : f.size;
        if (!all(&f)) return 1;
    }
    for (int round = 0; round < 3; round++) {
        f = frng_init(entropy + 200 * round, 600);
        f.host = round == 2 ? &host : NULL;
        f.ready = round == 2 ? 0 : f.size;
        if (!more(&f)) return 1;
    }
    printf("told %zu draws\n", told);
    frng_expand(92, entropy, 4);
    printf("expanded %02x%02x%02x%02x\n", entropy[0], entropy[1], entropy[2], entropy[3]);
    printf("styled %" PRIx64 "\n", styled());
    if (getenv("EVERY_RUNS") != NULL) return frng_run(all);
    return 0;
}
