/* Every function of the headers, as C11 and as C++11: what it prints is every.expected with any
 * compiler, for either language, on any machine. Exits 1 when a draw fails that must not. */
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

static void note(frng *f, const char *name) { printf("%-8s %4zu  %s\n", "note", f->used, name); }

static bool all(frng *f) {
    return u8(f) && u16(f) && u32(f) && u64(f) && i8(f) && i16(f) && i32(f) && i64(f) && choices(f);
}

int main(void) {
    static uint8_t entropy[1024];
    frng_host host;
    frng_expansion e = frng_expansion_init(92);
    frng f;
    host.fill = fill;
    host.drawn = drawn;
    host.note = note;
    host.mark = NULL;
    frng_expansion_fill(&e, entropy, 512);
    frng_expansion_fill(&e, entropy + 512, 512);
    for (int round = 0; round < 3; round++) {
        f = frng_init(entropy + 200 * round, 300);
        f.host = round == 2 ? &host : NULL;
        f.ready = round == 2 ? 0 : f.size;
        if (!all(&f)) return 1;
    }
    printf("told %zu draws\n", told);
    frng_expand(92, entropy, 4);
    printf("expanded %02x%02x%02x%02x\n", entropy[0], entropy[1], entropy[2], entropy[3]);
    if (getenv("EVERY_RUNS") != NULL) return frng_run(all);
    return 0;
}
